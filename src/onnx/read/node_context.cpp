#include "onnx/read/node_context.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "base/pack.h"
#include "onnx/read/importer.h"
#include "webnn/types.h"

namespace webnn::formats::onnx {

namespace {

// The maximum number of elements of a constant that handlers may inspect. Larger constants are weights, not shapes or axes.
constexpr std::size_t kMaxElements = std::size_t{1} << 20;

template <typename T>
T loadAt(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::int64_t nibbleAt(std::span<const std::byte> bytes, std::size_t index, bool isSigned) {
  const int nibble = (std::to_integer<int>(bytes[index / 2]) >> (index % 2 * 4)) & 0xF;
  return isSigned && nibble >= 8 ? nibble - 16 : nibble;
}

float fromBfloat16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

// Returns element `index` of packed bytes as T, or nullopt for a type without a case below.
template <typename T>
std::optional<T> elementAt(ElementType type, std::span<const std::byte> bytes, std::size_t index) {
  switch (type) {
    case ElementType::float32: return static_cast<T>(loadAt<float>(bytes, index));
    case ElementType::float64: return static_cast<T>(loadAt<double>(bytes, index));
    case ElementType::float16: return static_cast<T>(static_cast<double>(loadAt<Half>(bytes, index)));
    case ElementType::bfloat16: return static_cast<T>(fromBfloat16(loadAt<std::uint16_t>(bytes, index)));
    case ElementType::int8: return static_cast<T>(loadAt<std::int8_t>(bytes, index));
    case ElementType::uint8:
    case ElementType::boolean: return static_cast<T>(loadAt<std::uint8_t>(bytes, index));
    case ElementType::int16: return static_cast<T>(loadAt<std::int16_t>(bytes, index));
    case ElementType::uint16: return static_cast<T>(loadAt<std::uint16_t>(bytes, index));
    case ElementType::int32: return static_cast<T>(loadAt<std::int32_t>(bytes, index));
    case ElementType::uint32: return static_cast<T>(loadAt<std::uint32_t>(bytes, index));
    case ElementType::int64: return static_cast<T>(loadAt<std::int64_t>(bytes, index));
    case ElementType::uint64: return static_cast<T>(loadAt<std::uint64_t>(bytes, index));
    case ElementType::int4:
    case ElementType::uint4: return static_cast<T>(nibbleAt(bytes, index, type == ElementType::int4));
    default: return std::nullopt;
  }
}

bool isInteger(ElementType type) {
  const auto dataType = dataTypeOf(type);
  return dataType ? !isFloat(*dataType) : type == ElementType::int16 || type == ElementType::uint16;
}

std::size_t elementCountOf(const std::vector<std::int64_t>& dims) {
  std::uint64_t count = 1;
  for (std::int64_t size : dims)
    count = checkedMul(count, static_cast<std::uint64_t>(size)).value_or(std::numeric_limits<std::uint64_t>::max());
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::size_t>::max()));
}

bool isReal(ElementType type) { return type == ElementType::float64 || type == ElementType::bfloat16; }

// Returns whether a constant of a type that WebNN lacks may be convertible to int32 or float32.
bool mayBeHeld(const ImportedValue& constant) {
  const auto isLarge = [](std::int64_t size) { return static_cast<std::uint64_t>(size) > kMaxDimension; };
  return (isReal(constant.type) || isInteger(constant.type)) && !constant.isEmpty() &&
         std::ranges::none_of(constant.dims, isLarge);
}

template <typename T>
void holdAs(DataType type, GraphBuilder& builder, const ImportedValue& constant, const std::vector<double>& numbers) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const T element = static_cast<T>(numbers[i]);
    std::memcpy(bytes->data() + i * sizeof(T), &element, sizeof(T));
  }
  const OperandDescriptor descriptor{type, {constant.dims.begin(), constant.dims.end()}};
  constant.operand = builder.constant(descriptor, ExternalBytes{*bytes, bytes});
}

