#include <algorithm>
#include <array>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/gemm/gemm.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/simd/gemm/gemm.h"
#include "backends/cpu/simd/lanes/gemm_tiles-inl.h"
#include "backends/cpu/simd/lanes/half-inl.h"
#include "backends/cpu/simd/lanes/unrolled-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Addresses the rows of a tile of A with any leading dimension: by scaled-index addressing, one base register reaches five rows
// (0 to 4 times lda; 3 * lda has its own register).
template <std::size_t kR>
struct Rows {
  HWY_INLINE Rows(const float* a, std::size_t ld)
      : lda(static_cast<std::ptrdiff_t>(ld * sizeof(float))),
        three(hidden(3 * lda)),
        first(reinterpret_cast<const char*>(a)),
        second(hidden(first + 5 * lda)),
        third(hidden(first + 10 * lda)) {}

  template <std::size_t kRow>
  HWY_INLINE float at(std::size_t k) const {
    constexpr std::size_t kStep = kRow % 5;
    const char* base = kRow < 5 ? first : kRow < 10 ? second : third;
    return reinterpret_cast<const float*>(base + (kStep == 3 ? three : static_cast<std::ptrdiff_t>(kStep) * lda))[k];
  }
  HWY_INLINE void advance(std::size_t k) {
    first += k * sizeof(float);
    second += k * sizeof(float);
    third += k * sizeof(float);
  }

 private:
  // Hides how `value` was computed, so that the compiler keeps it in a register instead of computing it again.
  template <typename T>
  static HWY_INLINE T hidden(T value) {
    asm("" : "+r"(value));
    return value;
  }
  std::ptrdiff_t lda, three;
  const char *first, *second, *third;
};

// Returns sum + a * b in the register of `sum`. GCC moves the results of MulAdd() among registers, and then spills sums of full
// tiles, which leave one of 16 registers free.
HWY_INLINE V addProduct(V sum, V a, V b) {
#if HWY_TARGET == HWY_AVX2 && (HWY_COMPILER_GCC_ACTUAL || HWY_COMPILER_CLANG)
  auto raw = sum.raw;
  asm("vfmadd231ps %2, %1, %0" : "+x"(raw) : "x"(a.raw), "x"(b.raw));
  return V{raw};
#else
  return hn::MulAdd(a, b, sum);
#endif
}

// sums[r][j] += a[r][k] * b[k][j]
template <std::size_t kR, std::size_t kV>
HWY_INLINE void multiplyStep(const Rows<kR>& a, std::size_t k, const float* HWY_RESTRICT b, Sums<kR, kV>& sums) {
  const D d;
  std::array<V, kV> columns;
  unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { columns[v] = hn::LoadU(d, b + v * kLanes); });
  unrolled<kR>([&](auto r) WEBNN_INLINE_LAMBDA {
    const V element = hn::Set(d, a.template at<r>(k));
    unrolled<kV>([&](auto v) WEBNN_INLINE_LAMBDA { sums[r * kV + v] = addProduct(sums[r * kV + v], element, columns[v]); });
    // Keeps the compiler from hoisting the loads of several rows, for which there are no registers.
    asm volatile("" ::: "memory");
  });
}

// Multiplies the tile of A by kP adjacent panels of B, which it reads as kP concurrent memory streams.
template <std::size_t kR, std::size_t kV, std::size_t kP>
HWY_INLINE void multiplyAccumulate(const GemmTile& tile, const float* HWY_RESTRICT b, const std::byte*& next,
                                   std::array<Sums<kR, kV>, kP>& totals) {
  constexpr std::size_t kSets = setsFor(kR, kV), kWidth = kV * kLanes, kStep = 4;
  // Prefetch distance of B into L1, in floats.
  constexpr std::size_t kAhead = (kR > kFewRows ? 256 : 64);
  const D d;
  const std::size_t panel = tile.k * kWidth;
  Rows<kR> a(tile.a, tile.lda);
  std::array<Sums<kR, kV>, kSets * kP> sums;
  unrolled<kSets * kP>(
      [&](auto s) WEBNN_INLINE_LAMBDA { unrolled<kR * kV>([&](auto i) WEBNN_INLINE_LAMBDA { sums[s][i] = hn::Zero(d); }); });
  const std::size_t length = tile.isContiguous() ? tile.k : tile.runLength;
  const std::size_t lineStep = tile.lineStride - tile.runs * tile.runStride;
  for (std::size_t line = 0; line < tile.lines; ++line, a.advance(lineStep)) {
    for (std::size_t run = 0; run < tile.runs; ++run, a.advance(tile.runStride - length)) {
      std::size_t k = length;
      for (; k >= kStep; k -= kStep) {
        for (std::size_t i = 0; i < tile.nextLines && next < tile.nextEnd; ++i) {
          __builtin_prefetch(next, 0, 2);
          next += 64;
        }
        unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA {
          const float* HWY_RESTRICT rows = b + p * panel;
          unrolled<kStep>([&](auto i) WEBNN_INLINE_LAMBDA {
            if constexpr (i * kWidth % 16 == 0) __builtin_prefetch(rows + kAhead + i * kWidth, 0, 3);
            if constexpr (kWidth > 16) __builtin_prefetch(rows + kAhead + i * kWidth + 16, 0, 3);
            multiplyStep<kR, kV>(a, i, rows + i * kWidth, sums[p * kSets + i % kSets]);
          });
        });
        a.advance(kStep);
        b += kStep * kWidth;
      }
      for (; k > 0; --k, a.advance(1), b += kWidth) {
        unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { multiplyStep<kR, kV>(a, 0, b + p * panel, sums[p * kSets]); });
      }
    }
  }
  unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { addSets<kR, kV, kSets>(&sums[p * kSets], totals[p]); });
}

