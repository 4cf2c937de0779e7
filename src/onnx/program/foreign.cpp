#include "onnx/program/foreign.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "onnx/program/elements.h"
#include "onnx/program/indices.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

namespace {

// An operator that only moves elements. If bit i of `inputs` is set, its results consist of elements of input i; other inputs are
// indices, sizes and conditions.
struct Move {
  std::string_view opType;
  unsigned inputs = 1;
};
constexpr unsigned kAllInputs = ~0U;
constexpr Move kMoves[]{{"ArrayFeatureExtractor"},
                        {"CenterCropPad"},
                        {"Concat", kAllInputs},
                        {"ConcatFromSequence"},
                        {"DepthToSpace"},
                        {"Expand"},
                        {"Flatten"},
                        {"Gather"},
                        {"GatherElements"},
                        {"GatherND"},
                        {"Identity"},
                        {"OneHot", 0b100},
                        {"Pad", 0b101},
                        {"Reshape"},
                        {"ReverseSequence"},
                        {"SequenceAt"},
                        {"SequenceConstruct", kAllInputs},
                        {"SequenceErase"},
                        {"SequenceInsert", 0b11},
                        {"Slice"},
                        {"SpaceToDepth"},
                        {"Split"},
                        {"SplitToSequence"},
                        {"Squeeze"},
                        {"Tile"},
                        {"Transpose"},
                        {"Trilu"},
                        {"Unsqueeze"},
                        {"Where", 0b110}};
// For strings, Equal is treated as a move: it compares the numbers that stand for the strings.
constexpr Move kEqual{"Equal", kAllInputs};

// Returns the row of the node's operator; null if the operator computes with the elements instead of moving them.
const Move* moveOf(const NodeProto& node, ElementType type) {
  if (type == ElementType::string && node.opType == kEqual.opType) return &kEqual;
  const auto found = std::ranges::find(kMoves, node.opType, &Move::opType);
  return found == std::end(kMoves) ? nullptr : found;
}

void (*doubleStepOf(std::string_view opType))(HostNode&) {
  for (const std::span<const DoubleStep> steps : {doubleElementSteps(), doubleTensorSteps()}) {
    const auto found = std::ranges::find(steps, opType, &DoubleStep::opType);
    if (found != steps.end()) return found->run;
  }
  return nullptr;
}

// Returns whether the input is an initializer of a type that WebNN has. Graphs take such an input as a constant, because some
// operators need constants: the weights of MatMulNBits, for instance.
bool isConstant(const HostNode& node, std::size_t index) {
  const TensorProto* const tensor = node.initializer(index);
  return tensor && !isForeign(tensor->type) && std::ranges::count(tensor->dims, 0) == 0;
}

Graph graphOf(const HostNode& host) {
  const NodeProto& node = host.node;
  Graph graph;
  graph.name = node.name;
  graph.nodes = {node};
  for (const std::string_view name : valuesReadBy(node)) {
    const auto at = std::ranges::find(node.inputs, name);
    if (at != node.inputs.end() && isConstant(host, static_cast<std::size_t>(at - node.inputs.begin()))) continue;
    ValueInfo& input = graph.inputs.emplace_back();
    input.name = name;
  }
  for (const std::string_view name : node.outputs) {
    if (name.empty()) continue;
    ValueInfo& output = graph.outputs.emplace_back();
    output.name = name;
  }
  return graph;
}

// Converts elements of a type that WebNN lacks to a type that WebNN has, and results back.
class Carrier {
 public:
  // `movesOnly`: keep the elements' bits, as integers of the same or a larger size; strings become numbers. Otherwise convert
  // integers to int32 and floats to float32.
  Carrier(const HostNode& node, ElementType type, bool movesOnly) : node_(node), type_(type), movesOnly_(movesOnly) {
    const unsigned bits = webnn::onnx::bitsPerElement(type);
    if (type == ElementType::string)
      carrier_ = ElementType::int32;
    else if (!movesOnly)
      carrier_ = isIntegerType(type) ? ElementType::int32 : ElementType::float32;
    else
      carrier_ = bits == 64 ? ElementType::int64 : bits == 16 ? ElementType::int32 : ElementType::uint8;
    if (type == ElementType::string && !movesOnly)
      fail(ErrorKind::notSupportedError, "the host does not compute it with strings.");
    if (bits > 64)
      fail(ErrorKind::notSupportedError, "the host does not compute it with elements of type {}.", webnn::onnx::name(type));
  }

