#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/winograd.cpp"
#include "backends/cpu/simd/winograd.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// One-dimensional transforms. Rounding must not depend on a channel's lane, so every lane does the same operations.
template <std::size_t kOutputs>
struct Transform;

// A filter's transform evaluates the filter's polynomial at the interpolation points and divides by the products of the points'
// distances.
template <>
struct Transform<2> {
  template <typename D, typename V>
  static HWY_INLINE void filter(D d, const V* x, V* y) {
    const V half = hn::Set(d, 0.5), even = hn::Mul(half, hn::Add(x[0], x[2])), odd = hn::Mul(half, x[1]);
    y[0] = x[0];
    y[1] = hn::Add(even, odd);
    y[2] = hn::Sub(even, odd);
    y[3] = x[2];
  }
  template <typename D, typename V>
  static HWY_INLINE void input(D, const V* x, V* y) {
    y[0] = hn::Sub(x[0], x[2]);
    y[1] = hn::Add(x[1], x[2]);
    y[2] = hn::Sub(x[2], x[1]);
    y[3] = hn::Sub(x[1], x[3]);
  }
  template <typename D, typename V>
  static HWY_INLINE void output(D, const V* m, V* y) {
    y[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
    y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
  }
};

template <>
struct Transform<4> {
  static constexpr float kA = kPointA, kB = kPointB, kA2 = kPointA * kPointA, kB2 = kPointB * kPointB;
  static constexpr double kA2d = kPointA * kPointA, kB2d = kPointB * kPointB;
  static constexpr double kPerA = 1 / (2 * kA2d * (kA2d - kB2d)), kPerB = 1 / (2 * kB2d * (kB2d - kA2d));
  template <typename D, typename V>
  static HWY_INLINE void filter(D d, const V* x, V* y) {
    const auto set = [&](double value) WEBNN_INLINE_LAMBDA { return hn::Set(d, value); };
    const V evenA = hn::MulAdd(set(kPerA * kA2d), x[2], hn::Mul(set(kPerA), x[0])), oddA = hn::Mul(set(kPerA * kPointA), x[1]);
    const V evenB = hn::MulAdd(set(kPerB * kB2d), x[2], hn::Mul(set(kPerB), x[0])), oddB = hn::Mul(set(kPerB * kPointB), x[1]);
    y[0] = hn::Mul(set(1 / (kA2d * kB2d)), x[0]);
    y[1] = hn::Add(evenA, oddA);
    y[2] = hn::Sub(evenA, oddA);
    y[3] = hn::Add(evenB, oddB);
    y[4] = hn::Sub(evenB, oddB);
    y[5] = x[2];
  }
  template <typename D, typename V>
  static HWY_INLINE void input(D d, const V* x, V* y) {
    const V a = hn::Set(d, kA), b = hn::Set(d, kB), a2 = hn::Set(d, kA2), b2 = hn::Set(d, kB2);
    const V sum = hn::Set(d, kA2 + kB2), product = hn::Set(d, kA2 * kB2);
    y[0] = hn::MulAdd(product, x[0], hn::NegMulAdd(sum, x[2], x[4]));
    const V evenA = hn::NegMulAdd(b2, x[2], x[4]), oddA = hn::Mul(a, hn::NegMulAdd(b2, x[1], x[3]));
    y[1] = hn::Add(evenA, oddA);
    y[2] = hn::Sub(evenA, oddA);
    const V evenB = hn::NegMulAdd(a2, x[2], x[4]), oddB = hn::Mul(b, hn::NegMulAdd(a2, x[1], x[3]));
    y[3] = hn::Add(evenB, oddB);
    y[4] = hn::Sub(evenB, oddB);
    y[5] = hn::MulAdd(product, x[1], hn::NegMulAdd(sum, x[3], x[5]));
  }
  template <typename D, typename V>
  static HWY_INLINE void output(D d, const V* m, V* y) {
    const V evenA = hn::Add(m[1], m[2]), oddA = hn::Sub(m[1], m[2]), evenB = hn::Add(m[3], m[4]), oddB = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(hn::Add(m[0], evenA), evenB);
    y[1] = hn::MulAdd(hn::Set(d, kA), oddA, hn::Mul(hn::Set(d, kB), oddB));
    y[2] = hn::MulAdd(hn::Set(d, kA2), evenA, hn::Mul(hn::Set(d, kB2), evenB));
    y[3] = hn::MulAdd(hn::Set(d, kA2 * kA), oddA, hn::MulAdd(hn::Set(d, kB2 * kB), oddB, m[5]));
  }
};

// Calls visit(d, i) for vectors that cover [0, count); the last vector may overlap the one before it. Visits single elements if
// count is less than a vector.
HWY_INLINE void forChannels(std::size_t count, auto visit) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  if (count < lanes) {
    const hn::CappedTag<float, 1> one;
    for (std::size_t i = 0; i < count; ++i) visit(one, i);
    return;
  }
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) visit(d, i);
  if (i < count) visit(d, count - lanes);
}

