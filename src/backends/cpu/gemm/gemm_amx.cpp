#include "backends/cpu/gemm/gemm_amx.h"

#if defined(__x86_64__)
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "backends/cpu/gemm/gemm_amx_parts.h"
#include "backends/cpu/runtime/amx_tiles.h"
#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

// The header before a panel's elements. If the elements cannot be split into parts, they are stored as floats, which take no more
// bytes than two parts.
struct alignas(64) PanelHeader {
  AmxRange range;
  bool isSplit = false;
};
static_assert(sizeof(PanelHeader) == 64);

struct Scratch {
  alignas(64) std::array<std::byte, kAmxKC / kAmxStep * kAmxParts * 2 * kAmxTile> rows;  // rows of A, split into parts
  alignas(64) std::array<float, kAmxSide * kAmxSide> sums;
  alignas(64) std::array<float, kAmxKC * kAmxSide> panel;  // a panel of B, converted back from parts to floats
};

// Memory to prefetch. Each step of k prefetches `lines` cache lines.
struct Next {
  WEBNN_TILES_INLINE void bring() {
    for (std::size_t i = 0; i < lines; ++i, at += 64) __builtin_prefetch(at, 0, 2);
  }
  const std::byte* at;
  std::size_t lines;
};

// Multiplies the parts of one tile of A by the parts of one panel of B.
template <typename Tiles, int kRowTiles, int kColumnTiles>
class PartGemms {
 public:
  WEBNN_TILES_INLINE explicit PartGemms(Tiles& tiles) : tiles_(tiles) {}

  template <int kPartsA, int kPartsB>
  WEBNN_TILES_INLINE void run(const std::byte* a, const std::byte* b, std::size_t steps, float* sums, Next& next) {
    constexpr std::size_t kRoomA = kPartsA == 1 ? 1 : kAmxParts;
    forEach([&](auto row, auto column) WEBNN_TILES { tiles_.template zero<2 * row + column>(); });
    for (; steps > 0; --steps, a += kRoomA * kPartA, b += kPartsB * kPartB) {
      next.bring();
      if constexpr (kPartsA == 1) {
        loadB(b);
        loadA(a);
        dot();
        continue;
      }
      // The largest product is added last, for accuracy. Consecutive products share a part of A or of B, which saves tile
      // loads.
      loadB(b);
      if constexpr (kPartsA == 3) {
        loadA(a + 2 * kPartA);
        dot();
      }
      loadA(a + kPartA);
      dot();
      loadB(b + kPartB);
      dot();
      loadA(a);
      dot();
      if constexpr (kPartsB == 3) {
        loadB(b + 2 * kPartB);
        dot();
      }
      loadB(b);
      dot();
    }
    forEach([&](auto row, auto column) WEBNN_TILES {
      tiles_.template store<2 * row + column>(sums + (row * kAmxSide + column) * kTileRows, kAmxSide * sizeof(float));
    });
  }

 private:
  static constexpr std::size_t kPartA = 2 * kAmxTile, kPartB = kColumnTiles * kAmxTile;

  WEBNN_TILES_INLINE static void forEach(auto f) {
    using std::integral_constant;
    f(integral_constant<int, 0>(), integral_constant<int, 0>());
    if constexpr (kColumnTiles == 2) f(integral_constant<int, 0>(), integral_constant<int, 1>());
    if constexpr (kRowTiles == 2) f(integral_constant<int, 1>(), integral_constant<int, 0>());
    if constexpr (kRowTiles == 2 && kColumnTiles == 2) f(integral_constant<int, 1>(), integral_constant<int, 1>());
  }
  WEBNN_TILES_INLINE void loadA(const std::byte* from) {
    tiles_.template load<4>(from, kTileBytes);
    if constexpr (kRowTiles == 2) tiles_.template load<5>(from + kAmxTile, kTileBytes);
  }
  WEBNN_TILES_INLINE void loadB(const std::byte* from) {
    tiles_.template load<6>(from, kTileBytes);
    if constexpr (kColumnTiles == 2) tiles_.template load<7>(from + kAmxTile, kTileBytes);
  }
  WEBNN_TILES_INLINE void dot() {
    forEach([&](auto row, auto column) WEBNN_TILES { tiles_.template dotBf16<2 * row + column, 4 + row, 6 + column>(); });
  }

  Tiles& tiles_;
};

