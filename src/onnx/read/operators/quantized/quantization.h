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

// Sets result 0 to `result` quantized by inputs first and first + 1, to the type of input `like` if there is no zero point.
void setQuantized(NodeContext& node, Operand result, std::size_t first, std::size_t like);

// What DynamicQuantizeLinear computes.
struct DynamicallyQuantized {
  Operand values, scale, zeroPoint;
};
DynamicallyQuantized quantizeDynamically(NodeContext& node, const Operand& x);

// The operand's integers less those of the zero point, in float32, which holds them exactly: they are of 8 bits.
Operand centered(NodeContext& node, const Operand& operand, const std::optional<Operand>& zeroPoint);

// The int32 product of two operands of `centered`, exactly: `multiply` is a product of floats in which each element is a sum
// of at most `depth` products of two elements. WebNN multiplies matrices of floats only, and float32 holds integers up to
// 2^24; so deep products are those of the operands' high and low halves.
Operand integerProduct(NodeContext& node, const Operand& a, const Operand& b, std::uint64_t depth,
                       const std::function<Operand(const Operand&, const Operand&)>& multiply);

// The operand with the channels, which are last, moved to dimension 1, and back.
Operand channelsFirst(NodeContext& node, const Operand& operand);
Operand channelsLast(NodeContext& node, const Operand& operand);

}  // namespace webnn::formats::onnx
