#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "onnx/write/compose.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/operators/families.h"
#include "ops/operand_record.h"

namespace webnn::onnx {

namespace {

using ops::BinaryKind;

// Operator names, indexed by BinaryKind. notEqual is exported as Not(Equal).
constexpr std::array<std::string_view, 16> kBinaryOperators{
    "Add",  "Sub",         "Mul", "Div", "Max", "Min", "Pow", "Equal", "Equal", "Greater", "GreaterOrEqual",
    "Less", "LessOrEqual", "And", "Or",  "Xor"};

// Returns a constant's integers, sign-extended; nothing if the operand is not a constant.
std::optional<std::vector<std::int64_t>> constantIntegers(const Operand& operand) {
  const std::span<const std::byte> bytes = operand.record().bytes;
  if (operand.record().kind != OperandKind::constant) return std::nullopt;
  const std::size_t size = bitsPerElement(operand.dataType()) / 8;
  const bool isSigned = webnn::cast(-1, operand.dataType()).toDouble() < 0;
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &bytes[at], size);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
    const auto shifted = static_cast<std::int64_t>(bits << unused);
    values.push_back(isSigned ? shifted >> unused : static_cast<std::int64_t>(bits));
  }
  return values;
}

bool isSignedInteger(const Operand& operand) { return webnn::cast(-1, operand.dataType()).toDouble() < 0; }

// Divides uint64 numbers with operators for int64, if b != 0. The quotient is 2 * ((a / 2) / b), or one more; a / 2 fits in
// int64.
OnnxValue divideUnsigned(const OnnxValue& a, const OnnxValue& b, Exporter& out) {
  const auto number = [&](std::int64_t value) { return out.scalar(ElementType::int64, value); };
  const OnnxValue dividend = out.cast(a, ElementType::int64), divisor = out.cast(b, ElementType::int64);
  const OnnxValue even = out.add("Sub", {dividend, out.add("Mod", {dividend, number(2)})});
  const OnnxValue half =
      out.add("BitwiseAnd", {out.add("Div", {even, number(2)}), number(std::numeric_limits<std::int64_t>::max())});
  const OnnxValue isHuge = compare("Less", divisor, number(0), out);  // the divisor, read as uint64, is at least 2^63
  const OnnxValue halfQuotient = out.add("Div", {half, out.add("Where", {isHuge, number(1), divisor})});
  const OnnxValue quotient = out.add("Where", {isHuge, number(0), out.add("Mul", {halfQuotient, number(2)})});
  const OnnxValue rest = out.add("Sub", {dividend, out.add("Mul", {quotient, divisor})});
  const OnnxValue isOneMore = compare("GreaterOrEqual", out.cast(rest, ElementType::uint64), b, out);
  return out.cast(out.add("Add", {quotient, out.cast(isOneMore, ElementType::int64)}), ElementType::uint64);
}

OnnxValue quotientOf(const OnnxValue& a, const OnnxValue& b, Exporter& out) {
  return b.type == ElementType::uint64 && !out.takes("Div", b.type) ? divideUnsigned(a, b, out) : out.add("Div", {a, b});
}

// WebNN defines x / 0 as 0, and the minimum integer divided by -1 wraps to itself. Runtimes may crash on either. The divisors 0
// and -1 are therefore replaced by 1, and the result is a * b instead: a * 0 = 0 and a * -1 = -a.
OnnxValue divideIntegers(const ops::Binary& op, Exporter& out) {
  const OnnxValue a = out[op.a], b = out[op.b];
  const bool isSigned = isSignedInteger(op.b);
  const auto isCritical = [&](std::int64_t divisor) { return divisor == 0 || (isSigned && divisor == -1); };
  const auto divisors = constantIntegers(op.b);
  if (divisors && std::ranges::none_of(*divisors, isCritical)) return quotientOf(a, b, out);
  const OnnxValue one = out.scalar(b.type, 1);
  OnnxValue critical = compare("Equal", b, out.scalar(b.type, 0), out);
  if (isSigned) critical = out.add("Or", {critical, compare("Equal", b, out.scalar(b.type, -1), out)});
  const OnnxValue quotient = quotientOf(a, out.add("Where", {critical, one, b}), out);
  return out.add("Where", {critical, out.add("Mul", {a, b}), quotient});
}

// Integer powers wrap, so they are computed by repeated squaring. A negative exponent means 1 / a^-b, truncated.
class IntegerPower {
 public:
  IntegerPower(const ops::Binary& op, Exporter& out)
      : out_(out),
        type_(bitsPerElement(op.a.dataType()) == 8 || op.a.dataType() == DataType::int32 ? ElementType::int32
                                                                                         : ElementType::int64),
        isSigned_(isSignedInteger(op.b)),
        bits_(static_cast<unsigned>(bitsPerElement(op.b.dataType())) - (isSigned_ ? 1 : 0)),
        a_(out.cast(out[op.a], type_)),
        b_(out.cast(out[op.b], type_)) {
    const auto exponents = constantIntegers(op.b);
    if (!exponents) return;
    isSigned_ = isSigned_ && std::ranges::any_of(*exponents, [](std::int64_t exponent) { return exponent < 0; });
    std::uint64_t greatest = 1;
    for (const std::int64_t exponent : *exponents) {
      if (!isSigned_ || exponent > 0) greatest = std::max(greatest, static_cast<std::uint64_t>(exponent));
    }
    bits_ = static_cast<unsigned>(std::bit_width(greatest));
  }

