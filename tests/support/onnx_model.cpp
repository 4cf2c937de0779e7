#include "support/onnx_model.h"

#include <protozero/pbf_writer.hpp>

namespace webnn::test::onnx {

namespace {

using protozero::pbf_writer;

// Field numbers are from https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

template <typename Write>
std::string message(Write&& write) {
  std::string bytes;
  pbf_writer writer(bytes);
  write(writer);
  return bytes;
}

void addTexts(pbf_writer& writer, std::uint32_t field, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) writer.add_bytes(field, text);
}

// Omits an empty text, like protobuf's own writers for proto3.
void addText(pbf_writer& writer, std::uint32_t field, const std::string& text) {
  if (!text.empty()) writer.add_bytes(field, text);
}

std::string tensorBytes(const std::string& name, Type type, const Dims& dims, const std::string& data) {
  return message([&](pbf_writer& writer) {
           for (std::int64_t dim : dims) writer.add_int64(1, dim);  // not packed, because onnx.proto is proto2
           writer.add_int32(2, type);
           addText(writer, 8, name);
         }) +
         data;
}

struct AddElements {
  pbf_writer& writer;
  Packing packing;

  void operator()(const std::vector<float>& values) const {
    if (packing == Packing::packed) return writer.add_packed_float(4, values.begin(), values.end());
    for (float value : values) writer.add_float(4, value);
  }
  void operator()(const std::vector<std::int32_t>& values) const {
    if (packing == Packing::packed) return writer.add_packed_int32(5, values.begin(), values.end());
    for (std::int32_t value : values) writer.add_int32(5, value);
  }
  void operator()(const std::vector<std::int64_t>& values) const {
    if (packing == Packing::packed) return writer.add_packed_int64(7, values.begin(), values.end());
    for (std::int64_t value : values) writer.add_int64(7, value);
  }
  void operator()(const std::vector<double>& values) const {
    if (packing == Packing::packed) return writer.add_packed_double(10, values.begin(), values.end());
    for (double value : values) writer.add_double(10, value);
  }
  void operator()(const std::vector<std::uint64_t>& values) const {
    if (packing == Packing::packed) return writer.add_packed_uint64(11, values.begin(), values.end());
    for (std::uint64_t value : values) writer.add_uint64(11, value);
  }
};

// Writes an attribute's value. Returns the number of its AttributeType.
struct AddAttribute {
  pbf_writer& writer;

