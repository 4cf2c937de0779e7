#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

namespace {

// The elements that Slice takes from one axis: `count` elements from index `start` with stride `step`, which may be negative.
struct Range {
  std::int64_t start = 0, step = 1, count = 0;
};

Range rangeOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  if (step == 0) fail(ErrorKind::dataError, "a step is 0.");
  const auto clamped = [size](std::int64_t at, std::int64_t low, std::int64_t high) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  if (size == 0) return {};
  const bool forward = step > 0;
  start = forward ? clamped(start, 0, size) : clamped(start, 0, size - 1);
  end = forward ? clamped(end, 0, size) : clamped(end, -1, size - 1);
  const std::int64_t span = forward ? end - start : start - end;
  if (span <= 0) return {};
  // All steps beyond the span give one element. The clamp avoids negating the smallest int64, which overflows.
  step = std::clamp(step, -span, span);
  return {start, step, 1 + (span - 1) / (forward ? step : -step)};
}

// Slices input 0 at non-empty ranges.
Operand sliceRanges(NodeContext& node, std::span<const Range> ranges) {
  Shape starts, sizes, strides;
  std::vector<std::uint32_t> reversed;
  Operand result = node.operand(0);
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    const auto [start, step, count] = ranges[d];
    const std::int64_t last = start + (count - 1) * step;
    starts.push_back(static_cast<std::uint32_t>(std::min(start, last)));
    sizes.push_back(static_cast<std::uint32_t>(std::max(start, last) - std::min(start, last) + 1));
    strides.push_back(count == 1 ? 1 : static_cast<std::uint32_t>(step < 0 ? -step : step));
    if (last < start) reversed.push_back(static_cast<std::uint32_t>(d));
  }
  const bool isWhole = sizes == result.shape() && std::ranges::all_of(strides, [](std::uint32_t stride) { return stride == 1; });
  if (!isWhole) result = node.builder.slice(result, std::move(starts), std::move(sizes), {.strides = std::move(strides)});
  return reversed.empty() ? result : node.builder.reverse(result, {.axes = std::move(reversed)});
}

void importSlice(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const auto starts = attributeOrInput(node, "starts", 1, 10), ends = attributeOrInput(node, "ends", 2, 10);
  if (!starts || !ends) fail(ErrorKind::dataError, "the starts or the ends are absent.");
  Dims given = attributeOrInput(node, "axes", 3, 10).value_or(Dims{});
  if (given.empty()) {
    given.resize(starts->size());
    std::iota(given.begin(), given.end(), 0);
  }
  const Dims steps = node.version >= 10 && node.has(4) ? node.integers(4) : Dims(starts->size(), 1);
  if (ends->size() != starts->size() || given.size() != starts->size() || steps.size() != starts->size()) {
    fail(ErrorKind::dataError, "there are {} starts, {} ends, {} axes and {} steps.", starts->size(), ends->size(), given.size(),
         steps.size());
  }
  const std::vector<std::uint32_t> axes = distinctAxes(node, given, value.dims.size());
  std::vector<Range> ranges;
  for (const std::int64_t size : value.dims) ranges.push_back({0, 1, size});
  for (std::size_t i = 0; i < axes.size(); ++i)
    ranges[axes[i]] = rangeOf((*starts)[i], (*ends)[i], steps[i], value.dims[axes[i]]);
  Dims dims;
  for (const Range& range : ranges) dims.push_back(range.count);
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  if (const std::optional<Dims> list = listedIntegers(node, value); list && ranges.size() == 1) {
    Dims taken;
    for (std::int64_t i = 0; i < ranges[0].count; ++i)
      taken.push_back((*list)[static_cast<std::size_t>(ranges[0].start + i * ranges[0].step)]);
    return setListed(node, taken, std::move(dims));
  }
  setLike(node, 0, sliceRanges(node, ranges));
}

