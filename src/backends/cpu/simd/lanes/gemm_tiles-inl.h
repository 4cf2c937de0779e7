// The tile sizes and epilogues that GEMM micro-kernels share. Include this in a kernel file after hwy/highway.h.

#if defined(WEBNN_CPU_SIMD_GEMM_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEBNN_CPU_SIMD_GEMM_TILES_INL_H
#undef WEBNN_CPU_SIMD_GEMM_TILES_INL_H
#else
#define WEBNN_CPU_SIMD_GEMM_TILES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "backends/cpu/simd/gemm/gemm.h"
#include "backends/cpu/simd/lanes/bounds-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
using D = hn::Full512<float>;
constexpr std::size_t kMR = 14;  // 28 accumulators, two vectors of B and the broadcast element of A
constexpr bool kMasks = true;
#elif HWY_TARGET == HWY_AVX2
using D = hn::Full256<float>;
constexpr std::size_t kMR = 6;
constexpr bool kMasks = false;
#else
using D = hn::Full128<float>;
// 8 rows do not fit in the registers of WebAssembly on x86, but spilling sums costs less than loading B more often for fewer
// rows.
constexpr std::size_t kMR = HWY_ARCH_ARM ? 12 : HWY_ARCH_WASM ? 8 : 5;
constexpr bool kMasks = false;
#endif
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

void copyRows(const float* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to, std::size_t ld) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r, from += rowStride, to += ld) {
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    for (; i < count; ++i) to[i] = from[i];
  }
}

// If a tile has too few accumulators to hide the latency of additions, it uses several sets of accumulators, which alternate over
// k. The tiles of one GEMM differ by at most one row and all sum in the same order, so that equal rows have equal results.
constexpr std::size_t kFewestOfSeveral = (kMR + 1) / 2;  // the fewest rows of a tile if a GEMM has several tiles
constexpr std::size_t setsFor(std::size_t rows, std::size_t vectors) {
  const std::size_t sums = (rows >= kFewestOfSeveral ? kMR : rows) * vectors;
  return sums >= 4 ? 1 : sums >= 2 ? 2 : 4;
}

template <std::size_t kR, std::size_t kV>
using Sums = std::array<V, kR * kV>;

template <std::size_t kR, std::size_t kV, std::size_t kSets>
HWY_INLINE void addSets(const Sums<kR, kV>* sets, Sums<kR, kV>& total) {
  unrolled<kR * kV>([&](auto i) WEBNN_INLINE_LAMBDA {
    total[i] = sets[0][i];
    if constexpr (kSets == 2) total[i] = hn::Add(sets[0][i], sets[1][i]);
    if constexpr (kSets == 4) total[i] = hn::Add(hn::Add(sets[0][i], sets[1][i]), hn::Add(sets[2][i], sets[3][i]));
  });
}

// Tiles of kFewRows rows or fewer are bound by loading B, not by arithmetic.
constexpr std::size_t kFewRows = 3;
// The number of panels that tiles of kFewRows rows or fewer read at the same time. An EPYC reads memory 1.3 times as fast in
// four streams of addresses as in one.
template <std::size_t kR>
inline constexpr std::size_t kStreams = kR == 1 ? 4 : 2;

// FullColumns and MaskedColumns load and store a row's vectors. MaskedColumns limits the last vector to `lastColumns` columns.
struct FullColumns {
  explicit FullColumns(std::size_t) {}
  template <bool kLast>
  HWY_INLINE V load(const float* from) const {
    return hn::LoadU(D(), from);
  }
  template <bool kLast>
  HWY_INLINE void store(V value, float* to) const {
    hn::StoreU(value, D(), to);
  }
};
struct MaskedColumns {
  explicit HWY_INLINE MaskedColumns(std::size_t lastColumns) : mask(hn::FirstN(D(), lastColumns)) {}
  template <bool kLast>
  HWY_INLINE V load(const float* from) const {
    if constexpr (kLast) return hn::MaskedLoad(mask, D(), from);
    return hn::LoadU(D(), from);
  }
  template <bool kLast>
  HWY_INLINE void store(V value, float* to) const {
    if constexpr (kLast) {
      hn::BlendedStore(value, mask, D(), to);
    } else {
      hn::StoreU(value, D(), to);
    }
  }
  hn::Mask<D> mask;
};

