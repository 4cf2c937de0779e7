// Exports linear quantization to MIL. Constants stay quantized if possible; everything else is computed with arithmetic
// operations.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

bool isConstant(const Operand& operand) { return operand.record().kind == OperandKind::constant; }

bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

// Repeats each element of a scale or zero point for all elements of its block, so that the result can be broadcast to `to`.
MilValue overElements(const MilValue& blocks, const Shape& from, const Shape& to, MilBuilder& out) {
  MilValue x = blocks;
  Shape now = from;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (now[i] == to[i] || (now[i] == 1 && to.size() <= kMaxMilRank)) continue;
    const Size one(std::int64_t{1}), size = repetitionsOf(now[i], to[i]);
    const auto next = now.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const std::uint32_t before = countOf({now.begin(), next}), after = countOf({next, now.end()});
    x = out.add("tile", x.type, {before, asDimension(size), after},
                {{"x", {reshape(x, {before, 1, after}, out)}}, {"reps", {out.sizes({one, size, one})}}});
    now[i] = to[i];
  }
  return reshape(x, shapeOf(now), out);
}

// Returns the axis along which each element has its own scale, or 0 for a single scale; nullopt for other layouts of scales.
std::optional<std::size_t> channelAxis(const Shape& scale, const Shape& input) {
  std::size_t axis = 0, several = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (scale[i] == 1) continue;
    ++several;
    axis = i;
    if (scale[i] != input[i]) return std::nullopt;
  }
  return several <= 1 ? std::optional(axis) : std::nullopt;
}

// Clips floats to [lowest, highest] and converts them to int32. NaN becomes 0.
MilValue clipped(const MilValue& x, double lowest, double highest, MilBuilder& out) {
  const MilValue number = select(compare("equal", x, x, out), x, filled(x.type, 0, x.shape, out), out);
  const Arguments range{{"alpha", {out.scalar(x.type, lowest)}}, {"beta", {out.scalar(x.type, highest)}}};
  return out.cast(unary("clip", number, out, range), MilType::int32);
}

// Returns quotient + zeroPoint, saturated to int32 (at least 0 if `isUnsigned`). Adds in int32, because float32 cannot represent
// every such integer. `sum`, the approximate sum in float32, only decides which elements saturate.
MilValue wideSum(const MilValue& quotient, const MilValue& zeroPoint, const MilValue& sum, bool isUnsigned, MilBuilder& out) {
  const double highest = std::ldexp(1, 31);
  const auto all = [&](double value) { return filled(MilType::int32, value, sum.shape, out); };
  const auto isBeyond = [&](std::string_view than, double end) { return compare(than, sum, out.scalar(sum.type, end), out); };
  MilValue y = binary("add", clipped(quotient, -highest, highest - 128, out), zeroPoint, out);
  y = select(isBeyond("greater_equal", highest), all(highest - 1), y, out);
  y = select(isBeyond("less", isUnsigned ? 0 : -highest), all(isUnsigned ? 0 : -highest), y, out);
  return select(compare("equal", sum, sum, out), y, all(0), out);
}

// Exports the operation as a constant that stays quantized, if possible. Returns whether it did.
bool asConstant(const ops::DequantizeLinear& op, MilBuilder& out) {
  const DataType type = op.input.dataType();
  const Shape& shape = op.input.shape();
  if (!isConstant(op.input) || !isConstant(op.scale) || !isConstant(op.zeroPoint)) return false;
  if (shape.empty() || shape.size() > kMaxMilRank || bitsPerElement(type) > 8) return false;
  const MilType result = computedType(op.scale.dataType());
  const std::optional<std::size_t> axis = channelAxis(op.scale.shape(), shape);
  if (isByte(type) && axis) {
    const std::uint32_t scales = countOf(op.scale.shape());
    const Shape each = scales == 1 ? Shape{} : Shape{scales};
    const auto number = static_cast<std::int32_t>(*axis);
    std::vector<std::byte> bytes(sizeof(number));
    std::memcpy(bytes.data(), &number, sizeof(number));
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    out.set(0, out.addConstexpr(
                   "constexpr_affine_dequantize", result, shape,
                   {{"quantized_data", out.stored(op.input, shape)},
                    {"zero_point", out.stored(op.zeroPoint, each)},
                    {"scale", out.stored(op.scale, each)},
                    {"axis", out.constant({.type = MilType::int32, .shape = {}, .text = {}, .bytes = *owner, .owner = owner})}}));
    return true;
  }
  out.require(9);
  out.set(0, out.addConstexpr("constexpr_blockwise_shift_scale", result, shape,
                              {{"data", out.stored(op.input, shape)},
                               {"scale", out.stored(op.scale, op.scale.shape())},
                               {"offset", out.stored(op.zeroPoint, op.zeroPoint.shape())}}));
  return true;
}

}  // namespace

void toMil(const ops::DequantizeLinear& op, MilBuilder& out) {
  if (asConstant(op, out)) return;
  const Shape& shape = op.input.shape();
  const MilValue scale = overElements(out[op.scale], op.scale.shape(), shape, out);
  const MilValue zeroPoint = overElements(out[op.zeroPoint], op.zeroPoint.shape(), shape, out);
  const MilValue x = out[op.input];
  const MilValue steps = binary("sub", x, zeroPoint, out);
  // float16 can represent differences of 8-bit values exactly, but not of wider integers.
  if (bitsPerElement(op.input.dataType()) <= 8) return out.set(0, binary("mul", out.cast(steps, scale.type), scale, out));
  // If the difference exceeds int32, it is computed in floats.
  const auto wide = [&](const MilValue& value) { return out.cast(value, MilType::float32); };
  const MilValue about = binary("sub", wide(x), wide(zeroPoint), out);
  const MilValue fits = compare("less", unary("abs", about, out), out.scalar(about.type, std::ldexp(1, 31) - 256), out);
  out.set(0, binary("mul", select(fits, wide(steps), about, out), wide(scale), out));
}

// Divides in float32, because a float16 quotient would be rounded before it is rounded to an integer.
void toMil(const ops::QuantizeLinear& op, MilBuilder& out) {
  const Shape& shape = op.input.shape();
  const auto wide = [&](const MilValue& value) { return out.cast(value, MilType::float32); };
  const MilValue scale = overElements(wide(out[op.scale]), op.scale.shape(), shape, out);
  const MilValue zeroPoint = overElements(out[op.zeroPoint], op.zeroPoint.shape(), shape, out);
  const MilValue quotient = unary("round", binary("real_div", wide(out[op.input]), scale, out), out);
  const DataType type = out.output().dataType();
  const int bits = static_cast<int>(bitsPerElement(type));
  const MilValue sum = binary("add", quotient, wide(zeroPoint), out);
  if (bits > 8) return out.set(0, wideSum(quotient, zeroPoint, sum, type == DataType::uint32, out));
  const bool isSigned = type == DataType::int8 || type == DataType::int4;
  const double lowest = isSigned ? -std::ldexp(1, bits - 1) : 0, highest = std::ldexp(1, isSigned ? bits - 1 : bits) - 1;
  out.set(0, clipped(sum, lowest, highest, out));
}

}  // namespace webnn::coreml
