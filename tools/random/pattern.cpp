#include "random/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "random/siblings.h"
#include "random/writer.h"

namespace webnn::random {

namespace {

using ops::ActivationKind;
using ops::BinaryKind;
using ops::ReduceKind;
using ops::UnaryKind;
using enum DataType;

void gelu(Writer& w) {
  const Operand x = w.input(ops::kAnyRank);
  const Operand curve = w.shifted(w.unary(UnaryKind::erf, w.scaled(x, 1 / std::sqrt(2.0))), 1);
  switch (w.m.choose.below(3)) {
    case 0: return void(w.mul(w.scaled(x, 0.5), curve));
    case 1: return void(w.scaled(w.mul(x, curve), 0.5));
    default: return void(w.mul(x, w.scaled(curve, 0.5)));
  }
}

// Writes gelu in its tanh approximation.
void geluOfTanh(Writer& w) {
  const Operand x = w.input(ops::kAnyRank);
  const Operand cube = w.flips() ? w.binary(BinaryKind::pow, x, w.number(3)) : w.mul(x, w.mul(x, x));
  const Operand inner = w.scaled(w.add(x, w.scaled(cube, 0.044715)), 0.7978845608);
  w.mul(w.scaled(x, 0.5), w.shifted(w.activation(ActivationKind::tanh, inner), 1));
}

void silu(Writer& w) {
  const Operand x = w.input(ops::kAnyRank);
  const Operand gate = w.flips()
                           ? w.activation(ActivationKind::sigmoid, w.flips() ? x : w.scaled(x, 1.702))
                           : w.unary(UnaryKind::reciprocal, w.shifted(w.unary(UnaryKind::exp, w.unary(UnaryKind::neg, x)), 1));
  w.mul(x, gate);
}

void mish(Writer& w) {
  const Operand x = w.input(ops::kAnyRank);
  w.mul(x, w.activation(ActivationKind::tanh, w.activation(ActivationKind::softplus, x)));
}

Operand clamped(Writer& w, const Operand& x, double low, double high) {
  if (w.slips()) high += 1;
  switch (w.m.choose.below(3)) {
    case 0: return w.binary(BinaryKind::min, w.binary(BinaryKind::max, x, w.number(low)), w.number(high));
    case 1: return w.binary(BinaryKind::min, w.activation(ActivationKind::relu, x), w.number(high));
    default: return w.m.one(ops::Clamp{x, {.minValue = low, .maxValue = high}});
  }
}

void hardSwish(Writer& w) {
  const Operand x = w.input(ops::kAnyRank);
  const bool isOfSigmoid = w.m.choose.oneIn(3);
  const Operand curve =
      isOfSigmoid ? w.m.one(ops::HardSigmoid{x, {.alpha = 1.0 / 6, .beta = 0.5}}) : clamped(w, w.shifted(x, 3), 0, 6);
  const double factor = isOfSigmoid ? 1 : 1.0 / 6;
  if (isOfSigmoid && w.flips()) return void(w.mul(x, curve));
  if (w.flips()) return void(w.scaled(w.mul(x, curve), factor));
  w.mul(x, w.scaled(curve, factor));
}

Operand softmaxOf(Writer& w, const Operand& x) {
  const std::uint32_t axis = w.lastAxis(x);
  if (w.flips()) return w.m.one(ops::Softmax{x, axis, {}});
  const Operand centred = w.sub(x, w.reduce(ReduceKind::reduceMax, x, {axis}));
  const Operand e = w.unary(UnaryKind::exp, centred), sum = w.reduce(ReduceKind::reduceSum, e, {axis});
  return w.flips() ? w.div(e, sum) : w.mul(e, w.unary(UnaryKind::reciprocal, sum));
}

void softmax(Writer& w) { softmaxOf(w, w.input({1, 4})); }

Operand squared(Writer& w, const Operand& x) { return w.flips() ? w.mul(x, x) : w.binary(BinaryKind::pow, x, w.number(2)); }
// Computes numerator / sqrt(radicand) written in one of several ways.
Operand overRoot(Writer& w, const Operand& numerator, const Operand& radicand) {
  switch (w.m.choose.below(4)) {
    case 0: return w.div(numerator, w.unary(UnaryKind::sqrt, radicand));
    case 1: return w.div(numerator, w.binary(BinaryKind::pow, radicand, w.number(0.5)));
    case 2: return w.mul(numerator, w.unary(UnaryKind::reciprocal, w.unary(UnaryKind::sqrt, radicand)));
    default: return w.mul(numerator, w.binary(BinaryKind::pow, radicand, w.number(-0.5)));
  }
}
Operand affine(Writer& w, Operand y, const Shape& shape) {
  if (!w.m.choose.oneIn(3)) y = w.mul(y, w.flips() ? w.m.shaped({w.type, shape}) : w.m.partner(w.type, y.shape()));
  if (!w.m.choose.oneIn(3)) y = w.add(y, w.flips() ? w.m.shaped({w.type, shape}) : w.m.partner(w.type, y.shape()));
  return y;
}

std::vector<std::uint32_t> normalizedAxes(Writer& w, std::size_t rank) {
  const auto last = static_cast<std::uint32_t>(rank - 1);
  if (rank == 4 && w.flips()) return w.flips() ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2};
  if (w.m.choose.oneIn(4) && rank > 1) return {last - 1, last};
  return {last};
}

void normalization(Writer& w) {
  Operand x = w.input({1, 4});
  if (w.m.choose.oneIn(3)) x = w.add(x, w.m.shaped(x.descriptor()));  // add a residual
  const std::vector<std::uint32_t> axes = normalizedAxes(w, x.rank());
  const Operand centred = w.sub(x, w.reduce(ReduceKind::reduceMean, x, axes));
  const Operand again = w.m.choose.oneIn(4) ? w.sub(x, w.reduce(ReduceKind::reduceMean, x, axes)) : centred;
  const Operand variance = w.reduce(ReduceKind::reduceMean, squared(w, centred), axes);
  const Operand y = overRoot(w, again, w.shifted(variance, w.m.choose.pick({1e-5, 0.5, 1e-3, 0.0, 1e-30})));
  Shape shape;
  for (const std::uint32_t axis : axes) shape.push_back(x.shape()[axis]);
  affine(w, y, shape);
}

void rmsNormalization(Writer& w) {
  Operand x = w.input({1, 4});
  if (w.m.choose.oneIn(3)) x = w.add(x, w.m.shaped(x.descriptor()));
  const std::uint32_t axis = w.lastAxis(x);
  const Operand mean = w.reduce(ReduceKind::reduceMean, squared(w, x), {axis});
  affine(w, overRoot(w, x, w.shifted(mean, w.m.choose.pick({1e-5, 0.5, 0.0, 1e-30}))), {x.shape().back()});
}

// Writes a normalization operation. May add a residual before it, and scale, bias and a residual after it.
void normalizationOperation(Writer& w) {
  Operand x = w.input({1, 4});
  const Operand residual = w.m.shaped(x.descriptor());
  if (w.flips()) x = w.add(x, residual);
  ops::LayerNormalization op{x, {}};
  op.options.axes = {static_cast<std::uint32_t>(x.rank() - 1)};
  if (w.m.choose.oneIn(3)) op.options.bias = w.m.shaped({w.type, {x.shape().back()}});
  Operand y = affine(w, w.m.one(op), {x.shape().back()});
  if (w.m.choose.oneIn(3)) w.add(y, w.flips() ? residual : x);
}

// Repeats heads of keys or values for several query heads. A broken pattern may repeat them in another order.
Operand grouped(Writer& w, const Operand& x, std::uint32_t repeats) {
  if (repeats == 1 || x.rank() != 4) return x;
  const Shape& s = x.shape();
  const bool isSlip = w.slips();
  const Shape split = isSlip ? Shape{s[0], 1, s[1], s[2], s[3]} : Shape{s[0], s[1], 1, s[2], s[3]};
  const Shape wide = isSlip ? Shape{s[0], repeats, s[1], s[2], s[3]} : Shape{s[0], s[1], repeats, s[2], s[3]};
  return w.reshaped(w.m.one(ops::Expand{w.reshaped(x, split), wide, {}}), {s[0], s[1] * repeats, s[2], s[3]});
}

// Writes attention of queries, keys and values. Transposes may move the heads dimension.
void attention(Writer& w) {
  auto& choose = w.m.choose;
  const std::uint32_t batch = choose.oneIn(3) ? 2 : 1, heads = choose.between(1, 3), rows = choose.between(1, 18),
                      keys = choose.oneIn(4) ? choose.between(20, 50) : choose.between(1, 18), width = choose.between(1, 17),
                      depth = choose.oneIn(2) ? width : choose.between(1, 17);
  const bool isOfFour = choose.oneIn(2), isOfTwo = !isOfFour && choose.oneIn(3);
  const std::uint32_t repeats = isOfFour && choose.oneIn(3) ? choose.between(2, 3) : 1;
  const auto operand = [&](std::uint32_t count, std::uint32_t length, std::uint32_t size) {
    if (w.m.style.isWide && w.flips())
      return w.around(w.wide(isOfTwo     ? Shape{length, size}
                             : !isOfFour ? Shape{batch * count, length, size}
                                         : Shape{batch, count, length, size}));
    if (isOfTwo) return w.m.shaped({w.type, {length, size}});
    if (!isOfFour) return w.m.shaped({w.type, {batch * count, length, size}});
    if (choose.oneIn(2)) return w.m.shaped({w.type, {batch, count, length, size}});
    const Operand flat = w.m.shaped({w.type, {batch, length, count * size}});
    return w.transposed(w.reshaped(flat, {batch, length, count, size}), {0, 2, 1, 3});
  };
  Operand q = operand(heads * repeats, rows, width);
  const Operand k = grouped(w, operand(heads, keys, width), repeats), v = grouped(w, operand(heads, keys, depth), repeats);
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  if (choose.oneIn(3)) q = w.scaled(q, scale);
  std::vector<std::uint32_t> permutation(k.rank());
  std::iota(permutation.begin(), permutation.end(), 0U);
  std::swap(permutation[k.rank() - 1], permutation[k.rank() - 2]);
  Operand scores = w.m.one(ops::Matmul{q, w.transposed(k, permutation), {}});
  if (!choose.oneIn(3)) scores = w.scaled(scores, scale);
  scores = w.around(scores);
  if (choose.oneIn(2)) scores = w.add(scores, w.m.broadcastable(w.type, scores.shape(), {-8, 2}));
  Operand y = w.m.one(ops::Matmul{softmaxOf(w, scores), v, {}});
  if (isOfFour && choose.oneIn(2)) y = w.transposed(y, {0, 2, 1, 3});
  if (y.rank() == 4 && choose.oneIn(2)) w.reshaped(y, {y.shape()[0], y.shape()[1], y.shape()[2] * y.shape()[3]});
}

// May append bias, activations and a residual to a product or convolution.
Operand followed(Writer& w, Operand y, const Operand& before) {
  auto& choose = w.m.choose;
  if (choose.oneIn(2)) y = w.add(y, w.m.broadcastable(w.type, y.shape()));
  if (choose.oneIn(2))
    y = w.activation(choose.pick({ActivationKind::relu, ActivationKind::gelu, ActivationKind::sigmoid, ActivationKind::hardSwish,
                                  ActivationKind::tanh}),
                     y);
  if (choose.oneIn(4)) y = clamped(w, y, 0, 6);
  if (choose.oneIn(3)) y = w.add(y, y.shape() == before.shape() && choose.oneIn(2) ? before : w.m.partner(w.type, y.shape()));
  if (choose.oneIn(6)) y = w.m.one(ops::Prelu{y, w.m.partner(w.type, y.shape()), {}});
  return y;
}

void dense(Writer& w) {
  const Operand x = w.input({2, 4});
  const std::uint32_t width = w.flips() ? x.shape().back() : w.m.size();
  Operand y = w.m.one(ops::Matmul{x, w.m.shaped({w.type, {x.shape().back(), width}}), {}});
  y = followed(w, y, x);
  if (w.flips()) followed(w, w.m.one(ops::Matmul{y, w.m.shaped({w.type, {width, w.m.size()}}), {}}), y);
}

Operand convolution(Writer& w, const Operand& x, bool isDepthwise, std::uint32_t size, std::uint32_t outputs) {
  ops::Conv2d op{x, {}, {}};
  const bool isNhwc = w.m.choose.oneIn(3);
  if (isNhwc) op.options.inputLayout = InputOperandLayout::nhwc;
  const std::uint32_t channels = x.shape()[isNhwc ? 3 : 1];
  if (isDepthwise) outputs = channels, op.options.groups = channels;
  op.filter = w.m.shaped({w.type, {outputs, isDepthwise ? 1 : channels, size, size}});
  const std::uint32_t before = size / 2, after = (size - 1) / 2;
  op.options.padding = {before, after, before, after};
  if (w.m.choose.oneIn(4)) op.options.strides = {2, 2};
  if (w.m.choose.oneIn(2)) op.options.bias = w.m.shaped({w.type, {outputs}});
  return w.m.one(std::move(op));
}

// Writes one to three convolutions, ordinary or depthwise, perhaps with a residual, and with squeeze and excitation.
void convolutions(Writer& w) {
  auto& choose = w.m.choose;
  const Operand x = w.flips()
                        ? w.input(ops::rank(4))
                        : w.m.shaped({w.type, {1, choose.pick({1U, 3U, 8U, 16U}), choose.between(1, 14), choose.between(1, 14)}});
  Operand y = x;
  for (std::uint32_t i = choose.between(1, 3); i > 0; --i) {
    const Operand before = y;
    y = followed(w, convolution(w, y, choose.oneIn(3), choose.pick({1U, 3U, 2U, 5U}), choose.pick({1U, 4U, 16U, 24U, 7U})),
                 before);
    if (choose.oneIn(4))
      y = w.m.one(ops::Pool2d{choose.pick({ops::Pool2dKind::maxPool2d, ops::Pool2dKind::averagePool2d}), y, {}});
  }
  if (y.shape() == x.shape() && choose.oneIn(2)) y = w.add(y, x);
  if (choose.oneIn(3)) {  // squeeze and excitation
    const Operand mean = w.reduce(ReduceKind::reduceMean, y, {2, 3});
    w.mul(y, w.activation(ActivationKind::sigmoid, mean));
  }
}

// Writes expansion, depthwise convolution or pooling, and usually projection. The result of the expansion has 539 kB or more in
// float32, which exceeds many second-level caches.
void largeBlock(Writer& w) {
  auto& choose = w.m.choose;
  const std::uint32_t size = choose.between(36, 40), inner = choose.between(104, 110), outer = choose.between(3, 8);
  const auto constant = [&](const Shape& shape) {
    if (w.slips()) return w.m.shaped({w.type, shape});
    return w.m.constant({w.type, shape}, fill({w.type, shape}, w.m.style, {-1, 1}, choose.seed()));
  };
  const auto activated = [&](Operand y) {
    return choose.oneIn(3) ? y : choose.oneIn(2) ? clamped(w, y, 0, 6) : w.activation(ActivationKind::relu, y);
  };
  const auto convolve = [&](const Operand& x, const Shape& filter, std::uint32_t groups) {
    ops::Conv2d op{x, constant(filter), {}};
    op.options.groups = groups;
    const std::uint32_t padding = filter[2] / 2;
    op.options.padding = {padding, padding, padding, padding};
    if (groups > 1 && choose.oneIn(3)) op.options.strides = {2, 2};
    if (w.flips()) op.options.bias = constant({filter[0]});
    return w.m.one(std::move(op));
  };
  const Operand x = w.m.shaped({w.type, {1, outer, size, size}});
  Operand y = activated(convolve(x, {inner, outer, 1, 1}, 1));
  if (choose.oneIn(4)) {
    ops::Pool2d op{choose.pick({ops::Pool2dKind::maxPool2d, ops::Pool2dKind::averagePool2d}), y, {}};
    op.options.windowDimensions = {3, 3};
    op.options.padding = {1, 1, 1, 1};
    y = w.m.one(std::move(op));
  } else {
    y = activated(convolve(y, {inner, 1, 3, 3}, inner));
  }
  if (!choose.oneIn(4)) y = convolve(y, {outer, inner, 1, 1}, 1);
  if (y.shape() == x.shape() && w.flips()) w.add(y, x);
}

// Writes scaling to [0, 1]: (x - least) / (most - least).
void minMax(Writer& w) {
  const Operand x = w.input({1, 4});
  std::vector<std::uint32_t> axes(x.rank());
  std::iota(axes.begin(), axes.end(), 0U);
  if (w.flips()) axes = {w.m.axis(x)};
  const Operand low = w.reduce(ReduceKind::reduceMin, x, axes), high = w.reduce(ReduceKind::reduceMax, x, axes);
  w.div(w.sub(x, low), w.sub(high, low));
}

// Splits a value, applies operations to the parts and concatenates them.
void splitAndJoin(Writer& w) {
  const Operand x = w.input({1, 4});
  const std::uint32_t axis = w.m.axis(x), size = x.shape()[axis];
  std::vector<Operand> parts;
  if (size > 1) {
    const std::uint32_t first = w.m.choose.between(1, size - 1);
    parts = w.m.append(ops::Split{x, std::vector<std::uint32_t>{first, size - first}, {.axis = axis}});
  } else {
    parts = {x, x};
  }
  for (Operand& part : parts) {
    if (w.flips()) part = w.activation(ActivationKind::relu, part);
    if (w.m.choose.oneIn(4)) w.reshaped(part, {static_cast<std::uint32_t>(elementCount(part.descriptor()))});
  }
  if (w.flips()) std::swap(parts[0], parts[1]);
  if (w.m.choose.oneIn(3)) parts.push_back(parts[0]);
  if (w.m.choose.oneIn(3)) parts.push_back(x);
  const Operand y = w.m.one(ops::Concat{parts, axis, {}});
  if (w.flips()) w.unary(UnaryKind::neg, y);
}

// Writes a matrix product, convolution, pooling or reduction, with factors before and after it.
void factors(Writer& w) {
  auto& choose = w.m.choose;
  const std::uint32_t m = w.m.size(), k = choose.between(1, 20), n = w.m.size();
  if (choose.oneIn(3)) {
    ops::Gemm op{w.around(w.wide({m, k})), w.around(w.wide({k, n})), {}};
    const double alpha = w.wideFactor(), beta = w.wideFactor();
    if (std::isfinite(alpha)) op.options.alpha = alpha;
    if (choose.oneIn(3)) op.options.c = w.wide({n});
    if (op.options.c && std::isfinite(beta)) op.options.beta = beta;
    return void(w.around(w.m.one(std::move(op))));
  }
  if (choose.oneIn(2)) {
    const Operand a = w.around(w.wide({m, k})), b = w.around(w.wide({k, n}));
    return void(w.around(w.m.one(ops::Matmul{a, b, {}})));
  }
  const Operand x = w.around(w.wide({1, k, choose.between(1, 9), choose.between(1, 9)}));
  switch (choose.below(3)) {
    case 0: return void(w.around(w.m.one(ops::Conv2d{x, w.around(w.wide({n, k, 1, 1})), {}})));
    case 1:
      return void(
          w.around(w.m.one(ops::Pool2d{choose.pick({ops::Pool2dKind::averagePool2d, ops::Pool2dKind::l2Pool2d}), x, {}})));
    default: {
      using enum ops::ReduceKind;
      const ReduceKind kind = choose.pick({reduceMean, reduceSum, reduceL1, reduceL2, reduceSumSquare, reduceLogSumExp});
      return void(w.around(w.m.one(ops::Reduce{kind, x, {.axes = {{1}}, .keepDimensions = w.flips()}})));
    }
  }
}

// Writes a quantized matrix product, between dequantizeLinear and quantizeLinear.
void quantizedDense(Writer& w) {
  auto& choose = w.m.choose;
  const double scale = choose.pick({0.5, 0.25, 1.0});
  const DataType type = choose.pick({int8, uint8});
  const Operand input = w.input({2, 3});
  const Operand x = w.m.style.isWide && w.flips() ? input : w.requantized(input, type, scale);
  const std::uint32_t k = x.shape().back(), width = w.m.size();
  const DataType weightType = choose.pick({int8, uint8, int4, uint4});
  const bool isPerColumn = choose.oneIn(2);
  const Shape blocks{isPerColumn || k % 8 != 0 || choose.oneIn(2) ? 1 : k / 8, isPerColumn ? width : 1};
  const auto constant = [&](DataType of, const Shape& shape, Range range) {
    return w.m.constant({of, shape}, fill({of, shape}, w.m.style, range, choose.seed()));
  };
  const Operand weights = constant(weightType, {k, width}, {-7, 7});
  const double size = w.m.style.isWide ? w.wideSize() : 1;
  const Operand dequantized = w.m.one(
      ops::DequantizeLinear{weights, constant(w.type, blocks, {0.1 * size, size}), constant(weightType, blocks, {0, 2}), {}});
  Operand y = w.m.one(ops::Matmul{x, dequantized, {}});
  if (choose.oneIn(2)) y = w.add(y, constant(w.type, {width}, {}));
  if (choose.oneIn(2)) y = w.activation(ActivationKind::relu, y);
  if (!choose.oneIn(3)) w.requantized(y, type, scale);
}

// Writes attention with quantized activations: one or two products, perhaps with data movements before them, and a factor, a
// mask and softmax between them.
void quantizedAttention(Writer& w) {
  auto& choose = w.m.choose;
  const std::uint32_t batch = choose.between(1, 2), heads = choose.between(1, 3), rows = choose.between(1, 20),
                      keys = choose.oneIn(4) ? choose.between(30, 70) : choose.between(1, 18), width = choose.between(1, 18);
  const std::size_t rank = choose.pick({4U, 4U, 3U, 2U});
  const auto requantized = [&](const Operand& x) {
    return choose.oneIn(12) ? x : w.requantized(x, choose.pick({int8, uint8}), choose.pick({0.5, 0.25, 0.03125}));
  };
  const auto operand = [&](std::uint32_t length, std::uint32_t size) {
    if (rank == 2) return requantized(w.m.shaped({w.type, {length, size}}));
    const std::uint32_t own = choose.oneIn(4) ? 1 : heads;  // one head that all others share, or all heads
    if (rank == 3) return requantized(w.m.shaped({w.type, {own, length, size}}));
    if (choose.oneIn(2)) return requantized(w.m.shaped({w.type, {choose.oneIn(4) ? 1 : batch, own, length, size}}));
    const Operand flat = requantized(w.m.shaped({w.type, {batch, length, own * size}}));
    const Operand split = w.reshaped(flat, {batch, length, own, size});
    const Operand moved = w.transposed(choose.oneIn(2) ? requantized(split) : split, {0, 2, 1, 3});
    return choose.oneIn(2) ? requantized(moved) : moved;
  };
  std::vector<std::uint32_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0U);
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  Operand y;
  if (rank == 2 && choose.oneIn(2)) {
    ops::Gemm op{operand(rows, width), operand(keys, width), {}};
    op.options.bTranspose = true;
    op.options.alpha = choose.pick({1.0, 0.25, 2.0});
    y = w.m.one(std::move(op));
  } else {
    const Operand q = operand(rows, width), k = w.transposed(operand(keys, width), permutation);
    y = w.m.one(ops::Matmul{q, choose.oneIn(3) ? requantized(k) : k, {}});
  }
  if (choose.oneIn(3)) y = w.scaled(requantized(y), 0.25);
  if (!choose.oneIn(4)) y = requantized(y);
  if (choose.oneIn(3)) y = requantized(w.add(y, w.m.broadcastable(w.type, y.shape(), {-8, 2})));
  if (choose.oneIn(2)) y = requantized(softmaxOf(w, y));
  if (choose.oneIn(4)) return;
  y = w.m.one(ops::Matmul{y, operand(keys, choose.between(1, 40)), {}});
  if (!choose.oneIn(4)) y = requantized(y);
  if (y.rank() == 4 && choose.oneIn(2)) y = w.transposed(y, {0, 2, 1, 3});
  if (choose.oneIn(3)) requantized(y);
}

