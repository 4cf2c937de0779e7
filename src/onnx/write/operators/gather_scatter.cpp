#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

using Sizes = std::vector<Size>;

template <typename T>
Integers readIndices(const OperandRecord& record) {
  Integers indices(record.bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    T index;
    std::memcpy(&index, record.bytes.data() + i * sizeof(T), sizeof(T));
    indices[i] = static_cast<std::int64_t>(index);
  }
  return indices;
}

// Returns the integers of a constant; nullopt if the operand is not a constant.
std::optional<Integers> constantIndices(const Operand& indices) {
  const OperandRecord& record = indices.record();
  if (record.kind != OperandKind::constant) return std::nullopt;
  switch (indices.dataType()) {
    case DataType::int32: return readIndices<std::int32_t>(record);
    case DataType::uint32: return readIndices<std::uint32_t>(record);
    default: return readIndices<std::int64_t>(record);
  }
}

// Returns whether all indices are in ONNX's range. Index i selects from a dimension of sizes[i % sizes.size()] elements; negative
// indices count from the end. An open dimension has at least one element, because none could be selected otherwise.
bool areInside(const Integers& indices, const Sizes& sizes) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Size& given = sizes[i % sizes.size()];
    const std::int64_t size = given.isOpen() ? 1 : given.number();
    if (indices[i] < -size || indices[i] >= size) return false;
  }
  return true;
}

// Returns `value`, with `bound` in place of each element that is less (if `wrongSide` is "Less") or greater ("Greater") than
// `bound`. ONNX Runtime's Min and Max are wrong for int64 beyond 32 bits.
OnnxValue bounded(const OnnxValue& value, const OnnxValue& bound, std::string_view wrongSide, Exporter& out) {
  const OnnxValue wrong = out.add(wrongSide, {value, bound}, {}, ElementType::boolean);
  return out.add("Where", {wrong, bound, value});
}

// Clamps the indices unless they are known to be inside. ONNX leaves other indices undefined, and runtimes fail. The lower bound
// is -size, the first element.
OnnxValue clamped(const Operand& operand, const Sizes& sizes, Exporter& out) {
  const OnnxValue indices = out[operand];
  const bool isInt32 = indices.type == ElementType::int32 && sizes.size() == 1;
  const OnnxValue value = out.cast(indices, isInt32 ? ElementType::int32 : ElementType::int64);
  const std::optional<Integers> known = constantIndices(operand);
  if (known && areInside(*known, sizes)) return value;
  Sizes lowest, highest;
  for (const Size& size : sizes) {
    lowest.push_back(Size(std::int64_t{0}) - size);
    highest.push_back(size - Size(std::int64_t{1}));
  }
  const auto bounds = [&](const Sizes& items) {
    if (items.size() > 1) return out.integers(items);
    const Size& only = items.front();
    return only.isOpen() ? out.cast(out.integer(only), value.type) : out.scalar(value.type, only.number());
  };
  if (isInt32) return out.add("Clip", {value, bounds(lowest), bounds(highest)});
  return bounded(bounded(value, bounds(lowest), "Less", out), bounds(highest), "Greater", out);
}

OnnxValue clampedAlong(const Operand& input, const Operand& indices, std::uint32_t axis, Exporter& out) {
  return clamped(indices, {Size(input.shape()[axis])}, out);
}

// Returns the sizes of the dimensions that the coordinates in the last dimension of `indices` select.
Sizes indexedSizes(const Operand& input, const Operand& indices) {
  return {input.shape().begin(), input.shape().begin() + indices.shape().back()};
}

// Returns the coordinates as int64, the only type that ONNX takes.
OnnxValue clampedCoordinates(const Operand& input, const Operand& indices, Exporter& out) {
  return out.cast(clamped(indices, indexedSizes(input, indices), out), ElementType::int64);
}

Attributes along(std::uint32_t axis) { return {{"axis", std::int64_t{axis}}}; }

