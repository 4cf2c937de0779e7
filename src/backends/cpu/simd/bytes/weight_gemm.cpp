// clang-format off: foreach_target.h is first
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/weight_gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "backends/cpu/simd/bytes/weight_gemm.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;

constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kSegment = 256;  // values of k that are summed before the scale is applied

template <std::size_t kBits>
inline constexpr std::size_t kPerWord = 32 / kBits;
// The maximum number of rows in a tile. 8-bit values take longer to unpack, so for more rows, it is faster to unpack them once.
template <std::size_t kBits>
inline constexpr std::size_t kMostRows = kBits == 4 && HWY_TARGET == HWY_AVX3 ? 12 : 4;
template <std::size_t kBits>
inline constexpr std::size_t kFewestUnpackedRows = kBits == 8               ? 5
                                                   : HWY_TARGET == HWY_AVX3 ? 16
                                                                            : 6;

// Unpacker::next() returns the top value of each word as a float, and shifts the word so that the next value is on top.
template <std::size_t kBits>
struct Unpacker {
  HWY_INLINE hn::Vec<Floats> next(hn::Vec<Words>& word) const {
    const auto value = hn::ConvertTo(Floats(), hn::ShiftRight<32 - kBits>(hn::BitCast(Ints(), word)));
    word = hn::ShiftLeft<kBits>(word);
    return value;
  }
};
#if HWY_TARGET == HWY_AVX3
template <>
struct Unpacker<4> {
  hn::Vec<Floats> table;
  // Declared explicitly, because an implicit constructor would not be compiled for AVX-512.
  HWY_INLINE Unpacker() : table(hn::Load(Floats(), kValues)) {}
  HWY_INLINE hn::Vec<Floats> next(hn::Vec<Words>& word) const {
    word = hn::RotateRight<28>(word);  // a lookup sees the low four bits
    return hn::TableLookupLanes(table, hn::IndicesFromVec(Floats(), hn::BitCast(Ints(), word)));
  }
  alignas(64) static constexpr float kValues[16] = {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
};
#endif

// Number of accumulators per vector. A tile of one row has two, for even and odd k, to hide the latency of additions.
template <std::size_t kCount>
inline constexpr std::size_t kSets = kCount == 1 ? 2 : 1;

template <std::size_t kCount>
using Sums = hn::Vec<Floats>[kSets<kCount>][kCount][2];

// The zero points of a panel's columns; empty if all are zero. Each zero point is subtracted from each value, which is exact.
// Correcting the sum instead would keep the rounding errors of a larger sum.
template <bool kHasZeros>
struct Zeros {
  explicit HWY_INLINE Zeros(const float* from) : low(hn::LoadU(Floats(), from)), high(hn::LoadU(Floats(), from + kLanes)) {}
  hn::Vec<Floats> low, high;
};
template <>
struct Zeros<false> {
  explicit HWY_INLINE Zeros(const float*) {}
};

template <std::size_t kBits, std::size_t kCount, bool kHasZeros>
HWY_INLINE void addNumber(const Unpacker<kBits>& unpacker, const Zeros<kHasZeros>& zeros, hn::Vec<Words>& low,
                          hn::Vec<Words>& high, const float* a, std::size_t rowStride, hn::Vec<Floats> (&sums)[kCount][2]) {
  auto b0 = unpacker.next(low), b1 = unpacker.next(high);
  if constexpr (kHasZeros) {
    b0 = hn::Sub(b0, zeros.low);
    b1 = hn::Sub(b1, zeros.high);
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kCount; ++r) {
    const auto ar = hn::Set(Floats(), a[r * rowStride]);
    sums[r][0] = hn::MulAdd(ar, b0, sums[r][0]);
    sums[r][1] = hn::MulAdd(ar, b1, sums[r][1]);
  }
}

// Sums a * b over k in [from, to), which lies in one block, and adds the block's scale times the sum to `results`, which is
// [row][two vectors of columns].
template <std::size_t kBits, std::size_t kCount, bool kHasZeros>
HWY_INLINE void addSegment(const WeightTile& t, std::size_t block, std::size_t from, std::size_t to, float* results) {
  const Floats d;
  const Words dw;
  constexpr std::size_t kStep = kPerWord<kBits>;
  const Unpacker<kBits> unpacker;
  const Zeros<kHasZeros> zeros(t.zero + 2 * block * kLanes);
  const float* scale = t.scale + 2 * block * kLanes;
  Sums<kCount> sums;
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kCount; ++r) {
    for (std::size_t set = 0; set < kSets<kCount>; ++set) sums[set][r][0] = sums[set][r][1] = hn::Zero(d);
  }
  const std::uint32_t* b = t.b + from / kStep * 2 * kLanes;
  const float* a = t.a + from;
  std::size_t k = from;
  for (; k + kStep <= to; k += kStep, a += kStep, b += 2 * kLanes) {
    auto low = hn::Load(dw, b), high = hn::Load(dw, b + kLanes);
    hwy::Prefetch(b + 32 * kLanes);
    hwy::Prefetch(b + 33 * kLanes);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kStep; ++i)
      addNumber<kBits, kCount, kHasZeros>(unpacker, zeros, low, high, a + i, t.rowStride, sums[i % kSets<kCount>]);
  }
  if (k < to) {
    auto low = hn::Load(dw, b), high = hn::Load(dw, b + kLanes);
    for (; k < to; ++k, ++a) addNumber<kBits, kCount, kHasZeros>(unpacker, zeros, low, high, a, t.rowStride, sums[0]);
  }
  const auto scale0 = hn::LoadU(d, scale), scale1 = hn::LoadU(d, scale + kLanes);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kCount; ++r) {
    if constexpr (kSets<kCount> == 2) {
      sums[0][r][0] = hn::Add(sums[0][r][0], sums[1][r][0]);
      sums[0][r][1] = hn::Add(sums[0][r][1], sums[1][r][1]);
    }
    float* at = results + r * 2 * kLanes;
    hn::Store(hn::MulAdd(sums[0][r][0], scale0, hn::Load(d, at)), d, at);
    hn::Store(hn::MulAdd(sums[0][r][1], scale1, hn::Load(d, at + kLanes)), d, at + kLanes);
  }
}

