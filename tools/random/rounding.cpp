#include "random/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace webnn::random {

namespace {

using ops::BinaryKind;
using ops::ReduceKind;
using ops::UnaryKind;

constexpr double kMostInBetween = 1e37;    // bound for float32 intermediate values, with a safety margin
constexpr double kMostOfSquares = 1e15;    // sums of squares of smaller values stay below kMostInBetween
constexpr double kLeastOfSquares = 1e-15;  // squares of larger values are not denormal
constexpr double kLeastNumber = 0x1p-149;
constexpr double kUnderflow = 1e-37;  // error of a product that is denormal
constexpr double kExact = 0x1p22;     // integers up to this value stay exact in sums of any order
constexpr double kExactHalf = 0x1p11;

constexpr int kMostUnit = 300;

// Returns the number of binary places after the point that `value` needs.
int unitOf(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  int exponent = 0;
  const auto significand = static_cast<std::uint64_t>(std::abs(std::frexp(value, &exponent)) * 0x1p53);
  return std::clamp(53 - std::countr_zero(significand) - exponent, 0, kMostUnit);
}

bool isPowerOfTwo(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5;
}

Judgement copies(std::size_t terms = 1) { return {Rule::copies, 0, 0, terms}; }
Judgement jumps(std::size_t terms = 1) { return {Rule::jumps, 0, 0, terms}; }
Judgement sums(double most, int unit, std::size_t terms = 1) { return {Rule::sums, most, unit, terms}; }
Judgement rounds(double most = 0, std::size_t terms = 1) { return {Rule::rounds, most, 0, terms}; }

Judgement robust(Judgement judgement) {
  judgement.isRobust = true;
  return judgement;
}

std::size_t count(const Operand& operand) { return elementCount(operand.descriptor()); }

struct Judge {
  std::span<const Known> known;
  const Known& x = known[0];

  // Judges a sum of `terms` squares of the first operand's elements.
  Judgement ofSquares(std::size_t terms) const {
    const bool isFine = x.most < kMostOfSquares && x.least > kLeastOfSquares;
    return robust(rounds(isFine ? x.most * x.most * static_cast<double>(terms) : 2 * kMostInBetween, terms));
  }

