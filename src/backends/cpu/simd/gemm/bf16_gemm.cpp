#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/gemm/bf16_gemm.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/runtime/precision.h"
#include "backends/cpu/simd/gemm/bf16_gemm.h"
#include "backends/cpu/simd/select.h"

#if !HWY_ARCH_WASM
#include "backends/cpu/simd/lanes/gemm_tiles-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {

const GemmKernels& gemmTable();  // defined in gemm.cpp

namespace {

namespace hn = hwy::HWY_NAMESPACE;

using DU = hn::RebindToUnsigned<D>;
using Bits = hn::Vec<DU>;

// Rounds to bfloat16, ties to even; NaN becomes quiet. The lower halves of the lanes become zero.
HWY_INLINE Bits roundedBits(V value) {
  const DU du;
  const Bits bits = hn::BitCast(du, value), upper = hn::Set(du, 0xFFFF0000U);
  const Bits half = hn::Add(hn::Set(du, 0x7FFFU), hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1U)));
  const Bits quiet = hn::Or(bits, hn::Set(du, 0x00400000U));
  return hn::And(hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(value)), quiet, hn::Add(bits, half)), upper);
}

// Multiplies on processors without bfloat16 instructions. The rounded elements of A are stored as float, and B is widened to
// float. A 32-bit word of B holds the bfloat16 elements of one column at two successive k.
struct WidenedPairs {
  using Element = float;
  static constexpr std::size_t kRowElements = kGemmKC + kLanes;
  static HWY_INLINE void store(V value, Element* to) { hn::StoreU(hn::BitCast(D(), roundedBits(value)), D(), to); }

  // sums[r][j] += a[r][2 * pair] * b[2 * pair][j] + a[r][2 * pair + 1] * b[2 * pair + 1][j]
  template <std::size_t kR, std::size_t kV>
  static HWY_INLINE void multiply(const Element* a, std::size_t pair, const std::uint32_t* HWY_RESTRICT b, Sums<kR, kV>& sums) {
    const DU du;
    const auto multiplyHalf = [&](std::size_t half, auto widened) WEBNN_INLINE_LAMBDA {
      std::array<V, kV> columns;
      unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { columns[v] = hn::BitCast(D(), widened(hn::LoadU(du, b + v * kLanes))); });
      unrolled<kR>([&](auto r) WEBNN_INLINE_LAMBDA {
        const V element = hn::Set(D(), a[r * kRowElements + 2 * pair + half]);
        unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { sums[r * kV + v] = hn::MulAdd(element, columns[v], sums[r * kV + v]); });
        asm volatile("" ::: "memory");  // keeps the compiler from hoisting the loads of several rows, as in gemm.cpp
      });
    };
    multiplyHalf(1, [&](Bits bits) WEBNN_INLINE_LAMBDA { return hn::And(bits, hn::Set(du, 0xFFFF0000U)); });
    multiplyHalf(0, [](Bits bits) WEBNN_INLINE_LAMBDA { return hn::ShiftLeft<16>(bits); });
  }
};

#if HWY_TARGET == HWY_AVX3
// Multiplies with AVX512-BF16. The rounded elements of A are stored as bfloat16, and one instruction multiplies pairs. Uses
// inline assembly, because Highway's target does not include AVX512-BF16.
struct PairDots {
  using Element = std::uint16_t;
  static constexpr std::size_t kRowElements = kGemmKC + 2 * kLanes;  // an odd number of cache lines, like kTileLda
  static HWY_INLINE void store(V value, Element* to) {
    __m256i rounded;
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(rounded) : "v"(value.raw));
    hn::StoreU(hn::Vec256<std::uint16_t>{rounded}, hn::Full256<std::uint16_t>(), to);
  }

  // Takes operands by value: an array element as an assembly operand would force the array into memory.
  static HWY_INLINE V add(V sum, Bits a, Bits b) {
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }

  template <std::size_t kR, std::size_t kV>
  static HWY_INLINE void multiply(const Element* a, std::size_t pair, const std::uint32_t* HWY_RESTRICT b, Sums<kR, kV>& sums) {
    const DU du;
    std::array<Bits, kV> columns;
    unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { columns[v] = hn::LoadU(du, b + v * kLanes); });
    unrolled<kR>([&](auto r) WEBNN_INLINE_LAMBDA {
      std::uint32_t two;
      std::memcpy(&two, a + r * kRowElements + 2 * pair, sizeof(two));
      const Bits elements = hn::Set(du, two);
      unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { sums[r * kV + v] = add(sums[r * kV + v], elements, columns[v]); });
      asm volatile("" ::: "memory");
    });
  }
};
#else
using PairDots = WidenedPairs;
#endif