// Writes a convolution of dequantized activations with dequantized constants, as exporters write it.
Operand quantizedConvolution(Writer& w, const Operand& x, std::uint32_t outputs) {
  auto& choose = w.m.choose;
  const auto constant = [&](DataType of, const Shape& shape, Range range) {
    return w.m.constant({of, shape}, fill({of, shape}, w.m.style, range, choose.seed()));
  };
  ops::Conv2d op{x, {}, {}};
  const bool isNhwc = choose.oneIn(4);
  if (isNhwc) op.options.inputLayout = InputOperandLayout::nhwc;
  const std::uint32_t channels = x.shape()[isNhwc ? 3 : 1], size = choose.pick({1U, 3U, 2U, 5U});
  const bool isDepthwise = choose.oneIn(3);
  if (isDepthwise) outputs = channels * choose.pick({1U, 1U, 2U, 3U}), op.options.groups = channels;
  if (!isDepthwise && channels % 2 == 0 && choose.oneIn(5))
    op.options.groups = channels / choose.pick({1U, 2U}), outputs = op.options.groups * choose.pick({1U, 2U, 5U});
  const DataType type = choose.pick({int8, uint8});
  const Shape blocks{choose.oneIn(2) ? outputs : 1, 1, 1, 1};
  const Operand weights = constant(type, {outputs, channels / op.options.groups, size, size}, {-7, 7});
  const Operand scale = constant(w.type, blocks, {0.125, 0.5});
  op.filter = w.m.one(ops::DequantizeLinear{weights, scale, constant(type, blocks, {0, choose.oneIn(2) ? 0.0 : 3.0}), {}});
  const std::uint32_t before = size / 2, after = (size - 1) / 2;
  op.options.padding = {before, after, before, after};
  if (choose.oneIn(4)) op.options.strides = {2, 2};
  if (choose.oneIn(3)) op.options.bias = constant(w.type, {outputs}, {-4, 4});
  if (!op.options.bias && choose.oneIn(2)) {
    const Shape shape{outputs};
    op.options.bias = w.m.one(ops::DequantizeLinear{
        constant(int32, shape, {-100, 100}), constant(w.type, shape, {0.05, 0.25}), constant(int32, shape, {0, 0}), {}});
  }
  return w.m.one(std::move(op));
}

