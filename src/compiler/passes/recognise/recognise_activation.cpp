#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "compiler/passes/recognise/recognise.h"

namespace webnn::compiler {

namespace {

using ops::ActivationKind;
using ops::BinaryKind;
using ops::UnaryKind;

// Returns the first factor of a product for which fits(operand) is true; nullopt if there is none.
std::optional<Operand> findFactor(const Patterns& patterns, const Operand& product, int depth, auto& fits) {
  if (fits(product)) return product;
  const auto* op = patterns.made<ops::Binary>(product);
  if (!op || depth == 0 || (op->kind != BinaryKind::mul && op->kind != BinaryKind::div)) return std::nullopt;
  if (std::optional<Operand> found = findFactor(patterns, op->a, depth - 1, fits)) return found;
  return op->kind == BinaryKind::mul ? findFactor(patterns, op->b, depth - 1, fits) : std::nullopt;
}

constexpr int kDepth = 3;  // the maximum nesting of products

// Returns the factors if result = factor * x * curve, else nullopt.
std::optional<Factors> productOf(const Patterns& patterns, const Operand& result, const Operand& x, const Operand& curve) {
  std::optional<Factors> factors = factorsOf(patterns, result, {x, curve});
  if (!factors || factors->operands.size() != 2) return std::nullopt;
  const Operand &first = factors->operands[0], &second = factors->operands[1];
  const bool isBoth = (isSame(first, x) && isSame(second, curve)) || (isSame(first, curve) && isSame(second, x));
  return isBoth ? factors : std::nullopt;
}

// The input of an activation, and the last factor that the original graph multiplies the product by.
struct Found {
  Operand x;
  double after = 1;
};

// Matches half * x * (1 + erf(x / sqrt(2))). `half` is 0.5, as one factor or as the product of several.
std::optional<Found> geluOf(const Patterns& patterns, const Operand& result) {
  AffineForm curve;
  std::vector<Operand> inner;
  const auto isCurve = [&](const Operand& operand) {
    curve = {operand, 1, 0};
    inner.clear();
    while (!patterns.unary(curve.x, UnaryKind::erf)) {
      if (!unwrapAffine(patterns, curve, inner)) return false;
    }
    return curve.shift != 0 && isNear(curve.factor, curve.shift);
  };
  const std::optional<Operand> found = findFactor(patterns, result, kDepth, isCurve);
  if (!found || isSame(*found, result)) return std::nullopt;
  inner.push_back(curve.x);
  AffineForm argument{patterns.unary(curve.x, UnaryKind::erf)->input, 1, 0};
  while (!isNear(argument.factor, 1 / std::numbers::sqrt2) || argument.shift != 0) {
    if (!unwrapAffine(patterns, argument, inner)) return std::nullopt;
  }
  const std::optional<Factors> factors = productOf(patterns, result, argument.x, *found);
  if (!factors || !isNear(factors->factor * curve.shift, 0.5)) return std::nullopt;
  inner.insert(inner.end(), factors->inner.begin(), factors->inner.end());
  return patterns.areInner(inner, result) ? std::optional(Found{argument.x, factors->after}) : std::nullopt;
}

// A polynomial of x: coefficients[k] is the factor of x^k.
struct Cubic {
  std::array<double, 4> coefficients{};

  // Adds a term. Returns false if the graph may compute other values than the polynomial. Terms of opposite signs leave their
  // rounding errors, and give NaN for large x. Values may overflow or underflow if the sum's magnitude is neither 0 nor between
  // 2^-16 and 2^16.
  bool add(std::size_t power, double term) {
    const bool cancels = coefficients[power] * term < 0;
    const double sum = std::abs(coefficients[power] += term);
    return !cancels && (sum == 0 || (sum >= 0x1p-16 && sum <= 0x1p16));
  }
};
std::optional<Cubic> product(const Cubic& a, const Cubic& b) {
  Cubic result;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double term = a.coefficients[i] * b.coefficients[j];
      if (term != 0 && i + j > 3) return std::nullopt;
      if (i + j <= 3 && !result.add(i + j, term)) return std::nullopt;
    }
  }
  return result;
}

