#include "ops/elementwise_unary.h"

#include <limits>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kUnaryRows[] = {
    unaryRow("abs", "The absolute value", "dom-mlgraphbuilder-abs", kSigned, kAnyRank),
    unaryRow("ceil", "Rounds up", "dom-mlgraphbuilder-ceil", kFloats, kAnyRank),
    unaryRow("cos", "The cosine of radians", "dom-mlgraphbuilder-cos", kFloats, kAnyRank),
    unaryRow("erf", "The error function", "dom-mlgraphbuilder-erf", kFloats, kAnyRank),
    unaryRow("exp", "e to the power of x", "dom-mlgraphbuilder-exp", kFloats, kAnyRank),
    unaryRow("floor", "Rounds down", "dom-mlgraphbuilder-floor", kFloats, kAnyRank),
    unaryRow("identity", "The same value", "dom-mlgraphbuilder-identity", kAnyAndInt4s, kAnyRank),
    unaryRow("log", "The natural logarithm", "dom-mlgraphbuilder-log", kFloats, kAnyRank),
    unaryRow("neg", "-x", "dom-mlgraphbuilder-neg", kSigned, kAnyRank),
    unaryRow("reciprocal", "1 / x", "dom-mlgraphbuilder-reciprocal", kFloats, kAnyRank),
    unaryRow("roundEven", "Rounds to the nearest integer, halves to even", "dom-mlgraphbuilder-roundeven", kFloats, kAnyRank),
    unaryRow("sin", "The sine of radians", "dom-mlgraphbuilder-sin", kFloats, kAnyRank),
    unaryRow("sign", "-1, 0 or 1 by the sign", "dom-mlgraphbuilder-sign", kSigned, kAnyRank),
    unaryRow("sqrt", "The square root", "dom-mlgraphbuilder-sqrt", kFloats, kAnyRank),
    unaryRow("tan", "The tangent of radians", "dom-mlgraphbuilder-tan", kFloats, kAnyRank),
};

constexpr OperationRow kLogicalUnaryRows[] = {
    {"logicalNot",
     "1 where a is 0, else 0",
     "dom-mlgraphbuilder-logicalnot",
     {operand("a", kUint8, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"isNaN",
     "1 where a is NaN, else 0",
     "dom-mlgraphbuilder-isnan",
     {operand("a", kAny, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"isInfinite",
     "1 where a is infinite, else 0",
     "dom-mlgraphbuilder-isinfinite",
     {operand("a", kAny, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
};

constexpr OperationRow kCastRows[] = {
    {"cast",
     "Converts to another data type",
     "dom-mlgraphbuilder-cast",
     {operand("input", kAnyAndInt4s, kAnyRank), output(operand("output", kAnyAndInt4s).ofRankOf("input"))}},
};

constexpr OperationRow kClampRows[] = {
    unaryRow("clamp", "Limits to minValue and maxValue", "dom-mlgraphbuilder-clamp", kAny, kAnyRank),
};

// Returns a > b by value, for two floats or two integers.
bool isGreater(const Number& a, const Number& b) {
  return std::visit(
      []<typename A, typename B>(A x, B y) {
        if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
          return std::cmp_greater(x, y);
        } else {
          return static_cast<double>(x) > static_cast<double>(y);
        }
      },
      a.value(), b.value());
}

std::string toText(const Number& number) {
  return std::visit([](auto value) { return formatText("{}", value); }, number.value());
}

}  // namespace

std::span<const OperationRow> Unary::rows() { return kUnaryRows; }
std::span<const OperationRow> LogicalUnary::rows() { return kLogicalUnaryRows; }
std::span<const OperationRow> Cast::rows() { return kCastRows; }
std::span<const OperationRow> Clamp::rows() { return kClampRows; }

Outputs infer(Unary& op) { return {op.input.descriptor()}; }

Outputs infer(LogicalUnary& op) { return {{DataType::uint8, op.a.shape()}}; }

// The output's row checks that the target type is allowed.
Outputs infer(Cast& op) { return {{op.dataType, op.input.shape()}}; }

// Absent bounds are infinite. The specification's steps of June 2026 swap their names.
Outputs infer(Clamp& op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  op.options.minValue = webnn::cast(op.options.minValue.value_or(-kInfinity), op.input.dataType());
  op.options.maxValue = webnn::cast(op.options.maxValue.value_or(kInfinity), op.input.dataType());
  require(!isGreater(*op.options.minValue, *op.options.maxValue), op, "minValue ({}) is greater than maxValue ({}).",
          toText(*op.options.minValue), toText(*op.options.maxValue));
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
