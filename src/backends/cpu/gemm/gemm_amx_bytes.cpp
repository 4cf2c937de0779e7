#include "backends/cpu/gemm/gemm_amx_bytes.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backends/cpu/runtime/amx_tiles.h"
#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kGroups = kByteStep / 4;  // groups of four k per step, each a row of a tile of B

template <typename Tiles, int kRowTiles, int kColumnTiles>
WEBNN_TILES void multiplyTiles(Tiles& tiles, const ByteProduct& p) {
  constexpr std::size_t kLine = kColumnTiles * kTileBytes;
  tiles.template zero<0>();
  tiles.template zero<1>();
  tiles.template zero<2>();
  tiles.template zero<3>();
  const std::byte *a = p.a, *b = p.b;
  constexpr std::size_t kMostByteSteps = kMostTileCycles / (4 * 16);
  for (std::size_t step = 0; step < p.steps; ++step, a += p.stepStride, b += kGroups * kLine) {
    if (step % kMostByteSteps == kMostByteSteps - 1) tiles.template store<0>(p.sums, kLine);
    tiles.template load<4>(a, p.rowStride);
    tiles.template load<6>(b, kLine);
    tiles.template dotBytes<0, 4, 6>();
    if constexpr (kColumnTiles == 2) {
      tiles.template load<7>(b + kTileBytes, kLine);
      tiles.template dotBytes<1, 4, 7>();
    }
    if constexpr (kRowTiles == 2) {
      tiles.template load<5>(a + kTileRows * p.rowStride, p.rowStride);
      tiles.template dotBytes<2, 5, 6>();
      if constexpr (kColumnTiles == 2) tiles.template dotBytes<3, 5, 7>();
    }
  }
  std::int32_t* lower = p.sums + kTileRows * p.columns;
  tiles.template store<0>(p.sums, kLine);
  if constexpr (kColumnTiles == 2) tiles.template store<1>(p.sums + kTileRows, kLine);
  if constexpr (kRowTiles == 2) tiles.template store<2>(lower, kLine);
  if constexpr (kRowTiles == 2 && kColumnTiles == 2) tiles.template store<3>(lower + kTileRows, kLine);
}

constexpr bool isWide(std::size_t size) { return size > kTileRows; }

template <typename Tiles>
WEBNN_TILES void multiply(const ByteProduct& p) {
  Tiles tiles;
  if constexpr (std::is_same_v<Tiles, EmulatedTiles>) tiles.configure(TileConfiguration());
  const auto multiply = isWide(p.rows) ? (isWide(p.columns) ? multiplyTiles<Tiles, 2, 2> : multiplyTiles<Tiles, 2, 1>)
                                       : (isWide(p.columns) ? multiplyTiles<Tiles, 1, 2> : multiplyTiles<Tiles, 1, 1>);
  tiles.barrier();
  multiply(tiles, p);
  tiles.barrier();
}

WEBNN_TILES void configure() { RegisterTiles().configure(TileConfiguration()); }
WEBNN_TILES void release() { RegisterTiles().release(); }

// --- Kernels for quantized GEMM

const QuantizedGemmKernels& vectorKernels() { return quantizedGemmKernels(Isa::avx512, true); }

template <typename Tiles>
void multiplyPanel(const QuantizedTile& tile) {
  alignas(64) std::int32_t sums[kByteRows * kByteColumns];
  const std::size_t rows = paddedByteRows(tile.rows);
  // Keeps GCC from reading both pointers at once. Such a load waits until the two stores of the pointers are in the cache, behind
  // all results of the previous panel.
  const std::byte *a = tile.a, *b = tile.b;
  asm("" : "+r"(a), "+r"(b));
  multiply<Tiles>({.a = a,
                   .b = b,
                   .stepStride = rows * kByteStep,
                   .rowStride = kByteStep,
                   .steps = divideUp(tile.groups, kGroups),
                   .rows = rows,
                   .columns = kByteColumns,
                   .sums = sums});
  vectorKernels().store(tile, sums);
}

template <typename Tiles>
const QuantizedGemmKernels& gemmKernelsOf(Isa isa) {
  static const QuantizedGemmKernels kKernels = [&] {
    QuantizedGemmKernels kernels = vectorKernels();
    kernels.mostRows = kByteRows;
    kernels.columns = kByteColumns;
    kernels.groupStep = kGroups;
    kernels.packedRows = paddedByteRows;
    kernels.packRow = packByteRow;
    kernels.tile = multiplyPanel<Tiles>;
    kernels.begin = byteTileKernels(isa).begin;
    kernels.end = byteTileKernels(isa).end;
    return kernels;
  }();
  return kKernels;
}

}  // namespace

WEBNN_TILES void packByteRow(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row,
                             std::byte* to) {
  to += row * kByteStep;
  for (std::size_t i = 0; i < k; i += kByteStep, to += rows * kByteStep) {
    const std::size_t left = k - i;
    const __mmask64 mask = left >= kByteStep ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    const __m512i flips = _mm512_maskz_set1_epi8(mask, static_cast<char>(flip));
    _mm512_storeu_si512(to, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, from + i), flips));
  }
}

// Stores whole vectors, because tiles are soon loaded from these bytes, and a load from bytes of a recent masked store is
// delayed.
WEBNN_TILES void packBytePieces(const std::byte* const* pieces, std::size_t stride, std::size_t count, std::size_t bytes,
                                std::byte* to) {
  const std::size_t whole = (bytes - 1) / kByteStep, rest = bytes - whole * kByteStep;  // rest: 1 to 64
  const __mmask64 mask = ~__mmask64{0} >> (kByteStep - rest);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* from = pieces[i * stride];
    for (std::size_t j = 0; j < whole; ++j, from += kByteStep, to += kByteStep) _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    _mm512_storeu_si512(to, _mm512_maskz_loadu_epi8(mask, from));
    to += rest;
  }
  _mm512_storeu_si512(to, _mm512_setzero_si512());
}

const ByteTileKernels& byteTileKernels(Isa isa) {
  static constexpr ByteTileKernels kRegisters{configure, release, multiply<RegisterTiles>},
      kEmulated{nullptr, nullptr, multiply<EmulatedTiles>};
  return isa == Isa::amxEmulated ? kEmulated : kRegisters;
}

const QuantizedGemmKernels& amxQuantizedGemmKernels(Isa isa) {
  return isa == Isa::amxEmulated ? gemmKernelsOf<EmulatedTiles>(isa) : gemmKernelsOf<RegisterTiles>(isa);
}

}  // namespace webnn::cpu
#endif