// Transforms one vector of channels of a patch. Returns false if transformed elements reach about kWinogradLarge, or are infinite
// or NaN. This is decided from nine transformed positions, which together depend on every element of the patch; a single large
// element cannot cancel in all of them.
template <std::size_t kOutputs, typename D>
HWY_INLINE bool inputVector(D d, const float* from, std::size_t pixelStride, std::size_t rowStride, float* to,
                            const std::size_t* places) {
  constexpr std::size_t kSize = kOutputs + 2;
  using V = hn::Vec<D>;
  V rows[kSize][kSize];  // [column][row]; each column is transformed
#pragma GCC unroll 6
  for (std::size_t column = 0; column < kSize; ++column) {
    V x[kSize];
    for (std::size_t row = 0; row < kSize; ++row) x[row] = hn::LoadU(d, from + row * rowStride + column * pixelStride);
    Transform<kOutputs>::input(d, x, rows[column]);
  }
  V squares[3] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
#pragma GCC unroll 6
  for (std::size_t row = 0; row < kSize; ++row) {
    V x[kSize], y[kSize];
    for (std::size_t column = 0; column < kSize; ++column) x[column] = rows[column][row];
    Transform<kOutputs>::input(d, x, y);
    for (std::size_t column = 0; column < kSize; ++column) hn::StoreU(y[column], d, to + places[row * kSize + column]);
    if (row > 1 && row + 1 < kSize) continue;
    squares[0] = hn::MulAdd(y[0], y[0], squares[0]);
    squares[1] = hn::MulAdd(y[1], y[1], squares[1]);
    squares[2] = hn::MulAdd(y[kSize - 1], y[kSize - 1], squares[2]);
  }
  const V all = hn::Add(hn::Add(squares[0], squares[1]), squares[2]);
  return hn::AllTrue(d, hn::Lt(all, hn::Set(d, kWinogradLarge * kWinogradLarge)));
}

template <std::size_t kOutputs>
bool input(const float* from, std::size_t pixelStride, std::size_t rowStride, std::size_t channels, float* to,
           const std::size_t* places) {
  bool isSmall = true;
  forChannels(channels, [&](auto d, std::size_t i) {
    isSmall = inputVector<kOutputs>(d, from + i, pixelStride, rowStride, to + i, places) && isSmall;
  });
  return isSmall;
}

template <std::size_t kOutputs, typename D>
HWY_INLINE void outputVector(D d, const WinogradOutput& tile, std::size_t channel) {
  constexpr std::size_t kSize = kOutputs + 2;
  using V = hn::Vec<D>;
  const float* from = tile.from + channel;
  V rows[kSize][kOutputs];  // [column][row]
#pragma GCC unroll 6
  for (std::size_t column = 0; column < kSize; ++column) {
    V x[kSize];
    for (std::size_t row = 0; row < kSize; ++row) x[row] = hn::LoadU(d, from + (row * kSize + column) * tile.positionStride);
    Transform<kOutputs>::output(d, x, rows[column]);
  }
  const V bias = tile.bias ? hn::LoadU(d, tile.bias + channel) : hn::Zero(d);
  const V low = hn::Set(d, tile.range.minimum), high = hn::Set(d, tile.range.maximum);
#pragma GCC unroll 4
  for (std::size_t row = 0; row < kOutputs; ++row) {
    if (row >= tile.rows) return;
    V x[kSize], y[kOutputs];
    for (std::size_t column = 0; column < kSize; ++column) x[column] = rows[column][row];
    Transform<kOutputs>::output(d, x, y);
    float* to = tile.to + row * tile.rowStride + channel;
    const float* addend = tile.addend ? tile.addend + row * tile.addendRowStride + channel : nullptr;
#pragma GCC unroll 4
    for (std::size_t column = 0; column < kOutputs; ++column) {
      if (column >= tile.columns) break;
      V value = hn::Add(y[column], bias);
      if (addend) value = hn::Add(value, hn::LoadU(d, addend + column * tile.addendPixelStride));
      // Comparisons keep NaN, because they are false for NaN.
      value = hn::IfThenElse(hn::Lt(value, low), low, value);
      value = hn::IfThenElse(hn::Gt(value, high), high, value);
      hn::StoreU(value, d, to + column * tile.pixelStride);
    }
  }
}