  Judgement operator()(const ops::Unary& op) const {
    switch (op.kind) {
      case UnaryKind::abs:
      case UnaryKind::neg:
      case UnaryKind::identity: return copies();
      case UnaryKind::ceil:
      case UnaryKind::floor:
      case UnaryKind::roundEven:
      case UnaryKind::sign: return jumps();
      default: return rounds();
    }
  }
  Judgement operator()(const ops::Binary& op) const {
    const Known &a = known[0], &b = known[1];
    switch (op.kind) {
      case BinaryKind::add:
      case BinaryKind::sub: return sums(a.most + b.most, std::max(a.unit, b.unit));
      case BinaryKind::mul: return sums(a.most * b.most, a.unit + b.unit);
      case BinaryKind::max:
      case BinaryKind::min: return copies();
      case BinaryKind::pow: {
        // These cases are discontinuous. A negative base gives NaN except for whole exponents. The sign of a zero base matters. 1
        // to the power of NaN is 1, and so is NaN to the power of 0.
        const bool mayJump = (!b.isExact && (a.isNegative || a.hasZero || !a.isFinite)) || (!a.isExact && !b.isFinite);
        return mayJump ? jumps() : rounds();
      }
      case BinaryKind::div:
        if (!b.arePowersOfTwo) return rounds(b.most > 0 ? a.most / b.least : 0);
        return sums(a.most / b.least, a.unit + std::max(0, std::ilogb(b.most)));
      default: return jumps();
    }
  }
  Judgement operator()(const ops::LogicalUnary&) const { return jumps(); }
  Judgement operator()(const ops::ArgMinMax& op) const { return jumps(op.input.shape()[op.axis]); }
  Judgement operator()(const ops::Cast& op) const { return isFloat(op.dataType) ? sums(x.most, x.unit) : jumps(); }
  Judgement operator()(const ops::Where&) const { return copies(); }
  Judgement operator()(const ops::Activation& op) const { return op.kind == ops::ActivationKind::relu ? copies() : rounds(); }
  Judgement operator()(const ops::LeakyRelu& op) const {
    return sums(x.most * std::max(1.0, std::abs(op.options.alpha)), x.unit + unitOf(op.options.alpha));
  }
  Judgement operator()(const ops::Linear& op) const {
    return sums(x.most * std::abs(op.options.alpha) + std::abs(op.options.beta),
                std::max(x.unit + unitOf(op.options.alpha), unitOf(op.options.beta)));
  }
  Judgement operator()(const ops::HardSigmoid& op) const {
    return sums(x.most * std::abs(op.options.alpha) + std::abs(op.options.beta),
                std::max(x.unit + unitOf(op.options.alpha), unitOf(op.options.beta)));
  }
  Judgement operator()(const ops::Prelu&) const { return sums(x.most * std::max(1.0, known[1].most), x.unit + known[1].unit); }
  Judgement operator()(const ops::DequantizeLinear&) const {
    return sums((x.most + known[2].most) * known[1].most, known[1].unit);
  }
  Judgement operator()(const ops::QuantizeLinear&) const { return {Rule::quantizes, 0, 0, 1}; }
  Judgement operator()(const ops::Matmul& op) const { return product(op.a.shape().back(), 0, 0); }
  Judgement operator()(const ops::Gemm& op) const {
    const Known c = known.size() > 2 ? known[2] : Known{};
    const Judgement judgement = product(op.a.shape()[op.options.aTranspose ? 0 : 1], 0, 0);
    Judgement result = sums(judgement.most * std::max(1.0, std::abs(op.options.alpha)) + c.most * std::abs(op.options.beta),
                            std::max(judgement.unit + unitOf(op.options.alpha), c.unit + unitOf(op.options.beta)),
                            judgement.terms + (op.options.c ? 1 : 0));
    result.isRobust = op.options.alpha != 1 && !op.options.c;
    return result;
  }
  // Judges a sum of `terms` products and one more value, of magnitude `more` at most.
  Judgement product(std::size_t terms, double more, int unit) const {
    return sums(static_cast<double>(terms) * known[0].most * known[1].most + more, std::max(known[0].unit + known[1].unit, unit),
                terms);
  }
  Judgement convolution(const auto& op, std::size_t outputs) const {
    const Known bias = known.size() > 2 ? known[2] : Known{};
    return product(count(op.filter) / outputs + (op.options.bias ? 1 : 0), bias.most, bias.unit);
  }
  Judgement operator()(const ops::Conv2d& op) const {
    const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
    const Shape& filter = op.filter.shape();
    const Judgement result = convolution(op, filter[axes.output]);
    // Winograd's algorithm computes with thirds, which are inexact.
    const bool is3x3 = filter[axes.height] == 3 && filter[axes.width] == 3 && op.options.groups == 1;
    return is3x3 && filter[axes.input] > 4 && filter[axes.output] > 4 ? rounds(100 * result.most, result.terms) : result;
  }
  Judgement operator()(const ops::ConvTranspose2d& op) const {
    const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
    return convolution(op, op.filter.shape()[axes.output] * op.options.groups);
  }
  Judgement operator()(const ops::Reduce& op) const {
    std::size_t terms = 1;
    for (const std::uint32_t axis : *op.options.axes) terms *= op.input.shape()[axis];
    const auto n = static_cast<double>(terms);
    switch (op.kind) {
      case ReduceKind::reduceMax:
      case ReduceKind::reduceMin: return copies(terms);
      case ReduceKind::reduceL1:
      case ReduceKind::reduceSum: return robust(sums(n * x.most, x.unit, terms));
      case ReduceKind::reduceSumSquare:
        if (x.most > kMostOfSquares || x.least < kLeastOfSquares) return ofSquares(terms);
        return robust(sums(n * x.most * x.most, 2 * x.unit, terms));
      case ReduceKind::reduceProduct:
        return sums(std::pow(std::max(1.0, x.most), n), std::min<int>(kMostUnit, x.unit * static_cast<int>(std::min(n, 1e3))),
                    terms);
      case ReduceKind::reduceMean: return mean(terms, true);
      case ReduceKind::reduceLogSum: return rounds(n * x.most, terms);
      case ReduceKind::reduceLogSumExp: {
        Judgement result = rounds(0, terms);
        result.absolute = 0x1p-22;  // error of a logarithm whose value is near 0
        return result;
      }
      case ReduceKind::reduceL2: return ofSquares(terms);
    }
    return rounds();
  }
  Judgement mean(std::size_t terms, bool isWhole) const {
    const double most = static_cast<double>(terms) * x.most;
    return robust(isWhole && std::has_single_bit(terms) ? sums(most, x.unit + std::countr_zero(terms), terms)
                                                        : rounds(most, terms));
  }
  Judgement operator()(const ops::CumulativeSum& op) const {
    const std::size_t terms = op.input.shape()[op.axis];
    return sums(static_cast<double>(terms) * x.most, x.unit, terms);
  }
  Judgement operator()(const ops::Pool2d& op) const {
    const std::size_t terms = std::size_t{(*op.options.windowDimensions)[0]} * (*op.options.windowDimensions)[1];
    if (op.kind == ops::Pool2dKind::maxPool2d) return copies(terms);
    if (op.kind == ops::Pool2dKind::l2Pool2d) return ofSquares(terms);
    const bool isPadded = std::ranges::any_of(*op.options.padding, [](std::uint32_t padding) { return padding > 0; });
    return mean(terms, !isPadded && !op.options.outputSizes && op.options.outputShapeRounding == RoundingType::floor);
  }
  Judgement operator()(const ops::Resample2d& op) const {
    if (op.options.mode == InterpolationMode::nearestNeighbor) return copies();
    Judgement result = rounds(4 * x.most, 4);
    result.absolute = 0x1p-22 * x.most;  // error of rounded interpolation weights
    return result;
  }
  Judgement operator()(const ops::Softmax& op) const {
    Judgement result = rounds(0, op.input.shape()[op.axis]);
    result.absolute = kUnderflow;  // a result may underflow to 0, which a later product with infinity turns into NaN
    return result;
  }
  Judgement operator()(const ops::Elu& op) const { return rounds(x.most + std::abs(op.options.alpha)); }
  // Judges sums of products of two operands. If all magnitudes are between kLeastOfSquares and kMostOfSquares, no product is
  // denormal and no sum overflows. The caller judges values that grow over several steps.
  Judgement ofSquaredOperands(std::size_t terms) const {
    bool isFine = true;
    for (const Known& operand : known) isFine = isFine && operand.most < kMostOfSquares && operand.least > kLeastOfSquares;
    return rounds(isFine ? 0 : 2 * kMostInBetween, terms);
  }
  Judgement operator()(const ops::BatchNormalization&) const { return robust(rounds()); }
  Judgement operator()(const ops::InstanceNormalization& op) const { return robust(rounds(0, count(op.input))); }
  Judgement operator()(const ops::LayerNormalization& op) const { return robust(rounds(0, count(op.input))); }
  // Without bounded activations, states may grow with each step.
  template <typename Op>
  requires requires(const Op& op) { op.recurrentWeight; }
  Judgement operator()(const Op& op) const {
    Judgement result = ofSquaredOperands(count(op.weight) + count(op.recurrentWeight));
    double most = 1;
    for (const Known& operand : known) most = std::max(most, operand.most);
    // A gate may underflow in float32 but not in double; times an infinity, it then gives NaN in float32 only.
    const bool isFinite = std::ranges::all_of(known, [](const Known& operand) { return operand.isFinite; });
    if (!isFinite) most = 2 * kMostInBetween;
    const bool isBounded =
        std::ranges::find(*op.options.activations, RecurrentNetworkActivation::relu) == op.options.activations->end();
    const double inputs = static_cast<double>(op.input.shape().back() + op.hiddenSize + 3);
    double state = most;
    std::size_t steps = 1;
    if constexpr (requires { op.steps; }) steps = op.steps;
    for (std::size_t i = 0; i < steps && !isBounded && state < kMostInBetween; ++i) {
      const double gate = inputs * most * std::max(most, state);
      state = gate * state + (1 + gate) * gate * std::max(most, gate);
    }
    result.most = std::max(result.most, isBounded && isFinite ? 0 : state);
    // Each step adds a rounding error, which passes through all later steps.
    result.absolute = static_cast<double>(steps) * 0x1p-23 * std::max(1.0, std::min(state, most));
    return result;
  }
  // All other operations only move elements, or replace some by a constant (clamp, pad, triangular).
  template <typename Op>
  requires(
      requires(const Op& op) { op.input; } && !requires(const Op& op) { op.recurrentWeight; }) Judgement
  operator()(const Op&) const {
    return copies();
  }
  Judgement operator()(const ops::Concat&) const { return copies(); }
};

bool dividesByItself(const Operation& operation) {
  const auto* binary = std::get_if<ops::Binary>(&operation);
  return binary && binary->kind == BinaryKind::div && &binary->a.record() == &binary->b.record();
}

// For larger angles, one unit in the last place is at least 2^-7 radians, so that rounding changes the result by much.
constexpr double kManyTurns = 1e5;
bool turns(const Operation& operation) {
  const auto* unary = std::get_if<ops::Unary>(&operation);
  return unary && (unary->kind == UnaryKind::sin || unary->kind == UnaryKind::cos || unary->kind == UnaryKind::tan);
}

bool areExact(std::span<const Known> known) {
  return std::ranges::all_of(known, [](const Known& one) { return one.isExact; });
}

}  // namespace

