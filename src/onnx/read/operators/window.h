// The windows that slide over the spatial dimensions of convolutions and pools.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// The attribute auto_pad: how padding is computed.
enum class AutoPad { notSet, valid, sameUpper, sameLower };

// The window in one spatial dimension. Sizes, strides, dilations and absolute paddings are at most 2^31 - 1, so the sums and
// products below do not overflow int64.
struct WindowAttributes {
  std::int64_t size, kernel, stride = 1, dilation = 1;
  std::int64_t begin = 0, end = 0;  // padding

  // Returns the number of elements from the kernel's first tap to its last.
  std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // Returns the number of windows that fit into the padded dimension; 0 if no window fits.
  std::int64_t count() const {
    const std::int64_t slack = size + begin + end - reach();
    return slack < 0 ? 0 : slack / stride + 1;
  }
  // Returns the total padding for which `count` windows end exactly at the padded dimension's end.
  std::int64_t paddingFor(std::int64_t count) const { return (count - 1) * stride + reach() - size; }
  // Returns whether each window is one element, and each element a window.
  bool isUnit() const { return kernel == 1 && stride == 1 && begin == 0 && end == 0; }
  // Splits padding between both ends. If `total` is odd, sameUpper puts the larger half at the end, other modes at the beginning.
  // Halves of a negative total are rounded towards 0 in the same way, as in ONNX Runtime.
  void pad(std::int64_t total, AutoPad mode);
};
using Window = std::vector<WindowAttributes>;

AutoPad autoPadOf(const NodeContext& node);

// Reads kernel_shape, strides, dilations and pads for a tensor with these spatial sizes; the padding is 0 if auto_pad is set.
// `kernel` is the shape of the weights, if any. Throws DataError for a wrong size or range.
Window readWindow(const NodeContext& node, std::span<const std::uint32_t> sizes,
                  std::optional<std::span<const std::uint32_t>> kernel = {});

// If auto_pad is SAME_UPPER or SAME_LOWER, computes the padding for ceil(size / stride) windows. If the windows need fewer
// elements than the input has, the padding is negative if `mayCrop` is set, otherwise 0.
void padAutomatically(const NodeContext& node, Window& window, bool mayCrop = false);

// Returns an attribute with `count` numbers from `least` to 2^31 - 1, or `count` times `absent` if the attribute is missing.
// Throws DataError for other numbers.
std::vector<std::int64_t> spatialAttribute(const NodeContext& node, std::string_view name, std::size_t count, std::int64_t least,
                                           std::int64_t absent);

// Returns an attribute that is a number from 1 to 2^31 - 1, or `absent` if it is missing. Throws DataError for other numbers.
std::uint32_t positiveAttribute(const NodeContext& node, std::string_view name, std::int64_t absent);

// Returns `size`, the size of an output dimension. Throws DataError unless it is from 1 to 2^31 - 1.
std::uint32_t dimensionOf(std::int64_t size);

// Returns an int32 constant with the given indices.
Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int32_t> indices);

// The maximum number of indices that a handler may generate.
inline constexpr std::int64_t kMaxIndices = 1 << 24;

// Returns the product of the sizes, which must be below 2^32.
std::uint32_t product(std::span<const std::uint32_t> sizes);

}  // namespace webnn::formats::onnx
