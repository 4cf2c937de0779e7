#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

namespace {

// The operation that combines an element with its updates.
enum class ScatterReduction { none, add, mul, max, min };

ScatterReduction reductionOf(const NodeContext& node) {
  static constexpr std::string_view kNames[]{"none", "add", "mul", "max", "min"};
  const std::string_view text = node.text("reduction", "none");
  const auto found = std::ranges::find(kNames, text);
  if (found == std::end(kNames)) fail(ErrorKind::dataError, "the reduction {} is not known.", webnn::quoted(text));
  const auto reduction = static_cast<ScatterReduction>(found - kNames);
  // As in NumPy, the sum of booleans is "or" and their product "and".
  if (node.value(0).type != ElementType::boolean) return reduction;
  if (reduction == ScatterReduction::add) return ScatterReduction::max;
  return reduction == ScatterReduction::mul ? ScatterReduction::min : reduction;
}

Operand combine(NodeContext& node, ScatterReduction reduction, const Operand& a, const Operand& b) {
  switch (reduction) {
    case ScatterReduction::add: return node.builder.add(a, b);
    case ScatterReduction::mul: return node.builder.mul(a, b);
    case ScatterReduction::max: return node.builder.max(a, b);
    case ScatterReduction::min: return node.builder.min(a, b);
    case ScatterReduction::none: break;
  }
  return b;
}

Operand combineAlong(NodeContext& node, ScatterReduction reduction, const Operand& operand, std::uint32_t axis) {
  const ReduceOptions options{.axes = {axis}};
  switch (reduction) {
    case ScatterReduction::add: return node.builder.reduceSum(operand, options);
    case ScatterReduction::mul: return node.builder.reduceProduct(operand, options);
    case ScatterReduction::max: return node.builder.reduceMax(operand, options);
    default: return node.builder.reduceMin(operand, options);
  }
}

// Returns the reduction's neutral element. A cast to integers saturates infinities.
double neutralElement(ScatterReduction reduction) {
  constexpr double kLargest = std::numeric_limits<double>::infinity();
  if (reduction == ScatterReduction::max) return -kLargest;
  return reduction == ScatterReduction::min ? kLargest : reduction == ScatterReduction::mul ? 1 : 0;
}

// Converts negative indices, which count from the end, to non-negative ones. `sizes` has the sizes of the indexed dimensions.
Operand nonNegative(NodeContext& node, const Operand& indices, const Operand& sizes) {
  const Operand zero = node.scalar(DataType::int64, 0);
  return node.builder.where(node.builder.lesser(indices, zero), node.builder.add(indices, sizes), indices);
}

// Replaces every update by the combination of all updates of the same group that have the same target. Then the updates of a
// target are equal, and the order in which they are written does not matter. `targets` is [groups, n], `updates` [groups, n,
// inner].
Operand combineUpdates(NodeContext& node, ScatterReduction reduction, const Operand& targets, const Operand& updates) {
  const std::uint32_t groups = updates.shape()[0], n = updates.shape()[1], inner = updates.shape()[2];
  const auto pairs = checkedMul(std::uint64_t{n} * n, std::uint64_t{groups} * inner);
  node.require(!node.isPart() || (pairs && *pairs <= 4096), "the host combines {} updates faster", n);
  node.require(pairs && *pairs <= std::uint64_t{1} << 26,
               "WebNN's scatter has no reduction, and {} updates are too many to compare", n);
  // reduceSum and reduceProduct take no 8-bit integers. Sums and products in int32 have the same low 8 bits.
  const bool isShort = updates.dataType() == DataType::int8 || updates.dataType() == DataType::uint8;
  const DataType type = isShort ? DataType::int32 : updates.dataType();
  const Operand neutral = node.scalar(type, neutralElement(reduction));
  const Operand same = node.builder.equal(node.reshape(targets, {groups, n, 1, 1}), node.reshape(targets, {groups, 1, n, 1}));
  const Operand others = node.builder.where(same, node.reshape(node.cast(updates, type), {groups, 1, n, inner}), neutral);
  return node.cast(combineAlong(node, reduction, others, 2), updates.dataType());
}

bool areDistinct(Dims targets) {
  std::ranges::sort(targets);
  return std::ranges::adjacent_find(targets) == targets.end();
}

// Returns whether constant indices of ScatterElements have distinct targets. `shape` is the shape of the indices, `size` the
// data's size along `axis`.
bool areElementsDistinct(const Dims& indices, const Shape& shape, std::uint32_t axis, std::int64_t size) {
  std::size_t inner = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::size_t step = shape[axis] * inner;
  Dims targets;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::int64_t index = indices[i] < 0 ? indices[i] + size : indices[i];
    if (index < 0 || index >= size) fail(ErrorKind::dataError, "the index {} is not in a dimension of {}.", indices[i], size);
    // Numbers each target by its position in the other dimensions and its index along `axis`. No overflow: both are below 2^31.
    targets.push_back(static_cast<std::int64_t>(i / step * inner + i % inner) * size + index);
  }
  return areDistinct(std::move(targets));
}

