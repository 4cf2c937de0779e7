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

// Bytes of an element of A in GemmTile::scratch: three parts, or one rounded value.
constexpr std::size_t kAmxRowBytes = kAmxParts * sizeof(std::uint16_t), kAmxRoundedBytes = sizeof(std::uint16_t);

// The header before the elements of a panel of B, and of 32 rows of A in GemmTile::scratch. If the elements cannot be split into
// parts, they are stored as floats, which take no more bytes than two parts.
struct alignas(64) SplitHeader {
  AmxRange range;
  bool isSplit = false;
};
static_assert(sizeof(SplitHeader) == 64);

struct Scratch {
  alignas(64) std::array<float, kAmxSide * kAmxSide> sums;
  // Rows of A and a panel of B, converted back from parts to floats.
  alignas(64) std::array<float, kAmxKC * kAmxSide> rows, panel;
};

// Returns the memory of rows [row, row + 32) of A, after the header.
std::byte* rowsOf(const GemmTile& tile, std::size_t row, std::size_t elementBytes) {
  const std::size_t bytes = sizeof(SplitHeader) + roundUp(tile.k, kAmxStep) * kAmxSide * elementBytes;
  return tile.scratch + sizeof(Scratch) + row / kAmxSide * bytes + sizeof(SplitHeader);
}

// Steps between two stores of a tile (see kMostTileCycles): a step has 24 products of 16 cycles, or 4.
constexpr std::size_t kMostSteps = kMostTileCycles / (24 * 16), kMostShortSteps = kMostTileCycles / (4 * 16);

// Vector work that alternates with tile products: after every four of them, a few units of `splitter`.
struct SideWork {
  WEBNN_TILES_INLINE void go() {
    if (units > 0) splitter.split(units);
  }
  RowSplitter splitter;
  std::size_t units = 0;
};

// Multiplies the parts of one tile of A by the parts of one panel of B.
template <typename Tiles, int kRowTiles, int kColumnTiles>
class PartGemms {
 public:
  WEBNN_TILES_INLINE explicit PartGemms(Tiles& tiles) : tiles_(tiles) {}

  template <int kPartsA, int kPartsB>
  WEBNN_TILES_INLINE void run(const std::byte* a, const std::byte* b, std::size_t steps, Scratch& scratch, SideWork& side) {
    constexpr std::size_t kRoomA = kPartsA == 1 ? 1 : kAmxParts, kMost = kPartsA == 1 ? kMostShortSteps : kMostSteps;
    forEach([&](auto row, auto column) WEBNN_TILES { tiles_.template zero<2 * row + column>(); });
    for (; steps > kMost; steps -= kMost, a += kMost * kRoomA * kPartA, b += kMost * kPartsB * kPartB) {
      runSteps<kPartsA, kPartsB, kRoomA>(a, b, kMost, side);
      tiles_.template store<0>(scratch.sums.data(), kAmxSide * sizeof(float));
    }
    runSteps<kPartsA, kPartsB, kRoomA>(a, b, steps, side);
    forEach([&](auto row, auto column) WEBNN_TILES {
      tiles_.template store<2 * row + column>(scratch.sums.data() + (row * kAmxSide + column) * kTileRows,
                                              kAmxSide * sizeof(float));
    });
  }

 private:
  static constexpr std::size_t kPartA = 2 * kAmxTile, kPartB = kColumnTiles * kAmxTile;

