#include <algorithm>
#include <cmath>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

// Returns the second operand. Before version 7, if `broadcast` and `axis` are set, the operand's first dimension is aligned with
// dimension `axis` of input 0.
Term second(NodeContext& node) {
  const Term b = input(node, 1);
  if (node.version >= 7 || !node.node.domain.empty() || !node.flag("broadcast") || !node.find("axis")) return b;
  const std::size_t rank = node.rank(0);
  Shape shape = static_cast<const Operand&>(b).shape();
  const std::size_t last = node.axis(node.integer("axis", 0), rank) + shape.size();
  if (last > rank)
    fail(ErrorKind::dataError, "an operand of rank {} does not fit beside axis {}.", shape.size(), last - shape.size());
  shape.resize(shape.size() + rank - last, 1);
  return {node, node.reshape(b, std::move(shape))};
}

template <Term::Binary method>
void importArithmetic(NodeContext& node) {
  if (setIfEmpty(node, node.value(0).type)) return;
  node.set(0, Term::apply(method, input(node, 0), second(node)));
}

template <Term::Binary method>
void importComparison(NodeContext& node) {
  if (setIfEmpty(node, ElementType::boolean)) return;
  node.setBoolean(0, Term::apply(method, input(node, 0), second(node)));
}

template <Term::Binary method>
Term combineAll(NodeContext& node) {
  Term result = input(node, 0);
  for (std::size_t i = 1; i < node.inputCount(); ++i) result = Term::apply(method, result, input(node, i));
  return result;
}

template <Term::Binary method>
void importVariadic(NodeContext& node) {
  if (setIfEmpty(node, node.value(0).type)) return;
  node.set(0, combineAll<method>(node));
}

void importMean(NodeContext& node) { node.set(0, combineAll<&GraphBuilder::add>(node) / static_cast<double>(node.inputCount())); }

// Whether the exponent is a single constant whole number from 0 to 63, such as 2.0, so that the powers of integers are exact.
bool hasWholeExponent(const NodeContext& node) {
  if (!node.isConstant(1) || std::ranges::any_of(node.value(1).dims, [](std::int64_t size) { return size != 1; })) return false;
  const double exponent = node.number(1);
  return exponent >= 0 && exponent < 64 && exponent == std::floor(exponent);
}

// The result has the base's type, even if the exponent's type differs.
void importPow(NodeContext& node) {
  const Operand base = node.operand(0), exponent = second(node);
  const DataType type = base.dataType(), other = exponent.dataType();
  const bool isExact = other == type || (!isFloat(type) && (!isFloat(other) || hasWholeExponent(node)));
  const DataType common = isExact || (isFloat(type) && isFloat(other) && type != DataType::float16) ? type : DataType::float32;
  node.set(0, node.cast(node.builder.pow(node.cast(base, common), node.cast(exponent, common)), type));
}

// Returns the rounding error of the product of a and b, from exact products of the halves of their digits (Dekker's algorithm).
// Returns 0 if the factors are so large that a half overflows.
Term productError(const Term& a, const Term& b, const Term& product) {
  const auto high = [](const Term& x) {
    const Term scaled = x * 4097;  // 2^12 + 1
    return scaled - (scaled - x);
  };
  const Term aHigh = high(a), bHigh = high(b);
  const Term aLow = a - aHigh, bLow = b - bHigh;
  const Term error = aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
  return where(abs(error) <= abs(product), error, 0);  // 0 for a NaN error, for which <= is false
}

// Computes a - b * truncated(a / b) in steps that subtract a multiple of b exactly. Each step reduces the rest to at most 2^-24
// of its size, so 5 steps suffice for quotients below 2^115. An infinite quotient gives NaN.
Term floatRemainder(const Term& a, const Term& b) {
  constexpr int kSteps = 5;
  Term rest = a;
  for (int step = 0; step < kSteps; ++step) {
    const Term quotient = truncated(rest / b);
    const Term product = quotient * b;
    rest = (rest - product) - productError(quotient, b, product);
  }
  // The last quotient may have been rounded up, so that the rest has the wrong sign. In that case, add b once.
  const Term overshot = (rest * sign(a)) < 0;
  const Term remainder = where(overshot, rest + sign(a) * abs(b), rest);
  return where(isInfinite(b) & !isInfinite(a), a, where(remainder == 0, a * 0, remainder));  // a * 0 is a zero with the sign of a
}

