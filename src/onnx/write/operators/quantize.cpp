#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "onnx/write/compose.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/operator_set.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// The blocks of an input. The elements of a block share a scale. ONNX has per-tensor scales, per-axis scales, and blocks along
// one axis.
struct Blocks {
  const Shape &input, &scale;

  std::size_t rank() const { return input.size(); }
  bool isWhole(std::size_t d) const { return scale[d] == input[d]; }
  bool isOne() const {
    return std::ranges::all_of(scale, [](std::uint32_t size) { return size == 1; });
  }
  // Returns the number of elements of a block along dimension `d`. It may be open only if there is one block.
  std::uint32_t timesOf(std::size_t d, const Exporter& out) const {
    if (scale[d] == 1) return input[d];
    return static_cast<std::uint32_t>(out.numberOf(input[d]) / out.numberOf(scale[d]));
  }
  // Returns the dimension along which the scale varies. Nullopt unless there is exactly one such dimension, with one scale per
  // index.
  std::optional<std::size_t> channelAxis() const {
    std::optional<std::size_t> axis;
    for (std::size_t d = 0; d < rank(); ++d) {
      if (scale[d] == 1) continue;
      if (axis || !isWhole(d)) return std::nullopt;
      axis = d;
    }
    return axis;
  }
  // Returns the dimension along which ONNX's blocks lie: the last dimension with several blocks of several elements; else the
  // last dimension with a single block of several elements; else the last dimension with more than one element.
  std::size_t blockAxis() const {
    const auto last = [&](auto fits) {
      std::size_t d = rank();
      while (d > 0 && !fits(d - 1)) --d;
      return d;  // d is one more than the last such dimension, or 0 if there is none
    };
    if (const std::size_t d = last([&](std::size_t i) { return scale[i] != 1 && !isWhole(i); })) return d - 1;
    if (const std::size_t d = last([&](std::size_t i) { return !isWhole(i); })) return d - 1;
    // This dimension exists, because otherwise the scale would be per tensor.
    return last([&](std::size_t i) { return input[i] != 1; }) - 1;
  }
};

// Repeats the elements of a scale or zero point over their blocks, in all dimensions except `except`. Dimensions of one element
// are repeated only if `ones`; otherwise they broadcast.
OnnxValue repeated(OnnxValue value, const Blocks& blocks, std::optional<std::size_t> except, bool ones, Exporter& out) {
  Shape shape = blocks.scale;
  for (std::size_t d = 0; d < blocks.rank(); ++d) {
    if (d == except || blocks.isWhole(d) || (blocks.scale[d] == 1 && !ones)) continue;
    const std::uint32_t times = blocks.timesOf(d, out);
    const std::span<const std::uint32_t> dimensions(shape);
    const std::uint32_t before = asDimension(productOf(dimensions.first(d + 1))),
                        after = asDimension(productOf(dimensions.subspan(d + 1)));
    value = out.add("Expand", {out.reshape(value, {before, 1, after}), out.integers(Shape{before, times, after})});
    shape[d] = blocks.input[d];
    value = out.reshape(value, shape);
  }
  return value;
}

