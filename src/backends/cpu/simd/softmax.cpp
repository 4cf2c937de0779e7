#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/softmax.cpp"
#include "backends/cpu/simd/softmax.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/runtime/run_watch.h"
#include "backends/cpu/simd/lanes/math-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// The number of maxima that maximumOf() accumulates concurrently, to hide the latency of Max.
constexpr std::size_t kStreams = 4;

// Rows of kLongSoftmaxRow and more are processed in parts, between which isRunOver() is polled.
constexpr std::size_t kPart = kLongSoftmaxRow / 2;
template <bool isLong>
HWY_INLINE std::size_t partEnd(std::size_t i, std::size_t n) {
  return !isLong || n - i < 2 * kPart ? n : i + kPart;
}
template <bool isLong>
HWY_INLINE bool isOver() {
  return isLong && isRunOver();
}

template <bool isLong>
float maximumOf(const float* x, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector least = hn::Neg(infinity(d));
  Vector m0 = least, m1 = least, m2 = least, m3 = least;
  std::size_t i = 0;
  std::size_t end = 0;
  do {
    if (isOver<isLong>()) return 0;
    end = partEnd<isLong>(i, n);
    for (; i + kStreams * lanes <= end; i += kStreams * lanes) {
      m0 = hn::Max(m0, hn::LoadU(d, x + i));
      m1 = hn::Max(m1, hn::LoadU(d, x + i + lanes));
      m2 = hn::Max(m2, hn::LoadU(d, x + i + 2 * lanes));
      m3 = hn::Max(m3, hn::LoadU(d, x + i + 3 * lanes));
    }
  } while (isLong && end < n);
  for (; i + lanes <= n; i += lanes) m0 = hn::Max(m0, hn::LoadU(d, x + i));
  if (i < n) m1 = hn::Max(m1, loadSome(d, x + i, n - i, -std::numeric_limits<float>::infinity()));
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(m0, m1), hn::Max(m2, m3))));
}

template <bool isLong>
void row(const float* x, float* y, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector max = hn::Set(d, maximumOf<isLong>(x, n));
  Vector s0 = hn::Zero(d), s1 = s0;
  std::size_t i = 0, end = 0;
  do {
    if (isOver<isLong>()) return;
    end = partEnd<isLong>(i, n);
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      const auto e = expOfNegative(VectorsTag<Floats, 4>(),
                                   vec::each<4>([&](int k) HWY_ATTR { return hn::Sub(hn::LoadU(d, x + i + k * lanes), max); }));
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) hn::StoreU(e.at[k], d, y + i + k * lanes);
      s0 = hn::Add(hn::Add(s0, e.at[0]), e.at[2]);
      s1 = hn::Add(hn::Add(s1, e.at[1]), e.at[3]);
    }
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      const Vector e0 = expOfNegative(d, hn::Sub(hn::LoadU(d, x + i), max)),
                   e1 = expOfNegative(d, hn::Sub(hn::LoadU(d, x + i + lanes), max));
      hn::StoreU(e0, d, y + i);
      hn::StoreU(e1, d, y + i + lanes);
      s0 = hn::Add(s0, e0);
      s1 = hn::Add(s1, e1);
    }
  } while (isLong && end < n);
  if (i + lanes <= n) {
    const Vector e = expOfNegative(d, hn::Sub(hn::LoadU(d, x + i), max));
    hn::StoreU(e, d, y + i);
    s0 = hn::Add(s0, e);
    i += lanes;
  }
  if (i < n) {
    const Vector e = expOfNegative(d, hn::Sub(loadSome(d, x + i, n - i, -std::numeric_limits<float>::infinity()), max));
    storeSome(d, e, y + i, n - i);
    s1 = hn::Add(s1, hn::IfThenElseZero(hn::FirstN(d, n - i), e));
  }
  const Vector scale = hn::Div(hn::Set(d, 1.0F), hn::SumOfLanes(d, hn::Add(s0, s1)));
  i = 0;
  do {
    if (isOver<isLong>()) return;
    end = partEnd<isLong>(i, n);
    for (; i + lanes <= end; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, y + i), scale), d, y + i);
  } while (isLong && end < n);
  if (i < n) storeSome(d, hn::Mul(loadSome(d, y + i, n - i), scale), y + i, n - i);
}

void greatest(const float* x, float* max, std::size_t columns) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= columns; i += lanes) hn::StoreU(hn::Max(hn::LoadU(d, max + i), hn::LoadU(d, x + i)), d, max + i);
  if (i < columns)
    storeSome(d, hn::Max(loadSome(d, max + i, columns - i), loadSome(d, x + i, columns - i)), max + i, columns - i);
}

void exponentials(const float* x, const float* max, float* y, float* sum, std::size_t columns) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= columns; i += lanes) {
    const Vector e = expOfNegative(d, hn::Sub(hn::LoadU(d, x + i), hn::LoadU(d, max + i)));
    hn::StoreU(e, d, y + i);
    hn::StoreU(hn::Add(hn::LoadU(d, sum + i), e), d, sum + i);
  }
  if (i == columns) return;
  const std::size_t rest = columns - i;
  const Vector e = expOfNegative(d, hn::Sub(loadSome(d, x + i, rest), loadSome(d, max + i, rest)));
  storeSome(d, e, y + i, rest);
  storeSome(d, hn::Add(loadSome(d, sum + i, rest), e), sum + i, rest);
}

void divide(const float* x, const float* sum, float* y, std::size_t columns) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= columns; i += lanes) hn::StoreU(hn::Div(hn::LoadU(d, x + i), hn::LoadU(d, sum + i)), d, y + i);
  if (i < columns)
    storeSome(d, hn::Div(loadSome(d, x + i, columns - i), loadSome(d, sum + i, columns - i, 1)), y + i, columns - i);
}

}  // namespace

const SoftmaxKernels& softmaxTable() {
  static constexpr SoftmaxKernels table{row<false>, row<true>, greatest, exponentials, divide};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const SoftmaxKernels& softmaxKernels(Isa isa) { WEBNN_SELECT(isa, softmaxTable); }
}  // namespace webnn::cpu
#endif