// Writes a convTranspose2d of a dequantized image with a dequantized filter. Usually quantizes the result, sometimes after a
// relu.
void quantizedConvTranspose(Writer& w) {
  auto& choose = w.m.choose;
  const auto constant = [&](DataType of, const Shape& shape, Range range) {
    return w.m.constant({of, shape}, fill({of, shape}, w.m.style, range, choose.seed()));
  };
  const auto requantized = [&](const Operand& x) {
    return w.requantized(x, choose.pick({int8, uint8}), choose.pick({0.5, 1.0}));
  };
  const std::uint32_t groups = choose.oneIn(3) ? choose.between(2, 3) : 1, inputs = groups * choose.between(1, 5),
                      outputs = choose.between(1, 6), height = choose.between(1, 5), width = choose.between(1, 5);
  ops::ConvTranspose2d op{{}, {}, {}};
  const bool isNhwc = choose.oneIn(3);
  if (isNhwc) op.options.inputLayout = InputOperandLayout::nhwc;
  const std::uint32_t batch = choose.between(1, 2), y = choose.between(1, 7), x = choose.between(1, 7);
  op.input = requantized(w.m.shaped({w.type, isNhwc ? Shape{batch, y, x, inputs} : Shape{batch, inputs, y, x}}));
  const DataType type = choose.pick({int8, uint8});
  const Shape blocks{1, choose.oneIn(2) ? outputs : 1, 1, 1};
  const Operand numbers = constant(type, {inputs, outputs, height, width}, {-7, 7});
  op.filter = w.m.one(ops::DequantizeLinear{
      numbers, constant(w.type, blocks, {0.125, 0.5}), constant(type, blocks, {0, choose.oneIn(2) ? 0.0 : 3.0}), {}});
  op.options.groups = groups;
  op.options.strides = {choose.between(1, 3), choose.between(1, 3)};
  if (choose.oneIn(4)) op.options.dilations = {choose.between(1, 2), choose.between(1, 3)};
  if (choose.oneIn(2)) op.options.padding = {height / 2, (height - 1) / 2, width / 2, (width - 1) / 2};
  if (choose.oneIn(3))
    op.options.outputPadding = {choose.below((*op.options.strides)[0]), choose.below((*op.options.strides)[1])};
  if (choose.oneIn(2)) op.options.bias = constant(w.type, {groups * outputs}, {-4, 4});
  Operand result = w.m.one(std::move(op));
  if (choose.oneIn(3)) result = w.activation(ActivationKind::relu, result);
  if (!choose.oneIn(6)) requantized(result);
}

