#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/attention.cpp"
#include "backends/cpu/simd/attention.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "backends/cpu/runtime/run_watch.h"
#include "backends/cpu/simd/lanes/math-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {  // internal linkage, because other kernel files use the same names

using Full = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// Loads one float from a possibly unaligned address.
HWY_INLINE float element(const float* at) { return hn::GetLane(hn::LoadU(One(), at)); }

// Splits a row into parts, between which callers poll isRunOver(). Returns the end of the part that begins at i.
std::size_t partEnd(std::size_t i, std::size_t columns) {
  constexpr std::size_t kPart = 1 << 16;
  return columns - i < 2 * kPart ? columns : i + kPart;
}

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

// Returns the maximum of value(d, i) over i < columns, ignoring NaN, and passes each value to keep(d, value, i). Returns 0 early
// if the run is cancelled or out of time.
HWY_INLINE float greatestOf(std::size_t columns, auto value, auto keep) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  auto greatest0 = hn::Set(d, kLowest), greatest1 = greatest0;
  const auto next = [&](auto dx, std::size_t i, auto& greatest) HWY_ATTR {
    const auto x = value(dx, i);
    keep(dx, x, i);
    greatest = hn::Max(x, greatest);
  };
  std::size_t i = 0;
  for (std::size_t end = 0; end < columns;) {
    if (i > 0 && isRunOver()) return 0;
    end = partEnd(i, columns);
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      next(d, i, greatest0);
      next(d, i + lanes, greatest1);
    }
  }
  if (i + lanes <= columns) {
    next(d, i, greatest0);
    i += lanes;
  }
  auto greatestOne = hn::Set(one, kLowest);
  for (; i < columns; ++i) next(one, i, greatestOne);
  return std::max(hn::GetLane(hn::MaxOfLanes(d, hn::Max(greatest0, greatest1))), hn::GetLane(greatestOne));
}

// Replaces each x of the row by exp(x * scale - peak). Returns the reciprocal of the sum, or 0 early if the run is cancelled or
// out of time. Multiplies, then subtracts, without FMA: `peak` came from the rounded product, and with FMA the rounding error of
// a large product would appear in the difference.
HWY_INLINE float exponentialsOf(float* row, std::size_t columns, float scale, float peak) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  const auto next = [&](auto dx, std::size_t i, auto& sum) HWY_ATTR {
    const auto e = expOfNegative(dx, hn::Sub(hn::Mul(hn::LoadU(dx, row + i), hn::Set(dx, scale)), hn::Set(dx, peak)));
    hn::StoreU(e, dx, row + i);
    sum = hn::Add(sum, e);
  };
  auto sum0 = hn::Zero(d), sum1 = sum0;
  std::size_t i = 0;
  for (std::size_t end = 0; end < columns;) {
    if (i > 0 && isRunOver()) return 0;
    end = partEnd(i, columns);
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      const VectorsTag<Full, 4> four;
      const auto x = vec::each<4>([&](int k) HWY_ATTR {
        return hn::Sub(hn::Mul(hn::LoadU(d, row + i + k * lanes), hn::Set(d, scale)), hn::Set(d, peak));
      });
      const auto e = expOfNegative(four, x);
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) hn::StoreU(e.at[k], d, row + i + k * lanes);
      sum0 = hn::Add(hn::Add(sum0, e.at[0]), e.at[2]);
      sum1 = hn::Add(hn::Add(sum1, e.at[1]), e.at[3]);
    }
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      next(d, i, sum0);
      next(d, i + lanes, sum1);
    }
  }
  if (i + lanes <= columns) {
    next(d, i, sum0);
    i += lanes;
  }
  auto sumOne = hn::Zero(one);
  for (; i < columns; ++i) next(one, i, sumOne);
  return 1 / (hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1))) + hn::GetLane(sumOne));
}

// Replaces the row by exp(x - maximum), where x = row * scale + mask, and returns the reciprocal of the sum. A row with NaN or
// +inf, or only -inf, gives NaN: inf - inf is NaN, and the sum propagates NaN.
float exponentialsWith(float* row, std::size_t columns, float scale, auto mask) {
  const float peak = greatestOf(
      columns,
      [&](auto d, std::size_t i) HWY_ATTR { return hn::Add(hn::Mul(hn::LoadU(d, row + i), hn::Set(d, scale)), mask(d, i)); },
      [&](auto d, auto x, std::size_t i) HWY_ATTR { hn::StoreU(x, d, row + i); });
  return exponentialsOf(row, columns, 1, peak);
}

float exponentials(float* row, std::size_t columns, float scale, const float* mask, std::size_t maskStride) {
  if (mask) return exponentialsWith(row, columns, scale, MaskRow{mask, maskStride});
  if (!(scale > 0)) return exponentialsWith(row, columns, scale, NoMask());
  const float peak = greatestOf(
      columns, [&](auto d, std::size_t i) HWY_ATTR { return hn::LoadU(d, row + i); }, [](auto, auto, std::size_t) {});
  return exponentialsOf(row, columns, scale, peak * scale);
}

void scaleRow(const float* from, float factor, std::size_t count, float* to) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, from + i), hn::Set(d, factor)), d, to + i);
  for (; i < count; ++i) hn::StoreU(hn::Mul(hn::LoadU(one, from + i), hn::Set(one, factor)), one, to + i);
}