// Gives the constant an int32 operand, or a float32 operand if float32 holds all its real numbers exactly.
void hold(GraphBuilder& builder, const ImportedValue& constant, const std::vector<double>& numbers) {
  const auto isSingle = [](double number) { return std::isnan(number) || static_cast<float>(number) == number; };
  if (!isReal(constant.type)) {
    holdAs<std::int32_t>(DataType::int32, builder, constant, numbers);
  } else if (std::ranges::all_of(numbers, isSingle)) {
    holdAs<float>(DataType::float32, builder, constant, numbers);
  }
}

}  // namespace

bool ImportedValue::isEmpty() const {
  for (std::int64_t size : dims) {
    if (size == 0) return true;
  }
  return false;
}

NodeContext::NodeContext(Importer& importer, const NodeProto& importedNode, std::int64_t nodeVersion, const OperatorImport& row,
                         std::vector<const ImportedValue*> inputs)
    : builder(importer.builder()),
      node(importedNode),
      version(nodeVersion),
      importer_(importer),
      takesHeld_(row.moves),
      inputs_(std::move(inputs)) {}

const ImportedValue& NodeContext::value(std::size_t index) const {
  const ImportedValue& value = tensorOrSequence(index);
  if (value.sequence) fail(ErrorKind::dataError, "its input {} is a sequence where a tensor is expected.", index);
  return value;
}

const ImportedValue& NodeContext::tensorOrSequence(std::size_t index) const {
  if (!has(index)) unsupported("its input {} is absent", index);
  return *inputs_[index];
}

const Sequence& NodeContext::sequence(std::size_t index) const {
  const ImportedValue& value = tensorOrSequence(index);
  if (!value.sequence) fail(ErrorKind::dataError, "its input {} is a tensor where a sequence is expected.", index);
  return *value.sequence;
}

Operand NodeContext::operand(std::size_t index) const { return operand(value(index)); }

Operand NodeContext::operand(const ImportedValue& value) const {
  if (!takesHeld_ || value.sequence || dataTypeOf(value.type)) return importer_.operandOf(value);
  if (!value.operand && value.bytes && mayBeHeld(value)) {
    const std::vector<double> numbers = allNumbers(value);
    spend(numbers.size());
    hold(builder, value, numbers);
  }
  return value.operand ? value.operand : importer_.operandOf(value);
}

std::optional<Operand> NodeContext::optionalOperand(std::size_t index) const {
  if (!has(index)) return std::nullopt;
  return operand(index);
}

bool NodeContext::isConstant(std::size_t index) const { return has(index) && isConstant(value(index)); }

void NodeContext::readIndices(const Operand& indices, Shape sizes) { importer_.readIndices(node, indices, std::move(sizes)); }

bool NodeContext::isConstant(const ImportedValue& value) const { return importer_.bytesOf(value).has_value(); }

template <typename T>
std::vector<T> NodeContext::elements(const ImportedValue& source, Description describe, std::size_t most) const {
  const auto bytes = importer_.bytesOf(source);
  if (!bytes) importer_.failUnknown(source, describe());
  const std::size_t count = elementCountOf(source.dims);
  if (count > most) unsupported("{} has {} elements where a few numbers are expected", describe(), count);
  importer_.read(count);
  std::vector<T> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<T> element = elementAt<T>(source.type, bytes->bytes, i);
    require(element.has_value(), "WebNN has no type {}", name(source.type));
    result.push_back(*element);
  }
  return result;
}

std::string NodeContext::describe(std::size_t index) const {
  return formatText("its input {} ({})", index,
                    webnn::quoted(index < node.inputs.size() ? node.inputs[index] : std::string_view()));
}

std::vector<std::int64_t> NodeContext::integers(std::size_t index) const {
  return integersOf(value(index), [&] { return describe(index); });
}

