#include "onnx/read/compose.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "onnx/read/formula.h"

namespace webnn::formats::onnx {

std::optional<std::int64_t> countOf(std::span<const std::int64_t> dims) {
  if (std::ranges::any_of(dims, [](std::int64_t dimension) { return dimension < 0; })) return std::nullopt;
  if (isEmpty(dims)) return 0;
  std::int64_t count = 1;
  for (const std::int64_t dimension : dims) {
    if (__builtin_mul_overflow(count, dimension, &count)) return std::nullopt;
  }
  return count;
}

std::string textOf(std::span<const std::int64_t> values) {
  std::string text;
  for (const std::int64_t value : values.first(std::min<std::size_t>(values.size(), 16))) {
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  }
  return values.size() > 16 ? text + ", ..." : text;
}

Shape shapeOf(const NodeContext& node, std::span<const std::int64_t> dims) {
  node.require(dims.size() <= kMaxRank, "rank {}: WebNN's ranks are at most {}", dims.size(), kMaxRank);
  Shape shape;
  for (const std::int64_t dimension : dims) {
    node.require(dimension >= 1 && dimension <= static_cast<std::int64_t>(kMaxDimension),
                 "a dimension of {}: WebNN's dimensions are 1 to {}", dimension, kMaxDimension);
    shape.push_back(static_cast<std::uint32_t>(dimension));
  }
  return shape;
}

DataType requireType(const NodeContext& node, ElementType type) {
  const auto dataType = webnn::onnx::dataTypeOf(type);
  node.require(dataType.has_value(), "WebNN has no type {}", webnn::onnx::name(type));
  return *dataType;
}

ImportedValue emptyValue(ElementType type, Dims dims) {
  if (!isEmpty(dims)) fail(ErrorKind::unknownError, "the tensor [{}] has elements.", textOf(dims));  // the value has no bytes
  ImportedValue value{type, std::move(dims), {}, ExternalBytes{}};
  if (type == ElementType::string) value.strings = std::make_shared<const std::vector<std::string>>();
  return value;
}

bool isEmpty(std::span<const std::int64_t> dims) { return std::ranges::find(dims, 0) != dims.end(); }

void setLike(NodeContext& node, std::size_t index, Operand result) {
  setTyped(node, index, std::move(result), node.value(0).type);
}

void setSame(NodeContext& node) { node.set(0, ImportedValue(node.value(0))); }

void setReshaped(NodeContext& node, Dims dims) {
  const ImportedValue& value = node.value(0);
  if (value.isEmpty()) return node.set(0, emptyValue(value.type, std::move(dims)));
  if (value.bytes) return node.set(0, ImportedValue{value.type, std::move(dims), {}, value.bytes});
  setLike(node, 0, node.reshape(node.operand(0), shapeOf(node, dims)));
}

std::optional<Dims> listedIntegers(const NodeContext& node, const ImportedValue& value) {
  constexpr std::size_t kMost = 64;  // longer lists are data rather than shapes
  const bool isList = value.type == ElementType::int64 && value.bytes && !value.sequence && value.dims.size() <= 1;
  if (!isList || value.bytes->bytes.size() > kMost * sizeof(std::int64_t)) return std::nullopt;
  return node.integers(value, "a list of sizes");
}

void setListed(NodeContext& node, std::span<const std::int64_t> values, Dims dims) {
  ImportedValue value = node.integersValue(values);
  value.dims = std::move(dims);
  node.set(0, std::move(value));
}

std::int64_t requiredInteger(const NodeContext& node, std::string_view name) {
  if (node.find(name) == nullptr) fail(ErrorKind::dataError, "the attribute {} is absent.", name);
  return node.integer(name, 0);
}

std::optional<Dims> attributeOrInput(const NodeContext& node, std::string_view name, std::size_t index, std::int64_t inputSince) {
  if (node.version < inputSince) return node.integers(name);
  if (!node.has(index)) return std::nullopt;
  return node.integers(index);
}

std::vector<std::uint32_t> distinctAxes(const NodeContext& node, std::span<const std::int64_t> axes, std::size_t rank) {
  std::vector<std::uint32_t> result = node.axes(axes, rank), sorted = result;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) fail(ErrorKind::dataError, "an axis is repeated.");
  return result;
}

Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int64_t> values) {
  node.spend(values.size());
  return node.builder.constant({DataType::int64, std::move(shape)}, std::as_bytes(values));
}

Operand rangeConstant(NodeContext& node, Shape shape) {
  const std::uint64_t count =
      std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, [](std::uint64_t a, std::uint32_t b) { return a * b; });
  node.spend(count);  // charge the budget before allocating the values
  Dims values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return indexConstant(node, std::move(shape), values);
}

Operand sliceAxis(NodeContext& node, const Operand& input, std::uint32_t axis, std::uint32_t start, std::uint32_t size) {
  Shape starts(input.rank(), 0), sizes = input.shape();
  if (start == 0 && size == sizes[axis]) return input;
  starts[axis] = start;
  sizes[axis] = size;
  return node.builder.slice(input, std::move(starts), std::move(sizes));
}

Operand concat(NodeContext& node, std::vector<Operand> inputs, std::uint32_t axis) {
  return inputs.size() == 1 ? inputs[0] : node.builder.concat(std::move(inputs), axis);
}

}  // namespace webnn::formats::onnx