// Returns `operand` as a polynomial of x of degree 3 at most, or nullopt. Adds the operands that depend on x to `inner`.
std::optional<Cubic> cubicOf(const Patterns& patterns, const Operand& operand, const Operand& x, std::vector<Operand>& inner,
                             int depth = 6) {
  if (isSame(operand, x)) return Cubic{{0, 1, 0, 0}};
  if (const std::optional<float> value = uniformValue(operand)) return Cubic{{*value, 0, 0, 0}};
  if (depth == 0 || operand.shape() != x.shape()) return std::nullopt;
  inner.push_back(operand);
  if (const auto* linear = patterns.made<ops::Linear>(operand)) {
    const std::optional<Cubic> input = cubicOf(patterns, linear->input, x, inner, depth - 1);
    std::optional<Cubic> result = input ? product(*input, {{linear->options.alpha, 0, 0, 0}}) : std::nullopt;
    return result && result->add(0, linear->options.beta) ? result : std::nullopt;
  }
  const auto* op = patterns.made<ops::Binary>(operand);
  const std::optional<Cubic> a = op ? cubicOf(patterns, op->a, x, inner, depth - 1) : std::nullopt;
  if (!a) return std::nullopt;
  if (op->kind == BinaryKind::pow) {
    const std::optional<float> exponent = uniformValue(op->b);
    const std::optional<Cubic> square = exponent == 2 || exponent == 3 ? product(*a, *a) : std::nullopt;
    return square && exponent == 3 ? product(*square, *a) : square;
  }
  const std::optional<Cubic> b = cubicOf(patterns, op->b, x, inner, depth - 1);
  if (!b) return std::nullopt;
  if (op->kind == BinaryKind::mul) return product(*a, *b);
  if (op->kind != BinaryKind::add) return std::nullopt;
  Cubic sum = *a;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!sum.add(k, b->coefficients[k])) return std::nullopt;
  }
  return sum;
}

// Returns `operand` and the operands from which binary operations and `linear` compute it, directly or indirectly; only the first
// few, and no uniform constants.
std::vector<Operand> termsOf(const Patterns& patterns, const Operand& operand) {
  constexpr std::size_t kMost = 16;
  std::vector<Operand> terms{operand};
  for (std::size_t i = 0; i < terms.size() && terms.size() < kMost; ++i) {
    if (const auto* linear = patterns.made<ops::Linear>(terms[i])) terms.push_back(linear->input);
    const auto* op = patterns.made<ops::Binary>(terms[i]);
    if (!op) continue;
    const Operand a = op->a, b = op->b;
    if (!uniformValue(a)) terms.push_back(a);
    if (!uniformValue(b)) terms.push_back(b);
  }
  return terms;
}

// An activation x * sigmoid(p * x + q * x^3), and the last factor that the original graph multiplies the product by.
struct CubicSilu {
  Operand x;
  double p = 0, q = 0, after = 1;
};

// Matches GELU with tanh: x * sigmoid(argument), or half * x * (1 + tanh(argument / 2)). The argument is a cubic of x, and may
// overflow earlier or later than in the graph, because the curve is then 0 or 1 anyway.
std::optional<CubicSilu> cubicSiluOf(const Patterns& patterns, const Operand& result) {
  AffineForm curve;
  std::vector<Operand> outer;
  const auto made = [&](ActivationKind kind) {
    const auto* op = patterns.made<ops::Activation>(curve.x);
    return op && op->kind == kind ? op : nullptr;
  };
  const auto isCurve = [&](const Operand& operand) {
    curve = {operand, 1, 0};
    outer.clear();
    if (made(ActivationKind::sigmoid)) return true;
    while (!made(ActivationKind::tanh)) {
      if (!unwrapAffine(patterns, curve, outer)) return false;
    }
    return curve.shift != 0 && isNear(curve.factor, curve.shift);
  };
  const std::optional<Operand> found = findFactor(patterns, result, kDepth, isCurve);
  if (!found || isSame(*found, result)) return std::nullopt;
  const bool isSigmoid = made(ActivationKind::sigmoid) != nullptr;
  const double scale = isSigmoid ? 1 : 2;
  const Operand argument = patterns.made<ops::Activation>(curve.x)->input;
  outer.push_back(curve.x);
  for (const Operand& x : termsOf(patterns, argument)) {
    const std::optional<Factors> factors = productOf(patterns, result, x, *found);
    if (!factors || !isNear(factors->factor * (isSigmoid ? 1 : scale * curve.shift), 1)) continue;
    std::vector<Operand> inner = outer;
    const std::optional<Cubic> cubic = cubicOf(patterns, argument, x, inner);
    if (!cubic) continue;
    const auto& [constant, p, square, q] = cubic->coefficients;
    if (constant != 0 || square != 0 || !(p > 0x1p-16 && p < 0x1p16) || !(q > 0x1p-16 && q < 0x1p16)) continue;
    inner.insert(inner.end(), factors->inner.begin(), factors->inner.end());
    if (patterns.areInner(inner, result)) return CubicSilu{x, scale * p, scale * q, factors->after};
  }
  return std::nullopt;
}

