// Quantized operands: a scale and a zero point for all elements, for each place of one dimension, or for blocks.
#pragma once

#include <functional>
#include <optional>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// (x - zeroPoint) * scale. Scale and zero point have one element, or one for each place of dimension `axis`, or the rank of
// x, blocks then dividing its shape. An absent zero point is 0.
Operand dequantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, std::uint32_t axis = 0);

// roundEven(x / scale) + zeroPoint, saturated to the zero point's type, or to `type` if it is absent.
Operand quantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, DataType type = DataType::uint8,
                 std::uint32_t axis = 0);

// Inputs first, first + 1 and first + 2, dequantized.
Operand dequantizedInput(NodeContext& node, std::size_t first, std::uint32_t axis = 0);

// Sets result 0 to `result` quantized by inputs first and first + 1, with the type of input `like` if there is no zero point.
void setQuantized(NodeContext& node, Operand result, std::size_t first, std::size_t like);

// The results of DynamicQuantizeLinear.
struct DynamicallyQuantized {
  Operand values, scale, zeroPoint;
};
DynamicallyQuantized quantizeDynamically(NodeContext& node, const Operand& x);

// Returns the operand's 8-bit integers minus the zero point, exactly, in float32.
Operand centered(NodeContext& node, const Operand& operand, const std::optional<Operand>& zeroPoint);

// Returns the exact int32 product of two operands of `centered`: `multiply` is a float product whose elements are sums of at most
// `depth` products. WebNN multiplies only float matrices, and float32 holds integers up to 2^24, so deep products are split into
// the operands' high and low halves.
Operand integerProduct(NodeContext& node, const Operand& a, const Operand& b, std::uint64_t depth,
                       const std::function<Operand(const Operand&, const Operand&)>& multiply);

// The operand with the channels, which are last, moved to dimension 1, and back.
Operand channelsFirst(NodeContext& node, const Operand& operand);
Operand channelsLast(NodeContext& node, const Operand& operand);

}  // namespace webnn::formats::onnx