  int operator()(std::monostate) const { return 0; }
  int operator()(float value) const { return writer.add_float(2, value), 1; }
  int operator()(std::int64_t value) const { return writer.add_int64(3, value), 2; }
  int operator()(const std::string& value) const { return writer.add_bytes(4, value), 3; }
  int operator()(const TensorMessage& value) const { return writer.add_message(5, value.bytes), 4; }
  int operator()(const std::shared_ptr<const Graph>& value) const { return writer.add_message(6, graphBytes(*value)), 5; }
  int operator()(const std::vector<float>& values) const {
    for (float value : values) writer.add_float(7, value);
    return 6;
  }
  int operator()(const std::vector<std::int64_t>& values) const {
    for (std::int64_t value : values) writer.add_int64(8, value);
    return 7;
  }
  int operator()(const std::vector<std::string>& values) const { return addTexts(writer, 9, values), 8; }
};

std::string attributeBytes(const Attribute& attribute) {
  return message([&](pbf_writer& writer) {
    writer.add_bytes(1, attribute.name);
    const int type = std::visit(AddAttribute{writer}, attribute.value);
    if (attribute.hasType && type != 0) writer.add_enum(20, type);
    addText(writer, 21, attribute.reference);
  });
}

std::string nodeBytes(const Node& node) {
  return message([&](pbf_writer& writer) {
    addTexts(writer, 1, node.inputs);
    addTexts(writer, 2, node.outputs);
    addText(writer, 3, node.name);
    writer.add_bytes(4, node.opType);
    for (const Attribute& attribute : node.attributes) writer.add_message(5, attributeBytes(attribute));
    addText(writer, 7, node.domain);
    addText(writer, 8, node.overload);
  });
}

std::string dimensionBytes(const Dimension& dimension) {
  return message([&](pbf_writer& writer) {
    if (const auto* value = std::get_if<std::int64_t>(&dimension.value)) writer.add_int64(1, *value);
    if (const auto* name = std::get_if<std::string>(&dimension.value)) writer.add_bytes(2, *name);
  });
}

std::string valueInfoBytes(const ValueInfo& value) {
  const std::string tensorType = message([&](pbf_writer& writer) {
    writer.add_int32(1, value.type);
    if (!value.shape) return;
    writer.add_message(2, message([&](pbf_writer& shape) {
                         for (const Dimension& dimension : *value.shape) shape.add_message(1, dimensionBytes(dimension));
                       }));
  });
  return message([&](pbf_writer& writer) {
    writer.add_bytes(1, value.name);
    writer.add_message(2, message([&](pbf_writer& type) { type.add_message(1, tensorType); }));
  });
}

std::string operatorSetBytes(const std::string& domain, std::int64_t version) {
  return message([&](pbf_writer& writer) {
    writer.add_bytes(1, domain);
    writer.add_int64(2, version);
  });
}

std::string functionBytes(const Function& function) {
  return message([&](pbf_writer& writer) {
    writer.add_bytes(1, function.name);
    addTexts(writer, 4, function.inputs);
    addTexts(writer, 5, function.outputs);
    addTexts(writer, 6, function.attributes);
    for (const Node& node : function.nodes) writer.add_message(7, nodeBytes(node));
    for (const auto& [domain, version] : function.operatorSets) writer.add_message(9, operatorSetBytes(domain, version));
    writer.add_bytes(10, function.domain);
    for (const Attribute& attribute : function.defaultAttributes) writer.add_message(11, attributeBytes(attribute));
    addText(writer, 13, function.overload);
  });
}

}  // namespace

TensorMessage rawTensor(const std::string& name, Type type, const Dims& dims, const std::string& data) {
  return {tensorBytes(name, type, dims, message([&](pbf_writer& writer) { writer.add_bytes(9, data); }))};
}

TensorMessage typedTensor(const std::string& name, Type type, const Dims& dims, const Elements& elements, Packing packing) {
  return {tensorBytes(name, type, dims, message([&](pbf_writer& writer) {
                        std::visit(AddElements{writer, packing}, elements);
                      }))};
}

TensorMessage externalTensor(const std::string& name, Type type, const Dims& dims,
                             const std::map<std::string, std::string>& entries) {
  return {tensorBytes(name, type, dims, message([&](pbf_writer& writer) {
                        for (const auto& entry : entries) {
                          writer.add_message(13, message([&](pbf_writer& fields) {
                                               fields.add_bytes(1, entry.first);
                                               fields.add_bytes(2, entry.second);
                                             }));
                        }
                        writer.add_enum(14, 1);
                      }))};
}

TensorMessage textTensor(const std::string& name, const Dims& dims, const std::vector<std::string>& values) {
  return {tensorBytes(name, kString, dims, message([&](pbf_writer& writer) { addTexts(writer, 6, values); }))};
}

std::string graphBytes(const Graph& graph) {
  return message([&](pbf_writer& writer) {
    for (const Node& node : graph.nodes) writer.add_message(1, nodeBytes(node));
    addText(writer, 2, graph.name);
    for (const TensorMessage& tensor : graph.initializers) writer.add_message(5, tensor.bytes);
    for (const ValueInfo& input : graph.inputs) writer.add_message(11, valueInfoBytes(input));
    for (const ValueInfo& output : graph.outputs) writer.add_message(12, valueInfoBytes(output));
  });
}

std::string modelBytes(const Model& model) {
  return message([&](pbf_writer& writer) {
    writer.add_int64(1, model.irVersion);
    writer.add_bytes(2, "test");
    writer.add_message(7, graphBytes(model.graph));
    for (const auto& [domain, version] : model.operatorSets) writer.add_message(8, operatorSetBytes(domain, version));
    for (const Function& function : model.functions) writer.add_message(25, functionBytes(function));
  });
}

}  // namespace webnn::test::onnx