// Computes ScatterElements with a reduction. Except along `axis`, the data are as large as the indices.
Operand scatterReduced(NodeContext& node, ScatterReduction reduction, const Operand& data, const Operand& indices,
                       Operand updates, std::uint32_t axis) {
  const Shape& shape = indices.shape();
  if (!node.isConstant(1) || !areElementsDistinct(node.integers(1), shape, axis, data.shape()[axis])) {
    const auto rank = static_cast<std::uint32_t>(shape.size()), n = shape[axis];
    std::vector<std::uint32_t> toLast, back;
    for (std::uint32_t d = 0; d < rank; ++d) {
      if (d != axis) toLast.push_back(d);
      back.push_back(d < axis ? d : d == axis ? rank - 1 : d - 1);
    }
    toLast.push_back(axis);
    const Operand moved = node.transpose(updates, toLast);
    const auto groups = static_cast<std::uint32_t>(elementCount(indices.descriptor()) / n);
    const Operand sizes = node.scalar(DataType::int64, data.shape()[axis]);
    const Operand targets = nonNegative(node, node.cast(node.transpose(indices, toLast), DataType::int64), sizes);
    const Operand combined =
        combineUpdates(node, reduction, node.reshape(targets, {groups, n}), node.reshape(moved, {groups, n, 1}));
    updates = node.transpose(node.reshape(combined, moved.shape()), back);
  }
  const Operand present = node.builder.gatherElements(data, indices, {.axis = axis});
  return node.builder.scatterElements(data, indices, combine(node, reduction, present, updates), {.axis = axis});
}

// WebNN's scatterElements requires data as large as the indices in all dimensions but `axis`; in ONNX the data may be larger.
// From dimension `d` on, scatters into the leading slice of the data that has the indices' size, then appends the rest of the
// data.
Operand scatterInto(NodeContext& node, ScatterReduction reduction, const Operand& data, std::uint32_t axis, std::uint32_t d = 0) {
  const Operand indices = node.operand(1), updates = node.operand(2);
  if (d == data.rank()) {
    if (reduction != ScatterReduction::none) return scatterReduced(node, reduction, data, indices, updates, axis);
    return node.builder.scatterElements(data, indices, updates, {.axis = axis});
  }
  const std::uint32_t size = data.shape()[d], reached = indices.shape()[d];
  if (d == axis || reached == size) return scatterInto(node, reduction, data, axis, d + 1);
  const Operand written = scatterInto(node, reduction, sliceAxis(node, data, d, 0, reached), axis, d + 1);
  return node.builder.concat({written, sliceAxis(node, data, d, reached, size - reached)}, d);
}

void importScatterElements(NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  const ImportedValue& indices = node.value(1);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), dims.size());
  const ScatterReduction reduction = reductionOf(node);
  bool fits = indices.dims.size() == dims.size() && node.value(2).dims == indices.dims;
  for (std::size_t d = 0; fits && d < dims.size(); ++d) fits = d == axis || indices.dims[d] <= dims[d];
  if (!fits) {
    fail(ErrorKind::dataError, "updates [{}] at indices [{}] do not fit data [{}].", textOf(node.value(2).dims),
         textOf(indices.dims), textOf(dims));
  }
  if (indices.isEmpty()) return setSame(node);
  node.readIndices(node.operand(1), {node.shape(0)[axis]});
  setLike(node, 0, scatterInto(node, reduction, node.operand(0), axis));
}