// Rounds one row of the tile to bfloat16 and appends a zero if k is odd. Vector stores may write past the end of the row, but
// stay within kRowElements.
template <typename Pairs>
HWY_INLINE void roundRow(const GemmTile& tile, const float* from, typename Pairs::Element* to) {
  const D d;
  const std::size_t length = tile.isContiguous() ? tile.k : tile.runLength;
  for (std::size_t line = 0; line < tile.lines; ++line, from += tile.lineStride) {
    for (std::size_t run = 0; run < tile.runs; ++run, to += length) {
      const float* const start = from + run * tile.runStride;
      std::size_t i = 0;
      for (; i + kLanes <= length; i += kLanes) Pairs::store(hn::LoadU(d, start + i), to + i);
      if (i < length) Pairs::store(loadSome(d, start + i, length - i), to + i);
    }
  }
  if (tile.k % 2 != 0) *to = {};
}

// Works like multiplyAccumulate() in gemm.cpp, but each step multiplies two successive k.
template <typename Pairs, std::size_t kR, std::size_t kV, std::size_t kP>
HWY_INLINE void multiplyPairs(const GemmTile& tile, const typename Pairs::Element* a, const std::uint32_t* HWY_RESTRICT b,
                              const std::byte*& next, std::array<Sums<kR, kV>, kP>& totals) {
  constexpr std::size_t kSets = setsFor(kR, kV), kWidth = kV * kLanes, kStep = 4;
  constexpr std::size_t kAhead = (kR > kFewRows ? 256 : 64);
  const D d;
  const std::size_t pairs = (tile.k + 1) / 2, panel = pairs * kWidth;
  std::array<Sums<kR, kV>, kSets * kP> sums;
  unrolled<kSets * kP>(
      [&](auto s) WEBNN_INLINE_LAMBDA { unrolled<kR * kV>([&](auto i) WEBNN_INLINE_LAMBDA { sums[s][i] = hn::Zero(d); }); });
  std::size_t left = pairs;
  for (; left >= kStep; left -= kStep, a += 2 * kStep, b += kStep * kWidth) {
    for (std::size_t i = 0; i < 2 * tile.nextLines; ++i) {
      __builtin_prefetch(next, 0, 2);
      next += 64;
    }
    unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA {
      const std::uint32_t* HWY_RESTRICT rows = b + p * panel;
      unrolled<kStep>([&](auto i) WEBNN_INLINE_LAMBDA {
        if constexpr (i * kWidth % 16 == 0) __builtin_prefetch(rows + kAhead + i * kWidth, 0, 3);
        if constexpr (kWidth > 16) __builtin_prefetch(rows + kAhead + i * kWidth + 16, 0, 3);
        Pairs::template multiply<kR, kV>(a, i, rows + i * kWidth, sums[p * kSets + i % kSets]);
      });
    });
  }
  for (; left > 0; --left, a += 2, b += kWidth) {
    unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { Pairs::template multiply<kR, kV>(a, 0, b + p * panel, sums[p * kSets]); });
  }
  unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { addSets<kR, kV, kSets>(&sums[p * kSets], totals[p]); });
}

template <typename Pairs, std::size_t kR, std::size_t kV, std::size_t kP = 1>
HWY_INLINE void multiplyPairPanels(const GemmTile& tile, const typename Pairs::Element* a, const std::uint32_t* b,
                                   std::size_t column, const std::byte*& next) {
  constexpr std::size_t kWidth = kV * kLanes;
  if constexpr (kR > kFewRows) prefetchSums<kR, kWidth>(tile, column);
  std::array<Sums<kR, kV>, kP> sums;
  multiplyPairs<Pairs, kR, kV, kP>(tile, a, b, next, sums);
  unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { storePanel<kR, kV>(tile, column + p * kWidth, sums[p]); });
}