// The parts of min(max(x, minimum), maximum).
struct Clamped {
  Operand x;
  double minimum = -std::numeric_limits<double>::infinity(), maximum = std::numeric_limits<double>::infinity();
};
bool unwrapClamp(const Patterns& patterns, Clamped& clamped, std::vector<Operand>& inner) {
  const Operand operand = clamped.x;
  if (const auto* op = patterns.made<ops::Clamp>(operand)) {
    if (op->options.minValue) clamped.minimum = op->options.minValue->toDouble();
    if (op->options.maxValue) clamped.maximum = op->options.maxValue->toDouble();
    clamped.x = op->input;
  } else if (const auto* activation = patterns.made<ops::Activation>(operand);
             activation && activation->kind == ActivationKind::relu) {
    clamped.minimum = 0;
    clamped.x = activation->input;
  } else if (const auto* binary = patterns.made<ops::Binary>(operand);
             binary && (binary->kind == BinaryKind::max || binary->kind == BinaryKind::min)) {
    const std::optional<float> a = uniformValue(binary->a), b = uniformValue(binary->b);
    if (!a && !b) return false;
    (binary->kind == BinaryKind::max ? clamped.minimum : clamped.maximum) = b ? *b : *a;
    clamped.x = b ? binary->a : binary->b;
  } else {
    return false;
  }
  inner.push_back(operand);
  return clamped.x.shape() == operand.shape();
}

// The parts of factor * x + shift, clamped to [0, maximum].
struct HardCurve {
  AffineForm form;
  double maximum = 0;
};
bool unwrapHardCurve(const Patterns& patterns, const Operand& operand, HardCurve& curve, std::vector<Operand>& inner) {
  if (const auto* op = patterns.made<ops::HardSigmoid>(operand)) {
    curve = {{op->input, op->options.alpha, op->options.beta}, 1};
    inner.push_back(operand);
    return true;
  }
  Clamped clamped{operand};
  if (!unwrapClamp(patterns, clamped, inner)) return false;
  const bool isWhole = clamped.minimum == 0 && clamped.maximum < std::numeric_limits<double>::infinity();
  if (!isWhole) {  // the second bound; the order of both bounds does not matter, because one is 0 and the other is positive
    Clamped other{clamped.x};
    if (!unwrapClamp(patterns, other, inner)) return false;
    clamped = {other.x, std::max(clamped.minimum, other.minimum), std::min(clamped.maximum, other.maximum)};
  }
  curve = {{clamped.x, 1, 0}, clamped.maximum};
  return clamped.minimum == 0 && clamped.maximum > 0 && clamped.maximum < std::numeric_limits<double>::infinity();
}

// Matches x * clamp(x + 3, 0, 6) / 6, written with a clamp or with hardSigmoid.
std::optional<Found> hardSwishOf(const Patterns& patterns, const Operand& result) {
  HardCurve curve;
  std::vector<Operand> inner;
  const auto isCurve = [&](const Operand& operand) {
    inner.clear();
    return unwrapHardCurve(patterns, operand, curve, inner);
  };
  const std::optional<Operand> found = findFactor(patterns, result, kDepth, isCurve);
  if (!found || isSame(*found, result)) return std::nullopt;
  AffineForm& form = curve.form;
  const auto isAffine = [&] { return isNear(form.shift, 3 * form.factor) && isNear(curve.maximum, 6 * form.factor); };
  while (!isAffine()) {
    if (!unwrapAffine(patterns, form, inner)) return std::nullopt;
  }
  const std::optional<Factors> factors = productOf(patterns, result, form.x, *found);
  if (!factors || !isNear(factors->factor * form.factor, 1.0 / 6)) return std::nullopt;
  inner.insert(inner.end(), factors->inner.begin(), factors->inner.end());
  return patterns.areInner(inner, result) ? std::optional(Found{form.x, factors->after}) : std::nullopt;
}