  OnnxValue compute() {
    if (!isSigned_) return power(b_);
    // For a negative b the result is a if a is 1 or -1 and b is odd, 1 if a is 1 or -1 and b is even, and otherwise 0.
    const OnnxValue isNegative = compare("Less", b_, number(0), out_);
    const OnnxValue result = power(out_.add("Where", {isNegative, parity(b_), b_}));
    const OnnxValue isUnit = out_.add("Or", {compare("Equal", a_, number(1), out_), compare("Equal", a_, number(-1), out_)});
    const OnnxValue vanishes = out_.add("And", {isNegative, out_.add("Not", {isUnit})});
    return out_.add("Where", {vanishes, number(0), result});
  }

 private:
  OnnxValue number(int value) { return out_.scalar(type_, value); }
  OnnxValue parity(const OnnxValue& exponent) { return out_.add("Mod", {exponent, number(2)}); }

  // Returns a_ raised to the low bits_ bits of `exponent`, by repeated squaring.
  OnnxValue power(OnnxValue exponent) {
    OnnxValue result = number(1), square = a_;
    for (unsigned bit = 0; bit < bits_; ++bit) {
      const OnnxValue isSet = parity(exponent);
      const OnnxValue factor = out_.add("Where", {out_.cast(isSet, ElementType::boolean), square, number(1)});
      result = out_.add("Mul", {result, factor});
      if (bit + 1 == bits_) break;
      // Subtracting the bit makes the division exact, so that it is right for a uint64 exponent that looks negative in int64.
      exponent = out_.add("Div", {out_.add("Sub", {exponent, isSet}), number(2)});
      square = out_.add("Mul", {square, square});
    }
    return result;
  }

  Exporter& out_;
  // int32 or int64, for which runtimes have all operators; the low bits of the result are the same as in the narrower type
  ElementType type_;
  bool isSigned_;  // whether exponents can be negative
  unsigned bits_;  // bit width of the greatest exponent
  OnnxValue a_, b_;
};

bool isOf(const Operand& operand, BinaryKind kind, const Exporter& out) {
  const Operation* const made = out.dataflow().producer(operand);
  const auto* const binary = made ? std::get_if<ops::Binary>(made) : nullptr;
  return binary && binary->kind == kind;
}

bool isMean(const Operand& operand, const Exporter& out) {
  const Operation* const made = out.dataflow().producer(operand);
  const auto* const reduction = made ? std::get_if<ops::Reduce>(made) : nullptr;
  return reduction && reduction->kind == ops::ReduceKind::reduceMean;
}

// Returns whether the operand is broadcast to the output's shape and is a mean, a quotient, or a product with a quotient. Such
// an operand is fenced: otherwise ONNX Runtime takes the other operand for the epsilon, scale or bias of a normalization, which
// must not be larger than the normalization's input.
bool isWidened(const Operand& operand, const Exporter& out) {
  if (!isFloat(operand.dataType()) || operand.shape() == out.output().shape()) return false;
  if (isOf(operand, BinaryKind::div, out) || isMean(operand, out)) return true;
  if (!isOf(operand, BinaryKind::mul, out)) return false;
  const auto& product = std::get<ops::Binary>(*out.dataflow().producer(operand));
  return isOf(product.a, BinaryKind::div, out) || isOf(product.b, BinaryKind::div, out);
}

OnnxValue fencedIfWidened(const Operand& operand, Exporter& out) {
  return isWidened(operand, out) ? out.fenced(out[operand]) : out[operand];
}

OnnxValue arithmetic(const ops::Binary& op, std::string_view opType, Exporter& out) {
  if (!isFloat(op.a.dataType())) {
    if (op.kind == BinaryKind::div) return divideIntegers(op, out);
    if (op.kind == BinaryKind::pow) return IntegerPower(op, out).compute();
  }
  const auto operandOf = [&](const Operand& operand) {
    // Fence quotients, because ONNX Runtime rewrites `(1 / x) * y` as `y / x`, which may have a lower rank.
    const bool isQuotient = isFloat(operand.dataType()) && out.dataflow().mayComeFrom(operand, Dataflow::Origin::quotient);
    return op.kind == BinaryKind::mul && isQuotient ? out.fenced(out[operand]) : fencedIfWidened(operand, out);
  };
  return out.add(opType, {operandOf(op.a), operandOf(op.b)});
}

}  // namespace

void toOnnx(const ops::Binary& op, Exporter& out) {
  const std::string_view opType = kBinaryOperators[static_cast<std::size_t>(op.kind)];
  if (op.kind < BinaryKind::equal) return out.set(0, arithmetic(op, opType, out));
  OnnxValue a = out[op.a], b = out[op.b];
  if (op.kind >= BinaryKind::logicalAnd) {
    a = out.cast(a, ElementType::boolean);
    b = out.cast(b, ElementType::boolean);
  }
  const OnnxValue result = compare(opType, a, b, out);
  out.set(0, op.kind == BinaryKind::notEqual ? out.add("Not", {result}) : result);
}

void toOnnx(const ops::Where& op, Exporter& out) {
  const OnnxValue condition = out.cast(out[op.condition], ElementType::boolean);
  const OnnxValue chosen = choice(op.trueValue, op.falseValue, out), other = choice(op.falseValue, op.trueValue, out);
  out.set(0, out.add("Where", {condition, chosen, other}));
}

}  // namespace webnn::onnx