// Returns the dequantized weight, rounded to float32 as dequantizeLinear rounds it.
template <std::size_t kBits>
HWY_INLINE double weightAt(const WeightTile& t, std::size_t k, std::size_t column) {
  const std::uint32_t word = t.b[k / kPerWord<kBits> * 2 * kLanes + column];
  const auto number = static_cast<float>(static_cast<std::int32_t>(word << (k % kPerWord<kBits> * kBits)) >> (32 - kBits));
  const std::size_t at = k / t.block * 2 * kLanes + column;
  return double{(number - (t.zero ? t.zero[at] : 0.0F)) * t.scale[at]};
}

// Recomputes in double the results that are not finite: in float32, a sum may overflow before the scale brings it back into
// range.
template <std::size_t kBits>
HWY_NOINLINE void mendSums(const WeightTile& t, float* results) {
  for (std::size_t r = 0; r < t.rows; ++r) {
    for (std::size_t column = 0; column < t.columns; ++column) {
      float& result = results[r * 2 * kLanes + column];
      if (result - result == 0) continue;
      double sum = 0;
      for (std::size_t k = 0; k < t.k; ++k) sum += double{t.a[r * t.rowStride + k]} * weightAt<kBits>(t, k, column);
      result = static_cast<float>(sum);
    }
  }
}

template <std::size_t kBits>
HWY_NOINLINE void epilogue(const WeightTile& t, float* results) {
  const Floats d;
  auto isFinite = hn::IsFinite(hn::Load(d, results));
  for (std::size_t i = 1; i < 2 * t.rows; ++i) isFinite = hn::And(isFinite, hn::IsFinite(hn::Load(d, results + i * kLanes)));
  if (HWY_UNLIKELY(!hn::AllTrue(d, isFinite))) mendSums<kBits>(t, results);
  for (std::size_t r = 0; r < t.rows; ++r) {
    for (std::size_t i = 0; i < 2; ++i) {
      float* at = results + (2 * r + i) * kLanes;
      auto value = hn::Add(hn::Load(d, at), hn::LoadU(d, t.bias + i * kLanes));
      if (t.relu) value = hn::IfThenZeroElse(value < hn::Zero(d), value);
      hn::Store(value, d, at);
    }
    std::memcpy(t.c + r * t.ldc, results + 2 * r * kLanes, t.columns * sizeof(float));
  }
}

template <std::size_t kBits, std::size_t kCount, bool kHasZeros>
void tileWith(const WeightTile& t) {
  HWY_ALIGN float results[kCount * 2 * kLanes] = {};
  for (std::size_t block = 0, begin = 0; begin < t.k; ++block, begin += t.block) {
    for (std::size_t from = begin; from < begin + t.block; from += kSegment) {
      const std::size_t end = begin + t.block;
      addSegment<kBits, kCount, kHasZeros>(t, block, from, from + kSegment < end ? from + kSegment : end, results);
    }
  }
  epilogue<kBits>(t, results);
}