  // The type that stands for the type that WebNN lacks.
  ElementType type() const { return carrier_; }

  Value carry(const Value& value) {
    if (value.sequence) return eachOf(value, [&](const Value& element) { return carry(element); });
    if (value.type != type_) return value;
    const std::size_t count = elementCount(value.dims);
    if (type_ == ElementType::string) {
      std::vector<double> ids;
      node_.takeRoom(count, sizeof(double));
      for (std::size_t i = 0; i < count; ++i) {
        node_.tick();
        ids.push_back(idOf((*value.strings)[i]));
      }
      return node_.makeNumbers(carrier_, value.dims, ids);
    }
    const std::span<const std::byte> bytes = value.bytes ? value.bytes->bytes : std::span<const std::byte>();
    if (movesOnly_ && webnn::onnx::bitsPerElement(type_) % 8 == 0 && carrier_ != ElementType::int32)
      return {carrier_, value.dims, {}, value.bytes};
    node_.takeRoom(count, sizeof(double));
    if (!movesOnly_ && isIntegerType(type_)) return node_.makeNumbers(carrier_, value.dims, toNumbers(type_, bytes, count));
    return node_.makeNumbers(carrier_, value.dims, toNumbers(movesOnly_ ? codeType() : type_, bytes, count));
  }

  Value back(Value value) const {
    if (value.sequence) return eachOf(value, [&](const Value& element) { return back(element); });
    if (value.type != carrier_) return value;
    const std::size_t count = elementCount(value.dims);
    const std::span<const std::byte> bytes = value.bytes ? value.bytes->bytes : std::span<const std::byte>();
    if (type_ == ElementType::string) {
      node_.takeRoom(count, sizeof(std::int64_t));
      StringList strings(node_, count);
      for (const std::int64_t id : toIntegers(carrier_, bytes, count)) {
        if (id < 0 || static_cast<std::size_t>(id) >= strings_.size())
          fail(ErrorKind::dataError, "it mixes strings with numbers.");
        strings.add(strings_[static_cast<std::size_t>(id)]);
      }
      return node_.makeStrings(value.dims, std::move(strings));
    }
    if (movesOnly_ && webnn::onnx::bitsPerElement(type_) % 8 == 0 && carrier_ != ElementType::int32) {
      value.type = type_;
      return value;
    }
    std::byte* to = nullptr;
    Value result = node_.make(type_, value.dims, to);
    node_.takeRoom(count, sizeof(double));
    if (isIntegerType(carrier_)) {
      fromIntegers(movesOnly_ ? codeType() : type_, toIntegers(carrier_, bytes, count), to);
    } else {
      fromNumbers(type_, toNumbers(carrier_, bytes, count), to);
    }
    return result;
  }

 private:
  static Value eachOf(const Value& value, auto convert) {
    Sequence elements;
    for (const auto& element : *value.sequence) elements.push_back(std::make_shared<const Value>(convert(*element)));
    Value result;
    result.sequence = std::make_shared<Sequence>(std::move(elements));
    return result;
  }
  // Returns the unsigned integer type with as many bits as `type_`.
  ElementType codeType() const {
    switch (webnn::onnx::bitsPerElement(type_)) {
      case 16: return ElementType::uint16;
      case 4: return ElementType::uint4;
      case 2: return ElementType::uint2;
      default: return ElementType::uint8;
    }
  }
  double idOf(const std::string& text) {
    const auto [found, isNew] = ids_.try_emplace(text, strings_.size());
    if (isNew) {
      constexpr std::size_t kBytesOfEntry = 128;  // approximate memory of an entry of ids_ and strings_, without its texts
      node_.takeRoom(2 * text.size() + kBytesOfEntry, 1);
      strings_.push_back(text);
    }
    return static_cast<double>(found->second);
  }