// Resizes, pools, pads or reduces an image between convolutions.
Operand resized(Writer& w, const Operand& x) {
  auto& choose = w.m.choose;
  switch (choose.below(5)) {
    case 0: {
      ops::Pool2d op{choose.pick({ops::Pool2dKind::averagePool2d, ops::Pool2dKind::maxPool2d}), x, {}};
      op.options.windowDimensions = {choose.between(1, 3), choose.between(1, 3)};
      op.options.padding = {1, choose.below(2), choose.below(2), 1};
      if (w.flips()) op.options.layout = InputOperandLayout::nhwc;
      if (w.flips()) op.options.strides = {2, 2};
      return w.m.one(std::move(op));
    }
    case 1: {
      ops::Resample2d op{x, {}};
      op.options.mode = choose.pick({InterpolationMode::linear, InterpolationMode::nearestNeighbor});
      op.options.sizes = {choose.between(1, 12), choose.between(1, 12)};
      if (w.flips()) op.options.axes = {1, 2};
      return w.m.one(std::move(op));
    }
    case 2: {
      ops::Pad op{x, {0, 0, 1, choose.below(3)}, {0, 1, 0, 1}, {}};
      op.options.value = choose.pick({0.0, 1.0, 0.3, -100.0});
      return w.m.one(std::move(op));
    }
    case 3: return w.reduce(ReduceKind::reduceMax, x, {choose.between(1, 3)});
    default: return w.reduce(ReduceKind::reduceMean, x, {choose.below(3), 3});
  }
}