// Number of queries that share each load of keys and values; their accumulators must fit in registers.
constexpr std::size_t kQueries = HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64 ? 4 : 2;

// Splits the queries into groups of kQueries, 2 or 1, and calls work(count, first query) for each group. `count` is a
// std::integral_constant.
HWY_INLINE void inGroups(std::size_t queries, auto work) {
  std::size_t i = 0;
  for (; i + kQueries <= queries; i += kQueries) work(std::integral_constant<std::size_t, kQueries>(), i);
  for (; i + 2 <= queries; i += 2) work(std::integral_constant<std::size_t, 2>(), i);
  if (i < queries) work(std::integral_constant<std::size_t, 1>(), i);
}

// Computes scores[n][row + r], the dot product of query q[n] and row r of k, for all n < queries and r < rows. The independent
// accumulators hide the latency of additions.
template <std::size_t queries, std::size_t rows>
HWY_INLINE void dots(const float* const* q, std::size_t depth, const float* k, std::size_t kStride, float* const* scores,
                     std::size_t row) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Full> sums[queries][rows];
#pragma GCC unroll 4
  for (auto& ofQuery : sums) {
#pragma GCC unroll 4
    for (auto& sum : ofQuery) sum = hn::Zero(d);
  }
  std::size_t i = 0;
  for (; i + lanes <= depth; i += lanes) {
    hn::Vec<Full> keys[rows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) keys[r] = hn::LoadU(d, k + r * kStride + i);
#pragma GCC unroll 4
    for (std::size_t n = 0; n < queries; ++n) {
      const auto x = hn::LoadU(d, q[n] + i);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < rows; ++r) sums[n][r] = hn::MulAdd(x, keys[r], sums[n][r]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t n = 0; n < queries; ++n) {
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) {
      auto sum = hn::Set(one, hn::GetLane(hn::SumOfLanes(d, sums[n][r])));
      for (std::size_t j = i; j < depth; ++j)
        sum = hn::MulAdd(hn::LoadU(one, q[n] + j), hn::LoadU(one, k + r * kStride + j), sum);
      hn::StoreU(sum, one, scores[n] + row + r);
    }
  }
}

void dotRows(const float* const* q, std::size_t queries, std::size_t depth, const float* k, std::size_t kStride, std::size_t rows,
             float* const* scores) {
  inGroups(queries, [&](auto group, std::size_t first) HWY_ATTR {
    std::size_t j = 0;
    for (; j + 4 <= rows; j += 4) dots<group(), 4>(q + first, depth, k + j * kStride, kStride, scores + first, j);
    for (; j < rows; ++j) dots<group(), 1>(q + first, depth, k + j * kStride, kStride, scores + first, j);
  });
}

// Computes the weighted sums of `vectors` * lanes adjacent columns, the first of which is `column`. Sums at most 64 terms in
// registers before adding them to `results`, which limits the rounding errors of long sums.
template <std::size_t queries, std::size_t vectors, class D>
HWY_INLINE void weigh(D d, const float* const* weights, std::size_t count, const float* v, std::size_t vStride, bool adds,
                      float* const* results, std::size_t column) {
  constexpr std::size_t kFew = 64;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t begin = 0; begin < count || begin == 0; begin += kFew) {
    hn::Vec<D> parts[queries][vectors];
#pragma GCC unroll 4
    for (auto& ofQuery : parts) {
#pragma GCC unroll 4
      for (auto& part : ofQuery) part = hn::Zero(d);
    }
    const std::size_t end = std::min(count, begin + kFew);
    for (std::size_t i = begin; i < end; ++i) {
      hn::Vec<D> values[vectors];
#pragma GCC unroll 4
      for (std::size_t r = 0; r < vectors; ++r) values[r] = hn::LoadU(d, v + i * vStride + column + r * lanes);
#pragma GCC unroll 4
      for (std::size_t n = 0; n < queries; ++n) {
        const auto weight = hn::Set(d, element(weights[n] + i));
#pragma GCC unroll 4
        for (std::size_t r = 0; r < vectors; ++r) parts[n][r] = hn::MulAdd(weight, values[r], parts[n][r]);
      }
    }
#pragma GCC unroll 4
    for (std::size_t n = 0; n < queries; ++n) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < vectors; ++r) {
        float* to = results[n] + column + r * lanes;
        const auto before = adds || begin > 0 ? hn::LoadU(d, to) : hn::Zero(d);
        hn::StoreU(hn::Add(before, parts[n][r]), d, to);
      }
    }
  }
}

void weighRows(const float* const* weights, std::size_t queries, std::size_t count, const float* v, std::size_t vStride,
               std::size_t width, bool adds, float* const* results) {
  const Full d;
  const std::size_t lanes = hn::Lanes(d);
  inGroups(queries, [&](auto group, std::size_t first) HWY_ATTR {
    const float* const* of = weights + first;
    float* const* to = results + first;
    std::size_t j = 0;
    for (; j + 4 * lanes <= width; j += 4 * lanes) weigh<group(), 4>(d, of, count, v, vStride, adds, to, j);
    for (; j + lanes <= width; j += lanes) weigh<group(), 1>(d, of, count, v, vStride, adds, to, j);
    for (; j < width; ++j) weigh<group(), 1>(One(), of, count, v, vStride, adds, to, j);
  });
}

const AttentionKernels& kernels() {
  static constexpr AttentionKernels table{exponentials, scaleRow, dotRows, weighRows};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const AttentionKernels& attentionKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
