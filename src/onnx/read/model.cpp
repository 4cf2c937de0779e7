#include "onnx/read/model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "onnx/read/external_files.h"
#include "onnx/read/limits.h"
#include "onnx/read/message.h"

namespace webnn::formats::onnx {

namespace {

namespace field = webnn::onnx::field;

std::string_view charactersOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view domainOf(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

// Parses messages into structs. Limits the allocated bytes, because a few bytes of a message can become a large struct.
class Reader {
 public:
  explicit Reader(std::uint64_t fileSize) : limits_(limitsFor(fileSize)) {}

  void readModel(Message& message, Model& model);
  TensorProto readTensor(Message& message);

 private:
  Graph readGraph(Message& message);
  NodeProto readNode(Message& message);
  Attribute readAttribute(Message& message);
  Function readFunction(Message& message);
  ValueInfo readValueInfo(Message& message);
  void readType(Message& message, ValueInfo& value);
  void readMapType(Message& message, ValueInfo& value);
  void readElementType(Message& message, ValueInfo& value, int levels);
  void readTensorType(Message& message, ValueInfo& value);
  void readShape(Message& message, ValueInfo& value);
  void readOperatorSet(Message& message, OperatorSets& sets);
  void readProperty(Message& message, Properties& properties);

  // Reserves space for all fields of the message with this field number.
  template <typename T>
  void reserve(std::vector<T>& elements, const Message& message, std::uint32_t field) {
    reserveElements(elements, message, message.count(field));
  }
  template <typename T>
  void reserveElements(std::vector<T>& elements, const Message& message, std::size_t count);
  void reserve(Functions& functions, const Message& message);
  void take(const Message& message, std::uint64_t bytes);
  void requireRank(const Message& message, std::size_t rank) const;
  void copyNames(const Message& message, Model& model);

  ImportLimits limits_;  // `modelBytes` is reduced by each allocation
  unsigned depth_ = 0;
};

void Reader::take(const Message& message, std::uint64_t bytes) {
  if (bytes > limits_.modelBytes) message.fail("the model has more parts than its size justifies.");
  limits_.modelBytes -= bytes;
}

void Reader::requireRank(const Message& message, std::size_t rank) const {
  if (rank > limits_.rank) message.fail("the rank ({}) is above {}.", rank, limits_.rank);
}

template <typename T>
void Reader::reserveElements(std::vector<T>& elements, const Message& message, std::size_t count) {
  if (count == 0) return;
  constexpr std::size_t kHeap = 16;          // approximate overhead of a heap allocation, in bytes
  take(message, count * sizeof(T) + kHeap);  // no overflow, because count is below the file's size
  elements.reserve(count);
}

void Reader::reserve(Functions& functions, const Message& message) {
  constexpr std::size_t kIndex = 112;  // approximate bytes of an entry of Functions::indices_
  const std::size_t count = message.count(field::model::functions);
  take(message, count * (sizeof(Function) + kIndex));
  functions.reserve(count);
}

void requireFirst(const Message& message, bool first) {
  if (!first) message.fail("field {} is there twice.", message.field());
}

void appendFloats(std::vector<float>& values, std::string_view bytes) {
  const std::size_t before = values.size();
  values.resize(before + bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(values.data() + before, bytes.data(), bytes.size());
}

TensorProto Reader::readTensor(Message& message) {
  TensorProto tensor;
  tensor.proto = message.all();
  bool isRaw = true;
  reserveElements(tensor.dims, message, message.countVarints(field::tensor::dims));
  requireRank(message, tensor.dims.capacity());
  while (message.next()) {
    switch (message.field()) {
      case field::tensor::dims: message.appendVarints(tensor.dims); break;
      case field::tensor::dataType: tensor.type = static_cast<ElementType>(message.integer32()); break;
      case field::tensor::name: message.setName(tensor.name = message.bytes()); break;
      case field::tensor::rawData: tensor.raw = message.bytes(); break;
      case field::tensor::segment:
      case field::tensor::dataLocation:
      case field::tensor::externalData: isRaw = false; break;
      default: break;
    }
  }
  if (!isRaw) tensor.raw.reset();
  std::uint64_t product = 1;  // a size 0 counts as 1: the product of the other sizes must not overflow either
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0) message.fail("a dimension ({}) is negative.", dim);
    const auto next = checkedMul(product, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(dim)));
    if (!next || *next >= std::uint64_t{1} << 63) message.fail("the tensor has too many elements to count.");
    product = *next;
  }
  return tensor;
}

void Reader::readShape(Message& message, ValueInfo& value) {
  std::vector<Dimension>& dimensions = value.shape.emplace();
  reserve(dimensions, message, field::shape::dimension);
  requireRank(message, dimensions.capacity());
  for (std::size_t i = 0; message.next();) {
    if (message.field() != field::shape::dimension) continue;
    Message dimension(message, "dimension", i++);
    Dimension& read = dimensions.emplace_back();
    while (dimension.next()) {  // a dimension has a value or a parameter; the last one in the file counts
      if (dimension.field() == field::dimension::value) read = {dimension.integer(), {}};
      if (dimension.field() == field::dimension::parameter) read = {std::nullopt, dimension.bytes()};
      if (read.parameter == "?") read.parameter = {};  // some exporters write this for a dimension without a name
    }
    if (read.value == -1) read.value.reset();  // Paddle writes this for an open dimension
    if (read.value && *read.value < 0) dimension.fail("the dimension ({}) is negative.", *read.value);
  }
}

void Reader::readTensorType(Message& message, ValueInfo& value) {
  while (message.next()) {
    if (message.field() == field::tensorType::elementType) value.type = static_cast<ElementType>(message.integer32());
    if (message.field() != field::tensorType::shape) continue;
    requireFirst(message, !value.shape);
    Message shape(message, "shape");
    readShape(shape, value);
  }
}

void Reader::readType(Message& message, ValueInfo& value) {
  while (message.next()) {
    ValueInfo::Kind kind = ValueInfo::Kind::none;
    switch (message.field()) {
      case field::type::tensor: kind = ValueInfo::Kind::tensor; break;
      case field::type::sequence: kind = ValueInfo::Kind::sequence; break;
      case field::type::map: kind = ValueInfo::Kind::map; break;
      case field::type::sparseTensor: kind = ValueInfo::Kind::sparseTensor; break;
      case field::type::optional: kind = ValueInfo::Kind::optional; break;
      default: continue;
    }
    requireFirst(message, value.kind == ValueInfo::Kind::none);
    value.kind = kind;
    Message inner(message, "its kind");
    if (kind == ValueInfo::Kind::tensor) readTensorType(inner, value);
    if (kind == ValueInfo::Kind::map) readMapType(inner, value);
    if (kind == ValueInfo::Kind::sequence || kind == ValueInfo::Kind::optional) {
      value.holdsSequence = kind == ValueInfo::Kind::sequence;
      readElementType(inner, value, value.holdsSequence ? 1 : 2);
    }
  }
}

// Reads the types of a map's keys and values. The type of values that are no tensors stays undefined.
void Reader::readMapType(Message& message, ValueInfo& value) {
  while (message.next()) {
    if (message.field() == field::mapType::key) value.key = static_cast<ElementType>(message.integer32());
    if (message.field() != field::mapType::value) continue;
    Message type(message, "the value type");
    while (type.next()) {
      if (type.field() != field::type::tensor) continue;
      ValueInfo tensor;
      Message inner(type, "its kind");
      readTensorType(inner, tensor);
      value.element = tensor.type;
    }
  }
}

// Reads the element type of a sequence or an optional, up to `levels` types deep. Deeper types stay undefined.
void Reader::readElementType(Message& message, ValueInfo& value, int levels) {
  constexpr std::uint32_t kElement = 1;  // field number in TypeProto.Sequence and TypeProto.Optional
  while (message.next()) {
    if (message.field() != kElement) continue;
    Message type(message, "the element type");
    while (type.next()) {
      if (type.field() == field::type::tensor) {
        ValueInfo tensor;
        Message inner(type, "its kind");
        readTensorType(inner, tensor);
        value.element = tensor.type;
      } else if (type.field() == field::type::map) {
        Message inner(type, "its kind");
        readMapType(inner, value);
      } else if (type.field() == field::type::sequence && levels > 1) {
        value.holdsSequence = true;
        Message inner(type, "its kind");
        readElementType(inner, value, levels - 1);
      }
    }
  }
}

ValueInfo Reader::readValueInfo(Message& message) {
  ValueInfo value;
  bool hasType = false;
  while (message.next()) {
    if (message.field() == field::valueInfo::name) message.setName(value.name = message.bytes());
    if (message.field() != field::valueInfo::type) continue;
    requireFirst(message, !std::exchange(hasType, true));
    Message type(message, "type");
    readType(type, value);
  }
  return value;
}

void Reader::readOperatorSet(Message& message, OperatorSets& sets) {
  take(message, 2 * sizeof(OperatorSets::value_type));
  std::string_view domain;
  std::int64_t version = 0;
  while (message.next()) {
    if (message.field() == field::operatorSet::domain) domain = domainOf(message.bytes());
    if (message.field() == field::operatorSet::version) version = message.integer();
  }
  sets.insert_or_assign(domain, version);
}

void Reader::readProperty(Message& message, Properties& properties) {
  take(message, 2 * sizeof(Properties::value_type));
  std::string_view key, value;
  while (message.next()) {
    if (message.field() == field::entry::key) key = message.bytes();
    if (message.field() == field::entry::value) value = message.bytes();
  }
  properties.insert_or_assign(key, value);
}

// Returns an attribute's type from its field number. Models before IR version 2 do not store the type.
AttributeType typeOfField(std::uint32_t number) {
  switch (number) {
    case field::attribute::f: return AttributeType::f;
    case field::attribute::i: return AttributeType::i;
    case field::attribute::s: return AttributeType::s;
    case field::attribute::t: return AttributeType::tensor;
    case field::attribute::g: return AttributeType::graph;
    case field::attribute::floats: return AttributeType::floats;
    case field::attribute::ints: return AttributeType::ints;
    case field::attribute::strings: return AttributeType::strings;
    case field::attribute::tensors: return AttributeType::tensors;
    case field::attribute::graphs: return AttributeType::graphs;
    default: return AttributeType::undefined;
  }
}

Attribute Reader::readAttribute(Message& message) {
  Attribute attribute;
  AttributeType inferred{};
  reserveElements(attribute.ints, message, message.countVarints(field::attribute::ints));
  reserve(attribute.strings, message, field::attribute::strings);
  while (message.next()) {
    if (const AttributeType type = typeOfField(message.field()); type != AttributeType::undefined) inferred = type;
    switch (message.field()) {
      case field::attribute::name: message.setName(attribute.name = message.bytes()); break;
      case field::attribute::refAttrName: attribute.reference = message.bytes(); break;
      case field::attribute::type: attribute.type = static_cast<AttributeType>(message.integer32()); break;
      case field::attribute::f: attribute.f = message.float32(); break;
      case field::attribute::i: attribute.i = message.integer(); break;
      case field::attribute::s: attribute.s = message.bytes(); break;
      case field::attribute::floats: {
        const std::string_view floats = message.fixedBytes(sizeof(float));
        take(message, 2 * floats.size());  // twice the bytes, because a growing vector reserves spare capacity
        appendFloats(attribute.floats, floats);
        break;
      }
      case field::attribute::ints: message.appendVarints(attribute.ints); break;
      case field::attribute::strings: attribute.strings.push_back(message.bytes()); break;
      case field::attribute::t: {
        requireFirst(message, !attribute.t);
        Message tensor(message, "tensor");
        attribute.t = readTensor(tensor);
        break;
      }
      case field::attribute::g: {
        requireFirst(message, !attribute.g);
        Message graph(message, "graph");
        take(message, sizeof(Graph));
        attribute.g = std::make_shared<const Graph>(readGraph(graph));
        break;
      }
      default: break;
    }
  }
  if (attribute.type == AttributeType::undefined) attribute.type = inferred;
  const bool lacksTensor = attribute.type == AttributeType::tensor && !attribute.t;
  const bool lacksGraph = attribute.type == AttributeType::graph && !attribute.g;
  if (attribute.reference.empty() && (lacksTensor || lacksGraph)) message.fail("the value of the attribute is not there.");
  return attribute;
}

NodeProto Reader::readNode(Message& message) {
  NodeProto node;
  reserve(node.inputs, message, field::node::input);
  reserve(node.outputs, message, field::node::output);
  reserve(node.attributes, message, field::node::attribute);
  while (message.next()) {
    switch (message.field()) {
      case field::node::input: node.inputs.push_back(message.bytes()); break;
      case field::node::output: node.outputs.push_back(message.bytes()); break;
      case field::node::name: message.setName(node.name = message.bytes()); break;
      case field::node::opType: node.opType = message.bytes(); break;
      case field::node::domain: node.domain = domainOf(message.bytes()); break;
      case field::node::overload: node.overload = message.bytes(); break;
      case field::node::attribute: {
        Message attribute(message, "attribute", node.attributes.size());
        node.attributes.push_back(readAttribute(attribute));
        break;
      }
      default: break;
    }
  }
  return node;
}

Graph Reader::readGraph(Message& message) {
  if (++depth_ > limits_.depth) message.fail("graphs nest deeper than {}.", limits_.depth);
  Graph graph;
  reserve(graph.nodes, message, field::graph::node);
  reserve(graph.initializers, message, field::graph::initializer);
  reserve(graph.inputs, message, field::graph::input);
  reserve(graph.outputs, message, field::graph::output);
  const auto append = [&](auto& elements, std::string_view what, auto&& read) {
    Message element(message, what, elements.size());
    elements.push_back(read(element));
  };
  const auto readNodeHere = [this](Message& node) { return readNode(node); };
  const auto readTensorHere = [this](Message& tensor) { return readTensor(tensor); };
  const auto readValueHere = [this](Message& value) { return readValueInfo(value); };
  while (message.next()) {
    switch (message.field()) {
      case field::graph::name: graph.name = message.bytes(); break;
      case field::graph::docString: graph.docString = message.bytes(); break;
      case field::graph::sparseInitializer: graph.hasSparseInitializers = true; break;
      case field::graph::node: append(graph.nodes, "node", readNodeHere); break;
      case field::graph::initializer: append(graph.initializers, "initializer", readTensorHere); break;
      case field::graph::input: append(graph.inputs, "input", readValueHere); break;
      case field::graph::output: append(graph.outputs, "output", readValueHere); break;
      default: break;
    }
  }
  --depth_;
  return graph;
}

Function Reader::readFunction(Message& message) {
  Function function;
  reserve(function.inputs, message, field::function::input);
  reserve(function.outputs, message, field::function::output);
  reserve(function.defaultAttributes, message, field::function::attributeProto);
  reserve(function.nodes, message, field::function::node);
  while (message.next()) {
    switch (message.field()) {
      case field::function::name: message.setName(function.name = message.bytes()); break;
      case field::function::domain: function.domain = domainOf(message.bytes()); break;
      case field::function::overload: function.overload = message.bytes(); break;
      case field::function::input: function.inputs.push_back(message.bytes()); break;
      case field::function::output: function.outputs.push_back(message.bytes()); break;
      case field::function::attributeProto: {
        Message attribute(message, "attribute", function.defaultAttributes.size());
        function.defaultAttributes.push_back(readAttribute(attribute));
        break;
      }
      case field::function::node: {
        Message node(message, "node", function.nodes.size());
        function.nodes.push_back(readNode(node));
        break;
      }
      case field::function::opsetImport: {
        Message set(message, "operator set");
        readOperatorSet(set, function.operatorSets);
        break;
      }
      default: break;
    }
  }
  return function;
}

void Reader::copyNames(const Message& message, Model& model) {
  std::size_t length = 0;
  for (const TensorProto& tensor : model.graph.initializers) length += tensor.name.size();
  take(message, length);
  auto names = std::make_shared<std::string>();
  names->reserve(length);  // appending then moves no name
  for (TensorProto& tensor : model.graph.initializers) {
    const std::size_t begin = names->size();
    names->append(tensor.name);
    tensor.name = std::string_view(*names).substr(begin);
  }
  model.names = std::move(names);
}

void Reader::readModel(Message& message, Model& model) {
  reserve(model.functions, message);
  bool hasGraph = false;
  while (message.next()) {
    switch (message.field()) {
      case field::model::irVersion: model.irVersion = message.integer(); break;
      case field::model::modelVersion: model.modelVersion = message.integer(); break;
      case field::model::producerName: model.producerName = message.bytes(); break;
      case field::model::producerVersion: model.producerVersion = message.bytes(); break;
      case field::model::domain: model.domain = message.bytes(); break;
      case field::model::docString: model.docString = message.bytes(); break;
      case field::model::metadataProps: {
        Message entry(message, "property");
        readProperty(entry, model.properties);
        break;
      }
      case field::model::graph: {
        requireFirst(message, !std::exchange(hasGraph, true));
        Message graph(message, "graph");
        model.graph = readGraph(graph);
        break;
      }
      case field::model::opsetImport: {
        Message set(message, "operator set");
        readOperatorSet(set, model.operatorSets);
        break;
      }
      case field::model::functions: {
        Message function(message, "function", model.functions.size());
        model.functions.add(readFunction(function));
        break;
      }
      default: break;
    }
  }
  if (!hasGraph) message.fail("the model has no graph.");
  copyNames(message, model);
}

// Returns whether a ModelProto's field is length-delimited (a message or text). A standalone TensorProto fails this check,
// because its field 2 (data_type) is a number.
bool hasLength(std::uint32_t number) { return number != field::model::irVersion && number != field::model::modelVersion; }

}  // namespace