  template <int kPartsA, int kPartsB, std::size_t kRoomA>
  WEBNN_TILES_INLINE void runSteps(const std::byte* a, const std::byte* b, std::size_t steps, SideWork& side) {
    for (; steps > 0; --steps, a += kRoomA * kPartA, b += kPartsB * kPartB) {
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
        side.go();
      }
      loadA(a + kPartA);
      dot();
      side.go();
      loadB(b + kPartB);
      dot();
      side.go();
      loadA(a);
      dot();
      side.go();
      if constexpr (kPartsB == 3) {
        loadB(b + 2 * kPartB);
        dot();
        side.go();
      }
      loadB(b);
      dot();
      side.go();
    }
  }
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
                               std::size_t steps, Scratch& scratch, SideWork& side) {
  PartGemms<Tiles, kRowTiles, kColumnTiles> gemms(tiles);
  tiles.barrier();
  if (partsA == 1) {
    gemms.template run<1, 1>(a, b, steps, scratch, side);
  } else if (partsA == 3 && partsB == 3) {
    gemms.template run<3, 3>(a, b, steps, scratch, side);
  } else if (partsA == 3) {
    gemms.template run<3, 2>(a, b, steps, scratch, side);
  } else if (partsB == 3) {
    gemms.template run<2, 3>(a, b, steps, scratch, side);
  } else {
    gemms.template run<2, 2>(a, b, steps, scratch, side);
  }
  tiles.barrier();
}

template <typename Tiles>
auto partsFunction(std::size_t rows, std::size_t columns) {
  const bool isHigh = rows > kTileRows, isWide = columns > kTileRows;
  return isHigh ? (isWide ? multiplyParts<Tiles, 2, 2> : multiplyParts<Tiles, 2, 1>)
                : (isWide ? multiplyParts<Tiles, 1, 2> : multiplyParts<Tiles, 1, 1>);
}

// Adds the bias to sums of up to 32 rows, clamps them and stores them to C, as the vector kernels do.
WEBNN_TILES void storeSums(const GemmTile& tile, const float* sums, std::size_t row, std::size_t rows, std::size_t column) {
  const std::size_t columns = std::min(kAmxSide, tile.columns - column);
  const __m512 minimum = _mm512_set1_ps(tile.minimum), maximum = _mm512_set1_ps(tile.maximum);
  for (std::size_t first = 0; first < columns; first += 16) {
    const auto mask = static_cast<__mmask16>(columns - first >= 16 ? 0xFFFFU : (1U << (columns - first)) - 1);
    const __m512 bias = tile.bias ? _mm512_maskz_loadu_ps(mask, tile.bias + column + first) : _mm512_setzero_ps();
    float* c = tile.c + row * tile.ldc + column + first;
    for (std::size_t i = 0; i < rows; ++i, c += tile.ldc) {
      __m512 sum = _mm512_load_ps(sums + i * kAmxSide + first);
      if (tile.adds) sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, c));
      if (tile.bias) sum = _mm512_add_ps(sum, bias);
      // max and min return their second operand if either is NaN, so that a NaN sum stays NaN.
      if (tile.clamps) sum = _mm512_min_ps(maximum, _mm512_max_ps(minimum, sum));
      _mm512_mask_storeu_ps(c, mask, sum);
    }
  }
}

// Writes the header of rows [row, row + rows) after `splitter` has split them. Stores the rows as floats if they cannot be split.
void finishRows(const GemmTile& tile, const float* a, std::size_t row, std::size_t rows, RowSplitter& splitter) {
  std::byte* const to = rowsOf(tile, row, kAmxRowBytes);
  SplitHeader header{splitter.finish()};
  header.isSplit = header.range.splits();
  std::memcpy(to - sizeof(header), &header, sizeof(header));
  const std::size_t ld = roundUp(tile.k, kAmxStep);
  for (std::size_t i = 0; !header.isSplit && i < rows; ++i) {
    std::copy_n(a + i * tile.lda, tile.k, reinterpret_cast<float*>(to) + i * ld);
  }
}

void splitTileRows(const GemmTile& tile, std::size_t row, std::size_t rows) {
  RowSplitter splitter(tile.a, tile.lda, rows, tile.k, rowsOf(tile, row, kAmxRowBytes));
  finishRows(tile, tile.a, row, rows, splitter);
}

// Multiplies up to 256 rows of A by consecutive panels of B, each with room for kRoom parts per float.
template <typename Tiles, std::size_t kRoom>
class TileGemm {
 public:
  explicit TileGemm(const GemmTile& tile)
      : tile_(tile), scratch_(*reinterpret_cast<Scratch*>(tile.scratch)), steps_(divideUp(tile.k, kAmxStep)) {}

