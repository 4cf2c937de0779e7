// Helpers for quantized operands. Scale and zero point apply to all elements, to slices along one dimension, or to blocks.
#pragma once

#include <functional>
#include <optional>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Computes (x - zeroPoint) * scale. Scale and zero point have one element, or one element per index of dimension `axis`, or one
// element per block of x. In the last case, they have x's rank, and their sizes divide the sizes of x. An absent zero point is 0.
Operand dequantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, std::uint32_t axis = 0);

// Computes roundEven(x / scale) + zeroPoint, saturated to the zero point's type, or to `type` without a zero point.
Operand quantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, DataType type = DataType::uint8,
                 std::uint32_t axis = 0);

// Dequantizes input `first`. Input `first` + 1 is its scale, input `first` + 2 its zero point.
Operand dequantizedInput(NodeContext& node, std::size_t first, std::uint32_t axis = 0);

// Quantizes `result` and sets result 0. Input `first` is the scale, input `first` + 1 the zero point. Without a zero point,
// result 0 has the type of input `like`.
void setQuantized(NodeContext& node, Operand result, std::size_t first, std::size_t like);

// The results of DynamicQuantizeLinear.
struct DynamicallyQuantized {
  Operand values, scale, zeroPoint;
};
DynamicallyQuantized quantizeDynamically(NodeContext& node, const Operand& x);

// Returns the 8-bit integers minus the zero point in float32, which is exact.
Operand centered(NodeContext& node, const Operand& operand, const std::optional<Operand>& zeroPoint);

// Returns the exact int32 product of two results of `centered`. `multiply` multiplies floats and sums at most `depth` products
// per element. float32 is exact only up to 2^24, so for large depths the operands are split into high and low halves.
Operand integerProduct(NodeContext& node, const Operand& a, const Operand& b, std::uint64_t depth,
                       const std::function<Operand(const Operand&, const Operand&)>& multiply);

// Returns the attribute block_size of MatMulNBits or MatMulBnb4. Throws DataError unless it is a power of 2 from 16 to 2^20.
std::uint32_t blockSizeOf(const NodeContext& node);

// channelsFirst() moves the last dimension to position 1; channelsLast() moves it back.
Operand channelsFirst(NodeContext& node, const Operand& operand);
Operand channelsLast(NodeContext& node, const Operand& operand);

}  // namespace webnn::formats::onnx