  const HostNode& node_;
  const ElementType type_;
  const bool movesOnly_;
  ElementType carrier_{};
  // Number 0 stands for the empty string, because Pad fills with zeros.
  std::vector<std::string> strings_{""};
  std::map<std::string, std::size_t> ids_{{"", 0}};
};

// Returns the inputs of an operator that moves elements, and stores the moved elements' type in `type`. Throws DataError if the
// moved elements have several types. Other inputs of a numeric type that WebNN lacks are converted to float32.
std::vector<Value> requireOneType(const HostNode& node, const Move& move, ElementType& type) {
  type = ElementType::undefined;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    Value& input = inputs.emplace_back();
    if (!node.has(i)) continue;
    input = node.value(i);
    const ElementType own = typeOf(input);
    if ((move.inputs >> std::min<std::size_t>(i, 31)) & 1) {
      if (type != ElementType::undefined && own != ElementType::undefined && own != type)
        fail(ErrorKind::dataError, "it mixes elements of {} and {}.", webnn::onnx::name(type), webnn::onnx::name(own));
      if (own != ElementType::undefined) type = own;
    } else if (isForeign(own)) {
      if (own == ElementType::string || input.sequence)
        fail(ErrorKind::dataError, "its input {} is of {}.", i, webnn::onnx::name(own));
      input = node.makeNumbers(ElementType::float32, input.dims, node.numbers(i));
    }
  }
  return inputs;
}

}  // namespace

ElementType typeOf(const Value& value) {
  if (!value.sequence) return value.type;
  return value.sequence->empty() ? ElementType::undefined : typeOf(*value.sequence->front());
}

bool computesForeign(std::string_view domain, std::string_view opType) {
  return wholeRepertoire().find(domain, opType, 0) || (domain.empty() && doubleStepOf(opType));
}

bool computesEmpty(std::string_view domain, std::string_view opType) {
  return domain.empty() && (doubleStepOf(opType) || isRecurrent(domain, opType));
}

void runForeign(HostNode& node) {
  ElementType type{};
  bool isEmpty = false;
  for (std::size_t i = node.inputCount(); i-- > 0;) {
    if (!node.has(i)) continue;
    isEmpty = isEmpty || (!node.value(i).sequence && node.value(i).isEmpty());
    if (isForeign(typeOf(node.value(i)))) type = typeOf(node.value(i));
  }
  if (hasEmptySequence(node)) return runEmptySequence(node);
  if (isEmpty && isRecurrent(node.node.domain, node.node.opType))
    fail(ErrorKind::notSupportedError, "the host does not compute it without elements.");
  requireIndicesInRange(node);
  const Move* const move = moveOf(node.node, type);
  const bool isDouble =
      type == ElementType::float64 || type == ElementType::undefined || (isEmpty && type != ElementType::string);
  if (const auto run = node.node.domain.empty() && isDouble && !move ? doubleStepOf(node.node.opType) : nullptr) return run(node);
  std::vector<Value> given;
  if (move)
    given = requireOneType(node, *move, type);
  else
    for (std::size_t i = 0; i < node.inputCount(); ++i) given.push_back(node.has(i) ? node.value(i) : Value());
  if (!move && node.node.opType == "SequenceMap")
    fail(ErrorKind::notSupportedError, "the host does not compute its body with such elements.");
  const Graph& graph = node.prepared<Graph>([&] { return graphOf(node); });
  const bool carries = isForeign(type);
  Carrier carrier(node, carries ? type : ElementType::float64, move != nullptr);
  std::vector<Value> inputs;
  for (const ValueInfo& input : graph.inputs) {
    const auto at = std::ranges::find(node.node.inputs, input.name);
    if (at == node.node.inputs.end())
      fail(ErrorKind::notSupportedError, "the host does not compute its subgraph in a wider type.");
    const Value& value = given[static_cast<std::size_t>(at - node.node.inputs.begin())];
    inputs.push_back(carries ? carrier.carry(value) : value);
  }
  std::vector<Value> results;
  try {
    results = node.runBody(graph, std::move(inputs));
  } catch (const Error& error) {
    if (!carries || error.kind() != ErrorKind::notSupportedError) throw;
    throw Error(error.kind(), formatText("{} The host had converted the elements of type {} to {}.", error.what(),
                                         webnn::onnx::name(type), webnn::onnx::name(carrier.type())));
  }
  // If an attribute names the result's type, the result already has it and is not converted back.
  const auto namesType = [](const Attribute& attribute) { return attribute.name == "dtype" || attribute.name == "output_dtype"; };
  const bool isNamed = !carries || std::ranges::any_of(node.node.attributes, namesType);
  // LayerNormalization also returns the mean and the deviation, whose type is always float32.
  const bool isNormalization = node.node.opType == "LayerNormalization";
  std::size_t next = 0;
  for (std::size_t i = 0; i < node.node.outputs.size(); ++i) {
    if (!node.wants(i)) continue;
    node.set(i, isNamed || (isNormalization && i > 0) ? std::move(results[next]) : carrier.back(std::move(results[next])));
    ++next;
  }
}

}  // namespace webnn::formats::onnx