template <std::size_t kOutputs>
void output(const WinogradOutput& tile) {
  forChannels(tile.channels, [&](auto d, std::size_t i) { outputVector<kOutputs>(d, tile, i); });
}

// Transforms two vectors of double at a time, which become one of float: a whole cache line with 512-bit vectors.
template <std::size_t kOutputs>
HWY_INLINE void filterVector(const float* from, std::size_t tapStride, float* to, std::size_t positionStride) {
  constexpr std::size_t kSize = kOutputs + 2;
  const hn::ScalableTag<double> d;
  const hn::ScalableTag<float> all;
  const hn::Rebind<float, decltype(d)> half;
  using V = hn::Vec<decltype(d)>;
  V columns[2][kSize][3];  // [half][row of the position][column of the tap]
#pragma GCC unroll 6
  for (std::size_t x = 0; x < 6; ++x) {
    V taps[3], y[kSize];
    for (std::size_t i = 0; i < 3; ++i) {
      taps[i] = hn::PromoteTo(d, hn::LoadU(half, from + (3 * i + x % 3) * tapStride + x / 3 * hn::Lanes(d)));
    }
    Transform<kOutputs>::filter(d, taps, y);
    for (std::size_t p = 0; p < kSize; ++p) columns[x / 3][p][x % 3] = y[p];
  }
#pragma GCC unroll 6
  for (std::size_t p = 0; p < kSize; ++p) {
    V lower[kSize], upper[kSize];
    Transform<kOutputs>::filter(d, columns[0][p], lower);
    Transform<kOutputs>::filter(d, columns[1][p], upper);
    for (std::size_t q = 0; q < kSize; ++q) {
      const auto both = hn::Combine(all, hn::DemoteTo(half, upper[q]), hn::DemoteTo(half, lower[q]));
      hn::StoreU(both, all, to + (p * kSize + q) * positionStride);
    }
  }
}

template <std::size_t kOutputs>
void filter(const float* from, std::size_t tapStride, std::size_t inputStride, std::size_t inputs, std::size_t width, float* to,
            std::size_t positionStride) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  for (std::size_t i = 0; i < inputs; ++i, from += inputStride, to += width) {
    for (std::size_t o = 0; o < width; o += lanes) filterVector<kOutputs>(from + o, tapStride, to + o, positionStride);
  }
}

template <std::size_t kOutputs>
const WinogradKernels& kernelsFor() {
  static constexpr WinogradKernels table{filter<kOutputs>, input<kOutputs>, output<kOutputs>};
  return table;
}
const WinogradKernels& kernelsForTwo() { return kernelsFor<2>(); }
const WinogradKernels& kernelsForFour() { return kernelsFor<4>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
namespace {
const WinogradKernels& winogradKernelsForTwo(Isa isa) { WEBNN_SELECT(isa, kernelsForTwo); }
const WinogradKernels& winogradKernelsForFour(Isa isa) { WEBNN_SELECT(isa, kernelsForFour); }
}  // namespace
const WinogradKernels& winogradKernels(Isa isa, std::size_t outputs) {
  return outputs == 2 ? winogradKernelsForTwo(isa) : winogradKernelsForFour(isa);
}
}  // namespace webnn::cpu
#endif
