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

bool hasOpenSizes(std::span<const WindowAxis> axes) {
  return std::ranges::any_of(axes, [](const WindowAxis& axis) {
    return isOpen(static_cast<std::uint32_t>(axis.inputSize)) || isOpen(static_cast<std::uint32_t>(axis.windowSize));
  });
}

std::uint64_t windowCount(const WindowAxis& axis, RoundingType rounding) {
  const std::uint64_t padded = axis.inputSize + axis.padding(), effective = axis.effectiveWindowSize();
  if (effective > padded) {
    // The numerator of the quotient is negative. If it is above -stride, the quotient rounds up to 0, so there is one window.
    return rounding == RoundingType::ceil && effective - padded < axis.stride ? 1 : 0;
  }
  const std::uint64_t slack = padded - effective;  // below 2^34
  return (rounding == RoundingType::ceil ? slack + axis.stride - 1 : slack) / axis.stride + 1;
}

namespace {

// Returns the number of windows if a size of the axis is open.
Size openWindowCount(const WindowAxis& axis, RoundingType rounding) {
  const auto size = [](std::uint64_t value) { return Size(static_cast<std::uint32_t>(value)); };
  const auto number = [](std::uint64_t value) { return Size(static_cast<std::int64_t>(value)); };
  const Size one(std::int64_t{1});
  const Size effective = (size(axis.windowSize) - one) * number(axis.dilation) + one;
  Size slack = size(axis.inputSize) + number(axis.padding()) - effective;
  if (rounding == RoundingType::ceil) slack = slack + number(axis.stride - 1);
  return floorQuotient(slack, number(axis.stride)) + one;
}

}  // namespace

std::uint32_t requireWindowCount(Subject op, std::string_view windowName, const WindowAxis& axis, RoundingType rounding) {
  if (hasOpenSizes({&axis, 1})) return requireDimension(op, openWindowCount(axis, rounding), "output {}", axis.name);
  const std::uint64_t count = windowCount(axis, rounding);
  require(count > 0, op, "{} {} ({}) dilated by {} does not fit into the input's {} ({}) and its padding ({} and {}).",
          windowName, axis.name, axis.windowSize, axis.dilation, axis.name, axis.inputSize, axis.beginningPadding,
          axis.endingPadding);
  return requireDimension(op, Size(static_cast<std::int64_t>(count)), "output {}", axis.name);
}

}  // namespace webnn::ops