  WEBNN_TILES void run() {
    tiles_.configure(TileConfiguration());
    std::size_t column = 0;
    if (!tile_.isConverted) {
      column = kAmxSide * std::min(kPanelsBesideSplits, divideUp(tile_.columns, kAmxSide));
      multiplyAndSplit(column);
    }
    for (; column < tile_.columns; column += kAmxSide) {
      for (std::size_t row = 0; row < tile_.rows; row += kAmxSide) multiply(row, column);
    }
    tiles_.release();
  }

 private:
  // A step of k has six groups of products, and 32 units of the next rows. With six panels, one unit follows each group.
  static constexpr std::size_t kGroups = 6, kPanelsBesideSplits = 6;

  std::size_t rowsAt(std::size_t row) const { return std::min(kAmxSide, tile_.rows - row); }

  // Multiplies all rows by columns [0, columns), and splits the next 32 rows between the products.
  WEBNN_TILES void multiplyAndSplit(std::size_t columns) {
    const std::size_t groups = kGroups * columns / kAmxSide;
    for (std::size_t row = 0; row < tile_.rows; row += kAmxSide) {
      if (row == 0) side_.splitter = splitterOf(row);
      finishRows(tile_, tile_.a + row * tile_.lda, row, rowsAt(row), side_.splitter);
      const std::size_t next = row + kAmxSide;
      if (next < tile_.rows) {
        side_.splitter = splitterOf(next);
        side_.units = divideUp(kAmxSide, groups);
      }
      for (std::size_t column = 0; column < columns; column += kAmxSide) multiply(row, column);
      side_.units = 0;
    }
  }

  RowSplitter splitterOf(std::size_t row) const {
    return {tile_.a + row * tile_.lda, tile_.lda, rowsAt(row), tile_.k, rowsOf(tile_, row, kAmxRowBytes)};
  }

  // Multiplies rows [row, row + 32) by columns [column, column + 32), and stores the results.
  WEBNN_TILES void multiply(std::size_t row, std::size_t column) {
    const std::byte* a = rowsOf(tile_, row, kAmxRowBytes);
    const std::size_t panelBytes = sizeof(SplitHeader) + steps_ * kAmxStep * kAmxSide * kRoom * sizeof(std::uint16_t);
    const std::byte* panel = reinterpret_cast<const std::byte*>(tile_.b) + column / kAmxSide * panelBytes;
    const std::size_t width = tile_.columns - column > kTileRows ? kAmxSide : kTileRows;
    const auto& rowsHeader = *reinterpret_cast<const SplitHeader*>(a - sizeof(SplitHeader));
    const auto& header = *reinterpret_cast<const SplitHeader*>(panel);
    const std::byte* elements = panel + sizeof(SplitHeader);
    if (rowsHeader.isSplit && header.isSplit && rowsHeader.range.multiplies(header.range)) {
      partsFunction<Tiles>(rowsAt(row), width)(tiles_, rowsHeader.range.parts, header.range.parts, a, elements, steps_, scratch_,
                                               side_);
    } else {
      multiplyFloats(a, rowsHeader, rowsAt(row), elements, header, width);
    }
    storeSums(tile_, scratch_.sums.data(), row, rowsAt(row), column);
  }

  // Multiplies in float32 with the AVX-512 kernels, if A or B cannot be split, or if products of their parts could overflow or
  // underflow. Parts are converted back to floats first.
  void multiplyFloats(const std::byte* a, const SplitHeader& rowsHeader, std::size_t rows, const std::byte* elements,
                      const SplitHeader& header, std::size_t width) {
    const GemmKernels& kernels = gemmKernels(Isa::avx512);
    const std::size_t lda = steps_ * kAmxStep;
    if (rowsHeader.isSplit) joinRows(a, rows, tile_.k, scratch_.rows.data(), lda);
    if (header.isSplit && joined_ != elements) joinPanel(elements, tile_.k, width, header.range.parts, scratch_.panel.data());
    joined_ = elements;
    const float* floats = rowsHeader.isSplit ? scratch_.rows.data() : reinterpret_cast<const float*>(a);
    GemmTile task;
    task.b = header.isSplit ? scratch_.panel.data() : reinterpret_cast<const float*>(elements);
    task.k = tile_.k;
    task.lda = lda;
    task.ldc = kAmxSide;
    task.columns = width;
    const std::size_t parts = divideUp(rows, kernels.mr);
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t first = rows * i / parts;
      task.a = floats + first * lda;
      task.c = scratch_.sums.data() + first * kAmxSide;
      kernels.multiply[rows * (i + 1) / parts - first - 1](task);
    }
  }

  const GemmTile& tile_;
  Scratch& scratch_;
  std::size_t steps_;
  const std::byte* joined_ = nullptr;  // the panel that scratch_.panel holds
  SideWork side_;
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
  auto* elements = reinterpret_cast<std::byte*>(to) + sizeof(SplitHeader);
  SplitHeader header{rangeOf(panel.data(), width, k, width)};
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