// Returns the strides of the first `count` dimensions, counted in slices over the remaining dimensions: [2, 3, 4], 2 -> [3, 1].
Dims stridesOf(const Shape& shape, std::size_t count) {
  Dims strides(count, 1);
  for (std::size_t d = count; d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// Returns whether constant coordinates of ScatterND have distinct targets.
bool areCoordinatesDistinct(const Dims& indices, const Shape& shape, const Dims& strides) {
  Dims targets;
  for (std::size_t i = 0; i < indices.size(); i += strides.size()) {
    targets.push_back(0);
    for (std::size_t d = 0; d < strides.size(); ++d) {
      const std::int64_t size = shape[d], index = indices[i + d] < 0 ? indices[i + d] + size : indices[i + d];
      if (index < 0 || index >= size) {
        fail(ErrorKind::dataError, "the index {} is not in a dimension of {}.", indices[i + d], size);
      }
      targets.back() += index * strides[d];
    }
  }
  return areDistinct(std::move(targets));
}

Operand scatterNDReduced(NodeContext& node, ScatterReduction reduction, const Operand& data, const Operand& indices,
                         Operand updates) {
  const std::uint32_t coordinates = indices.shape().back();
  const auto n = static_cast<std::uint32_t>(elementCount(indices.descriptor()) / coordinates);
  const Dims strides = stridesOf(data.shape(), coordinates);
  if (!node.isConstant(1) || !areCoordinatesDistinct(node.integers(1), data.shape(), strides)) {
    const Dims sizes(data.shape().begin(), data.shape().begin() + coordinates);
    const Operand at = nonNegative(node, node.reshape(node.cast(indices, DataType::int64), {n, coordinates}),
                                   indexConstant(node, {1, coordinates}, sizes));
    const Operand terms = node.builder.mul(at, indexConstant(node, {1, coordinates}, strides));
    const Operand targets = node.reshape(node.builder.reduceSum(terms, {.axes = {1}}), {1, n});
    const auto inner = static_cast<std::uint32_t>(elementCount(updates.descriptor()) / n);
    updates = node.reshape(combineUpdates(node, reduction, targets, node.reshape(updates, {1, n, inner})), updates.shape());
  }
  const Operand present = node.builder.gatherND(data, indices);
  return node.builder.scatterND(data, indices, combine(node, reduction, present, updates));
}

void importScatterND(NodeContext& node) {
  const Dims &data = node.value(0).dims, &indices = node.value(1).dims, &updates = node.value(2).dims;
  const ScatterReduction reduction = reductionOf(node);
  const std::int64_t coordinates = indices.empty() ? -1 : indices.back();
  bool fits = coordinates >= 0 && coordinates <= static_cast<std::int64_t>(data.size());
  if (fits) {
    Dims expected(indices.begin(), indices.end() - 1);
    expected.insert(expected.end(), data.begin() + static_cast<std::ptrdiff_t>(coordinates), data.end());
    fits = updates == expected;
  }
  if (!fits) {
    fail(ErrorKind::dataError, "updates [{}] at indices [{}] do not fit data [{}].", textOf(updates), textOf(indices),
         textOf(data));
  }
  if (isEmpty(updates)) return setSame(node);
  const Operand input = node.operand(0), at = node.operand(1), values = node.operand(2);
  node.readIndices(at, {input.shape().begin(), input.shape().begin() + static_cast<std::ptrdiff_t>(coordinates)});
  setLike(node, 0,
          reduction == ScatterReduction::none ? node.builder.scatterND(input, at, values)
                                              : scatterNDReduced(node, reduction, input, at, values));
}

// Writes the updates of each sample of the batch along `axis`, beginning at the sample's index from input 2 (0 if absent). In
// mode "circular", indices beyond the end continue at the start.
void importTensorScatter(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  const Operand cache = node.operand(0), updates = node.operand(1);
  const std::uint32_t axis = node.axis(node.integer("axis", -2), cache.rank());
  const std::string_view mode = node.text("mode", "linear");
  if (mode != "linear" && mode != "circular") fail(ErrorKind::dataError, "the mode {} is not known.", webnn::quoted(mode));
  if (axis == 0 || updates.rank() != cache.rank()) {
    fail(ErrorKind::dataError, "updates {} along axis {} do not fit a cache {}.", toString(updates.shape()), axis,
         toString(cache.shape()));
  }
  Shape alongAxis(cache.rank(), 1), alongBatch(cache.rank(), 1);
  alongAxis[axis] = updates.shape()[axis];
  alongBatch[0] = cache.shape()[0];
  Operand indices = rangeConstant(node, std::move(alongAxis));
  if (node.has(2)) {
    indices = builder.add(indices, node.reshape(node.cast(node.operand(2), DataType::int64), std::move(alongBatch)));
  }
  if (mode == "circular") {
    const Operand size = node.scalar(DataType::int64, cache.shape()[axis]);
    indices = builder.sub(indices, builder.mul(builder.div(indices, size), size));
  }
  setLike(node, 0, builder.scatterElements(cache, node.expand(indices, updates.shape()), updates, {.axis = axis}));
}

}  // namespace

std::span<const OperatorImport> scatterOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Scatter", importScatterElements},
      {"", "ScatterElements", importScatterElements},
      {"", "ScatterND", importScatterND},
      {"", "TensorScatter", importTensorScatter},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