template <typename Pairs, std::size_t kR>
void multiplyRounded(const GemmTile& tile) {
  auto* a = reinterpret_cast<typename Pairs::Element*>(tile.scratch);
  for (std::size_t r = 0; r < kR; ++r) roundRow<Pairs>(tile, tile.a + r * tile.lda, a + r * Pairs::kRowElements);
  const std::byte* next = tile.next;
  const auto* b = reinterpret_cast<const std::uint32_t*>(tile.b);
  const std::size_t pairs = (tile.k + 1) / 2;
  std::size_t column = 0;
  if constexpr (kR <= kFewRows) {
    constexpr std::size_t kColumns = 2 * kStreams<kR> * kLanes;
    for (; column + kColumns - kLanes < tile.columns; column += kColumns, b += kColumns * pairs) {
      multiplyPairPanels<Pairs, kR, 2, kStreams<kR>>(tile, a, b, column, next);
    }
  }
  for (; column + kLanes < tile.columns; column += 2 * kLanes, b += 2 * kLanes * pairs) {
    multiplyPairPanels<Pairs, kR, 2>(tile, a, b, column, next);
  }
  if (column < tile.columns) multiplyPairPanels<Pairs, kR, 1>(tile, a, b, column, next);
}

template <typename T>
void packRounded(const T* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                 std::size_t width, float* to) {
  const DU du;
  alignas(64) std::array<float, kGemmKC * 2 * kLanes> floats;
  if constexpr (std::is_same_v<T, float>) {
    gemmTable().packPanel(b, rowStride, columnStride, k, columns, width, floats.data());
  } else {
    gemmTable().packHalfPanel(b, rowStride, columnStride, k, columns, width, floats.data());
  }
  if (k % 2 != 0) std::fill_n(floats.data() + k * width, width, 0.0F);
  auto* pairs = reinterpret_cast<std::uint32_t*>(to);
  for (std::size_t row = 0; row < k; row += 2) {
    for (std::size_t i = 0; i < width; i += kLanes, pairs += kLanes) {
      const float* from = floats.data() + row * width + i;
      const Bits even = roundedBits(hn::LoadU(D(), from)), odd = roundedBits(hn::LoadU(D(), from + width));
      hn::StoreU(hn::Or(odd, hn::ShiftRight<16>(even)), du, pairs);
    }
  }
}

using MultiplyRounded = void (*)(const GemmTile&);
template <typename Pairs, std::size_t... I>
constexpr std::array<MultiplyRounded, sizeof...(I)> roundedMultiplies(std::index_sequence<I...>) {
  return {multiplyRounded<Pairs, I + 1>...};
}

template <typename Pairs>
GemmKernels roundedKernels() {
  static constexpr std::array<MultiplyRounded, kMR> kMultiplies = roundedMultiplies<Pairs>(std::make_index_sequence<kMR>());
  GemmKernels kernels = gemmTable();
  kernels.multiply = kMultiplies.data();
  kernels.packPanel = packRounded<float>;
  kernels.packHalfPanel = packRounded<std::uint16_t>;
  kernels.kStep = 2;
  kernels.elementBytes = sizeof(std::uint16_t);
  kernels.fewestIndirectRows = 1;
  kernels.scratchBytes = (kMR * Pairs::kRowElements * sizeof(typename Pairs::Element) + 63) / 64 * 64;
  return kernels;
}

}  // namespace

const GemmKernels& widenedPairTable() {
  static const GemmKernels kTable = roundedKernels<WidenedPairs>();
  return kTable;
}
const GemmKernels& pairDotTable() {
  static const GemmKernels kTable = roundedKernels<PairDots>();
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace webnn::cpu {
#if HWY_ARCH_WASM
const GemmKernels& bf16GemmKernels(Isa isa) { return gemmKernels(isa); }
#else
namespace {
const GemmKernels& pairDotKernels(Isa isa) { WEBNN_SELECT(isa, pairDotTable); }
const GemmKernels& widenedPairKernels(Isa isa) { WEBNN_SELECT(isa, widenedPairTable); }
}  // namespace
const GemmKernels& bf16GemmKernels(Isa isa) { return hasBf16Dots(isa) ? pairDotKernels(isa) : widenedPairKernels(isa); }
#endif
}  // namespace webnn::cpu
#endif
