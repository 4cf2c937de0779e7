#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/attention.cpp"
#include <hwy/foreach_target.h>  // first
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "cpu/simd/attention.h"
#include "cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Full = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// exp(x) for x <= 0 or NaN, within about an ulp; results below the smallest normal number are 0. x is n ln 2 + r, exp(r) the
// Taylor polynomial, whose rest for |r| <= ln 2 / 2 is below 2^-27 of it.
template <class D>
HWY_INLINE hn::Vec<D> expOfNegative(D d, hn::Vec<D> x) {
  const hn::RebindToSigned<D> di;
  const auto set = [d](float value) HWY_ATTR { return hn::Set(d, value); };
  const auto rounder = set(12582912.0f);  // 1.5 * 2^23: adding it leaves an integer in the low bits
  const auto rounded = hn::MulAdd(x, set(1.44269504f), rounder);
  const auto n = hn::Sub(rounded, rounder);
  const auto r = hn::NegMulAdd(n, set(1.42860677e-6f), hn::NegMulAdd(n, set(0.693145751953125f), x));
  auto p = set(1.0f / 5040);
  p = hn::MulAdd(p, r, set(1.0f / 720));
  p = hn::MulAdd(p, r, set(1.0f / 120));
  p = hn::MulAdd(p, r, set(1.0f / 24));
  p = hn::MulAdd(p, r, set(1.0f / 6));
  p = hn::MulAdd(p, r, set(0.5f));
  p = hn::MulAdd(hn::Mul(p, r), r, r);
  const auto power = hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::BitCast(di, rounded)), hn::Set(di, 0x3F800000)));
  return hn::IfThenZeroElse(hn::Lt(x, set(-87.0f)), hn::MulAdd(p, power, power));
}

// At any alignment.
HWY_INLINE float element(const float* at) { return hn::GetLane(hn::LoadU(One(), at)); }

struct MaskRow {
  const float* data;
  std::size_t stride;

  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, std::size_t i) const {
    return stride == 0 ? hn::Set(d, element(data)) : hn::LoadU(d, data + i);
  }
};
struct NoMask {
  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, std::size_t) const {
    return hn::Zero(d);
  }
};

// Three passes over a row in L1. A row of -inf alone, or with NaN or +inf, becomes NaN: inf - inf is.
template <typename Mask>
void softmaxWith(float* row, std::size_t columns, float scale, Mask mask) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d), body = columns / lanes * lanes;
  const auto scaled = [&](auto dx, std::size_t i) HWY_ATTR {
    return hn::MulAdd(hn::LoadU(dx, row + i), hn::Set(dx, scale), mask(dx, i));
  };
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  auto greatest = hn::Set(d, kLowest);
  auto greatestOne = hn::Set(one, kLowest);
  for (std::size_t i = 0; i < body; i += lanes) {
    const auto value = scaled(d, i);
    hn::StoreU(value, d, row + i);
    greatest = hn::Max(value, greatest);
  }
  for (std::size_t i = body; i < columns; ++i) {
    const auto value = scaled(one, i);
    hn::StoreU(value, one, row + i);
    greatestOne = hn::Max(value, greatestOne);
  }
  const float peak = std::max(hn::GetLane(hn::MaxOfLanes(d, greatest)), hn::GetLane(greatestOne));

  auto sum0 = hn::Zero(d), sum1 = sum0;
  const auto peaks = hn::Set(d, peak);
  std::size_t i = 0;
  for (; i + 2 * lanes <= body; i += 2 * lanes) {
    const auto e0 = expOfNegative(d, hn::Sub(hn::LoadU(d, row + i), peaks));
    const auto e1 = expOfNegative(d, hn::Sub(hn::LoadU(d, row + i + lanes), peaks));
    hn::StoreU(e0, d, row + i);
    hn::StoreU(e1, d, row + i + lanes);
    sum0 = hn::Add(sum0, e0);
    sum1 = hn::Add(sum1, e1);
  }
  for (; i < body; i += lanes) {
    const auto e = expOfNegative(d, hn::Sub(hn::LoadU(d, row + i), peaks));
    hn::StoreU(e, d, row + i);
    sum0 = hn::Add(sum0, e);
  }
  auto sumOne = hn::Zero(one);
  for (; i < columns; ++i) {
    const auto e = expOfNegative(one, hn::Sub(hn::LoadU(one, row + i), hn::Set(one, peak)));
    hn::StoreU(e, one, row + i);
    sumOne = hn::Add(sumOne, e);
  }
  const float factor = 1 / (hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1))) + hn::GetLane(sumOne));
  for (i = 0; i < body; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, row + i), hn::Set(d, factor)), d, row + i);
  for (; i < columns; ++i) hn::StoreU(hn::Mul(hn::LoadU(one, row + i), hn::Set(one, factor)), one, row + i);
}