// The effect of Pad on one axis: first drops elements at both ends (negative padding), then adds elements.
struct Edges {
  std::int64_t dropBefore = 0, dropAfter = 0, addBefore = 0, addAfter = 0;
};

// Splits Pad's number for one end; negative numbers drop elements.
void splitPad(std::int64_t pad, std::int64_t& size, std::int64_t& drop, std::int64_t& add) {
  if (pad < 0) {
    if (pad < -size) fail(ErrorKind::dataError, "a pad ({}) drops more elements than there are ({}).", pad, size);
    drop = -pad;
    size -= drop;
  } else {
    add = pad;
  }
}

std::vector<Edges> edgesOf(const NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  const auto pads = attributeOrInput(node, node.version < 2 ? "paddings" : "pads", 1, 11);
  if (!pads) fail(ErrorKind::dataError, "the pads are absent.");
  Dims given(dims.size());
  std::iota(given.begin(), given.end(), 0);
  if (node.version >= 18 && node.has(3)) given = node.integers(3);
  const std::vector<std::uint32_t> axes = distinctAxes(node, given, dims.size());
  if (pads->size() != 2 * axes.size()) fail(ErrorKind::dataError, "there are {} pads for {} axes.", pads->size(), axes.size());
  std::vector<Edges> edges(dims.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Edges& edge = edges[axes[i]];
    std::int64_t size = dims[axes[i]];
    splitPad((*pads)[i], size, edge.dropBefore, edge.addBefore);
    splitPad((*pads)[axes.size() + i], size, edge.dropAfter, edge.addAfter);
    const auto limit = static_cast<std::int64_t>(kMaxDimension);
    node.require(std::max({size, edge.addBefore, edge.addAfter}) <= limit, "a dimension above {}", limit);
  }
  return edges;
}

// Returns the scalar that Pad fills with. It may be computed by the graph.
Operand fillOperand(NodeContext& node) {
  if (node.version >= 11 && node.has(2)) return node.reshape(node.operand(2), {});
  const auto type = webnn::onnx::dataTypeOf(node.value(0).type);
  node.require(type.has_value(), "WebNN has no {}", webnn::onnx::name(node.value(0).type));
  return node.scalar(*type, node.version < 11 ? node.number("value", 0) : 0.0);
}

// Returns the number that Pad fills with; nullopt if it is not constant.
std::optional<Number> fillNumber(const NodeContext& node) {
  if (node.version < 11) return node.number("value", 0);
  if (!node.has(2)) return 0;
  if (!node.isConstant(2)) return std::nullopt;
  const auto type = webnn::onnx::dataTypeOf(node.value(2).type);
  if (!type || isFloat(*type)) return node.number(2);
  const Dims values = node.integers(2);
  if (values.size() != 1) fail(ErrorKind::dataError, "the constant to pad with has {} elements, not 1.", values.size());
  if (*type == DataType::uint64) return static_cast<std::uint64_t>(values[0]);  // integers() returns the bits of uint64 numbers
  return values[0];
}

// WebNN's pad takes only constant numbers. For a number that is not constant, pads a mask and replaces the elements outside the
// mask.
Operand padConstant(NodeContext& node, const Operand& input, const Shape& before, const Shape& after) {
  if (const auto value = fillNumber(node)) return node.builder.pad(input, before, after, {.value = *value});
  const Operand isInside = node.expand(node.scalar(DataType::uint8, 1), input.shape());
  return node.builder.where(node.builder.pad(isInside, before, after), node.builder.pad(input, before, after), fillOperand(node));
}

// Map a position `at`, which may be outside an axis with `size` elements, to an index in the axis: by repetition or by reflection
// at both ends.
std::int64_t wrapped(std::int64_t at, std::int64_t size) { return ((at % size) + size) % size; }
std::int64_t reflected(std::int64_t at, std::int64_t size) {
  const std::int64_t period = std::max<std::int64_t>(2 * (size - 1), 1);
  return std::min(wrapped(at, period), period - wrapped(at, period));
}