template <std::size_t kBits, std::size_t kCount>
void tileOf(const WeightTile& t) {
  t.zero ? tileWith<kBits, kCount, true>(t) : tileWith<kBits, kCount, false>(t);
}

// There is one kernel per number of rows. A kernel computes all rows of a tile together, so that B is unpacked only once.
using Tile = void (*)(const WeightTile&);
template <std::size_t kBits, std::size_t... kIndex>
constexpr std::array<Tile, sizeof...(kIndex)> tilesOf(std::index_sequence<kIndex...>) {
  return {tileOf<kBits, kIndex + 1>...};
}

template <std::size_t kBits>
void tile(const WeightTile& t) {
  static constexpr auto tiles = tilesOf<kBits>(std::make_index_sequence<kMostRows<kBits>>());
  tiles[t.rows - 1](t);
}

// Dequantizes a panel or its first kVectors vectors of columns. Rounds like dequantizeLinear.
template <std::size_t kBits, std::size_t kVectors, bool kHasZeros>
void unpackRows(const WeightTile& t, std::size_t from, std::size_t count, float* to) {
  const Floats d;
  const Words dw;
  constexpr std::size_t kStep = kPerWord<kBits>;
  const Unpacker<kBits> unpacker;
  const std::size_t end = from + count;
  for (std::size_t k = from; k < end;) {
    const std::size_t block = k / t.block, blockEnd = (block + 1) * t.block, stop = blockEnd < end ? blockEnd : end;
    const float* scales = t.scale + 2 * block * kLanes;
    const auto scale0 = hn::LoadU(d, scales), scale1 = hn::LoadU(d, scales + kLanes);
    const Zeros<kHasZeros> zeros(t.zero + 2 * block * kLanes);
    const auto writeRow = [&](hn::Vec<Words>& low, hn::Vec<Words>& high) HWY_ATTR {
      auto b0 = unpacker.next(low), b1 = unpacker.next(high);
      if constexpr (kHasZeros) {
        b0 = hn::Sub(b0, zeros.low);
        b1 = hn::Sub(b1, zeros.high);
      }
      hn::StoreU(hn::Mul(b0, scale0), d, to);
      if constexpr (kVectors == 2) hn::StoreU(hn::Mul(b1, scale1), d, to + kLanes);
      to += kVectors * kLanes;
    };
    while (k < stop) {
      const std::uint32_t* words = t.b + k / kStep * 2 * kLanes;
      auto low = hn::Load(dw, words), high = hn::Load(dw, words + kLanes);
      const std::size_t skipped = k % kStep, rows = kStep - skipped < stop - k ? kStep - skipped : stop - k;
      k += rows;
      if (rows == kStep) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kStep; ++i) writeRow(low, high);
      } else {
        low = hn::ShiftLeftSame(low, static_cast<int>(kBits * skipped));
        high = hn::ShiftLeftSame(high, static_cast<int>(kBits * skipped));
        for (std::size_t i = 0; i < rows; ++i) writeRow(low, high);
      }
    }
  }
}

template <std::size_t kBits>
void unpack(const WeightTile& t, std::size_t from, std::size_t count, std::size_t width, float* to) {
  const auto with = [&](auto hasZeros) {
    width > kLanes ? unpackRows<kBits, 2, hasZeros>(t, from, count, to) : unpackRows<kBits, 1, hasZeros>(t, from, count, to);
  };
  t.zero ? with(std::true_type()) : with(std::false_type());
}

template <std::size_t kBits>
const WeightGemmKernels& kernels() {
  static constexpr WeightGemmKernels table{.mostRows = kMostRows<kBits>,
                                           .columns = 2 * kLanes,
                                           .tile = tile<kBits>,
                                           .fewestUnpackedRows = kFewestUnpackedRows<kBits>,
                                           .unpack = unpack<kBits>};
  return table;
}

const WeightGemmKernels& nibbleKernels() { return kernels<4>(); }
const WeightGemmKernels& byteKernels() { return kernels<8>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
namespace {
const WeightGemmKernels& nibbleKernelsFor(Isa isa) { WEBNN_SELECT(isa, nibbleKernels); }
const WeightGemmKernels& byteKernelsFor(Isa isa) { WEBNN_SELECT(isa, byteKernels); }
}  // namespace
const WeightGemmKernels& weightGemmKernels(Isa isa, std::size_t bits) {
  return bits == 4 ? nibbleKernelsFor(isa) : byteKernelsFor(isa);
}
}  // namespace webnn::cpu
#endif