template <typename Tiles, int kRowTiles, int kColumnTiles>
WEBNN_TILES void multiplyParts(Tiles& tiles, std::uint32_t partsA, std::uint32_t partsB, const std::byte* a, const std::byte* b,
                               std::size_t steps, float* sums, Next& next) {
  PartGemms<Tiles, kRowTiles, kColumnTiles> gemms(tiles);
  if (partsA == 1) {
    gemms.template run<1, 1>(a, b, steps, sums, next);
  } else if (partsA == 3 && partsB == 3) {
    gemms.template run<3, 3>(a, b, steps, sums, next);
  } else if (partsA == 3) {
    gemms.template run<3, 2>(a, b, steps, sums, next);
  } else if (partsB == 3) {
    gemms.template run<2, 3>(a, b, steps, sums, next);
  } else {
    gemms.template run<2, 2>(a, b, steps, sums, next);
  }
}

template <typename Tiles>
auto partsFunction(std::size_t rows, std::size_t columns) {
  const bool isHigh = rows > kTileRows, isWide = columns > kTileRows;
  return isHigh ? (isWide ? multiplyParts<Tiles, 2, 2> : multiplyParts<Tiles, 2, 1>)
                : (isWide ? multiplyParts<Tiles, 1, 2> : multiplyParts<Tiles, 1, 1>);
}

// Adds the bias, clamps the sums and stores them to C, as the vector kernels do.
WEBNN_TILES void storeSums(const GemmTile& tile, const float* sums, std::size_t column) {
  const std::size_t columns = std::min(kAmxSide, tile.columns - column);
  const __m512 minimum = _mm512_set1_ps(tile.minimum), maximum = _mm512_set1_ps(tile.maximum);
  for (std::size_t first = 0; first < columns; first += 16) {
    const auto mask = static_cast<__mmask16>(columns - first >= 16 ? 0xFFFFU : (1U << (columns - first)) - 1);
    const __m512 bias = tile.bias ? _mm512_maskz_loadu_ps(mask, tile.bias + column + first) : _mm512_setzero_ps();
    float* c = tile.c + column + first;
    for (std::size_t row = 0; row < tile.rows; ++row, c += tile.ldc) {
      __m512 sum = _mm512_load_ps(sums + row * kAmxSide + first);
      if (tile.adds) sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, c));
      if (tile.bias) sum = _mm512_add_ps(sum, bias);
      // max and min return their second operand if either is NaN, so that a NaN sum stays NaN.
      if (tile.clamps) sum = _mm512_min_ps(maximum, _mm512_max_ps(minimum, sum));
      _mm512_mask_storeu_ps(c, mask, sum);
    }
  }
}

// Multiplies a tile of A by consecutive panels of B, each with room for kRoom parts per float.
template <typename Tiles, std::size_t kRoom>
class TileGemm {
 public:
  explicit TileGemm(const GemmTile& tile)
      : tile_(tile),
        scratch_(*reinterpret_cast<Scratch*>(tile.scratch)),
        steps_(divideUp(tile.k, kAmxStep)),
        next_{tile.next, tile.nextLines * (kAmxStep / 4)} {}

  WEBNN_TILES void run() {
    const AmxRange range = splitRows(tile_.a, tile_.lda, tile_.rows, tile_.k, scratch_.rows.data());
    const bool isSplit = range.splits();
    tiles_.configure(TileConfiguration());
    const auto* panel = reinterpret_cast<const std::byte*>(tile_.b);
    for (std::size_t column = 0; column < tile_.columns; column += kAmxSide) {
      const std::size_t width = tile_.columns - column > kTileRows ? kAmxSide : kTileRows;
      const auto& header = *reinterpret_cast<const PanelHeader*>(panel);
      const std::byte* elements = panel + sizeof(PanelHeader);
      if (isSplit && header.isSplit && range.multiplies(header.range)) {
        multiplySplit(range.parts, header.range.parts, elements, width);
      } else {
        multiplyFloats(header, elements, width);
      }
      storeSums(tile_, scratch_.sums.data(), column);
      panel = elements + steps_ * kAmxStep * width * kRoom * sizeof(std::uint16_t);
    }
    tiles_.release();
  }

 private:
  WEBNN_TILES void multiplySplit(std::uint32_t partsA, std::uint32_t partsB, const std::byte* elements, std::size_t width) {
    const auto multiply = partsFunction<Tiles>(tile_.rows, width);
    tiles_.barrier();
    multiply(tiles_, partsA, partsB, scratch_.rows.data(), elements, steps_, scratch_.sums.data(), next_);
  }