// Pads by gathering, for modes that WebNN lacks: wrapping, and reflecting more than once.
Operand padByIndex(NodeContext& node, Operand input, const Shape& before, const Shape& after,
                   std::int64_t (*indexOf)(std::int64_t, std::int64_t)) {
  for (std::uint32_t axis = 0; axis < before.size(); ++axis) {
    if (before[axis] == 0 && after[axis] == 0) continue;
    const std::int64_t size = input.shape()[axis], count = size + before[axis] + after[axis];
    node.spend(static_cast<std::uint64_t>(count));
    Dims indices;
    for (std::int64_t i = 0; i < count; ++i) indices.push_back(indexOf(i - before[axis], size));
    input = node.builder.gather(input, indexConstant(node, {static_cast<std::uint32_t>(count)}, indices), {.axis = axis});
  }
  return input;
}

Operand padWithMode(NodeContext& node, const Operand& input, const Shape& before, const Shape& after) {
  const std::string_view mode = node.text("mode", "constant");
  if (mode == "constant") return padConstant(node, input, before, after);
  if (mode == "edge") return node.builder.pad(input, before, after, {.mode = PaddingMode::edge});
  if (mode == "wrap") return padByIndex(node, input, before, after, wrapped);
  if (mode != "reflect") fail(ErrorKind::dataError, "the mode {} is not known.", webnn::quoted(mode));
  const Shape& shape = input.shape();
  const auto isLess = [](std::uint32_t pad, std::uint32_t size) { return pad < size; };
  const bool reflectsOnce = std::ranges::equal(before, shape, isLess) && std::ranges::equal(after, shape, isLess);
  if (reflectsOnce) return node.builder.pad(input, before, after, {.mode = PaddingMode::reflection});
  return padByIndex(node, input, before, after, reflected);
}

// Sets result 0 to input 0, cropped and then padded by `edges`. `pad` pads an operand that has elements.
void setCroppedAndPadded(NodeContext& node, std::span<const Edges> edges, auto pad) {
  const ImportedValue& value = node.value(0);
  Dims dims;
  std::vector<Range> inner;
  Shape before, after;
  bool isCroppedAway = false, pads = false;
  for (std::size_t d = 0; d < edges.size(); ++d) {
    const Edges& edge = edges[d];
    const std::int64_t left = value.dims[d] - edge.dropBefore - edge.dropAfter;
    inner.push_back({edge.dropBefore, 1, left});
    before.push_back(static_cast<std::uint32_t>(edge.addBefore));
    after.push_back(static_cast<std::uint32_t>(edge.addAfter));
    pads = pads || edge.addBefore != 0 || edge.addAfter != 0;
    isCroppedAway = isCroppedAway || left == 0;
    dims.push_back(left + edge.addBefore + edge.addAfter);
  }
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  const Shape shape = shapeOf(node, dims);
  if (isCroppedAway) {
    if (node.text("mode", "constant") != "constant") fail(ErrorKind::dataError, "there is nothing to repeat at the edges.");
    return setLike(node, 0, node.expand(fillOperand(node), shape));
  }
  const Operand cropped = sliceRanges(node, inner);
  setLike(node, 0, pads ? pad(cropped, before, after) : cropped);
}

void importPad(NodeContext& node) {
  setCroppedAndPadded(node, edgesOf(node), [&node](const Operand& input, const Shape& before, const Shape& after) {
    return padWithMode(node, input, before, after);
  });
}

