// Hyperbolic and inverse functions that WebNN lacks, composed of WebNN operations in float32. Each formula is accurate for
// results near 0, and overflows only if the result does.
#include <numbers>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kPi = std::numbers::pi;

// For larger x, x^2 + 1 and x^2 - 1 equal x^2 in float32.
constexpr double kLarge = 1e9;

// Returns c0 + c1 * z + c2 * z^2 + ... by Horner's rule.
Term polynomial(const Term& z, std::initializer_list<double> coefficients) {
  const double* coefficient = coefficients.end() - 1;
  Term sum = z * *coefficient;
  while (--coefficient != coefficients.begin()) sum = (sum + *coefficient) * z;
  return sum + *coefficient;
}

// Multiplies by exp(|x| / 2) twice, because exp(|x|) overflows earlier than cosh(x).
Term cosh(const Term& x) {
  const Term root = exp(abs(x) * 0.5);
  return root * 0.5 * root + 0.5 / root / root;
}

Term sinh(const Term& x) { return tanh(x) * cosh(x); }

// Returns log(1 + u). For small u, 1 + u loses low bits of u; the factor u / (sum - 1) corrects this.
Term log1p(const Term& u) {
  const Term sum = u + 1;
  const Term corrected = log(sum) * (u / (sum - 1));
  return where(u > 1, log(sum), where(sum == 1, u, corrected));
}

// Returns an odd function's value at x, given its value `atSize` at |x|. sign(-0) is 0, so x = -0 is handled separately.
Term odd(const Term& x, const Term& atSize) { return where(x == 0, x, sign(x) * atSize); }

Term asinh(const Term& x) {
  const Term size = abs(x);
  const Term small = log1p(size + size * size / (sqrt(size * size + 1) + 1));
  return odd(x, where(size > kLarge, log(size) + std::numbers::ln2, small));
}

Term acosh(const Term& x) {
  const Term above = x - 1;
  const Term root = sqrt(above) * sqrt(above + 2);  // gives NaN for x below 1, for which the root of the product may be a number
  return where(x > kLarge, log(x) + std::numbers::ln2, log1p(above + root));
}

Term atanh(const Term& x) {
  const Term size = abs(x);
  return odd(x, log1p(2 * size / (1 - size)) * 0.5);
}

// Returns the arcsine of x, |x| <= 1/2, as x + x^3 * p(x^2). The coefficients are from the Cephes library.
Term arcsineOfSmall(const Term& x, const Term& square) {
  const Term p = polynomial(square, {1.6666752422e-1, 7.4953002686e-2, 4.5470025998e-2, 2.4181311049e-2, 4.2163199048e-2});
  return x + x * square * p;
}

// Returns asin(sqrt((1 - size) / 2)) for 1/2 < size <= 1. Twice this is acos(size), without the cancellation of pi/2 - asin(size)
// near 1.
Term arcsineOfRoot(const Term& size) {
  const Term square = (1 - size) * 0.5;
  return arcsineOfSmall(sqrt(square), square);
}

Term asin(const Term& x) {
  const Term size = abs(x);
  return odd(x, where(size > 0.5, kPi / 2 - 2 * arcsineOfRoot(size), arcsineOfSmall(size, size * size)));
}

Term acos(const Term& x) {
  const Term size = abs(x), ofLarge = 2 * arcsineOfRoot(size);
  return where(size > 0.5, where(x > 0, ofLarge, kPi - ofLarge), kPi / 2 - arcsineOfSmall(x, x * x));
}

// Reduces |x| to a number between -tan(pi / 8) and tan(pi / 8), so that atan(|x|) = offset + atan(reduced). The offset is
// pi / 2 for |x| above tan(3 pi / 8), pi / 4 above tan(pi / 8), else 0. The polynomial's coefficients are those of Cephes.
Term atan(const Term& x) {
  const Term size = abs(x);
  const Term isLarge = size > 2.414213562373095, isMiddle = size > 0.4142135623730950;
  const Term reduced = where(isLarge, -1 / size, where(isMiddle, (size - 1) / (size + 1), size));
  const Term offset = where(isLarge, kPi / 2, where(isMiddle, kPi / 4, size * 0));
  const Term square = reduced * reduced;
  const Term p = polynomial(square, {-3.33329491539e-1, 1.99777106478e-1, -1.38776856032e-1, 8.05374449538e-2});
  return odd(x, offset + (reduced + reduced * square * p));
}

template <Term (*function)(const Term&)>
void importFunction(NodeContext& node) {
  node.set(0, inFloat32(node, node.operand(0), function));
}

}  // namespace

std::span<const OperatorImport> trigonometryOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Sinh", importFunction<sinh>},   {"", "Cosh", importFunction<cosh>},   {"", "Asinh", importFunction<asinh>},
      {"", "Acosh", importFunction<acosh>}, {"", "Atanh", importFunction<atanh>}, {"", "Asin", importFunction<asin>},
      {"", "Acos", importFunction<acos>},   {"", "Atan", importFunction<atan>},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
