#include "coreml/mil_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/pack.h"
#include "base/text.h"
#include "coreml/compose.h"
#include "coreml/families.h"
#include "coreml/size_operations.h"
#include "onnx/names.h"
#include "ops/checks.h"

namespace webnn::coreml {

namespace {

using onnx::Names;

// 8-bit constants with fewer elements are stored as int32, the type in which MIL computes with them.
constexpr std::size_t kFewElements = 1024;
// int32 constants with at most kManyIntegers elements are stored in the model itself, because the weights file supports int32
// only from version 9 on.
constexpr std::size_t kManyIntegers = 1 << 16;
// Constants that stored() adds are stored in the model itself if they have fewer elements. coremltools has the same threshold.
constexpr std::size_t kSmallestWeight = 10;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Converts a name to a MIL identifier: letters, digits and "_", not beginning with a digit, and not a reserved word.
std::string identifier(const std::string& name) {
  static const std::unordered_set<std::string> kReserved{
      "any",  "bool", "program", "func", "tensor", "list",  "dict",  "tuple", "true",  "false",  "string", "bf16",   "fp16",
      "fp32", "fp64", "int4",    "int8", "int16",  "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64", "state"};
  std::string result;
  for (const char c : name) result += isLetter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (result.empty() || !isLetter(result.front())) result.insert(0, "_");
  if (kReserved.contains(result)) result += "_";
  return result;
}

DataType storageOf(MilType type) {
  switch (type) {
    case MilType::float16: return DataType::float16;
    case MilType::float32: return DataType::float32;
    case MilType::boolean: return DataType::uint8;
    default: return DataType::int32;
  }
}

MilType storedType(DataType type) {
  switch (type) {
    case DataType::float16: return MilType::float16;
    case DataType::float32: return MilType::float32;
    case DataType::int8: return MilType::int8;
    case DataType::uint8: return MilType::uint8;
    case DataType::int4: return MilType::int4;
    case DataType::uint4: return MilType::uint4;
    default: return MilType::int32;
  }
}

std::string_view castName(MilType type) {
  switch (type) {
    case MilType::float16: return "fp16";
    case MilType::float32: return "fp32";
    case MilType::boolean: return "bool";
    default: return "int32";
  }
}

template <typename T>
std::int64_t elementAt(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::numeric_limits<std::int64_t>::max();
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t integerAt(DataType type, std::span<const std::byte> bytes, std::size_t i) {
  switch (type) {
    case DataType::int32: return elementAt<std::int32_t>(bytes, i);
    case DataType::uint32: return elementAt<std::uint32_t>(bytes, i);
    case DataType::int64: return elementAt<std::int64_t>(bytes, i);
    case DataType::uint64: return elementAt<std::uint64_t>(bytes, i);
    case DataType::int8: return elementAt<std::int8_t>(bytes, i);
    case DataType::uint8: return elementAt<std::uint8_t>(bytes, i);
    default: break;
  }
  const int nibble = std::to_integer<int>(bytes[i / 2]) >> (i % 2 * 4) & 0xF;
  return type == DataType::int4 && nibble >= 8 ? nibble - 16 : nibble;
}

std::shared_ptr<const std::vector<std::byte>> owned(std::vector<std::byte> bytes) {
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

}  // namespace

MilType computedType(DataType type) {
  if (type == DataType::float32) return MilType::float32;
  return type == DataType::float16 ? MilType::float16 : MilType::int32;
}

std::uint32_t countOf(const Shape& shape) { return asDimension(productOf(shape)); }

Shape shapeOf(const Shape& shape) { return shape.empty() || shape.size() > kMaxMilRank ? Shape{countOf(shape)} : shape; }

struct MilBuilder::State {
  const GraphDefinition& graph;
  Program program;
  Names names;
  std::vector<std::string> wanted;              // the names of the graph's operands, by index
  std::vector<std::optional<MilValue>> values;  // indexed by operand
  std::map<std::tuple<MilType, Shape, std::string>, MilValue> constants;
  std::map<std::uint32_t, MilValue> openSizes;         // keyed by handle, see computeSize()
  std::unordered_map<std::size_t, MilValue> booleans;  // keyed by the id of a number: the boolean that was cast to it
  std::vector<std::string> notes, refusals;
  std::unordered_set<std::string> noted;
  std::vector<OperationPlacement> placement;

  // The operation that is being exported.
  const Node* node = nullptr;
  std::size_t firstValue = 0;

  explicit State(const GraphDefinition& theGraph) : graph(theGraph), wanted(theGraph.operandNames()) {
    values.resize(graph.indexLimit);
    for (const Operand& input : graph.inputs) {
      const OperandRecord& record = input.record();
      const MilValue value =
          newValue(computedType(input.dataType()), shapeOf(input.shape()), names.unique(identifier(record.name)));
      program.inputs.push_back({record.name, value});
      values[record.index] = value;
    }
    for (const auto& [outputName, operand] : graph.outputs) {
      program.outputs.push_back({outputName, {}});
      outputNames.push_back(names.unique(identifier(outputName)));
      firstOutput.emplace(operand.record().index, outputNames.size() - 1);
    }
  }

  std::vector<std::string> outputNames;
  std::unordered_map<std::size_t, std::size_t> firstOutput;  // keyed by operand: the first output that is this operand

  MilValue newValue(MilType type, const Shape& shape, std::string name = {}) {
    program.names.push_back(std::move(name));
    return {.id = program.names.size() - 1, .type = type, .shape = shape};
  }

  MilValue constantValue(std::size_t constant, const std::string& name = "constant") {
    const MilConstant& item = program.constants[constant];
    MilValue value = newValue(item.type, item.shape, names.unique(name));
    value.isConstant = value.isStored = true;
    program.operations.push_back({"const", {}, {{"val", constant}}, {value}});
    return value;
  }

  MilValue sharedConstant(MilType type, const Shape& shape, std::vector<std::byte> bytes, std::string text = {}) {
    std::string key = text + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [found, isNew] = constants.try_emplace({type, shape, std::move(key)});
    if (isNew) {
      const auto owner = owned(std::move(bytes));
      program.constants.push_back({type, shape, std::move(text), *owner, owner});
      found->second = constantValue(program.constants.size() - 1);
    }
    return found->second;
  }

  std::string nameOf(const Operand& operand) const { return wanted[operand.record().index]; }
};

MilBuilder::MilBuilder(const GraphDefinition& graph) : state_(std::make_shared<State>(graph)) {}

MilValue MilBuilder::operator[](const Operand& operand) {
  std::optional<MilValue>& known = state_->values[operand.record().index];
  if (known) return *known;
  const OperandRecord& record = operand.record();
  const DataType type = operand.dataType();
  const std::size_t count = countOf(operand.shape());
  const std::string name = identifier(state_->nameOf(operand));
  const bool isByte = type == DataType::int8 || type == DataType::uint8;
  const Shape shape = shapeOf(operand.shape());
  if (isFloat(type) || (isByte && count >= kFewElements)) {
    known = state_->constantValue(stored(operand, shape), name);
    if (isByte) {
      require(8);
      known = cast(*known, MilType::int32);
    }
    return *known;
  }
  const bool inFile = count > kManyIntegers;
  if (inFile) require(9);
  MilConstant constant{
      .type = MilType::int32, .shape = shape, .text = {}, .bytes = record.bytes, .owner = nullptr, .isWeight = inFile};
  std::vector<std::byte> items(type == DataType::int32 ? 0 : count * sizeof(std::int32_t));
  for (std::size_t i = 0; i < count && type != DataType::int32; ++i) {
    const std::int64_t value = integerAt(type, record.bytes, i);
    const auto item = static_cast<std::int32_t>(value);
    if (item != value) {
      refuse(formatText("the {} constant {} holds {}, and integers are int32", webnn::name(type),
                        webnn::quoted(state_->nameOf(operand)), value));
    }
    std::memcpy(items.data() + i * sizeof(item), &item, sizeof(item));
  }
  if (type != DataType::int32) {
    constant.owner = owned(std::move(items));
    constant.bytes = *constant.owner;
  }
  known = state_->constantValue(this->constant(std::move(constant)), name);
  return *known;
}

std::optional<std::vector<std::int64_t>> MilBuilder::integersOf(const Operand& operand) {
  const OperandRecord& record = operand.record();
  if (record.kind != OperandKind::constant || isFloat(operand.dataType())) return std::nullopt;
  std::vector<std::int64_t> items(countOf(operand.shape()));
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = integerAt(operand.dataType(), record.bytes, i);
  return items;
}

std::size_t MilBuilder::stored(const Operand& operand, const Shape& shape) {
  const OperandRecord& record = operand.record();
  const bool isWeight = countOf(shape) >= kSmallestWeight;
  return constant({.type = storedType(operand.dataType()),
                   .shape = shape,
                   .text = {},
                   .bytes = record.bytes,
                   .owner = nullptr,
                   .isWeight = isWeight});
}

std::size_t MilBuilder::constant(MilConstant constant) {
  state_->program.constants.push_back(std::move(constant));
  return state_->program.constants.size() - 1;
}

MilValue MilBuilder::add(std::string_view type, MilType resultType, const Shape& resultShape, Arguments arguments) {
  return addMany(type, {{.id = 0, .type = resultType, .shape = resultShape}}, std::move(arguments)).front();
}

std::vector<MilValue> MilBuilder::addMany(std::string_view type, const std::vector<MilValue>& results, Arguments arguments) {
  MilOperation operation{type, std::move(arguments), {}, {}};
  for (const MilValue& result : results) {
    if (result.shape.size() > kMaxMilRank) refuse(formatText("{} would have a result of rank {}", type, result.shape.size()));
    operation.results.push_back(state_->newValue(result.type, result.shape));
  }
  state_->program.operations.push_back(std::move(operation));
  return state_->program.operations.back().results;
}

MilValue MilBuilder::addConstexpr(std::string_view type, MilType resultType, const Shape& resultShape,
                                  std::vector<MilConstantArgument> arguments) {
  MilValue result = state_->newValue(resultType, resultShape);
  result.isConstant = true;
  state_->program.operations.push_back({type, {}, std::move(arguments), {result}});
  return result;
}

MilValue MilBuilder::scalar(MilType type, const Number& value) {
  return state_->sharedConstant(type, {}, packScalar(storageOf(type), value));
}

MilValue MilBuilder::flags(const std::vector<bool>& values) {
  std::vector<std::byte> bytes;
  for (const bool value : values) bytes.push_back(std::byte{value});
  return state_->sharedConstant(MilType::boolean, {static_cast<std::uint32_t>(values.size())}, std::move(bytes));
}

MilValue MilBuilder::text(const std::string& value) { return state_->sharedConstant(MilType::text, {}, {}, value); }

MilValue MilBuilder::integers(const Integers& items) {
  const auto bytes = std::as_bytes(std::span(items));
  return state_->sharedConstant(MilType::int32, {static_cast<std::uint32_t>(items.size())}, {bytes.begin(), bytes.end()});
}

MilValue MilBuilder::sizes(const Sizes& sizes) {
  Integers numbers;
  for (const Size& size : sizes) {
    if (!size.isOpen()) numbers.push_back(static_cast<std::int32_t>(size.number()));
  }
  if (numbers.size() == sizes.size()) return integers(numbers);
  std::vector<MilValue> parts;
  for (const Size& size : sizes) {
    if (!size.isOpen()) {
      parts.push_back(integers({static_cast<std::int32_t>(size.number())}));
      continue;
    }
    auto known = state_->openSizes.find(size.handle());
    if (known == state_->openSizes.end()) {
      known = state_->openSizes.emplace(size.handle(), computeSize(size.handle(), state_->graph.inputs, *this)).first;
    }
    parts.push_back(known->second);
  }
  return concatenate(0, parts, *this);
}

MilValue MilBuilder::size(Size size) { return size.isOpen() ? sizes(Sizes{size}) : integer(size.number()); }

std::int64_t MilBuilder::numberOf(Size size) const {
  if (size.isOpen()) refuseOpenSizes();
  return size.number();
}

MilValue MilBuilder::floats(MilType type, const std::vector<double>& items, const Shape& shape) {
  const std::vector<Number> numbers(items.begin(), items.end());
  return state_->sharedConstant(type, shape, packElements({storageOf(type), shape}, numbers));
}

MilValue MilBuilder::cast(const MilValue& value, MilType type) {
  if (value.type == type) return value;
  if (type == MilType::boolean) {
    const auto found = state_->booleans.find(value.id);
    if (found != state_->booleans.end()) return found->second;
  }
  const MilValue result = add("cast", type, value.shape, {{"x", {value}}, {"dtype", {text(std::string(castName(type)))}}});
  if (value.type == MilType::boolean) state_->booleans[result.id] = value;
  return result;
}

void MilBuilder::set(std::size_t index, MilValue value) {
  const Operand& result = output(index);
  value = cast(value, computedType(result.dataType()));
  const Shape shape = shapeOf(result.shape());
  value = reshape(value, shape, *this);
  std::string& name = state_->program.names[value.id];
  const bool isNew = value.id >= state_->firstValue && name.empty();
  if (!isNew) value = add("identity", value.type, value.shape, {{"x", {value}}});
  const auto output = state_->firstOutput.find(result.record().index);
  state_->program.names[value.id] = output == state_->firstOutput.end() ? state_->names.unique(identifier(state_->nameOf(result)))
                                                                        : state_->outputNames[output->second];
  state_->values[result.record().index] = value;
}

void MilBuilder::setWrapped(std::size_t index, const MilValue& value) {
  const DataType type = output(index).dataType();
  const std::size_t bits = bitsPerElement(type);
  if (bits > 8 || isFloat(type)) return set(index, value);
  const auto with = [&](std::string_view op, const MilValue& x, std::int64_t y) {
    return add(op, MilType::int32, x.shape, {{"x", {x}}, {"y", {integer(y)}}});
  };
  const bool isSigned = type == DataType::int8 || type == DataType::int4;
  const std::int64_t count = std::int64_t{1} << bits;
  if (!isSigned) return set(index, with("mod", value, count));
  set(index, with("sub", with("mod", with("add", value, count / 2), count), count / 2));
}

const Operand& MilBuilder::output(std::size_t index) const { return state_->node->outputs.at(index); }

void MilBuilder::require(int specificationVersion) {
  state_->program.specificationVersion = std::max(state_->program.specificationVersion, specificationVersion);
}

void MilBuilder::refuse(const std::string& reason) const { fail(ErrorKind::notSupportedError, "{}", reason); }

void MilBuilder::refuseOpenSizes() const { refuse("Core ML computes this for fixed sizes only; give the sizes"); }

void MilBuilder::note(std::string sentence) {
  const Operation& operation = state_->node->operation;
  std::string text = ops::messagePrefix(webnn::name(operation), label(operation)) + sentence;
  std::vector<std::string>& own = state_->placement.back().notes;
  if (std::ranges::find(own, sentence) == own.end()) own.push_back(std::move(sentence));
  if (state_->noted.insert(text).second) state_->notes.push_back(std::move(text));
}

void MilBuilder::append(const Node& node) {
  State& state = *state_;
  state.node = &node;
  state.placement.push_back({.device = "coreml"});
  state.firstValue = state.program.names.size();
  const std::size_t firstOperation = state.program.operations.size();
  try {
    std::visit([this](const auto& op) { toMil(op, *this); }, node.operation);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::notSupportedError) throw;
    state.refusals.push_back(ops::messagePrefix(webnn::name(node.operation), label(node.operation)) + error.what() + ".");
    for (const Operand& output : node.outputs) {  // defines the results, so that the following operations are checked, too
      state.values[output.record().index] = state.newValue(computedType(output.dataType()), shapeOf(output.shape()));
    }
  }
  const std::string prefix = identifier(state.nameOf(node.outputs.front())) + "_";
  for (std::size_t i = firstOperation; i < state.program.operations.size(); ++i) {
    const MilOperation& operation = state.program.operations[i];
    if (operation.type != "const") state.placement.back().kernels.emplace_back(operation.type);
    for (const MilValue& result : operation.results) {
      std::string& name = state.program.names[result.id];
      if (name.empty()) name = state.names.unique(prefix + std::string(operation.type));
    }
  }
}

Program MilBuilder::takeProgram() {
  State& state = *state_;
  for (std::size_t i = 0; i < state.graph.outputs.size(); ++i) {
    const auto& [outputName, operand] = state.graph.outputs[i];
    MilValue value = (*this)[operand];
    // the name differs if the value is an input, a constant, or also another output
    if (state.program.names[value.id] != state.outputNames[i]) {
      value = add("identity", value.type, value.shape, {{"x", {value}}});
      state.program.names[value.id] = state.outputNames[i];
    }
    state.program.outputs[i].value = value;
  }
  if (!state.refusals.empty()) {
    std::string list;
    for (const std::string& refusal : state.refusals) list += "\n  " + refusal;
    fail(ErrorKind::notSupportedError, "Core ML cannot express {} of the {} operations:{}", state.refusals.size(),
         state.graph.nodes.size(), list);
  }
  return std::move(state.program);
}

std::vector<std::string>& MilBuilder::notes() { return state_->notes; }

std::vector<OperationPlacement>& MilBuilder::placement() { return state_->placement; }

}  // namespace webnn::coreml
