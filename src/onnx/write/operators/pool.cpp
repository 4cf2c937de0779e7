#include <algorithm>
#include <array>
#include <limits>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// The window along one dimension of an image with channels first.
struct PoolAxis {
  std::int64_t index;  // index of the dimension
  std::int64_t windowSize, stride, dilation, begin, end;
  std::uint32_t outputSize;
  std::vector<std::uint64_t> counts;  // for each window, the number of elements inside the input; empty if a size is open

  bool isOpen() const { return counts.empty(); }
  // Returns whether ONNX can express the window: ONNX Runtime requires padding smaller than the window, and no window may be
  // empty.
  bool isPlain() const {
    return begin < windowSize && end < windowSize && std::ranges::find(counts, std::uint64_t{0}) == counts.end();
  }
};

using PoolAxes = std::array<PoolAxis, 2>;

// Returns an axis with open sizes. Refuses dilations, and window counts other than floor((input + padding - window) / stride) +
// 1. For the accepted axes, ONNX's operators compute the right result for any size, if the padding is smaller than the window.
PoolAxis makeOpenAxis(const ops::WindowAxis& axis, std::int64_t index, std::uint32_t outputSize, const Exporter& out) {
  PoolAxis result{index,
                  out.numberOf(static_cast<std::uint32_t>(axis.windowSize)),
                  static_cast<std::int64_t>(axis.stride),
                  static_cast<std::int64_t>(axis.dilation),
                  static_cast<std::int64_t>(axis.beginningPadding),
                  static_cast<std::int64_t>(axis.endingPadding),
                  outputSize,
                  {}};
  const Size places = Size(static_cast<std::uint32_t>(axis.inputSize)) + Size(result.begin + result.end - result.windowSize);
  const Size count = floorQuotient(places, Size(result.stride)) + Size(std::int64_t{1});
  if (result.dilation != 1 || asDimension(count) != outputSize) out.refuseOpenSizes();
  return result;
}

// Chooses the end padding that yields exactly the output's windows when the count is rounded down. ceil_mode is not used, because
// its rounding depends on ONNX's version and drops windows that begin in the end padding. All terms are below 2^36.
PoolAxis makeAxis(const ops::WindowAxis& axis, std::int64_t index, std::uint32_t outputSize, const Exporter& out) {
  const Shape sizes{static_cast<std::uint32_t>(axis.inputSize), static_cast<std::uint32_t>(axis.windowSize), outputSize};
  if (webnn::isOpen(sizes)) return makeOpenAxis(axis, index, outputSize, out);
  const auto lastWindow = static_cast<std::int64_t>((outputSize - 1) * axis.stride + axis.effectiveWindowSize());
  const auto begin = static_cast<std::int64_t>(axis.beginningPadding);
  PoolAxis result{index,
                  static_cast<std::int64_t>(axis.windowSize),
                  static_cast<std::int64_t>(axis.stride),
                  static_cast<std::int64_t>(axis.dilation),
                  begin,
                  std::max<std::int64_t>(lastWindow - begin - static_cast<std::int64_t>(axis.inputSize), 0),
                  outputSize,
                  {}};
  for (std::uint32_t i = 0; i < outputSize; ++i) {
    const std::int64_t start = std::int64_t{i} * result.stride - begin;
    result.counts.push_back(ops::stepsInside(start, axis.dilation, axis.windowSize, axis.inputSize).count());
  }
  return result;
}

bool isDilated(const PoolAxes& axes) { return axes[0].dilation != 1 || axes[1].dilation != 1; }

Attributes attributesOf(const PoolAxes& axes) {
  const auto& [y, x] = axes;
  Attributes attributes{{"kernel_shape", Integers{y.windowSize, x.windowSize}},
                        {"pads", Integers{y.begin, x.begin, y.end, x.end}},
                        {"strides", Integers{y.stride, x.stride}}};
  // Omits dilations of 1: ONNX Runtime fuses quantized average pools into an operator that ignores them.
  if (isDilated(axes)) attributes.emplace_back("dilations", Integers{y.dilation, x.dilation});
  return attributes;
}