template <std::size_t kR, std::size_t kV, std::size_t kP = 1>
HWY_INLINE void multiplyPanels(const GemmTile& tile, const float* b, std::size_t column, const std::byte*& next) {
  constexpr std::size_t kWidth = kV * kLanes;
  if constexpr (kR > kFewRows) prefetchSums<kR, kWidth>(tile, column);
  std::array<Sums<kR, kV>, kP> sums;
  multiplyAccumulate<kR, kV, kP>(tile, b, next, sums);
  unrolled<kP>([&](auto p) WEBNN_INLINE_LAMBDA { storePanel<kR, kV>(tile, column + p * kWidth, sums[p]); });
}

template <std::size_t kR>
void multiply(const GemmTile& tile) {
  const std::byte* next = tile.next;
  const float* b = tile.b;
  std::size_t column = 0;
  if constexpr (kR <= kFewRows) {
    constexpr std::size_t kColumns = 2 * kStreams<kR> * kLanes;
    for (; column + kColumns - kLanes < tile.columns; column += kColumns, b += kColumns * tile.k) {
      multiplyPanels<kR, 2, kStreams<kR>>(tile, b, column, next);
    }
  }
  for (; column + kLanes < tile.columns; column += 2 * kLanes, b += 2 * kLanes * tile.k) {
    multiplyPanels<kR, 2>(tile, b, column, next);
  }
  if (column < tile.columns) multiplyPanels<kR, 1>(tile, b, column, next);
}

void widenRows(const std::uint16_t* from, std::size_t rowStride, std::size_t rows, std::size_t count, float* to, std::size_t ld) {
  const D d;
  const hn::Rebind<std::uint16_t, D> du;
  for (std::size_t r = 0; r < rows; ++r, from += rowStride, to += ld) {
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) hn::StoreU(halfToFloat(d, hn::LoadU(du, from + i)), d, to + i);
    if (i == count) continue;
    std::array<std::uint16_t, kLanes> halves{};
    std::array<float, kLanes> floats;
    std::copy_n(from + i, count - i, halves.data());
    hn::StoreU(halfToFloat(d, hn::LoadU(du, halves.data())), d, floats.data());
    std::copy_n(floats.data(), count - i, to + i);
  }
}

void narrowRows(const float* from, std::size_t ld, std::size_t rows, std::size_t count, std::uint16_t* to,
                std::size_t rowStride) {
  const D d;
  const hn::Rebind<std::uint16_t, D> du;
  for (std::size_t r = 0; r < rows; ++r, from += ld, to += rowStride) {
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) hn::StoreU(floatToHalf(d, hn::LoadU(d, from + i)), du, to + i);
    if (i == count) continue;
    std::array<std::uint16_t, kLanes> halves;
    std::array<float, kLanes> floats{};
    std::copy_n(from + i, count - i, floats.data());
    hn::StoreU(floatToHalf(d, hn::LoadU(d, floats.data())), du, halves.data());
    std::copy_n(halves.data(), count - i, to + i);
  }
}

// Loads kL / 4 groups of four contiguous floats into one vector. The groups are 4 * stride apart.
template <std::size_t kL>
HWY_INLINE hn::Vec<hn::Simd<float, kL, 0>> loadFours(const float* from, std::size_t stride) {
  const hn::Simd<float, kL, 0> d;
  if constexpr (kL == 4) {
    return hn::LoadU(d, from);
  } else {
    return hn::Combine(d, loadFours<kL / 2>(from + kL / 2 * stride, stride), loadFours<kL / 2>(from, stride));
  }
}