  // Multiplies in float32 with the AVX-512 kernels, if A or B cannot be split, or if products of their parts could overflow or
  // underflow. If the panel of B is split, converts it back to floats first.
  void multiplyFloats(const PanelHeader& header, const std::byte* elements, std::size_t width) {
    const GemmKernels& kernels = gemmKernels(Isa::avx512);
    if (header.isSplit) joinPanel(elements, tile_.k, width, header.range.parts, scratch_.panel.data());
    GemmTile task;
    task.b = header.isSplit ? scratch_.panel.data() : reinterpret_cast<const float*>(elements);
    task.k = tile_.k;
    task.lda = tile_.lda;
    task.ldc = kAmxSide;
    task.columns = width;
    const std::size_t parts = divideUp(tile_.rows, kernels.mr);
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t first = tile_.rows * i / parts, rows = tile_.rows * (i + 1) / parts - first;
      task.a = tile_.a + first * tile_.lda;
      task.c = scratch_.sums.data() + first * kAmxSide;
      kernels.multiply[rows - 1](task);
    }
  }

  const GemmTile& tile_;
  Scratch& scratch_;
  std::size_t steps_;
  Next next_;
  Tiles tiles_;
};

template <typename Tiles, std::size_t kRoom>
void multiplyTile(const GemmTile& tile) {
  TileGemm<Tiles, kRoom>(tile).run();
}

template <typename T>
void packFloats(const T* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                std::size_t width, float* to) {
  const GemmKernels& kernels = gemmKernels(Isa::avx512);
  if constexpr (sizeof(T) == sizeof(float)) {
    kernels.packPanel(b, rowStride, columnStride, k, columns, width, to);
  } else {
    kernels.packHalfPanel(b, rowStride, columnStride, k, columns, width, to);
  }
}

template <typename T>
void packAmxPanel(const T* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                  std::size_t width, float* to) {
  alignas(64) std::array<float, kAmxKC * kAmxSide> panel;
  packFloats(b, rowStride, columnStride, k, columns, width, panel.data());
  auto* elements = reinterpret_cast<std::byte*>(to) + sizeof(PanelHeader);
  PanelHeader header{rangeOf(panel.data(), width, k, width)};
  header.isSplit = header.range.splits();
  std::memcpy(to, &header, sizeof(header));
  if (header.isSplit) {
    splitPanel(panel.data(), k, width, header.range.parts, elements);
  } else {
    std::copy_n(panel.data(), k * width, reinterpret_cast<float*>(elements));
  }
}

// Rounds to bfloat16, ties to even, and returns the bits in the upper half of each lane. Avoids the AVX-512 BF16 instruction,
// because emulated tiles run on processors without it.
WEBNN_TILES_INLINE __m512i roundedBits(__m512 value) {
  const __m512i bits = _mm512_castps_si512(value), upper = _mm512_set1_epi32(static_cast<int>(0xFFFF0000));
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
  const __mmask16 isNan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
  return _mm512_and_si512(_mm512_mask_or_epi32(rounded, isNan, bits, _mm512_set1_epi32(0x00400000)), upper);
}