// Writes one to three quantized convolutions, perhaps with 8-bit operations between them, and with residuals.
void quantizedConvolutions(Writer& w) {
  auto& choose = w.m.choose;
  const double scale = choose.pick({0.5, 0.25, 1.0});
  const DataType type = choose.pick({int8, uint8});
  const Shape shape{choose.between(1, 2), choose.pick({1U, 3U, 4U, 8U, 16U}), choose.between(1, 9), choose.between(1, 9)};
  const Operand x = w.requantized(w.flips() ? w.input(ops::rank(4)) : w.m.shaped({w.type, shape}), type, scale);
  Operand y = x;
  for (std::uint32_t i = choose.between(1, 3); i > 0; --i) {
    y = quantizedConvolution(w, y, choose.oneIn(2) ? x.shape()[1] : choose.pick({1U, 4U, 17U, 24U}));
    if (choose.oneIn(3)) y = w.activation(ActivationKind::relu, y);
    if (choose.oneIn(4)) y = clamped(w, y, 0, 6);
    if (i > 1 || choose.oneIn(2)) y = w.requantized(y, choose.pick({int8, uint8}), choose.pick({0.5, 1.0, 4.0}));
    if (choose.oneIn(5))
      y = w.m.one(ops::Pool2d{choose.pick({ops::Pool2dKind::maxPool2d, ops::Pool2dKind::averagePool2d}), y, {}});
    if (choose.oneIn(3)) {
      y = resized(w, y);
      if (choose.oneIn(4)) y = w.activation(ActivationKind::relu, y);
      if (choose.oneIn(2)) y = w.requantized(y, choose.pick({int8, uint8}), choose.pick({0.5, 0.25, 1.0}));
      if (y.rank() != 4) return;
    }
    if (choose.oneIn(6)) y = w.transposed(y, {0, 2, 3, 1});
    if (choose.oneIn(6)) y = w.m.one(ops::Concat{{y, choose.oneIn(2) ? y : w.requantized(y, type, scale)}, 1, {}});
    if (y.shape() == x.shape() && choose.oneIn(2)) {
      y = w.add(y, x);
      if (choose.oneIn(3)) y = w.activation(ActivationKind::relu, y);
      y = w.requantized(y, type, scale);
    }
  }
}

