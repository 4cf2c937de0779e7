// Operators and functions on operands, so that handlers can write formulas: `x * sigmoid(1.702 * x)`.
#pragma once

#include <utility>

#include "onnx/read/compose.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// An operand, or a number that takes the type of the operand that it is combined with.
class Term {
 public:
  Term(NodeContext& node, Operand operand) : node_(&node), operand_(std::move(operand)) {}
  Term(double number) : number_(number) {}  // implicit on purpose, so that formulas read well
  Term(int number) : number_(number) {}
  Term(Number number) : number_(number) {}

  operator const Operand&() const { return operand_; }
  NodeContext& node() const { return *node_; }
  DataType dataType() const { return operand_.dataType(); }

  using Unary = Operand (GraphBuilder::*)(Operand, OperatorOptions);
  using Binary = Operand (GraphBuilder::*)(Operand, Operand, OperatorOptions);
  static Term apply(Unary method, const Term& x);
  static Term apply(Binary method, const Term& a, const Term& b);

  // Returns trueValue for elements whose condition is not 0, else falseValue. At most one of the two may be a number.
  friend Term where(const Term& condition, const Term& trueValue, const Term& falseValue);

 private:
  Operand as(const Term& other) const;  // the operand, or the number converted to the type of `other`

  NodeContext* node_ = nullptr;  // null if the term is a number
  Operand operand_;
  Number number_;
};

inline Term operator+(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::add, a, b); }
inline Term operator-(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::sub, a, b); }
inline Term operator*(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::mul, a, b); }
inline Term operator/(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::div, a, b); }
inline Term max(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::max, a, b); }
inline Term min(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::min, a, b); }
inline Term pow(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::pow, a, b); }

// Comparisons and logical operators return uint8 elements, 0 or 1.
inline Term operator==(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::equal, a, b); }
inline Term operator!=(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::notEqual, a, b); }
inline Term operator<(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::lesser, a, b); }
inline Term operator<=(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::lesserOrEqual, a, b); }
inline Term operator>(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::greater, a, b); }
inline Term operator>=(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::greaterOrEqual, a, b); }
inline Term operator&(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::logicalAnd, a, b); }
inline Term operator|(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::logicalOr, a, b); }
inline Term operator^(const Term& a, const Term& b) { return Term::apply(&GraphBuilder::logicalXor, a, b); }
inline Term operator!(const Term& a) { return Term::apply(&GraphBuilder::logicalNot, a); }
inline Term isInfinite(const Term& x) { return Term::apply(&GraphBuilder::isInfinite, x); }
inline Term isNaN(const Term& x) { return Term::apply(&GraphBuilder::isNaN, x); }

inline Term operator-(const Term& x) { return Term::apply(&GraphBuilder::neg, x); }
inline Term abs(const Term& x) { return Term::apply(&GraphBuilder::abs, x); }
inline Term erf(const Term& x) { return Term::apply(&GraphBuilder::erf, x); }
inline Term exp(const Term& x) { return Term::apply(&GraphBuilder::exp, x); }
inline Term floor(const Term& x) { return Term::apply(&GraphBuilder::floor, x); }
inline Term gelu(const Term& x) { return Term::apply(&GraphBuilder::gelu, x); }
inline Term log(const Term& x) { return Term::apply(&GraphBuilder::log, x); }
inline Term sigmoid(const Term& x) { return Term::apply(&GraphBuilder::sigmoid, x); }
inline Term sign(const Term& x) { return Term::apply(&GraphBuilder::sign, x); }
inline Term softplus(const Term& x) { return Term::apply(&GraphBuilder::softplus, x); }
inline Term sqrt(const Term& x) { return Term::apply(&GraphBuilder::sqrt, x); }
inline Term tanh(const Term& x) { return Term::apply(&GraphBuilder::tanh, x); }

// Returns x rounded toward zero.
inline Term truncated(const Term& x) { return sign(x) * floor(abs(x)); }

inline Term input(NodeContext& node, std::size_t index) { return {node, node.operand(index)}; }
inline Term cast(const Term& x, DataType type) { return {x.node(), x.node().cast(x, type)}; }

// Computes f(x) in float32 and casts back to x's type, because float16 would round after each step.
Operand inFloat32(NodeContext& node, const Operand& x, auto f) {
  return node.cast(f(Term(node, node.cast(x, DataType::float32))), x.dataType());
}

inline bool isUnsigned(DataType type) { return type == DataType::uint8 || type == DataType::uint32 || type == DataType::uint64; }

// Returns log(softmax(x)) along an axis. Subtracts the maximum first, so that exp() does not overflow.
Operand logSoftmax(NodeContext& node, const Operand& x, std::uint32_t axis);

// Returns 0, 1, ..., count - 1 as elements of `type`, in a shape of rank `rank` with `count` at `axis` and 1 elsewhere. Computes
// long sequences by a cumulative sum, to avoid a large constant.
Operand counting(NodeContext& node, DataType type, std::uint32_t count, std::size_t axis, std::size_t rank);

// If the inputs broadcast to an empty shape, sets result 0 to an empty value and returns true.
bool setIfEmpty(NodeContext& node, ElementType type);

// Sets a result and its ONNX type. The type is explicit, because a uint8 operand may stand for uint8 or bool.
void setTyped(NodeContext& node, std::size_t index, Operand result, ElementType type);

// Handler for an operator that maps to one unary WebNN operation.
template <Term::Unary method>
void importUnary(NodeContext& node) {
  if (setIfEmpty(node, node.value(0).type)) return;
  node.set(0, Term::apply(method, input(node, 0)));
}

// Returns a constant of the numbers cast to `type`, which may be a type that WebNN lacks (float64, bfloat16, int16, uint16).
ImportedValue valueOf(NodeContext& node, ElementType type, std::vector<std::int64_t> dims, std::span<const double> numbers);

}  // namespace webnn::formats::onnx