Known describe(const OperandDescriptor& descriptor, const Bytes& packed) {
  Known known;
  for (std::size_t i = elementCount(descriptor); i-- > 0;) {
    const double value = realAt(descriptor.dataType, packed, i), magnitude = std::abs(value);
    known.arePowersOfTwo = known.arePowersOfTwo && isPowerOfTwo(value);
    known.isFinite = known.isFinite && std::isfinite(value);
    known.isNegative = known.isNegative || value < 0;
    known.hasZero = known.hasZero || value == 0;
    if (!std::isfinite(value) || value == 0) continue;
    known.most = std::max(known.most, magnitude);
    known.least = std::min(known.least, magnitude);
    known.unit = std::max(known.unit, unitOf(value));
  }
  return known;
}

Judgement judge(const Operation& operation, std::span<const Known> known) {
  Judgement result = std::visit(Judge{known}, operation);
  const bool isTiny = std::ranges::any_of(known, [](const Known& operand) { return operand.least < kLeastOfSquares; });
  // If inputs are tiny, a result that is rounded once has an absolute underflow error of at most the smallest denormal number.
  const bool isOne = result.terms == 1 && result.rule == Rule::sums;
  if (isTiny && result.rule != Rule::copies) result.absolute = std::max(result.absolute, isOne ? kLeastNumber : kUnderflow);
  result.isRobust = result.isRobust || result.terms == 1;
  bool hasFloats = false, hasHalves = false;
  visitOperands(operation, [&](std::string_view, const Operand& operand) {
    hasFloats = hasFloats || isFloat(operand.dataType());
    hasHalves = hasHalves || operand.dataType() == DataType::float16;
  });
  // Partial sums of float16 values have float32 rounding errors. Perturbing the float16 values by their larger units may not
  // reveal these errors.
  if (hasHalves && result.terms > 1 && result.rule != Rule::copies && std::isfinite(result.most)) {
    result.absolute = std::max(result.absolute, 0x1p-23 * result.most);
  }
  if (!hasFloats && (result.rule == Rule::sums || result.rule == Rule::rounds)) {
    // Integer arithmetic wraps around, so a small error may become a jump. Casts do not wrap: they remain a sum of one term.
    if (!std::holds_alternative<ops::Cast>(operation)) result.rule = Rule::jumps;
  }
  return result;
}