std::vector<std::int64_t> NodeContext::integers(const ImportedValue& value, std::string_view what) const {
  return integersOf(value, [&] { return std::string(what); });
}

std::vector<std::int64_t> NodeContext::integersOf(const ImportedValue& value, Description describe) const {
  if (!isInteger(value.type)) unsupported("{} is of type {}, not of integers", describe(), name(value.type));
  return elements<std::int64_t>(value, describe, kMaxElements);
}

std::vector<double> NodeContext::numbers(std::size_t index) const {
  return elements<double>(
      value(index), [&] { return describe(index); }, kMaxElements);
}

std::vector<double> NodeContext::allNumbers(const ImportedValue& constant) const {
  return elements<double>(
      constant, [] { return std::string("its input"); }, std::numeric_limits<std::size_t>::max());
}

double NodeContext::number(std::size_t index) const {
  const std::vector<double> all = numbers(index);
  require(all.size() == 1, "its input {} has {} elements, not 1", index, all.size());
  return all[0];
}

const Attribute* NodeContext::find(std::string_view name) const {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name != name) continue;
    if (attribute.reference.empty()) return &attribute;
    const CallAttributes* given = importer_.scope().attributes;
    if (!given) return nullptr;
    const auto found = given->find(attribute.reference);
    return found == given->end() ? nullptr : found->second;
  }
  return nullptr;
}

const Attribute* NodeContext::find(std::string_view name, AttributeType type) const {
  const Attribute* attribute = find(name);
  if (attribute && attribute->type != type) {
    fail(ErrorKind::dataError, "its attribute {} has the wrong type ({}).", webnn::quoted(name),
         static_cast<int>(attribute->type));
  }
  return attribute;
}

std::int64_t NodeContext::integer(std::string_view name, std::int64_t absent) const {
  const Attribute* attribute = find(name, AttributeType::i);
  return attribute ? attribute->i : absent;
}

double NodeContext::number(std::string_view name, double absent) const {
  const Attribute* attribute = find(name, AttributeType::f);
  return attribute ? static_cast<double>(attribute->f) : absent;
}

std::string_view NodeContext::text(std::string_view name, std::string_view absent) const {
  const Attribute* attribute = find(name, AttributeType::s);
  return attribute ? attribute->s : absent;
}

std::optional<std::vector<std::int64_t>> NodeContext::integers(std::string_view name) const {
  const Attribute* attribute = find(name, AttributeType::ints);
  if (!attribute) return std::nullopt;
  return attribute->ints;
}

std::optional<std::vector<float>> NodeContext::floats(std::string_view name) const {
  const Attribute* attribute = find(name, AttributeType::floats);
  if (!attribute) return std::nullopt;
  return attribute->floats;
}

std::optional<ImportedValue> NodeContext::tensor(std::string_view name) const {
  const Attribute* attribute = find(name, AttributeType::tensor);
  if (!attribute || !attribute->t) return std::nullopt;
  require(attribute->t->type != ElementType::string, "WebNN has no type string");
  return importer_.valueOf(*attribute->t);
}

const Graph& NodeContext::graph(std::string_view name) const {
  const Attribute* attribute = find(name, AttributeType::graph);
  if (!attribute || !attribute->g) fail(ErrorKind::dataError, "its attribute {} is absent.", webnn::quoted(name));
  return *attribute->g;
}

void NodeContext::set(std::size_t index, ImportedValue result) {
  require(result.dims.size() <= limits().rank, "its result {} has rank {}, above {}", index, result.dims.size(), limits().rank);
  if (outputs_.size() <= index) outputs_.resize(index + 1);
  outputs_[index] = std::move(result);
}

void NodeContext::set(std::size_t index, Operand result) {
  ImportedValue value{webnn::onnx::elementTypeOf(result.dataType()), {result.shape().begin(), result.shape().end()}, result, {}};
  set(index, std::move(value));
}