void copyColumns(const float* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t ld) {
  const D d;
  const hn::Repartition<double, D> d2;
  const auto pairs = [&](V a, V b, float* lower, float* upper) WEBNN_INLINE_LAMBDA {
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, hn::BitCast(d2, a), hn::BitCast(d2, b))), d, lower);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, hn::BitCast(d2, a), hn::BitCast(d2, b))), d, upper);
  };
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    const float* column = from + j * stride;
    float* corner = to + j;
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      const V a = loadFours<kLanes>(column + i, stride), b = loadFours<kLanes>(column + i + stride, stride);
      const V c = loadFours<kLanes>(column + i + 2 * stride, stride), e = loadFours<kLanes>(column + i + 3 * stride, stride);
      float* row = corner + i * ld;
      pairs(hn::InterleaveLower(d, a, b), hn::InterleaveLower(d, c, e), row, row + ld);
      pairs(hn::InterleaveUpper(d, a, b), hn::InterleaveUpper(d, c, e), row + 2 * ld, row + 3 * ld);
    }
    for (; i < rows; ++i) {
      for (std::size_t l = 0; l < kLanes; ++l) corner[i * ld + l] = column[i + l * stride];
    }
  }
  for (; j < count; ++j) {
    for (std::size_t i = 0; i < rows; ++i) to[i * ld + j] = from[i + j * stride];
  }
}

void widenColumns(const std::uint16_t* from, std::size_t stride, std::size_t rows, std::size_t count, float* to, std::size_t ld) {
  constexpr std::size_t kSide = 16;
  std::array<float, kSide * kSide> square;
  for (std::size_t i = 0; i < rows; i += kSide) {
    const std::size_t height = std::min(kSide, rows - i);
    for (std::size_t j = 0; j < count; j += kSide) {
      const std::size_t width = std::min(kSide, count - j);
      widenRows(from + i + j * stride, stride, width, height, square.data(), kSide);
      copyColumns(square.data(), kSide, height, width, to + i * ld + j, ld);
    }
  }
}

template <typename T>
void packAny(const T* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns, std::size_t width,
             float* to) {
  const auto select = [](auto forFloat, auto forHalf) {
    if constexpr (std::is_same_v<T, float>) {
      return forFloat;
    } else {
      return forHalf;
    }
  };
  const auto copy = select(copyRows, widenRows);
  if (columns < width) {
    // Zeroes the vectors that contain padding. Their other elements are written afterwards.
    const D d;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = columns / kLanes * kLanes; j < width; j += kLanes) hn::StoreU(hn::Zero(d), d, to + i * width + j);
    }
  }
  if (columnStride == 1) return copy(b, rowStride, k, columns, to, width);
  if (rowStride == 1) return select(copyColumns, widenColumns)(b, columnStride, k, columns, to, width);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < columns; ++j) copy(b + i * rowStride + j * columnStride, 0, 1, 1, to + i * width + j, 0);
  }
}

void packPanel(const float* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
               std::size_t width, float* to) {
  packAny(b, rowStride, columnStride, k, columns, width, to);
}
void packHalfPanel(const std::uint16_t* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                   std::size_t width, float* to) {
  packAny(b, rowStride, columnStride, k, columns, width, to);
}

using Multiply = void (*)(const GemmTile&);
template <std::size_t... I>
constexpr std::array<Multiply, sizeof...(I)> multiplies(std::index_sequence<I...>) {
  return {multiply<I + 1>...};
}
constexpr std::array<Multiply, kMR> kMultiplies = multiplies(std::make_index_sequence<kMR>());

}  // namespace

const GemmKernels& gemmTable() {
  static constexpr GemmKernels table = [] {
    GemmKernels kernels{kMR,         kLanes,       kMultiplies.data(), copyRows,  widenRows,
                        copyColumns, widenColumns, narrowRows,         packPanel, packHalfPanel};
    kernels.fewestIndirectRows = kFewestOfSeveral;  // tiles of at least so many rows have one set of sums
    kernels.prefetchesRows = HWY_TARGET <= HWY_AVX2;  // AVX2 and AVX-512; smaller numbers are better targets
    return kernels;
  }();
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const GemmKernels& gemmKernels(Isa isa) { WEBNN_SELECT(isa, gemmTable); }
}  // namespace webnn::cpu
#endif
