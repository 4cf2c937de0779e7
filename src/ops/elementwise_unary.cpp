#include "ops/elementwise_unary.h"

#include <limits>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Returns a > b. Compares exactly if both are integers, otherwise as doubles.
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

constinit const OperationRow Unary::rows[] = {
    unaryRow("abs", "Computes the absolute value", kSigned, kAnyRank),
    unaryRow("ceil", "Rounds up to an integer", kFloats, kAnyRank),
    unaryRow("cos", "Computes cos(x), x in radians", kFloats, kAnyRank),
    unaryRow("erf", "Computes the error function", kFloats, kAnyRank),
    unaryRow("exp", "Computes e to the power of x", kFloats, kAnyRank),
    unaryRow("floor", "Rounds down to an integer", kFloats, kAnyRank),
    unaryRow("identity", "Returns the input unchanged", kAnyAndInt4s, kAnyRank),
    unaryRow("log", "Computes the natural logarithm", kFloats, kAnyRank),
    unaryRow("neg", "-x", kSigned, kAnyRank),
    unaryRow("reciprocal", "1 / x", kFloats, kAnyRank),
    unaryRow("roundEven", "Rounds to the nearest integer, halves to even", kFloats, kAnyRank),
    unaryRow("sin", "Computes sin(x), x in radians", kFloats, kAnyRank),
    unaryRow("sign", "-1, 0 or 1 if x is negative, zero or positive", kSigned, kAnyRank),
    unaryRow("sqrt", "Computes the square root", kFloats, kAnyRank),
    unaryRow("tan", "Computes tan(x), x in radians", kFloats, kAnyRank),
};

constinit const OperationRow LogicalUnary::rows[] = {
    {"logicalNot", "1 where a is 0, else 0", {operand("a", kUint8, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"isNaN", "1 where a is NaN, else 0", {operand("a", kAny, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
    {"isInfinite", "1 where a is infinite, else 0", {operand("a", kAny, kAnyRank), output(operand("output", kUint8, kAnyRank))}},
};

constinit const OperationRow Cast::rows[] = {
    {"cast",
     "Converts to another data type",
     {operand("input", kAnyAndInt4s, kAnyRank), output(operand("output", kAnyAndInt4s).ofRankOf("input"))}},
};

constinit const OperationRow Clamp::rows[] = {
    unaryRow("clamp", "Limits values to the range from minValue to maxValue", kAny, kAnyRank),
};

Outputs infer(Unary& op) { return {op.input.descriptor()}; }

Outputs infer(LogicalUnary& op) { return {{DataType::uint8, op.a.shape()}}; }

// Does not check op.dataType: validate() checks it against the rule of the output in Cast::rows.
Outputs infer(Cast& op) { return {{op.dataType, op.input.shape()}}; }

// Absent bounds are infinite. The specification of June 2026 swaps the names of the bounds in these steps by mistake.
Outputs infer(Clamp& op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  op.options.minValue = webnn::cast(op.options.minValue.value_or(-kInfinity), op.input.dataType());
  op.options.maxValue = webnn::cast(op.options.maxValue.value_or(kInfinity), op.input.dataType());
  require(!isGreater(*op.options.minValue, *op.options.maxValue), op, "minValue ({}) is greater than maxValue ({}).",
          toText(*op.options.minValue), toText(*op.options.maxValue));
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