void NodeContext::setBoolean(std::size_t index, Operand result) {
  set(index, std::move(result));
  outputs_[index]->type = ElementType::boolean;
}

Operand NodeContext::scalar(DataType type, Number value) { return builder.constant(type, value); }

void NodeContext::spend(std::uint64_t elements) const { importer_.spend(elements); }
void NodeContext::walk(std::uint64_t bytes) const { importer_.walk(bytes); }
const ImportLimits& NodeContext::limits() const { return importer_.limits(); }
DerivedConstants& NodeContext::derivedConstants() const { return importer_.derivedConstants(); }
bool NodeContext::isPart() const { return importer_.isPart(); }

Operand NodeContext::constant(DataType type, Shape shape, std::span<const double> values) {
  spend(values.size());
  const std::size_t bits = webnn::bitsPerElement(type);
  auto bytes = std::make_shared<std::vector<std::byte>>((values.size() * bits + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::byte> element = packScalar(type, values[i]);
    if (bits == 4) {
      (*bytes)[i / 2] |= element[0] << (i % 2 * 4);
    } else {
      std::ranges::copy(element, bytes->begin() + static_cast<std::ptrdiff_t>(i * element.size()));
    }
  }
  return builder.constant({type, std::move(shape)}, ExternalBytes{*bytes, bytes});
}

ImportedValue NodeContext::integersValue(std::span<const std::int64_t> values) {
  spend(values.size());
  auto bytes = std::make_shared<std::vector<std::byte>>(values.size_bytes());
  if (!values.empty()) std::memcpy(bytes->data(), values.data(), values.size_bytes());
  return {ElementType::int64, {static_cast<std::int64_t>(values.size())}, {}, ExternalBytes{*bytes, bytes}};
}

Operand NodeContext::reshape(Operand operand, Shape shape) {
  return operand.shape() == shape ? operand : builder.reshape(operand, std::move(shape));
}

Operand NodeContext::transpose(Operand operand, std::vector<std::uint32_t> permutation) {
  bool moves = permutation.size() != operand.rank();
  for (std::size_t i = 0; i < permutation.size(); ++i) moves = moves || permutation[i] != i;
  return moves ? builder.transpose(operand, {.permutation = std::move(permutation), .label = {}}) : operand;
}

Operand NodeContext::cast(Operand operand, DataType type) {
  return operand.dataType() == type ? operand : builder.cast(operand, type);
}

Operand NodeContext::expand(Operand operand, Shape shape) {
  return operand.shape() == shape ? operand : builder.expand(operand, std::move(shape));
}

std::uint32_t NodeContext::axis(std::int64_t axis, std::size_t rank) const {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) fail(ErrorKind::typeError, "the axis ({}) is not one of a tensor of rank {}.", axis, rank);
  return static_cast<std::uint32_t>(axis < 0 ? axis + size : axis);
}

std::vector<std::uint32_t> NodeContext::axes(std::span<const std::int64_t> all, std::size_t rank) const {
  std::vector<std::uint32_t> result;
  for (std::int64_t one : all) result.push_back(axis(one, rank));
  return result;
}

std::vector<ImportedValue> NodeContext::importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs) {
  return importer_.importSubgraph(graph, std::move(inputs));
}

ImportedValue NodeContext::call(std::string_view domain, std::string_view opType, std::vector<ImportedValue> inputs) {
  NodeProto called{.name = node.name,
                   .opType = opType,
                   .domain = domain,
                   .overload = {},
                   .inputs = {},
                   .outputs = {"result"},
                   .attributes = node.attributes};
  std::vector<const ImportedValue*> values;
  for (const ImportedValue& input : inputs) {
    const bool isAbsent = !input.operand && !input.bytes;
    called.inputs.push_back(isAbsent ? "" : "input");
    values.push_back(isAbsent ? nullptr : &input);
  }
  return importer_.call(called, std::move(values));
}

}  // namespace webnn::formats::onnx