// Returns the sums of all windows, by a convolution of each plane with ones, because Conv takes any padding. A Pad before a pool
// would not help, because ONNX Runtime merges both.
OnnxValue sumsOf(const OnnxValue& image, const Shape& shape, const PoolAxes& axes, Exporter& out) {
  const auto& [y, x] = axes;
  const OnnxValue planes = out.reshape(image, {asDimension(Size(shape[0]) * Size(shape[1])), 1, shape[2], shape[3]});
  const OnnxValue ones = out.add("Expand", {out.scalar(image.type, 1), out.integers(Integers{1, 1, y.windowSize, x.windowSize})});
  const OnnxValue sums = out.add("Conv", {planes, ones}, attributesOf(axes));
  return out.reshape(sums, {shape[0], shape[1], y.outputSize, x.outputSize});
}

// Divides the sums by the number of elements inside the input. Empty windows give 0.
OnnxValue meansOf(OnnxValue value, const PoolAxes& axes, Exporter& out) {
  for (const PoolAxis& axis : axes) {
    std::vector<float> counts;
    for (const std::uint64_t count : axis.counts) counts.push_back(static_cast<float>(std::max<std::uint64_t>(count, 1)));
    OnnxValue divisor = floats(counts, out);
    if (axis.index == 2) divisor = out.reshape(divisor, {axis.outputSize, 1});
    value = out.add("Div", {value, divisor});
  }
  return value;
}

Number lowest(DataType type) {
  using Limits64 = std::numeric_limits<std::int64_t>;
  switch (type) {
    case DataType::float32:
    case DataType::float16: return -std::numeric_limits<double>::infinity();
    case DataType::uint32:
    case DataType::uint64:
    case DataType::uint8: return 0;
    default: return cast(Number(Limits64::min()), type);
  }
}

// Returns the maxima of all windows of one dimension; the first window begins at the first element. Takes the maxima of 1, 2, 4,
// ... elements from each position, then of the two halves of each window, which may overlap.
OnnxValue maximumAlong(const PoolAxis& axis, OnnxValue value, std::int64_t size, Exporter& out) {
  const auto widen = [&](std::int64_t taps) {
    const std::int64_t shift = taps * axis.dilation;
    // Avoids two slices of equal size: ONNX Runtime 1.20 fuses them into Split, and then fails.
    const std::vector<OnnxValue> both = shift * 2 == size ? splitEvenly(axis.index, value, 2, out)
                                                          : std::vector{sliceAlong(axis.index, value, 0, size - shift, 1, out),
                                                                        sliceAlong(axis.index, value, shift, size, 1, out)};
    value = out.add("Max", both);
    size -= shift;
  };
  std::int64_t taps = 1;
  for (; taps <= axis.windowSize / 2; taps *= 2) widen(taps);
  if (taps < axis.windowSize) widen(axis.windowSize - taps);
  return sliceAlong(axis.index, value, 0, std::int64_t{axis.outputSize - 1} * axis.stride + 1, axis.stride, out);
}

OnnxValue maximaOf(const ops::Pool2d& op, const OnnxValue& image, const PoolAxes& axes, Exporter& out) {
  const auto& [y, x] = axes;
  const auto [height, width] = ops::poolingAxes(op);
  const OnnxValue value = out.add("Pad",
                                  {image, out.integers(Integers{0, 0, y.begin, x.begin, 0, 0, y.end, x.end}),
                                   out.scalar(image.type, lowest(op.input.dataType()))},
                                  {{"mode", std::string("constant")}});
  const OnnxValue rows = maximumAlong(y, value, static_cast<std::int64_t>(height.inputSize) + y.begin + y.end, out);
  return maximumAlong(x, rows, static_cast<std::int64_t>(width.inputSize) + x.begin + x.end, out);
}

