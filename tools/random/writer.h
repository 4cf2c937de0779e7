#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "random/maker.h"

namespace webnn::random {

// Adds the operations of patterns to a graph. Half of the patterns are broken: wherever the code calls slips(), an
// operation or parameter is replaced by a similar but wrong one with probability 1/8.
class Writer {
 public:
  explicit Writer(Maker& maker) : m(maker), isBroken_(maker.choose.oneIn(2)) {}

  Maker& m;

  bool slips() { return isBroken_ && m.choose.oneIn(8); }
  bool flips() { return m.choose.oneIn(2); }

  Operand number(double value) {
    if (slips()) value = m.choose.pick({value + 1, -value, 0.0, value * 1.001, 2.0});
    return m.number(type, value);
  }
  Operand binary(ops::BinaryKind kind, Operand a, Operand b) {
    const bool commutes = kind == ops::BinaryKind::add || kind == ops::BinaryKind::mul || kind == ops::BinaryKind::max ||
                          kind == ops::BinaryKind::min;
    if ((commutes && flips()) || slips()) std::swap(a, b);
    if (slips())
      kind = m.choose.pick(
          {ops::BinaryKind::add, ops::BinaryKind::sub, ops::BinaryKind::mul, ops::BinaryKind::max, ops::BinaryKind::min});
    return m.one(ops::Binary{kind, a, b, {}});
  }
  Operand add(Operand a, Operand b) { return binary(ops::BinaryKind::add, std::move(a), std::move(b)); }
  Operand sub(Operand a, Operand b) { return binary(ops::BinaryKind::sub, std::move(a), std::move(b)); }
  Operand mul(Operand a, Operand b) { return binary(ops::BinaryKind::mul, std::move(a), std::move(b)); }
  Operand div(Operand a, Operand b) { return binary(ops::BinaryKind::div, std::move(a), std::move(b)); }
  Operand unary(ops::UnaryKind kind, const Operand& x) { return m.one(ops::Unary{slips() ? ops::UnaryKind::abs : kind, x, {}}); }
  Operand activation(ops::ActivationKind kind, const Operand& x) {
    return m.one(ops::Activation{slips() ? ops::ActivationKind::relu : kind, x, {}});
  }
  // Returns x * factor, written in one of several ways.
  Operand scaled(const Operand& x, double factor) {
    switch (m.choose.below(3)) {
      case 0: return div(x, number(1 / factor));
      case 1: return m.one(ops::Linear{x, {.alpha = slips() ? factor + 1 : factor}});
      default: return mul(x, number(factor));
    }
  }
  Operand shifted(const Operand& x, double shift) {
    switch (m.choose.below(4)) {
      case 0: return sub(x, number(-shift));
      case 1: return m.one(ops::Linear{x, {.beta = slips() ? shift + 1 : shift}});
      default: return add(x, number(shift));
    }
  }
  Operand reduce(ops::ReduceKind kind, const Operand& x, std::vector<std::uint32_t> axes) {
    if (slips()) axes = {m.axis(x)};
    if (slips()) kind = m.choose.pick({ops::ReduceKind::reduceMax, ops::ReduceKind::reduceMean, ops::ReduceKind::reduceSum});
    return m.one(ops::Reduce{kind, x, {.axes = axes, .keepDimensions = true}});
  }
  Operand transposed(const Operand& x, std::vector<std::uint32_t> permutation) {
    if (slips()) permutation = m.choose.permutation(x.rank());
    return m.one(ops::Transpose{x, {.permutation = permutation}});
  }
  Operand reshaped(const Operand& x, Shape shape) { return m.one(ops::Reshape{x, std::move(shape), {}}); }
  // Returns an operand of the pattern, which other operations may use too.
  Operand input(ops::RankRange ranks) {
    if (m.style.isWide && flips()) return wide(m.shape(m.choose.between(ranks.min, std::min<std::uint32_t>(ranks.max, 4))));
    return m.any({type}, ranks);
  }
  // Returns new values of a random magnitude, from tiny to huge.
  Operand wide(const Shape& shape) {
    const double size = wideSize();
    return m.fresh({type, shape}, {-size, size});
  }
  double wideSize() {
    if (type == DataType::float16) return m.choose.pick({1.0, 100.0, 3e4, 1e-3, 1e-6});
    return m.choose.pick({1.0, 1.0, 1e10, 1e18, 1e20, 1e30, 1e37, 3e38, 1e-10, 1e-20, 1e-30, 1e-38, 1e-42});
  }
  double wideFactor() {
    if (m.choose.oneIn(8)) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      return m.choose.pick({0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 3e38, 1e-45});
    }
    return m.choose.pick({1.0, -1.0, 0.5}) * wideSize();
  }
  // Returns x; in the wide style, mostly x times a random factor, which the graph may compute.
  Operand around(const Operand& x) {
    if (!m.style.isWide || m.choose.oneIn(3)) return x;
    const double factor = wideFactor();
    if (m.choose.oneIn(3)) return mul(x, mul(number(factor), m.fresh({type, {}})));
    return std::isfinite(factor) ? scaled(x, factor) : mul(x, number(factor));
  }
  std::uint32_t lastAxis(const Operand& x) { return slips() ? m.axis(x) : static_cast<std::uint32_t>(x.rank() - 1); }

  // Quantizes and dequantizes. In broken patterns, the scales of the two operations may differ.
  Operand requantized(const Operand& x, DataType to, double scale) {
    const Shape ones(x.rank(), 1);
    const auto uniform = [&](DataType of, double value) {
      Bytes bytes(byteLength({of, ones}));
      setReal(of, bytes, 0, slips() ? value + 1 : value);
      return m.constant({of, ones}, std::move(bytes));
    };
    const Operand s = uniform(type, scale), zero = uniform(to, to == DataType::uint8 ? 3 : 1);
    const Operand q = m.one(ops::QuantizeLinear{x, s, zero, {}});
    return m.one(ops::DequantizeLinear{q, slips() ? uniform(type, scale) : s, zero, {}});
  }

  const DataType type = m.choose.oneIn(8) ? DataType::float16 : DataType::float32;

 private:
  bool isBroken_;
};

}  // namespace webnn::random