template <typename Op>
void addLinear(std::string_view opType, const Op& op, Exporter& out) {
  const Blocks blocks{op.input.shape(), op.scale.shape()};
  Attributes attributes;
  const auto fit = [&](OnnxValue value) {
    if (blocks.isOne()) return reshapeFrom(blocks.scale, {}, value, out);
    if (const auto axis = blocks.channelAxis()) return reshapeFrom(blocks.scale, {blocks.scale[*axis]}, value, out);
    return repeated(value, blocks, blocks.blockAxis(), true, out);
  };
  if (const auto axis = blocks.channelAxis()) {
    attributes = {{"axis", static_cast<std::int64_t>(*axis)}};
  } else if (!blocks.isOne()) {
    const std::size_t d = blocks.blockAxis();
    attributes = {{"axis", static_cast<std::int64_t>(d)}, {"block_size", out.numberOf(blocks.timesOf(d, out))}};
  }
  OnnxValue input = out[op.input], scale = fit(out[op.scale]);
  if constexpr (std::is_same_v<Op, ops::QuantizeLinear>) {
    // Fence the input, because ONNX Runtime merges two consecutive quantize/dequantize pairs into one with a wrong scale.
    const Operation* const made = out.dataflow().producer(op.input);
    if (made && std::holds_alternative<ops::DequantizeLinear>(*made)) input = out.fenced(input);
    // ONNX Runtime up to 1.23 rounds float16 ties up instead of to even.
    input = out.cast(input, ElementType::float32);
    scale = out.cast(scale, ElementType::float32);
  }
  const OnnxValue zeroPoint = fit(out[op.zeroPoint]);
  out.set(0, out.add(opType, {input, scale, zeroPoint}, std::move(attributes), elementTypeOf(out.output().dataType())));
}

// Returns whether QuantizeLinear or DequantizeLinear can compute the result. Neither takes uint32, and neither takes zero points
// for int32. ONNX Runtime also fuses these two operators with others, which may fail or give wrong results: ONNX Runtime supports
// 4 bits, scales per channel and blocks only for weights of products, and fails on its own rewriting of int8 in
// kLaterOperatorSet.
template <typename Op>
bool isLinear(const Op& op, DataType type, const Operand& result, const Exporter& out) {
  if (std::is_same_v<Op, ops::QuantizeLinear> && !out.canTake("QuantizeLinear", ElementType::float32)) return false;
  const std::size_t bits = bitsPerElement(type);
  const Blocks blocks{op.input.shape(), op.scale.shape()};
  if (bits == 8 && blocks.isOne()) return type == DataType::uint8 || out.operatorSet() == kOperatorSet;
  if (std::is_same_v<Op, ops::QuantizeLinear> || bits == 32) return false;
  const std::optional<std::size_t> channels = out.dataflow().channelAxis(result), scaled = blocks.channelAxis();
  const bool isWeights = op.input.record().kind == OperandKind::constant && channels;
  return isWeights && (scaled ? scaled == channels : bits == 4);
}

// Returns the floating-point type that holds all quantized values and their differences exactly.
ElementType realFor(DataType type) { return bitsPerElement(type) == 32 ? ElementType::float64 : ElementType::float32; }

OnnxValue repeatedAs(ElementType type, const auto& op, const Operand& operand, Exporter& out) {
  const OnnxValue value = out.cast(out[operand], type);
  return repeated(value, {op.input.shape(), op.scale.shape()}, std::nullopt, false, out);
}

// Returns whether a target with distrustsBytes may dequantize the input wrongly, because it has rank 4, or because the scale or
// the zero point is not constant.
bool isDistrusted(const ops::DequantizeLinear& op, const Exporter& out) {
  const auto isConstant = [](const Operand& operand) { return operand.record().kind == OperandKind::constant; };
  const bool isImage = op.input.shape().size() == 4;  // an image or a filter
  return out.target().distrustsBytes && (isImage || !(isConstant(op.scale) && isConstant(op.zeroPoint)));
}

void dequantizeComposed(const ops::DequantizeLinear& op, Exporter& out) {
  const ElementType type = realFor(op.input.dataType());
  const OnnxValue x = isDistrusted(op, out) ? out.cast(out[op.input], ElementType::int32) : out[op.input];
  const OnnxValue difference = out.add("Sub", {out.cast(x, type), repeatedAs(type, op, op.zeroPoint, out)});
  out.set(0, out.add("Mul", {difference, repeatedAs(type, op, op.scale, out)}));
}