// Computes pools that ONNX, or ONNX Runtime's kernels, cannot express.
OnnxValue decomposed(const ops::Pool2d& op, const OnnxValue& image, const PoolAxes& axes, Exporter& out) {
  if (op.kind == ops::Pool2dKind::maxPool2d) return maximaOf(op, image, axes, out);
  const ops::ImageAxes layout = ops::axesOf(op.options.layout);
  const Shape& input = op.input.shape();
  const Shape shape{input[layout.batch], input[layout.channel], input[layout.height], input[layout.width]};
  const OnnxValue wide = out.cast(image, ElementType::float32);  // float16 is rounded once, at the end
  if (op.kind == ops::Pool2dKind::averagePool2d) return meansOf(sumsOf(wide, shape, axes, out), axes, out);
  return out.add("Sqrt", {sumsOf(out.add("Mul", {wide, wide}), shape, axes, out)});
}

// Returns whether each window is a whole plane of open size.
bool isOfOpenPlanes(const ops::Pool2d& op) {
  const auto axes = ops::poolingAxes(op);
  const auto isWhole = [](const ops::WindowAxis& axis) {
    return axis.windowSize == axis.inputSize && axis.padding() == 0 && axis.dilation == 1;
  };
  const auto isOpenAxis = [](const ops::WindowAxis& axis) { return isOpen(static_cast<std::uint32_t>(axis.inputSize)); };
  return std::ranges::all_of(axes, isWhole) && std::ranges::any_of(axes, isOpenAxis);
}

bool isWideInteger(DataType type) { return !isFloat(type) && bitsPerElement(type) >= 32; }

}  // namespace

// ONNX does not define whether MaxPool propagates NaN. For a window with NaN, a runtime's result may therefore differ from
// WebNN's.
void toOnnx(const ops::Pool2d& op, Exporter& out) {
  // Operator names, indexed by ops::Pool2dKind.
  constexpr std::string_view kOperators[] = {"AveragePool", "LpPool", "MaxPool"};
  constexpr std::string_view kReductions[] = {"ReduceMean", "ReduceL2", "ReduceMax"};
  const auto [height, width] = ops::poolingAxes(op);
  const ops::ImageAxes layout = ops::axesOf(op.options.layout);
  const Shape& shape = out.output().shape();
  // ONNX Runtime merges a Pad before MaxPool into the pool, whose padding counts as less than all numbers, whatever Pad's value
  // is.
  const OnnxValue image = toChannelsFirst(fencedIfPadded(op.input, out), op.options.layout, out);
  if (isOfOpenPlanes(op)) {
    const OnnxValue result = out.add(kReductions[static_cast<std::size_t>(op.kind)], {image, out.integers(Integers{2, 3})});
    return out.set(0, fromChannelsFirst(result, op.options.layout, out));
  }
  const PoolAxes axes{makeAxis(height, 2, shape[layout.height], out), makeAxis(width, 3, shape[layout.width], out)};
  const bool isDilatedMean = op.kind == ops::Pool2dKind::averagePool2d && isDilated(axes);
  const std::string_view opType = kOperators[static_cast<std::size_t>(op.kind)];
  const bool lacksKernel = op.kind == ops::Pool2dKind::l2Pool2d && !out.canTake(opType, image.type);
  const bool plain =
      axes[0].isPlain() && axes[1].isPlain() && !isWideInteger(op.input.dataType()) && !isDilatedMean && !lacksKernel;
  if (!plain && (axes[0].isOpen() || axes[1].isOpen())) out.refuseOpenSizes();
  const OnnxValue result = plain ? out.add(opType, {image}, attributesOf(axes)) : decomposed(op, image, axes, out);
  out.set(0, fromChannelsFirst(result, op.options.layout, out));
}

}  // namespace webnn::onnx