std::optional<Operation> sumOfMagnitudes(const Operation& operation) {
  Operation sum = operation;
  const auto withoutSigns = [&](auto&... factors) { (..., void(factors = std::abs(factors))); };
  if (auto* binary = std::get_if<ops::Binary>(&sum)) {
    if (binary->kind != BinaryKind::add && binary->kind != BinaryKind::sub) return std::nullopt;
    binary->kind = BinaryKind::add;
  } else if (auto* gemm = std::get_if<ops::Gemm>(&sum)) {
    withoutSigns(gemm->options.alpha, gemm->options.beta);
  } else if (auto* linear = std::get_if<ops::Linear>(&sum)) {
    withoutSigns(linear->options.alpha, linear->options.beta);
  } else if (const auto* reduce = std::get_if<ops::Reduce>(&sum)) {
    if (reduce->kind != ReduceKind::reduceSum && reduce->kind != ReduceKind::reduceMean) return std::nullopt;
  } else if (const auto* pool = std::get_if<ops::Pool2d>(&sum)) {
    if (pool->kind != ops::Pool2dKind::averagePool2d) return std::nullopt;
  } else if (!std::holds_alternative<ops::Matmul>(sum) && !std::holds_alternative<ops::Conv2d>(sum) &&
             !std::holds_alternative<ops::ConvTranspose2d>(sum) && !std::holds_alternative<ops::CumulativeSum>(sum)) {
    return std::nullopt;
  }
  return sum;
}

