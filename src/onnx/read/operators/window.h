// The windows that slide over the spatial dimensions of convolutions and pools.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// The rule by which auto_pad computes padding.
enum class AutoPad { notSet, valid, sameUpper, sameLower };

// One spatial dimension. Sizes, strides, dilations and |padding| are at most 2^31 - 1, so no sum of two products overflows.
struct WindowAttributes {
  std::int64_t size, kernel, stride = 1, dilation = 1;
  std::int64_t begin = 0, end = 0;  // padding

  // From the first tap to the last.
  std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // Returns the number of windows that fit the padded dimension; 0 or less if none.
  std::int64_t count() const {
    const std::int64_t slack = size + begin + end - reach();
    return slack < 0 ? 0 : slack / stride + 1;
  }
  // Returns the total padding for which `count` windows end exactly at the padded dimension's end.
  std::int64_t paddingFor(std::int64_t count) const { return (count - 1) * stride + reach() - size; }
  // Splits padding between the two ends.
  void pad(std::int64_t total, AutoPad mode);
};
using Window = std::vector<WindowAttributes>;

AutoPad autoPadOf(const NodeContext& node);

// Reads kernel_shape, strides, dilations and pads for a tensor with these spatial sizes; the padding is 0 if auto_pad is set.
// `kernel` is the shape of the weights, if any. DataError for a wrong size or range.
Window readWindow(const NodeContext& node, std::span<const std::uint32_t> sizes,
                  std::optional<std::span<const std::uint32_t>> kernel = {});

// Computes auto_pad's padding for ceil(size / stride) windows.
void padAutomatically(const NodeContext& node, Window& window);

// The attribute with one number for each spatial dimension, from `least` to 2^31 - 1; `absent` if it is absent.
std::vector<std::int64_t> spatialAttribute(const NodeContext& node, std::string_view name, std::size_t count, std::int64_t least,
                                           std::int64_t absent);

// The number of an attribute, from 1 to 2^31 - 1.
std::uint32_t positiveAttribute(const NodeContext& node, std::string_view name, std::int64_t absent);

// A size that the node's attributes give, as a dimension. DataError if it is less than 1 or too large.
std::uint32_t dimensionOf(std::int64_t size);

// An int32 constant, for indices.
Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int32_t> indices);

// More indices than this are not made.
inline constexpr std::int64_t kMaxIndices = 1 << 24;

// The product of some sizes of a shape, which is below 2^31.
std::uint32_t product(std::span<const std::uint32_t> sizes);

}  // namespace webnn::formats::onnx