template <std::size_t kR, std::size_t kV>
HWY_INLINE void storeSums(const GemmTile& tile, const float* bias, std::size_t columns, float* HWY_RESTRICT c, std::size_t ldc,
                          Sums<kR, kV>& sums) {
  const D d;
  const std::conditional_t<kMasks, MaskedColumns, FullColumns> memory(columns - (kV - 1) * kLanes);
  const auto forAll = [&](auto f) WEBNN_INLINE_LAMBDA {
    unrolled<kR>([&](auto r)
                     WEBNN_INLINE_LAMBDA { unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { f(r, v, sums[r * kV + v]); }); });
  };
  if (tile.adds) {
    forAll([&](auto r, auto v, V& sum)
               WEBNN_INLINE_LAMBDA { sum = hn::Add(sum, memory.template load<v + 1 == kV>(c + r * ldc + v * kLanes)); });
  }
  if (bias) {
    std::array<V, kV> biases;
    unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { biases[v] = memory.template load<v + 1 == kV>(bias + v * kLanes); });
    forAll([&](auto, auto v, V& sum) WEBNN_INLINE_LAMBDA { sum = hn::Add(sum, biases[v]); });
  }
  if (tile.clamps) {
    const V minimum = hn::Set(d, tile.minimum), maximum = hn::Set(d, tile.maximum);
    forAll([&](auto, auto, V& sum) WEBNN_INLINE_LAMBDA { sum = atMost(maximum, atLeast(minimum, sum)); });
  }
  forAll([&](auto r, auto v, V& sum) WEBNN_INLINE_LAMBDA { memory.template store<v + 1 == kV>(sum, c + r * ldc + v * kLanes); });
}

template <std::size_t kR, std::size_t kV>
HWY_INLINE void storePanel(const GemmTile& tile, std::size_t column, Sums<kR, kV>& sums) {
  constexpr std::size_t kWidth = kV * kLanes;
  const std::size_t columns = std::min(tile.columns - column, kWidth);
  float* c = tile.c + column;
  const float* bias = tile.bias ? tile.bias + column : nullptr;
  if constexpr (kMasks) {
    storeSums<kR, kV>(tile, bias, columns, c, tile.ldc, sums);
  } else {
    // Without masked stores, partial panels go through a copy of C.
    std::array<float, kR * kWidth> copy;
    std::array<float, kWidth> biases;
    const bool isPartial = columns < kWidth;
    if (isPartial && tile.adds) copyRows(c, tile.ldc, kR, columns, copy.data(), kWidth);
    if (isPartial && bias) copyRows(bias, 0, 1, columns, biases.data(), 0);
    storeSums<kR, kV>(tile, isPartial && bias ? biases.data() : bias, kWidth, isPartial ? copy.data() : c,
                      isPartial ? kWidth : tile.ldc, sums);
    if (isPartial) copyRows(copy.data(), kWidth, kR, columns, c, tile.ldc);
  }
}

// Prefetches the part of C that receives a panel's sums.
template <std::size_t kR, std::size_t kWidth>
HWY_INLINE void prefetchSums(const GemmTile& tile, std::size_t column) {
  float* c = tile.c + column;
  for (std::size_t r = 0; r < kR; ++r) {
    __builtin_prefetch(c + r * tile.ldc, 1, 3);
    if constexpr (kWidth > 16) __builtin_prefetch(c + r * tile.ldc + 16, 1, 3);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#endif  // WEBNN_CPU_SIMD_GEMM_TILES_INL_H