// Writes a random operation between dequantizeLinear and quantizeLinear.
void quantizedOperation(Writer& w) {
  auto& choose = w.m.choose;
  const DataType type = choose.pick({int8, uint8, int4, uint4});
  const double scale = choose.pick({0.5, 0.25, 1.0});
  Operand y = w.requantized(w.input({0, 4}), type, scale);
  for (int i = 0; i < 4; ++i) {
    Operation operation = choose.pick(allOperations());
    if (jumps(operation)) continue;
    complete(operation, w.m);
    const std::vector<Operand> results = w.m.append(std::move(operation));
    y = results[choose.below(results.size())];
    break;
  }
  if (isFloat(y.dataType()) && y.dataType() == w.type) w.requantized(y, type, scale);
}

// Writes a chain of transposes, reshapes, identities, and sums or products with 0 or 1. Some may cancel each other.
void moves(Writer& w) {
  Operand x = w.input({0, 5});
  for (std::uint32_t i = w.m.choose.between(2, 5); i > 0; --i) {
    switch (w.m.choose.below(5)) {
      case 0: x = w.unary(UnaryKind::identity, x); break;
      case 1: x = w.reshaped(x, {static_cast<std::uint32_t>(elementCount(x.descriptor()))}); break;
      case 2: {
        Shape shape = x.shape();
        if (shape.size() < 6) shape.insert(shape.begin() + w.m.choose.below(shape.size() + 1), 1);
        x = w.reshaped(x, shape);
        break;
      }
      case 3: x = w.binary(w.m.choose.pick({BinaryKind::mul, BinaryKind::add}), x, w.number(w.m.choose.pick({0.0, 1.0}))); break;
      default: x = w.transposed(x, w.m.choose.permutation(x.rank()));
    }
  }
}

}  // namespace

void addPattern(Maker& maker) {
  static constexpr std::array patterns{
      gelu,
      geluOfTanh,
      silu,
      mish,
      hardSwish,
      softmax,
      normalization,
      rmsNormalization,
      normalizationOperation,
      attention,
      dense,
      siblings,
      siblings,
      siblings,
      minMax,
      splitAndJoin,
      quantizedDense,
      quantizedAttention,
      quantizedOperation,
      convolutions,
      convolutions,
      moves,
      quantizedConvolutions,
      quantizedConvolutions,
      quantizedConvTranspose,
  };
  Writer writer(maker);
  if (maker.style.isLarge && maker.choose.oneIn(4)) {
    largeBlock(writer);
    if (maker.choose.oneIn(2)) return;  // else add another pattern too, because passes interact
  }
  if (maker.style.isWide && maker.choose.oneIn(2)) return factors(writer);
  patterns[maker.choose.below(patterns.size())](writer);
}

}  // namespace webnn::random
