#include "ops/window2d.h"

namespace webnn::ops {

Shape imageShape(const Shape& image, InputOperandLayout layout, std::uint32_t channels, std::uint32_t height,
                 std::uint32_t width) {
  const ImageAxes axes = axesOf(layout);
  Shape shape = image;
  shape[axes.channel] = channels;
  shape[axes.height] = height;
  shape[axes.width] = width;
  return shape;
}

void resolveWindow(Subject op, OptionalSizes& padding, OptionalSizes& strides, OptionalSizes& dilations) {
  resolveSizes(op, "padding", padding, {0, 0, 0, 0});
  resolveSizes(op, "strides", strides, {1, 1});
  requirePositive(op, "strides", *strides);
  resolveSizes(op, "dilations", dilations, {1, 1});
  requirePositive(op, "dilations", *dilations);
}

std::uint64_t windowCount(const WindowAxis& axis, RoundingType rounding) {
  const std::uint64_t padded = axis.inputSize + axis.padding(), effective = axis.effectiveWindowSize();
  if (effective > padded) {
    // The numerator is negative. Divided by the stride, it is above -1 if the window is too large by less than a stride.
    return rounding == RoundingType::ceil && effective - padded < axis.stride ? 1 : 0;
  }
  const std::uint64_t slack = padded - effective;  // below 2^34
  return (rounding == RoundingType::ceil ? slack + axis.stride - 1 : slack) / axis.stride + 1;
}

std::uint32_t requireWindowCount(Subject op, std::string_view windowName, const WindowAxis& axis, RoundingType rounding) {
  const std::uint64_t count = windowCount(axis, rounding);
  require(count > 0, op, "{} {} ({}) dilated by {} does not fit into the input's {} ({}) and its padding ({} and {}).",
          windowName, axis.name, axis.windowSize, axis.dilation, axis.name, axis.inputSize, axis.beginningPadding,
          axis.endingPadding);
  return requireDimension(op, formatText("output {}", axis.name), count);
}

}  // namespace webnn::ops