std::optional<Operation> withoutBias(const Operation& operation) {
  Operation result = operation;
  const auto removeFrom = [](auto* normalization) { return normalization && std::exchange(normalization->options.bias, {}); };
  const bool hadBias = removeFrom(std::get_if<ops::BatchNormalization>(&result)) ||
                       removeFrom(std::get_if<ops::InstanceNormalization>(&result)) ||
                       removeFrom(std::get_if<ops::LayerNormalization>(&result));
  return hadBias ? std::optional(std::move(result)) : std::nullopt;
}

bool isExact(const Judgement& judgement, std::span<const Known> known, DataType output) {
  if (!areExact(known)) return false;
  switch (judgement.rule) {
    case Rule::copies:
    case Rule::jumps: return true;
    case Rule::quantizes: return known[1].arePowersOfTwo;
    case Rule::sums:
      // A unit finer than the smallest denormal number cannot be represented.
      if (judgement.unit > (output == DataType::float16 ? 24 : 149)) return false;
      return judgement.most * std::ldexp(1, judgement.unit) <= (output == DataType::float16 ? kExactHalf : kExact);
    case Rule::rounds: return false;
  }
  return false;
}

bool isOpen(const Operation& operation, const Judgement& judgement, std::span<const Known> known) {
  if (judgement.rule == Rule::jumps && !areExact(known)) return true;
  // The scale may be near 0 or have either sign.
  if (judgement.rule == Rule::quantizes && (!known[1].isExact || known[1].hasZero)) return true;
  if (judgement.most > kMostInBetween && !judgement.isRobust) return true;
  if (turns(operation) && !known[0].isExact && known[0].most > kManyTurns) return true;
  if (dividesByItself(operation) && !known[0].isExact) return true;  // gives 1, or NaN if the value is 0
  bool isWrong = false;
  std::size_t i = 0;
  visitOperands(operation, [&](std::string_view name, const Operand& operand) {
    if (known[i++].isExact || isFloat(operand.dataType())) return;
    // Results of quantizeLinear may be off by one. Only moving and dequantizing them keeps the error that small.
    const bool isMoved = judgement.rule == Rule::copies && name != "condition" && name != "indices";
    isWrong = isWrong || !(isMoved || std::holds_alternative<ops::DequantizeLinear>(operation));
  });
  return isWrong;
}

}  // namespace webnn::random