void softmaxRow(float* row, std::size_t columns, float scale, const float* mask, std::size_t maskStride) {
  if (mask) return softmaxWith(row, columns, scale, MaskRow{mask, maskStride});
  softmaxWith(row, columns, scale, NoMask());
}

// `rows` dot products side by side, so that their chains of additions overlap.
template <std::size_t rows>
HWY_INLINE void dots(const float* q, std::size_t depth, const float* k, std::size_t kStride, float* scores) {
  const Full d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Full> sums[rows];
  for (std::size_t r = 0; r < rows; ++r) sums[r] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= depth; i += lanes) {
    const auto x = hn::LoadU(d, q + i);
    for (std::size_t r = 0; r < rows; ++r) sums[r] = hn::MulAdd(x, hn::LoadU(d, k + r * kStride + i), sums[r]);
  }
  for (std::size_t r = 0; r < rows; ++r) scores[r] = hn::GetLane(hn::SumOfLanes(d, sums[r]));
  for (; i < depth; ++i) {
    for (std::size_t r = 0; r < rows; ++r) scores[r] += element(q + i) * element(k + r * kStride + i);
  }
}

void dotRows(const float* q, std::size_t depth, const float* k, std::size_t kStride, std::size_t rows, float* scores) {
  std::size_t j = 0;
  for (; j + 4 <= rows; j += 4) dots<4>(q, depth, k + j * kStride, kStride, scores + j);
  for (; j < rows; ++j) dots<1>(q, depth, k + j * kStride, kStride, scores + j);
}

// Sums of at most 64 terms at a time, which are then added up.
template <std::size_t vectors, class D>
HWY_INLINE void weigh(D d, const float* weights, std::size_t count, const float* v, std::size_t vStride, float* result) {
  constexpr std::size_t kFew = 64;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> sums[vectors];
  for (std::size_t r = 0; r < vectors; ++r) sums[r] = hn::Zero(d);
  for (std::size_t begin = 0; begin < count; begin += kFew) {
    hn::Vec<D> parts[vectors];
    for (std::size_t r = 0; r < vectors; ++r) parts[r] = hn::Zero(d);
    for (std::size_t i = begin; i < std::min(count, begin + kFew); ++i) {
      const auto weight = hn::Set(d, element(weights + i));
      for (std::size_t r = 0; r < vectors; ++r) parts[r] = hn::MulAdd(weight, hn::LoadU(d, v + i * vStride + r * lanes), parts[r]);
    }
    for (std::size_t r = 0; r < vectors; ++r) sums[r] = hn::Add(sums[r], parts[r]);
  }
  for (std::size_t r = 0; r < vectors; ++r) hn::StoreU(sums[r], d, result + r * lanes);
}

void weighRows(const float* weights, std::size_t count, const float* v, std::size_t vStride, std::size_t width, float* result) {
  const Full d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + 4 * lanes <= width; j += 4 * lanes) weigh<4>(d, weights, count, v + j, vStride, result + j);
  for (; j + lanes <= width; j += lanes) weigh<1>(d, weights, count, v + j, vStride, result + j);
  for (; j < width; ++j) weigh<1>(One(), weights, count, v + j, vStride, result + j);
}

const AttentionKernels& kernels() {
  static constexpr AttentionKernels table{softmaxRow, dotRows, weighRows};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const AttentionKernels& attentionKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