// Rounds rows of A to bfloat16 in the layout [step of k][2 tiles][16 rows][32 of k]. Steps and tiles are zero-padded.
WEBNN_TILES void roundRows(const GemmTile& tile, std::byte* to) {
  const auto mask = [&](std::size_t k) WEBNN_TILES {
    return static_cast<__mmask16>(k >= tile.k ? 0 : tile.k - k >= 16 ? 0xFFFFU : (1U << (tile.k - k)) - 1);
  };
  for (std::size_t row = 0; row < roundUp(tile.rows, kTileRows); ++row) {
    const float* from = tile.a + row * tile.lda;
    for (std::size_t k = 0; k < tile.k; k += kAmxStep) {
      std::byte* line = to + k / kAmxStep * 2 * kAmxTile + row * kTileBytes;
      for (std::size_t i = 0; i < kAmxStep; i += 16, line += kTileBytes / 2) {
        const __mmask16 lanes = row < tile.rows ? mask(k + i) : __mmask16{0};
        const __m512i bits = roundedBits(_mm512_maskz_loadu_ps(lanes, from + k + i));
        _mm256_store_si256(reinterpret_cast<__m256i*>(line), _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
      }
    }
  }
}

// Rounds k contiguous rows of `width` columns (16 or 32) to bfloat16: [step of k][tile of 16 columns][pair of k][column][2].
WEBNN_TILES void roundPanel(const float* from, std::size_t k, std::size_t width, std::byte* to) {
  for (std::size_t row = 0; row < roundUp(k, kAmxStep); row += 2) {
    std::byte* pair = to + row / kAmxStep * (width / kTileRows) * kAmxTile + row % kAmxStep / 2 * kTileBytes;
    for (std::size_t column = 0; column < width; column += kTileRows, pair += kAmxTile) {
      const float* at = from + row * width + column;
      const __m512i even = row < k ? roundedBits(_mm512_loadu_ps(at)) : _mm512_setzero_si512();
      const __m512i odd = row + 1 < k ? roundedBits(_mm512_loadu_ps(at + width)) : _mm512_setzero_si512();
      _mm512_store_si512(pair, _mm512_or_si512(odd, _mm512_srli_epi32(even, 16)));
    }
  }
}

template <typename Tiles>
WEBNN_TILES void multiplyRounded(const GemmTile& tile) {
  Tiles tiles;
  auto& scratch = *reinterpret_cast<Scratch*>(tile.scratch);
  Next next{tile.next, tile.nextLines * (kAmxStep / 4)};
  roundRows(tile, scratch.rows.data());
  tiles.configure(TileConfiguration());
  const auto* panel = reinterpret_cast<const std::byte*>(tile.b);
  const std::size_t steps = divideUp(tile.k, kAmxStep);
  for (std::size_t column = 0; column < tile.columns; column += kAmxSide) {
    const std::size_t width = tile.columns - column > kTileRows ? kAmxSide : kTileRows;
    tiles.barrier();
    const auto multiply = partsFunction<Tiles>(tile.rows, width);
    multiply(tiles, 1, 1, scratch.rows.data(), panel, steps, scratch.sums.data(), next);
    storeSums(tile, scratch.sums.data(), column);
    panel += steps * kAmxStep * width * sizeof(std::uint16_t);
  }
  tiles.release();
}

template <typename T>
void packRounded(const T* b, std::size_t rowStride, std::size_t columnStride, std::size_t k, std::size_t columns,
                 std::size_t width, float* to) {
  alignas(64) std::array<float, kAmxKC * kAmxSide> panel;
  packFloats(b, rowStride, columnStride, k, columns, width, panel.data());
  roundPanel(panel.data(), k, width, reinterpret_cast<std::byte*>(to));
}

using Multiply = void (*)(const GemmTile&);

// Returns kernels with the members that all tile kernels share.
template <Multiply kMultiply>
GemmKernels tileKernels() {
  static const auto kMultiplies = [] {
    std::array<Multiply, kAmxSide> all;
    all.fill(kMultiply);
    return all;
  }();
  GemmKernels kernels = gemmKernels(Isa::avx512);
  kernels.mr = kAmxSide;
  kernels.multiply = kMultiplies.data();
  kernels.kc = kAmxKC;
  kernels.kStep = kAmxStep;
  kernels.fewestIndirectRows = std::numeric_limits<std::size_t>::max();
  kernels.scratchBytes = sizeof(Scratch);
  return kernels;
}

template <typename Tiles, std::size_t kRoom>
const GemmKernels& kernelsOf() {
  static const GemmKernels kKernels = [] {
    GemmKernels kernels = tileKernels<multiplyTile<Tiles, kRoom>>();
    kernels.packPanel = kRoom == kAmxParts ? packAmxPanel<float> : nullptr;
    kernels.packHalfPanel = packAmxPanel<std::uint16_t>;
    kernels.headerBytes = sizeof(PanelHeader);
    kernels.elementBytes = kRoom * sizeof(std::uint16_t);
    return kernels;
  }();
  return kKernels;
}

template <typename Tiles>
const GemmKernels& roundedKernelsOf() {
  static const GemmKernels kKernels = [] {
    GemmKernels kernels = tileKernels<multiplyRounded<Tiles>>();
    kernels.packPanel = packRounded<float>;
    kernels.packHalfPanel = packRounded<std::uint16_t>;
    kernels.elementBytes = sizeof(std::uint16_t);
    return kernels;
  }();
  return kKernels;
}

}  // namespace

const GemmKernels& amxGemmKernels(Isa isa, bool ofHalves) {
  if (isa == Isa::amxEmulated) return ofHalves ? kernelsOf<EmulatedTiles, 2>() : kernelsOf<EmulatedTiles, kAmxParts>();
  return ofHalves ? kernelsOf<RegisterTiles, 2>() : kernelsOf<RegisterTiles, kAmxParts>();
}

const GemmKernels& amxBf16Kernels(Isa isa) {
  return isa == Isa::amxEmulated ? roundedKernelsOf<EmulatedTiles>() : roundedKernelsOf<RegisterTiles>();
}

}  // namespace webnn::cpu
#endif
