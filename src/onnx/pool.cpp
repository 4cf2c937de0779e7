#include "onnx/pool.h"

#include <algorithm>
#include <array>
#include <limits>

#include "onnx/compose.h"

namespace webnn::onnx {

namespace {

// The window's way over one dimension of an image whose channels come first.
struct PoolAxis {
  std::int64_t index;  // of the dimension
  std::int64_t windowSize, stride, dilation, begin, end, outputSize;
  std::vector<std::uint64_t> counts;  // the elements of each window that are inside the input

  // ONNX Runtime wants less padding than window. A window without elements is nothing that ONNX speaks of.
  bool isPlain() const {
    return begin < windowSize && end < windowSize && std::ranges::find(counts, std::uint64_t{0}) == counts.end();
  }
  bool isPadded() const { return begin > 0 || end > 0; }
};

using PoolAxes = std::array<PoolAxis, 2>;

// With the end padding that makes exactly the output's windows when rounding down: what ONNX's ceil_mode rounds up to
// depends on the version, and it drops windows that begin in the end padding. All terms are below 2^36.
PoolAxis makeAxis(const ops::WindowAxis& axis, std::int64_t index, std::uint32_t outputSize) {
  const auto lastWindow = static_cast<std::int64_t>((outputSize - 1) * axis.stride + axis.effectiveWindowSize());
  const auto begin = static_cast<std::int64_t>(axis.beginningPadding);
  PoolAxis result{index, static_cast<std::int64_t>(axis.windowSize), static_cast<std::int64_t>(axis.stride),
                  static_cast<std::int64_t>(axis.dilation), begin,
                  std::max<std::int64_t>(lastWindow - begin - static_cast<std::int64_t>(axis.inputSize), 0), outputSize, {}};
  for (std::uint32_t i = 0; i < outputSize; ++i) {
    const std::int64_t start = std::int64_t{i} * result.stride - begin;
    result.counts.push_back(ops::stepsInside(start, axis.dilation, axis.windowSize, axis.inputSize).count());
  }
  return result;
}

Attributes attributesOf(const PoolAxes& axes, bool pads) {
  const auto& [y, x] = axes;
  return {{"dilations", Integers{y.dilation, x.dilation}},
          {"kernel_shape", Integers{y.windowSize, x.windowSize}},
          {"pads", pads ? Integers{y.begin, x.begin, y.end, x.end} : Integers(4, 0)},
          {"strides", Integers{y.stride, x.stride}}};
}

Value padded(const Value& image, const PoolAxes& axes, const Number& with, Exporter& out) {
  const auto& [y, x] = axes;
  if (!y.isPadded() && !x.isPadded()) return image;
  return out.add("Pad", {image, out.integers(Integers{0, 0, y.begin, x.begin, 0, 0, y.end, x.end}), out.scalar(image.type, with)},
                 {{"mode", std::string("constant")}});
}

// AveragePool divides by the elements of the window; each mean is multiplied so that it counts those inside only.
Value meanOfPadded(const Value& image, const PoolAxes& axes, Exporter& out) {
  const Value wide = out.cast(image, ElementType::float32);
  Value mean = out.add("AveragePool", {padded(wide, axes, 0, out)}, attributesOf(axes, false));
  for (const PoolAxis& axis : axes) {
    std::vector<float> factors;
    for (const std::uint64_t count : axis.counts) {
      factors.push_back(count == 0 ? 0.0f : static_cast<float>(axis.windowSize) / static_cast<float>(count));
    }
    if (std::ranges::all_of(factors, [](float factor) { return factor == 1; })) continue;
    const Value factor = floats(factors, out);
    mean = out.add("Mul", {mean, axis.index == 3 ? factor : out.reshape(factor, {static_cast<std::uint32_t>(axis.outputSize), 1})});
  }
  return mean;
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

// The maximum of all windows of one dimension, of which the first begins at its first element: the maximum of 1, 2, 4, ...
// elements from each on, then of the two halves of each window, which may overlap.
Value maximumAlong(const PoolAxis& axis, Value value, std::int64_t size, Exporter& out) {
  const auto widen = [&](std::int64_t taps) {
    const std::int64_t shift = taps * axis.dilation;
    value = out.add("Max", {sliceAlong(axis.index, value, 0, size - shift, 1, out), sliceAlong(axis.index, value, shift, size, 1, out)});
    size -= shift;
  };
  std::int64_t taps = 1;
  for (; taps <= axis.windowSize / 2; taps *= 2) widen(taps);
  if (taps < axis.windowSize) widen(axis.windowSize - taps);
  return sliceAlong(axis.index, value, 0, (axis.outputSize - 1) * axis.stride + 1, axis.stride, out);
}

Value maximumOfPadded(const ops::Pool2d& op, const Value& image, const PoolAxes& axes, Exporter& out) {
  const auto sizes = ops::poolingAxes(op);
  Value value = padded(image, axes, lowest(op.input.dataType()), out);
  for (std::size_t i = 0; i < 2; ++i) {
    value = maximumAlong(axes[i], value, static_cast<std::int64_t>(sizes[i].inputSize) + axes[i].begin + axes[i].end, out);
  }
  return value;
}

bool isWideInteger(DataType type) { return !isFloat(type) && bitsPerElement(type) >= 32; }

}  // namespace

// Whether maxPool2d sees a NaN is left to the runtime: ONNX does not say it.
void toOnnx(const ops::Pool2d& op, Exporter& out) {
  constexpr std::string_view kOperators[] = {"AveragePool", "LpPool", "MaxPool"};  // by kind
  const auto [height, width] = ops::poolingAxes(op);
  const ops::ImageAxes layout = ops::axesOf(op.options.layout);
  const Shape& shape = out.output().shape();
  const PoolAxes axes{makeAxis(height, 2, shape[layout.height]), makeAxis(width, 3, shape[layout.width])};
  const Value image = toChannelsFirst(out[op.input], op.options.layout, out);
  const bool plain = axes[0].isPlain() && axes[1].isPlain() && !isWideInteger(op.input.dataType());
  Value result;
  if (plain) {
    result = out.add(kOperators[static_cast<std::size_t>(op.kind)], {image}, attributesOf(axes, true));
  } else if (op.kind == ops::Pool2dKind::maxPool2d) {
    result = maximumOfPadded(op, image, axes, out);
  } else if (op.kind == ops::Pool2dKind::l2Pool2d) {
    result = out.add("LpPool", {padded(image, axes, 0, out)}, attributesOf(axes, false));
  } else {
    result = meanOfPadded(image, axes, out);
  }
  out.set(0, fromChannelsFirst(result, op.options.layout, out));
}

}  // namespace webnn::onnx