void importCenterCropPad(NodeContext& node) {
  const Dims& dims = node.value(0).dims;
  const Dims sizes = node.integers(1);
  Dims given(dims.size());
  std::iota(given.begin(), given.end(), 0);
  const std::vector<std::uint32_t> axes = distinctAxes(node, node.integers("axes").value_or(given), dims.size());
  if (sizes.size() != axes.size()) fail(ErrorKind::dataError, "there are {} sizes for {} axes.", sizes.size(), axes.size());
  std::vector<Edges> edges(dims.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (sizes[i] < 0) fail(ErrorKind::dataError, "shape[{}] ({}) is negative.", i, sizes[i]);
    const std::int64_t more = std::max<std::int64_t>(sizes[i] - dims[axes[i]], 0),
                       less = std::max<std::int64_t>(dims[axes[i]] - sizes[i], 0);
    edges[axes[i]] = {less / 2, less - less / 2, more / 2, more - more / 2};
  }
  setCroppedAndPadded(node, edges, [&node](const Operand& input, const Shape& before, const Shape& after) {
    return node.builder.pad(input, before, after);
  });
}

// Reverses the first lengths[b] steps of sequence b and keeps the others.
void importReverseSequence(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  const std::int64_t timeAxis = node.integer("time_axis", 0), batchAxis = node.integer("batch_axis", 1);
  const bool areFirst = (timeAxis == 0 && batchAxis == 1) || (timeAxis == 1 && batchAxis == 0);
  if (!areFirst || node.rank(0) < 2) {
    fail(ErrorKind::dataError, "the time axis ({}) and the batch axis ({}) are not the first two.", timeAxis, batchAxis);
  }
  const Operand input = node.operand(0), lengths = node.cast(node.operand(1), DataType::int64);
  const std::size_t alongTimes = timeAxis == 0 ? 0 : 1, alongBatches = 1 - alongTimes;
  const std::uint32_t times = input.shape()[alongTimes], batches = input.shape()[alongBatches];
  // Returns the shape of a vector along the time axis, or else the batch axis, that broadcasts over the first two dimensions.
  const auto shapeAlong = [&](bool alongTime) {
    Shape shape{1, 1};
    shape[alongTime ? alongTimes : alongBatches] = alongTime ? times : batches;
    return shape;
  };
  const Operand time = rangeConstant(node, shapeAlong(true)), length = node.reshape(lengths, shapeAlong(false));
  const Operand mirrored = builder.sub(builder.sub(length, node.scalar(DataType::int64, 1)), time);
  const Shape grid{input.shape()[0], input.shape()[1]};
  const auto coordinate = [&](const Operand& operand) { return node.reshape(node.expand(operand, grid), {grid[0], grid[1], 1}); };
  const Operand from = coordinate(builder.where(builder.lesser(time, length), mirrored, time));
  const Operand batch = coordinate(rangeConstant(node, shapeAlong(false)));
  const Operand indices = timeAxis == 0 ? builder.concat({from, batch}, 2) : builder.concat({batch, from}, 2);
  setLike(node, 0, builder.gatherND(input, indices));
}

void importCompress(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const bool flattens = node.find("axis") == nullptr;
  const std::uint32_t axis = flattens ? 0 : node.axis(node.integer("axis", 0), value.dims.size());
  Dims dims = flattens ? Dims{countOf(value.dims).value_or(0)} : value.dims;
  const Dims condition = node.integers(1);
  Dims indices;
  // ONNX Runtime ignores what exceeds the axis.
  for (std::size_t i = 0; i < condition.size() && static_cast<std::int64_t>(i) < dims[axis]; ++i) {
    if (condition[i] != 0) indices.push_back(static_cast<std::int64_t>(i));
  }
  const Shape inputShape = isEmpty(dims) ? Shape{} : shapeOf(node, dims);
  dims[axis] = static_cast<std::int64_t>(indices.size());
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  const Operand chosen = indexConstant(node, {shapeOf(node, dims)[axis]}, indices);
  setLike(node, 0, node.builder.gather(node.reshape(node.operand(0), inputShape), chosen, {.axis = axis}));
}

}  // namespace

std::span<const OperatorImport> slicePadOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Pad", importPad},
      {"", "Slice", importSlice, true},
  };
  return kOperators;
}

std::span<const OperatorImport> cropOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "CenterCropPad", importCenterCropPad},
      {"", "Compress", importCompress, true},
      {"", "ReverseSequence", importReverseSequence},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