Term remainderOf(const Term& a, const Term& b) { return isFloat(a.dataType()) ? floatRemainder(a, b) : a - a / b * b; }

// Returns the remainder with the sign of the divisor.
Term flooredRemainder(const Term& a, const Term& b) {
  const Term remainder = remainderOf(a, b);
  const Term isOpposite = (remainder < 0) ^ (b < 0);
  return where(isOpposite & (remainder != 0), remainder + b, remainder);
}

void importMod(NodeContext& node) {
  const DataType type = node.operand(0).dataType();
  const DataType computed = isFloat(type) ? DataType::float32 : type;
  const Term a = cast(input(node, 0), computed), b = cast(input(node, 1), computed);
  const bool truncates = node.integer("fmod", 0) == 1 || isUnsigned(type);
  node.set(0, cast(truncates ? remainderOf(a, b) : flooredRemainder(a, b), type));
}

void importWhere(NodeContext& node) {
  setTyped(node, 0, node.builder.where(node.operand(0), node.operand(1), node.operand(2)), node.value(1).type);
}

// Computes max(0, x) + slope * min(0, x). WebNN's prelu takes no unsigned integers, which are returned unchanged.
void importPrelu(NodeContext& node) {
  const Term x = input(node, 0);
  Term slope = input(node, 1);
  // before version 7, a slope of rank 1 has one element per channel, dimension 1
  if (const Shape& shape = static_cast<const Operand&>(slope).shape(); node.version < 7 && shape.size() == 1) {
    Shape wide(std::max<std::size_t>(node.rank(0), 2) - 1, 1);
    wide[0] = shape[0];
    slope = Term(node, node.reshape(slope, std::move(wide)));
  }
  node.set(0, isUnsigned(x.dataType()) ? Operand(x) : node.builder.prelu(x, slope));
}

// Returns whether Dropout drops elements at random. Before version 12, returns false, because models are run for inference.
bool isTraining(NodeContext& node) {
  if (node.version < 12 || !node.has(2)) return false;
  const std::vector<std::int64_t> training = node.integers(2);
  return !training.empty() && training[0] != 0 && (!node.has(1) || node.number(1) != 0);
}

void importDropout(NodeContext& node) {
  node.require(!isTraining(node), "it is in training mode, and WebNN has no random numbers");
  node.set(0, node.value(0));
  if (!node.wants(1)) return;
  const Operand data = node.operand(0);
  const DataType maskType = node.version < 10 ? data.dataType() : DataType::uint8;
  const Operand mask = node.expand(node.scalar(maskType, 1), data.shape());
  if (node.version < 10) return node.set(1, mask);
  node.setBoolean(1, mask);
}

}  // namespace

std::span<const OperatorImport> elementwiseBinaryOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Add", importArithmetic<&GraphBuilder::add>},
      {"", "Sub", importArithmetic<&GraphBuilder::sub>},
      {"", "Mul", importArithmetic<&GraphBuilder::mul>},
      {"", "Div", importArithmetic<&GraphBuilder::div>},
      {"", "Pow", importPow},
      {"", "Mod", importMod},
      {"", "Max", importVariadic<&GraphBuilder::max>},
      {"", "Min", importVariadic<&GraphBuilder::min>},
      {"", "Sum", importVariadic<&GraphBuilder::add>},
      {"", "Mean", importMean},
      {"", "And", importComparison<&GraphBuilder::logicalAnd>},
      {"", "Or", importComparison<&GraphBuilder::logicalOr>},
      {"", "Xor", importComparison<&GraphBuilder::logicalXor>},
      {"", "Equal", importComparison<&GraphBuilder::equal>},
      {"", "Greater", importComparison<&GraphBuilder::greater>},
      {"", "GreaterOrEqual", importComparison<&GraphBuilder::greaterOrEqual>},
      {"", "Less", importComparison<&GraphBuilder::lesser>},
      {"", "LessOrEqual", importComparison<&GraphBuilder::lesserOrEqual>},
      {"", "Where", importWhere},
      {"", "PRelu", importPrelu},
      {"", "Dropout", importDropout},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