// Rounds up to 32 rows of A to bfloat16 in the layout [step of k][2 tiles][16 rows][32 of k]. Steps and tiles are zero-padded.
WEBNN_TILES void roundRows(const GemmTile& tile, std::size_t first, std::size_t rows) {
  std::byte* const to = rowsOf(tile, first, kAmxRoundedBytes);
  const auto mask = [&](std::size_t k) WEBNN_TILES {
    return static_cast<__mmask16>(k >= tile.k ? 0 : tile.k - k >= 16 ? 0xFFFFU : (1U << (tile.k - k)) - 1);
  };
  for (std::size_t row = 0; row < roundUp(rows, kTileRows); ++row) {
    const float* from = tile.a + row * tile.lda;
    for (std::size_t k = 0; k < tile.k; k += kAmxStep) {
      std::byte* line = to + k / kAmxStep * 2 * kAmxTile + row * kTileBytes;
      for (std::size_t i = 0; i < kAmxStep; i += 16, line += kTileBytes / 2) {
        const __mmask16 lanes = row < rows ? mask(k + i) : __mmask16{0};
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
  SideWork none;
  GemmTile rest = tile;
  for (std::size_t row = 0; row < tile.rows && !tile.isConverted; row += kAmxSide, rest.a += kAmxSide * tile.lda) {
    roundRows(rest, row, std::min(kAmxSide, tile.rows - row));
  }
  tiles.configure(TileConfiguration());
  const auto* panel = reinterpret_cast<const std::byte*>(tile.b);
  const std::size_t steps = divideUp(tile.k, kAmxStep);
  for (std::size_t column = 0; column < tile.columns; column += kAmxSide) {
    const std::size_t width = tile.columns - column > kTileRows ? kAmxSide : kTileRows;
    for (std::size_t row = 0; row < tile.rows; row += kAmxSide) {
      const std::size_t rows = std::min(kAmxSide, tile.rows - row);
      partsFunction<Tiles>(rows, width)(tiles, 1, 1, rowsOf(tile, row, kAmxRoundedBytes), panel, steps, scratch, none);
      storeSums(tile, scratch.sums.data(), row, rows, column);
    }
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
    std::array<Multiply, kAmxRows> all;
    all.fill(kMultiply);
    return all;
  }();
  GemmKernels kernels = gemmKernels(Isa::avx512);
  kernels.mr = kAmxRows;
  kernels.convertedRows = kAmxSide;
  kernels.convertedHeaderBytes = sizeof(SplitHeader);
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
    kernels.convertRows = splitTileRows;
    kernels.convertedBytes = kAmxRowBytes;
    kernels.packPanel = kRoom == kAmxParts ? packAmxPanel<float> : nullptr;
    kernels.packHalfPanel = packAmxPanel<std::uint16_t>;
    kernels.headerBytes = sizeof(SplitHeader);
    kernels.elementBytes = kRoom * sizeof(std::uint16_t);
    return kernels;
  }();
  return kKernels;
}

template <typename Tiles>
const GemmKernels& roundedKernelsOf() {
  static const GemmKernels kKernels = [] {
    GemmKernels kernels = tileKernels<multiplyRounded<Tiles>>();
    kernels.convertRows = roundRows;
    kernels.convertedBytes = kAmxRoundedBytes;
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
