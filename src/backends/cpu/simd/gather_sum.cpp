#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/gather_sum.cpp"
#include "backends/cpu/simd/gather_sum.h"

// foreach_target.h comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

// Long sums are split into parts of this many taps, so that their rounding errors stay small.
constexpr std::size_t kPart = 32;

// Returns whether all lanes are 0. Callers sum result * 0 in `check`, which becomes NaN if a result is not finite.
HWY_INLINE bool areZeros(hn::Vec<Floats> check) { return hn::AllTrue(Floats(), hn::Eq(check, hn::Zero(Floats()))); }

// Adds taps [begin, end) to the sums of K vectors of columns, from column `c` on. If isPartial, only the first `count` columns of
// the last vector exist.
template <int K, bool isPartial>
HWY_INLINE void addTaps(const float* const* rows, const float* weights, std::size_t begin, std::size_t end, std::size_t c,
                        [[maybe_unused]] std::size_t count, hn::Vec<Floats> (&sums)[K]) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t t = begin; t < end; ++t) {
    const auto weight = hn::Set(d, weights[t]);
    HWY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      const float* from = rows[t] + c + static_cast<std::size_t>(k) * lanes;
      sums[k] = hn::MulAdd(weight, isPartial ? loadSome(d, from, count) : hn::LoadU(d, from), sums[k]);
    }
  }
}

template <int K, bool isPartial>
HWY_INLINE void sumColumns(const float* const* rows, const float* weights, std::size_t taps, std::size_t c, std::size_t count,
                           float scale, float* to, hn::Vec<Floats>& check) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Floats> sums[K];
  for (auto& sum : sums) sum = hn::Zero(d);
  addTaps<K, isPartial>(rows, weights, 0, HWY_MIN(taps, kPart), c, count, sums);
  for (std::size_t t = kPart; t < taps; t += kPart) {
    hn::Vec<Floats> part[K];
    for (auto& sum : part) sum = hn::Zero(d);
    addTaps<K, isPartial>(rows, weights, t, HWY_MIN(taps, t + kPart), c, count, part);
    for (int k = 0; k < K; ++k) sums[k] = hn::Add(sums[k], part[k]);
  }
  const auto factor = hn::Set(d, scale);
  for (int k = 0; k < K; ++k) {
    float* at = to + c + static_cast<std::size_t>(k) * lanes;
    const auto result = hn::Mul(sums[k], factor);
    check = hn::MulAdd(result, hn::Zero(d), check);
    if constexpr (isPartial) {
      storeSome(d, result, at, count);
    } else {
      hn::StoreU(result, d, at);
    }
  }
}

bool sumRows(const float* const* rows, const float* weights, std::size_t taps, std::size_t columns, float scale, float* to) {
  const std::size_t lanes = hn::Lanes(Floats());
  auto check = hn::Zero(Floats());
  std::size_t c = 0;
  for (; c + 4 * lanes <= columns; c += 4 * lanes) sumColumns<4, false>(rows, weights, taps, c, lanes, scale, to, check);
  for (; c + lanes <= columns; c += lanes) sumColumns<1, false>(rows, weights, taps, c, lanes, scale, to, check);
  if (c < columns) sumColumns<1, true>(rows, weights, taps, c, columns - c, scale, to, check);
  return areZeros(check);
}

bool sumElements(const float* table, const std::int32_t* positions, const float* weights, std::size_t taps, std::size_t step,
                 std::size_t count, float scale, float* to) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const std::size_t lanes = hn::Lanes(d);
  auto check = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t begin = 0; begin < taps; begin += kPart) {
      auto part = hn::Zero(d);
      for (std::size_t t = begin; t < HWY_MIN(taps, begin + kPart); ++t) {
        const auto position = hn::LoadU(di, positions + t * step + i);
        const auto exists = hn::RebindMask(d, hn::Gt(position, hn::Set(di, -1)));
        const auto element = hn::GatherIndex(d, table, hn::Max(position, hn::Zero(di)));
        part = hn::MulAdd(hn::LoadU(d, weights + t * step + i), hn::IfThenElseZero(exists, element), part);
      }
      sum = hn::Add(sum, part);
    }
    sum = hn::Mul(sum, hn::Set(d, scale));
    check = hn::MulAdd(sum, hn::Zero(d), check);
    if (i + lanes <= count) {
      hn::StoreU(sum, d, to + i);
    } else {
      storeSome(d, sum, to + i, count - i);
    }
  }
  return areZeros(check);
}

const GatherSumKernels& kernels() {
  static constexpr GatherSumKernels table{sumRows, sumElements};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const GatherSumKernels& gatherSumKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