std::uint64_t bytesIn(const Attribute& attribute) {
  return attribute.name.size() + attribute.s.size() + attribute.floats.size() * sizeof(float) +
         attribute.ints.size() * sizeof(std::int64_t) + attribute.strings.size() * sizeof(std::string_view);
}

void Functions::add(Function function) {
  indices_.try_emplace({function.domain, function.name, function.overload}, all_.size());
  all_.push_back(std::move(function));
}

const Function* Functions::find(const NodeProto& node) const {
  const auto found = indices_.find({node.domain, node.opType, node.overload});
  return found == indices_.end() ? nullptr : &all_[found->second];
}

bool looksLikeModel(std::span<const std::byte> file) {
  try {
    Message message(charactersOf(file), "the ONNX model");
    bool hasGraph = false;
    while (message.next()) {
      if (hasLength(message.field())) {
        message.bytes();
      } else {
        message.varint();
      }
      hasGraph = hasGraph || message.field() == field::model::graph;
    }
    return hasGraph;
  } catch (const Error&) {
    return false;
  }
}

Model readModel(ExternalBytes file, const std::filesystem::path& folder) {
  Model model = readModel(std::move(file));
  model.external = externalFilesIn(folder);
  return model;
}

std::int64_t versionOfDomain(const OperatorSets& sets, std::string_view domain) {
  const auto found = sets.find(domain);
  if (found != sets.end()) return found->second;
  return domain.empty() ? kNewestOperatorSet : 1;
}

Model readModel(ExternalBytes file) {
  Model model;
  model.file = std::move(file);
  Message message(charactersOf(model.file.bytes), "the ONNX model");
  Reader(model.file.bytes.size()).readModel(message, model);
  const std::int64_t version = versionOfDomain(model.operatorSets, "");
  if (version > kNewestOperatorSet)
    fail(ErrorKind::notSupportedError, "the model's operator set ({}) is newer than {}.", version, kNewestOperatorSet);
  if (version < 1) fail(ErrorKind::dataError, "the model's operator set ({}) is not positive.", version);
  return model;
}

TensorProto readTensor(std::string_view file) {
  Message message(file, "the ONNX tensor");
  return Reader(file.size()).readTensor(message);
}

}  // namespace webnn::formats::onnx
