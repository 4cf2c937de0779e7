#include "onnx/write/model_writer.h"

#include <protozero/pbf_writer.hpp>

#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::onnx {

namespace {

using Writer = protozero::pbf_writer;

constexpr std::int32_t kIrVersion = 10;             // IR version that ONNX Runtime 1.18 and later can read
constexpr std::int32_t kExternal = 1;               // TensorProto.DataLocation
constexpr std::uint64_t kExternalAlignment = 4096;  // page size, so that a file can be mapped in parts

// Writes the value and the type of an attribute, for each alternative of AttributeValue.
struct AttributeWriter {
  Writer& writer;

  void type(AttributeType type) { writer.add_int32(field::attribute::type, static_cast<std::int32_t>(type)); }
  void operator()(std::int64_t value) {
    writer.add_int64(field::attribute::i, value);
    type(AttributeType::i);
  }
  void operator()(float value) {
    writer.add_float(field::attribute::f, value);
    type(AttributeType::f);
  }
  void operator()(const std::string& value) {
    writer.add_bytes(field::attribute::s, value);
    type(AttributeType::s);
  }
  void operator()(const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) writer.add_int64(field::attribute::ints, value);
    type(AttributeType::ints);
  }
  void operator()(const std::vector<float>& values) {
    for (const float value : values) writer.add_float(field::attribute::floats, value);
    type(AttributeType::floats);
  }
  void operator()(const std::vector<std::string>& values) {
    for (const std::string& value : values) writer.add_bytes(field::attribute::strings, value);
    type(AttributeType::strings);
  }
};

class ModelWriter {
 public:
  ModelWriter(const CollectedModel& model, const ExportOptions& options, std::vector<ExternalConstant>& external)
      : model_(model), options_(options), external_(external) {}

  std::string write() {
    std::string proto;
    Writer writer(proto);
    writer.add_int64(field::model::irVersion, kIrVersion);
    writer.add_string(field::model::producerName, "libwebnn");
    writer.add_string(field::model::producerVersion, WEBNN_VERSION);
    {
      Writer graph(writer, field::model::graph);
      writeGraph(graph);
    }
    Writer operatorSet(writer, field::model::opsetImport);
    operatorSet.add_string(field::operatorSet::domain, "");
    operatorSet.add_int64(field::operatorSet::version, model_.operatorSet);
    operatorSet.commit();
    return proto;
  }

 private:
  void writeGraph(Writer& graph) {
    for (const OperatorNode& node : model_.nodes) writeNode(Writer(graph, field::graph::node), node);
    // ONNX requires a name for the graph.
    graph.add_string(field::graph::name, model_.graphName.empty() ? "graph" : model_.graphName);
    for (const Initializer& initializer : model_.initializers) writeTensor(Writer(graph, field::graph::initializer), initializer);
    for (const ValueInfo& input : model_.inputs) writeValue(Writer(graph, field::graph::input), input);
    for (const ValueInfo& output : model_.outputs) writeValue(Writer(graph, field::graph::output), output);
    for (const ValueInfo& value : model_.values) writeValue(Writer(graph, field::graph::valueInfo), value);
  }

  void writeNode(Writer writer, const OperatorNode& node) {
    for (const std::string& input : node.inputs) writer.add_string(field::node::input, input);
    for (const std::string& output : node.outputs) writer.add_string(field::node::output, output);
    if (!node.name.empty()) writer.add_string(field::node::name, node.name);
    writer.add_string(field::node::opType, node.opType);
    for (const auto& [name, value] : node.attributes) {
      Writer attribute(writer, field::node::attribute);
      attribute.add_string(field::attribute::name, name);
      std::visit(AttributeWriter{attribute}, value);
    }
  }

  void writeTensor(Writer writer, const Initializer& tensor) {
    for (const std::int64_t dim : tensor.dims) writer.add_int64(field::tensor::dims, dim);
    writer.add_int32(field::tensor::dataType, static_cast<std::int32_t>(tensor.type));
    writer.add_string(field::tensor::name, tensor.name);
    if (tensor.canBeExternal && tensor.bytes.size() >= options_.externalFrom) {
      writeExternal(writer, tensor);
    } else {
      writer.add_bytes(field::tensor::rawData, reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
  }

  void writeExternal(Writer& writer, const Initializer& tensor) {
    const std::uint64_t offset = roundUp(end_, kExternalAlignment);
    const auto addEntry = [&](std::string_view key, const std::string& value) {
      Writer entry(writer, field::tensor::externalData);
      entry.add_string(field::entry::key, key.data(), key.size());
      entry.add_string(field::entry::value, value);
    };
    addEntry("location", options_.externalByAddress ? std::string(kMemoryLocation) : options_.externalFile);
    addEntry("offset",
             formatText("{}", options_.externalByAddress ? reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) : offset));
    addEntry("length", formatText("{}", tensor.bytes.size()));
    writer.add_int32(field::tensor::dataLocation, kExternal);
    external_.push_back({tensor.name, tensor.type, tensor.dims, tensor.bytes, offset});
    end_ = offset + tensor.bytes.size();  // cannot overflow, because all tensors are in memory at the same time
  }

  void writeValue(Writer writer, const ValueInfo& value) {
    writer.add_string(field::valueInfo::name, value.name);
    Writer type(writer, field::valueInfo::type);
    Writer tensor(type, field::type::tensor);
    tensor.add_int32(field::tensorType::elementType, static_cast<std::int32_t>(value.type));
    std::string shape;  // a scalar also has a shape, without dimensions
    Writer dimensions(shape);
    for (const auto& [size, text] : value.dims) {
      std::string dimension;  // a Writer would leave out an empty message
      if (size >= 0) Writer(dimension).add_int64(field::dimension::value, size);
      if (!text.empty()) Writer(dimension).add_string(field::dimension::parameter, text);
      dimensions.add_message(field::shape::dimension, dimension);
    }
    tensor.add_message(field::tensorType::shape, shape);
  }

  const CollectedModel& model_;
  const ExportOptions& options_;
  std::vector<ExternalConstant>& external_;
  std::uint64_t end_ = 0;  // end of the external data, in bytes
};

}  // namespace

std::string writeModel(const CollectedModel& model, const ExportOptions& options, std::vector<ExternalConstant>& external) {
  return ModelWriter(model, options, external).write();
}

}  // namespace webnn::onnx
