#include "onnx/read/formula.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace webnn::formats::onnx {

Operand Term::as(const Term& other) const { return node_ ? operand_ : other.node().scalar(other.dataType(), number_); }

Term Term::apply(Unary method, const Term& x) { return {x.node(), (x.node().builder.*method)(x.operand_, {})}; }

Term Term::apply(Binary method, const Term& a, const Term& b) {
  NodeContext& node = a.node_ ? a.node() : b.node();
  return {node, (node.builder.*method)(a.as(b), b.as(a), {})};
}

Term where(const Term& condition, const Term& trueValue, const Term& falseValue) {
  NodeContext& node = condition.node();
  return {node, node.builder.where(condition, trueValue.as(falseValue), falseValue.as(trueValue))};
}

Operand logSoftmax(NodeContext& node, const Operand& x, std::uint32_t axis) {
  const ReduceOptions options{.axes = {axis}, .keepDimensions = true, .label = {}};
  const Term shifted = Term(node, x) - Term(node, node.builder.reduceMax(x, options));
  return shifted - Term(node, node.builder.reduceLogSumExp(shifted, options));
}

Operand counting(NodeContext& node, DataType type, std::uint32_t count, std::size_t axis, std::size_t rank) {
  constexpr std::uint32_t kMany = 1 << 20;
  Shape shape(rank, 1);
  shape[axis] = count;
  if (count > kMany) {
    const CumulativeSumOptions options{.exclusive = true, .label = {}};
    const Operand ones = node.expand(node.scalar(type, 1), std::move(shape));
    return node.builder.cumulativeSum(ones, static_cast<std::uint32_t>(axis), options);
  }
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return node.constant(type, std::move(shape), numbers);
}

bool setIfEmpty(NodeContext& node, ElementType type) {
  Dims dims;  // the broadcast dimensions, last dimension first
  bool empty = false;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    const ImportedValue& value = node.value(i);
    empty = empty || value.isEmpty();
    dims.resize(std::max(dims.size(), value.dims.size()), 1);
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      const std::int64_t size = value.dims[value.dims.size() - 1 - axis];
      if (size != 1 && dims[axis] != 1 && size != dims[axis]) return false;  // incompatible shapes: the builder reports the error
      if (size != 1) dims[axis] = size;
    }
  }
  if (!empty) return false;
  std::ranges::reverse(dims);
  node.set(0, emptyValue(type, std::move(dims)));
  return true;
}

void setTyped(NodeContext& node, std::size_t index, Operand result, ElementType type) {
  if (type == ElementType::boolean) {
    node.setBoolean(index, std::move(result));
  } else if (!dataTypeOf(type)) {  // WebNN lacks the type, so the operand holds the elements in another type
    Dims dims(result.shape().begin(), result.shape().end());
    node.set(index, ImportedValue{type, std::move(dims), std::move(result)});
  } else {
    node.set(index, std::move(result));
  }
}

namespace {

// Returns the upper 16 bits of the nearest float32 value, rounded to bfloat16 with ties to even.
std::uint16_t bfloat16Of(double number) {
  const float value = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Returns the low 16 bits of the truncated number.
std::uint16_t integer16Of(double number) {
  const double low = std::fmod(std::trunc(number), 65536.0);
  return std::isfinite(low) ? static_cast<std::uint16_t>(static_cast<std::int32_t>(low)) : std::uint16_t{0};
}

template <typename T, typename F>
ExternalBytes packed(std::span<const double> numbers, F convert) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const T value = convert(numbers[i]);
    std::memcpy(bytes->data() + i * sizeof(T), &value, sizeof(T));
  }
  return {*bytes, bytes};
}

ExternalBytes packForeign(NodeContext& node, ElementType type, std::span<const double> numbers) {
  switch (type) {
    case ElementType::float64: return packed<double>(numbers, [](double number) { return number; });
    case ElementType::bfloat16: return packed<std::uint16_t>(numbers, bfloat16Of);
    case ElementType::int16:
    case ElementType::uint16: return packed<std::uint16_t>(numbers, integer16Of);
    default: node.unsupported("WebNN has no type {}", webnn::onnx::name(type));
  }
}

}  // namespace

ImportedValue valueOf(NodeContext& node, ElementType type, std::vector<std::int64_t> dims, std::span<const double> numbers) {
  if (numbers.empty()) return emptyValue(type, std::move(dims));
  node.spend(numbers.size());
  const auto dataType = webnn::onnx::dataTypeOf(type);
  if (!dataType) return {type, std::move(dims), {}, packForeign(node, type, numbers)};
  if (dataType == DataType::float32) {
    return {type, std::move(dims), {}, packed<float>(numbers, [](double number) { return static_cast<float>(number); })};
  }
  if (type == ElementType::boolean) {
    return {type, std::move(dims), {}, packed<std::uint8_t>(numbers, [](double number) { return number != 0; })};
  }
  std::vector<double> rounded(numbers.begin(), numbers.end());
  if (!isFloat(*dataType)) {
    for (double& number : rounded) number = std::trunc(number);
  }
  Shape shape;
  for (std::int64_t size : dims) shape.push_back(static_cast<std::uint32_t>(size));
  return {type, std::move(dims), node.constant(*dataType, std::move(shape), rounded), {}};
}

}  // namespace webnn::formats::onnx
