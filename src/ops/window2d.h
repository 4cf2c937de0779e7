// Layouts of 4-D operands and sliding windows over two dimensions, for convolution and pooling.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ops/checks.h"

namespace webnn::ops {

// The indices of an image's dimensions: for nchw, channel is 1.
struct ImageAxes {
  std::size_t batch, channel, height, width;
};

// The indices of a filter's dimensions: for oihw, output (channels) is 0.
struct FilterAxes {
  std::size_t output, input, height, width;
};

constexpr ImageAxes axesOf(InputOperandLayout layout) {
  if (layout == InputOperandLayout::nhwc) return {.batch = 0, .channel = 3, .height = 1, .width = 2};
  return {.batch = 0, .channel = 1, .height = 2, .width = 3};
}

constexpr FilterAxes axesOf(Conv2dFilterOperandLayout layout) {
  switch (layout) {
    case Conv2dFilterOperandLayout::hwio: return {.output = 3, .input = 2, .height = 0, .width = 1};
    case Conv2dFilterOperandLayout::ohwi: return {.output = 0, .input = 3, .height = 1, .width = 2};
    case Conv2dFilterOperandLayout::ihwo: return {.output = 3, .input = 0, .height = 1, .width = 2};
    case Conv2dFilterOperandLayout::oihw: break;
  }
  return {.output = 0, .input = 1, .height = 2, .width = 3};
}

constexpr FilterAxes axesOf(ConvTranspose2dFilterOperandLayout layout) {
  switch (layout) {
    case ConvTranspose2dFilterOperandLayout::hwoi: return {.output = 2, .input = 3, .height = 0, .width = 1};
    case ConvTranspose2dFilterOperandLayout::ohwi: return {.output = 0, .input = 3, .height = 1, .width = 2};
    case ConvTranspose2dFilterOperandLayout::iohw: break;
  }
  return {.output = 1, .input = 0, .height = 2, .width = 3};
}

// Returns the shape of `image` with other channels and spatial sizes.
Shape imageShape(const Shape& image, InputOperandLayout layout, std::uint32_t channels, std::uint32_t height,
                 std::uint32_t width);

// One spatial dimension of a sliding window. All values except inputSize may be up to 2^32 - 1.
struct WindowAxis {
  std::string_view name;  // "height" or "width"
  std::uint64_t inputSize, windowSize, stride, dilation, beginningPadding, endingPadding;

  // Returns the size of the dilated window: 5 for a window size of 3 and a dilation of 2. It is below 2^64.
  std::uint64_t effectiveWindowSize() const { return (windowSize - 1) * dilation + 1; }
  std::uint64_t padding() const { return beginningPadding + endingPadding; }
};

// Returns the window axes for height and width. Options must be resolved.
template <typename Options>
std::array<WindowAxis, 2> windowAxes(const Options& options, std::array<std::uint32_t, 2> inputSizes,
                                     std::array<std::uint32_t, 2> windowSizes) {
  const auto axis = [&](std::string_view name, std::size_t i) {
    return WindowAxis{name,
                      inputSizes[i],
                      windowSizes[i],
                      (*options.strides)[i],
                      (*options.dilations)[i],
                      (*options.padding)[2 * i],
                      (*options.padding)[2 * i + 1]};
  };
  return {axis("height", 0), axis("width", 1)};
}

// A range of indices [begin, end). Index begin + k is at position first + k * step of a dimension.
struct Steps {
  std::size_t begin = 0, end = 0, first = 0, step = 0;
  std::size_t count() const { return end - begin; }
};

// Returns the indices i of [0, count) whose position, start + i * step, is in [0, size).
inline Steps stepsInside(std::int64_t start, std::uint64_t step, std::uint64_t count, std::uint64_t size) {
  const auto limit = static_cast<std::int64_t>(size);
  if (start >= limit) return {};
  const std::uint64_t begin = start >= 0 ? 0 : (static_cast<std::uint64_t>(-start) + step - 1) / step;
  const std::uint64_t end = std::min(static_cast<std::uint64_t>(limit - 1 - start) / step + 1, count);
  if (begin >= end) return {};
  const auto first = static_cast<std::uint64_t>(start + static_cast<std::int64_t>(begin * step));
  const auto index = [](std::uint64_t value) { return static_cast<std::size_t>(value); };  // below 2^32
  return {index(begin), index(end), index(first), index(step)};
}

// Resolves and checks the three options that convolution and pooling share.
void resolveWindow(Subject op, OptionalSizes& padding, OptionalSizes& strides, OptionalSizes& dilations);

// Returns whether the input or the window of an axis has an open size.
bool hasOpenSizes(std::span<const WindowAxis> axes);

// Returns the number of windows that fit: the specification's "calculate conv output size", rounded as `rounding` says, or 0 if
// it is below 1.
std::uint64_t windowCount(const WindowAxis& axis, RoundingType rounding);

// Returns windowCount() as an output dimension. Throws TypeError, which names the window ("filter"), unless it is a valid
// dimension.
std::uint32_t requireWindowCount(Subject op, std::string_view windowName, const WindowAxis& axis, RoundingType rounding);

}  // namespace webnn::ops