// Matches e / reduceSum(e) with e = exp(x - reduceMax(x)).
std::optional<ops::Softmax> softmaxOf(const Patterns& patterns, const Operand& result) {
  std::vector<Operand> inner;
  Operand exponential, sum;
  if (const auto* div = patterns.binary(result, BinaryKind::div)) {
    exponential = div->a;
    sum = div->b;
  } else if (const auto* mul = patterns.binary(result, BinaryKind::mul)) {
    const bool isSecond = patterns.unary(mul->b, UnaryKind::reciprocal) != nullptr;
    const auto* reciprocal = patterns.unary(isSecond ? mul->b : mul->a, UnaryKind::reciprocal);
    if (!reciprocal) return std::nullopt;
    exponential = isSecond ? mul->a : mul->b;
    sum = reciprocal->input;
    inner.push_back(isSecond ? mul->b : mul->a);
  } else {
    return std::nullopt;
  }
  const auto* reduceSum = patterns.reduction(sum, ops::ReduceKind::reduceSum);
  const auto* exp = patterns.unary(exponential, UnaryKind::exp);
  const auto* sub = exp ? patterns.binary(exp->input, BinaryKind::sub) : nullptr;
  const auto* reduceMax = sub ? patterns.reduction(sub->b, ops::ReduceKind::reduceMax) : nullptr;
  if (!reduceSum || !reduceMax || !isSame(reduceSum->input, exponential) || !isSame(reduceMax->input, sub->a))
    return std::nullopt;
  const std::vector<std::uint32_t>& axes = *reduceSum->options.axes;
  if (axes.size() != 1 || *reduceMax->options.axes != axes) return std::nullopt;
  inner.insert(inner.end(), {sum, exponential, exp->input, sub->b});
  if (!patterns.areInner(inner, result)) return std::nullopt;
  return ops::Softmax{sub->a, axes[0], {}};
}

// In the original graph, the product before the last factor may be infinite although the activation is finite. To reproduce this,
// the element program divides the activation by the last factor and then multiplies it by that factor.
EngineOperation activationOf(ActivationKind kind, ElementCode ofProduct, const Found& found, const OperatorOptions& options) {
  if (found.after == 1) return Operation(ops::Activation{kind, found.x, options});
  const ElementInstruction instruction{
      .code = ofProduct, .p = static_cast<float>(1 / found.after), .q = static_cast<float>(found.after)};
  return FusedElementwise{.inputs = {found.x}, .program = {.inputs = 1, .instructions = {instruction}}, .options = options};
}

FusedElementwise programOf(const CubicSilu& found, const OperatorOptions& options) {
  FusedElementwise fused{.inputs = {found.x}, .program = {.inputs = 1, .instructions = {}}, .options = options};
  const auto append = [&](ElementCode code, double p, double q) {
    const auto last = static_cast<std::uint16_t>(fused.program.instructions.size());
    fused.program.instructions.push_back({.code = code, .a = last, .p = static_cast<float>(p), .q = static_cast<float>(q)});
  };
  append(ElementCode::cubicSilu, found.p, found.q);
  if (found.after != 1) {  // see activationOf()
    append(ElementCode::linear, 1 / found.after, -0.0);
    append(ElementCode::linear, found.after, -0.0);
  }
  return fused;
}

}  // namespace

bool recogniseActivation(const Patterns& patterns, ModuleNode& node) {
  const auto* op = as<ops::Binary>(node.operation);
  if (!op || (op->kind != BinaryKind::mul && op->kind != BinaryKind::div) || !isFloat32(node.outputs[0])) return false;
  const Operand& result = node.outputs[0];
  const OperatorOptions options = op->options;
  if (const std::optional<Found> found = geluOf(patterns, result)) {
    node.operation = activationOf(ActivationKind::gelu, ElementCode::geluOfProduct, *found, options);
    return true;
  }
  if (const std::optional<CubicSilu> found = cubicSiluOf(patterns, result)) {
    node.operation = programOf(*found, options);
    return true;
  }
  if (const std::optional<Found> found = hardSwishOf(patterns, result)) {
    node.operation = activationOf(ActivationKind::hardSwish, ElementCode::hardSwishOfProduct, *found, options);
    return true;
  }
  if (std::optional<ops::Softmax> softmax = softmaxOf(patterns, result)) {
    softmax->options = options;
    node.operation = Operation(std::move(*softmax));
    return true;
  }
  return false;
}

}  // namespace webnn::compiler