// Divides in float32, as every kernel does.
void quantizeComposed(const ops::QuantizeLinear& op, Exporter& out) {
  const DataType result = op.zeroPoint.dataType();
  const ElementType type = realFor(result);
  constexpr auto kSingle = ElementType::float32;
  const OnnxValue quotient = out.add("Div", {out.cast(out[op.input], kSingle), repeatedAs(kSingle, op, op.scale, out)});
  const OnnxValue rounded = out.cast(out.add("Round", {quotient}), type);
  const OnnxValue sum = out.add("Add", {rounded, repeatedAs(type, op, op.zeroPoint, out)});
  const OnnxValue isNan = out.add("IsNaN", {sum}, {}, ElementType::boolean);
  const OnnxValue number = out.add("Where", {isNan, out.scalar(type, 0), sum});
  const auto bound = [&](double infinity) { return out.scalar(type, webnn::cast(infinity, result).toDouble()); };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const OnnxValue clipped = out.add("Clip", {number, bound(-kInfinity), bound(kInfinity)});
  // Round first, because the casts of runtimes to 4 bits differ.
  out.set(0, bitsPerElement(result) == 4 ? out.cast(clipped, ElementType::int32) : clipped);
}

// Returns the operand of an operation that ONNX Runtime swaps with a DequantizeLinear before it; null for all other operations.
const Operand* movedBy(const Operation& operation) {
  if (const auto* const op = std::get_if<ops::Reshape>(&operation)) return &op->input;
  if (const auto* const op = std::get_if<ops::Reverse>(&operation)) return &op->input;
  if (const auto* const op = std::get_if<ops::Slice>(&operation)) return &op->input;
  if (const auto* const op = std::get_if<ops::Transpose>(&operation)) return &op->input;
  if (const auto* const op = std::get_if<ops::Pool2d>(&operation)) {
    return op->kind == ops::Pool2dKind::maxPool2d ? &op->input : nullptr;
  }
  const auto* const unary = std::get_if<ops::Unary>(&operation);
  return unary && unary->kind == ops::UnaryKind::identity ? &unary->input : nullptr;
}

// Returns the dequantization that ONNX Runtime associates with the operand, also through operations that it swaps with a
// DequantizeLinear; null if there is none.
const ops::DequantizeLinear* dequantizerOf(const Operand& operand, const Exporter& out) {
  const Operand* at = &operand;
  for (const Operation* made = out.dataflow().producer(*at); made; made = out.dataflow().producer(*at)) {
    if (const auto* const op = std::get_if<ops::DequantizeLinear>(made)) {
      return isLinear(*op, op->input.dataType(), *at, out) ? op : nullptr;
    }
    at = movedBy(*made);
    if (!at) return nullptr;
  }
  return nullptr;
}

}  // namespace

OnnxValue multiplicand(const Operand& operand, const Operand& weights, Exporter& out) {
  const bool isRounded = dequantizerOf(operand, out) && !dequantizerOf(weights, out);
  return isRounded ? out.fenced(out[operand]) : out[operand];
}

OnnxValue choice(const Operand& operand, const Operand& other, Exporter& out) {
  const ops::DequantizeLinear* const op = dequantizerOf(operand, out);
  const bool isComputed = op && op->zeroPoint.record().kind != OperandKind::constant;
  return isComputed && dequantizerOf(other, out) ? out.fenced(out[operand]) : out[operand];
}

void toOnnx(const ops::DequantizeLinear& op, Exporter& out) {
  const bool isDirect = isLinear(op, op.input.dataType(), out.output(), out) && !isDistrusted(op, out);
  isDirect ? addLinear("DequantizeLinear", op, out) : dequantizeComposed(op, out);
}

// The result for NaN depends on the runtime, because ONNX does not define it.
void toOnnx(const ops::QuantizeLinear& op, Exporter& out) {
  isLinear(op, op.zeroPoint.dataType(), out.output(), out) ? addLinear("QuantizeLinear", op, out) : quantizeComposed(op, out);
}

}  // namespace webnn::onnx