// Returns the strides that turn coordinates into the index of a slice.
Sizes stridesOf(const Sizes& sizes) {
  Sizes strides(sizes.size(), Size(std::int64_t{1}));
  for (std::size_t d = sizes.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

Integers numbersOf(const Sizes& sizes) {
  Integers numbers;
  for (const Size& size : sizes) numbers.push_back(size.number());
  return numbers;
}

// Returns whether constant coordinates select each slice at most once.
bool areUnique(const Operand& indices, const Sizes& open) {
  const std::optional<Integers> known = constantIndices(indices);
  if (!known || std::ranges::any_of(open, &Size::isOpen)) return false;
  const Integers sizes = numbersOf(open), strides = numbersOf(stridesOf(open));
  std::set<std::int64_t> slices;
  for (std::size_t i = 0; i < known->size(); i += sizes.size()) {
    std::int64_t slice = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const std::int64_t index = (*known)[i + d];
      slice += std::clamp<std::int64_t>(index < 0 ? index + sizes[d] : index, 0, sizes[d] - 1) * strides[d];
    }
    if (!slices.insert(slice).second) return false;
  }
  return true;
}

// Replaces each update by the last update with the same coordinates and returns the updates. The order in which a runtime writes
// them, which ONNX leaves open, then does not matter.
OnnxValue lastUpdates(const ops::ScatterND& op, const OnnxValue& coordinates, Exporter& out) {
  const Sizes sizes = indexedSizes(op.input, op.indices);
  const Shape& shape = op.indices.shape();
  const Size rowCount = productOf(std::span(shape).first(shape.size() - 1));
  const std::uint32_t count = asDimension(rowCount);
  const Size slices = stridesOf(sizes).front() * sizes.front();

  const OnnxValue rows = out.reshape(coordinates, {count, shape.back()});
  const OnnxValue positive = out.add("Mod", {rows, out.integers(sizes)});
  // float64 is exact, because there are fewer than 2^31 slices. Used if the target has no integer matrix product.
  const ElementType type = out.takes("MatMul", ElementType::int64) ? ElementType::int64 : ElementType::float64;
  const OnnxValue product = out.add("MatMul", {out.cast(positive, type), out.cast(out.integers(stridesOf(sizes)), type)});
  const OnnxValue slice = out.cast(product, ElementType::int64);
  const auto integer = [&](std::int64_t value) { return out.scalar(ElementType::int64, value); };
  const OnnxValue numbers = out.add("Range", {integer(0), out.integer(rowCount), integer(1)});
  const OnnxValue zeros = out.add("Expand", {integer(0), out.integers(Sizes{slices})});
  Attributes greatest = along(0);
  greatest.emplace_back("reduction", std::string("max"));
  const OnnxValue last = out.add("ScatterElements", {zeros, slice, numbers}, std::move(greatest));
  const OnnxValue chosen = out.add("Gather", {last, slice}, along(0));

  Shape flat{count};
  flat.insert(flat.end(), op.input.shape().begin() + shape.back(), op.input.shape().end());
  const OnnxValue updates = reshapeFrom(op.updates.shape(), flat, out[op.updates], out);
  return reshapeFrom(flat, op.updates.shape(), out.add("Gather", {updates, chosen}, along(0)), out);
}

}  // namespace

void toOnnx(const ops::Gather& op, Exporter& out) {
  const OnnxValue indices = clampedAlong(op.input, op.indices, op.options.axis, out);
  out.set(0, out.add("Gather", {out[op.input], indices}, along(op.options.axis)));
}

void toOnnx(const ops::GatherElements& op, Exporter& out) {
  const OnnxValue indices = clampedAlong(op.input, op.indices, op.options.axis, out);
  out.set(0, out.add("GatherElements", {out[op.input], indices}, along(op.options.axis)));
}

void toOnnx(const ops::GatherND& op, Exporter& out) {
  out.set(0, out.add("GatherND", {out[op.input], clampedCoordinates(op.input, op.indices, out)}));
}

// The last of several updates of one element must win. ONNX leaves this open, but ONNX Runtime writes the updates in order.
void toOnnx(const ops::ScatterElements& op, Exporter& out) {
  const OnnxValue indices = clampedAlong(op.input, op.indices, op.options.axis, out);
  out.set(0, out.add("ScatterElements", {out[op.input], indices, out[op.updates]}, along(op.options.axis)));
}

// ONNX Runtime's ScatterND divides the work among threads in no fixed order, so repeated updates need lastUpdates().
void toOnnx(const ops::ScatterND& op, Exporter& out) {
  const OnnxValue coordinates = clampedCoordinates(op.input, op.indices, out);
  const Shape& shape = op.indices.shape();
  const bool single = std::all_of(shape.begin(), shape.end() - 1, [](std::uint32_t size) { return size == 1; });
  const bool unique = single || areUnique(op.indices, indexedSizes(op.input, op.indices));
  const OnnxValue updates = unique ? out[op.updates] : lastUpdates(op, coordinates, out);
  out.set(0, out.add("ScatterND", {out[op.input], coordinates, updates}));
}

}  // namespace webnn::onnx
