// GEMM of 8-bit integers with 32-bit sums.
// Both operands are packed in groups along k: b at build time, `a` block by block in each run, in which a float32 `a` is also
// quantized. Products need an unsigned `a` and a signed b; other types and their zero points are shifted by 128. The epilogue
// corrects for zero points:
// sum (a - za)(b - zb) = sum a b - za sum b - zb sum a + k za zb.
// AMX tiles read the same format of b, but rows of `a` in groups of 64 values of k, padded with zeros.
// x86 processors without VNNI have an instruction that sums two products of bytes, but in 16 bits, so that pairs of large weights
// can saturate. Bounded kernels use it: packing moves the excess of such pairs to extra rows of b, whose products the kernels add
// separately. If there would be many such rows, and on other processors without products of bytes, `a` is packed as 16-bit
// numbers, and kernels widen b.
#include "backends/cpu/ops/quantized_gemm.h"

#include <algorithm>
#include <optional>

#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/gemm/gemm_amx_bytes.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::uint8_t kFlip = 0x80;
constexpr std::size_t kPackedBytes = std::size_t{4} << 20;  // target size of a block of packed rows of `a`
// Bytes of b packed per chunk; large enough that small matrices wake no thread.
constexpr std::size_t kPackedAtOnce = std::size_t{256} << 10;
// Multiplications of a chunk: at most about 20 microseconds; at least a quarter of that if threads would have nothing to do
// otherwise. Tiles are faster.
constexpr std::size_t kMostWork = 6 << 20, kTileSpeed = 4, kLeastShare = 4;
// The intended number of chunks per thread.
constexpr std::size_t kChunksOfThread = 2;
// Bounded kernels are used if there is at most one row of excess per kRowsPerExcess rows of b. With one row of excess per 8 rows
// of b, they would be about as fast as the other kernels.
constexpr std::size_t kRowsPerExcess = 16;
constexpr std::size_t kPair = QuantizedExcess::kGroup;
constexpr std::size_t kCountedPanels = 64;  // minimum number of panels whose excess is counted together

struct Int8Gemm {
  const QuantizedGemmKernels* kernels = nullptr;
  std::size_t m = 0, n = 0, k = 0, groups = 0;
  std::size_t blockRows = 0;  // rows of `a` that are packed at a time
  std::size_t rowBytes = 0;   // bytes of a packed row
  std::size_t panelBytes = 0, panels = 0, panelsPerChunk = 0, tilesPerChunk = 0;
  std::uint8_t aFlip = 0;
  std::int32_t aZeroPoint = 0;  // zero point after packing, which may shift it by 128
  const std::byte* b = nullptr;
  const std::int32_t *offset = nullptr, *bZeroPoints = nullptr;
  const std::int32_t* columnSums = nullptr;  // the sum of each column of packed b
  const float *scale = nullptr, *bias = nullptr;
  QuantizedTile store;          // how kernels store results: output type, limits
  std::size_t outputBytes = 0;  // bytes per output element
  // Bounded kernels only: the excess of panel i consists of groups excessStarts[i] up to excessStarts[i + 1].
  const std::uint32_t *excessStarts = nullptr, *excessRows = nullptr;
  const std::int16_t* excess = nullptr;
  Slot a, output, scratch;
  // Used if `a` is float32 and quantized in the run.
  QuantizeRun quantize = nullptr;
  float aScale = 1;
  std::int32_t aGivenZeroPoint = 0;
  std::size_t sumsAt = 0, rowsAt = 0, offsetsAt = 0;  // byte offsets in scratch
  std::optional<Slot> aZero;                          // the zero point of `a`, if only the run knows it

  std::size_t packedRowsOf(std::size_t rows) const { return kernels->packedRows(rows); }

  void packRows(const Frame& frame, std::size_t first, std::size_t count) const;
  void multiply(const Frame& frame, std::size_t first, std::size_t count) const;
  void run(const Frame& frame) const {
    if (aZero) return withZeroPoint(frame).runRows(frame);
    runRows(frame);
  }
  Int8Gemm withZeroPoint(const Frame& frame) const;
  QuantizedExcess excessOf(std::size_t panel) const {
    const std::size_t first = excessStarts[panel];
    return {excessRows + first * kPair, excess + first * kPair * kernels->columns, excessStarts[panel + 1] - first};
  }
  std::int32_t offsetOf(std::size_t column) const;
  void runRows(const Frame& frame) const {
    for (std::size_t first = 0; first < m; first += blockRows) {
      const std::size_t count = std::min(blockRows, m - first);
      packRows(frame, first, count);
      multiply(frame, first, count);
    }
  }
};

// Returns the offset that the kernels add to each sum of the column.
std::int32_t Int8Gemm::offsetOf(std::size_t column) const {
  const std::int64_t za = aZeroPoint, zb = bZeroPoints ? bZeroPoints[column] : 0, moved = za - kernels->subtracted;
  return static_cast<std::int32_t>(static_cast<std::int64_t>(k) * za * zb - moved * columnSums[column]);
}

// Returns the GEMM for the zero point of this run.
Int8Gemm Int8Gemm::withZeroPoint(const Frame& frame) const {
  Int8Gemm gemm = *this;
  const std::uint8_t zero = *frame.in<std::uint8_t>(*aZero);
  gemm.aZero.reset();
  gemm.aZeroPoint = zero ^ aFlip;
  auto* const offsets = reinterpret_cast<std::int32_t*>(frame.out<std::byte>(scratch) + offsetsAt);
  for (std::size_t i = 0; i < n; ++i) offsets[i] = gemm.offsetOf(i);
  gemm.offset = offsets;
  return gemm;
}

// Packs rows [first, first + count) of `a` into tiles.
void Int8Gemm::packRows(const Frame& frame, std::size_t first, std::size_t count) const {
  auto* packed = frame.out<std::byte>(scratch);
  auto* sums = reinterpret_cast<std::int32_t*>(packed + sumsAt);
  const std::size_t tiles = divideUp(count, kernels->mostRows), grain = std::max<std::size_t>(1, 65536 / (kernels->mostRows * k));
  frame.team.forRanges(tiles, grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t row = begin * kernels->mostRows; row < std::min(end * kernels->mostRows, count); ++row) {
      const std::size_t start = row / kernels->mostRows * kernels->mostRows, rows = std::min(kernels->mostRows, count - start);
      const std::uint8_t* from = frame.in<std::uint8_t>(a) + (first + row) * k;
      if (quantize) {
        auto* numbers = reinterpret_cast<std::uint8_t*>(packed + rowsAt) + worker * workerStride(k);
        quantize(frame.in<float>(a) + (first + row) * k, &aScale, &aGivenZeroPoint, k, numbers);
        from = numbers;
      }
      kernels->packRow(from, k, aFlip, packedRowsOf(rows), row - start, packed + start * rowBytes);
      if (bZeroPoints) sums[row] = kernels->sum(from, k, aFlip);
    }
  });
}

// Multiplies packed rows [first, first + count) by b. A chunk covers several row tiles and several panels. Consecutive chunks
// use the same panels, which a worker then finds in cache.
void Int8Gemm::multiply(const Frame& frame, std::size_t first, std::size_t count) const {
  const auto* packed = frame.in<std::byte>(scratch);
  const auto* sums = reinterpret_cast<const std::int32_t*>(packed + sumsAt);
  const std::size_t tiles = divideUp(count, kernels->mostRows), tileChunks = divideUp(tiles, tilesPerChunk);
  frame.team.forEach(tileChunks * divideUp(panels, panelsPerChunk), [&](std::size_t chunk, unsigned) {
    const std::size_t firstTile = chunk % tileChunks * tilesPerChunk, firstPanel = chunk / tileChunks * panelsPerChunk;
    const KernelScope scope(*kernels);
    for (std::size_t i = firstTile; i < std::min(firstTile + tilesPerChunk, tiles); ++i) {
      const std::size_t row = i * kernels->mostRows;
      QuantizedTile tile = store;
      tile.a = packed + row * rowBytes;
      tile.groups = groups;
      tile.rows = std::min(kernels->mostRows, count - row);
      tile.rowSums = sums + row;
      tile.ldc = n;
      for (std::size_t p = firstPanel; p < std::min(firstPanel + panelsPerChunk, panels); ++p) {
        const std::size_t column = p * kernels->columns;
        tile.b = b + p * panelBytes;
        if (excessStarts) tile.excess = excessOf(p);
        tile.columns = std::min(kernels->columns, n - column);
        tile.offset = offset + column;
        tile.factor = bZeroPoints ? bZeroPoints + column : nullptr;
        tile.scale = scale + column;
        tile.bias = bias + column;
        tile.c = frame.out<std::byte>(output) + ((first + row) * n + column) * outputBytes;
        kernels->tile(tile);
      }
    }
  });
}

// The constant matrix b and the parameters of its columns.
struct Matrix {
  const std::uint8_t* data;
  std::size_t rowStride, columnStride;
  bool isSigned;
  std::vector<std::int16_t> zeroPoints;  // one per column
  std::vector<float> scales;
};

Matrix readMatrix(const QuantizedGemm& op, const Int8Gemm& gemm, Planner& planner) {
  const std::size_t k = gemm.k, n = gemm.n;
  Matrix matrix{.data = reinterpret_cast<const std::uint8_t*>(planner.constantBytes(op.b).data()),
                .rowStride = op.bTranspose ? 1 : n,
                .columnStride = op.bTranspose ? k : 1,
                .isSigned = op.b.dataType() == DataType::int8,
                .zeroPoints = std::vector<std::int16_t>(n),
                .scales = std::vector<float>(n)};
  const std::span<const std::byte> scales = planner.constantBytes(op.bScale), zeros = planner.constantBytes(op.bZeroPoint);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = zeros.size() == 1 ? 0 : i;
    matrix.scales[i] = loadUnaligned<float>(scales.data() + from * sizeof(float));
    matrix.zeroPoints[i] = matrix.isSigned ? static_cast<std::int8_t>(zeros[from]) : std::to_integer<std::uint8_t>(zeros[from]);
  }
  return matrix;
}

void setPanels(Int8Gemm& gemm) {
  gemm.groups = divideUp(gemm.k, gemm.kernels->group);
  gemm.panels = divideUp(gemm.n, gemm.kernels->columns);
  gemm.panelBytes = gemm.groups * gemm.kernels->group * gemm.kernels->columns;
}

// Returns panels [first, end) of b, before packing.
QuantizedPanel panelsOf(const Matrix& matrix, const Int8Gemm& gemm, std::size_t first, std::size_t end) {
  const std::size_t columns = gemm.kernels->columns;
  return {.from = matrix.data + first * columns * matrix.columnStride,
          .rowStride = matrix.rowStride,
          .columnStride = matrix.columnStride,
          .k = gemm.k,
          .columns = std::min(end * columns, gemm.n) - first * columns,
          .isSigned = matrix.isSigned};
}

// Uses bounded kernels if there are any for this processor, and if few weights have an excess.
void chooseBounded(const QuantizedGemm& op, Isa isa, const Matrix& matrix, Int8Gemm& gemm, Planner& planner) {
  const QuantizedGemmKernels* bounded = boundedGemmKernels(isa);
  if (!bounded) return;
  Int8Gemm candidate = gemm;
  candidate.kernels = bounded;
  setPanels(candidate);
  PackKey key{"quantized gemm excess", {keyOf(op.b)}, {gemm.k, gemm.n, op.bTranspose, matrix.isSigned, bounded->columns}};
  const std::size_t count = candidate.panels + 1;
  const std::byte* packed = planner.packWeights(count * sizeof(std::uint32_t), std::move(key), [&](std::byte* to) {
    auto* starts = reinterpret_cast<std::uint32_t*>(to);
    std::fill_n(starts, count, 0);
    const std::size_t grain = std::max(kCountedPanels, divideUp(kPackedAtOnce, candidate.panelBytes));
    planner.withTeam([&](Team& team) {
      team.forRanges(candidate.panels, grain, [&](std::size_t begin, std::size_t end, unsigned) {
        bounded->countExcess(panelsOf(matrix, candidate, begin, end), starts + 1 + begin);
      });
    });
    for (std::size_t i = 1; i < count; ++i) starts[i] = starts[i - 1] + divideUp(starts[i], std::uint32_t{kPair});
  });
  candidate.excessStarts = reinterpret_cast<const std::uint32_t*>(packed);
  const std::size_t rows = candidate.excessStarts[candidate.panels] * kPair;
  if (rows * kRowsPerExcess <= candidate.panels * gemm.k) gemm = candidate;
}

// The parts of packed b, as byte offsets.
struct PackedParts {
  std::size_t excess = 0, excessRows = 0, sums = 0, end = 0;
};
PackedParts partsOf(const Int8Gemm& gemm) {
  const QuantizedGemmKernels& kernels = *gemm.kernels;
  const std::size_t readOn = (gemm.rowBytes - gemm.groups * kernels.aGroupBytes()) * kernels.columns;
  const std::size_t rows = gemm.excessStarts ? gemm.excessStarts[gemm.panels] * kPair : 0;
  PackedParts parts;
  parts.excess = aligned(gemm.panels * gemm.panelBytes + readOn);
  parts.excessRows = parts.excess + rows * kernels.columns * sizeof(std::int16_t);
  parts.sums = parts.excessRows + rows * sizeof(std::uint32_t);
  parts.end = parts.sums + gemm.panels * kernels.columns * sizeof(std::int32_t);
  return parts;
}

void setExcess(const std::byte* packed, const PackedParts& parts, Int8Gemm& gemm) {
  gemm.excess = reinterpret_cast<const std::int16_t*>(packed + parts.excess);
  gemm.excessRows = reinterpret_cast<const std::uint32_t*>(packed + parts.excessRows);
}

// Packs b into panels of columns, in groups of k, followed by the excess and the sum of each column's bytes.
void packMatrix(Team& team, const Matrix& matrix, const Int8Gemm& gemm, const PackedParts& parts, std::byte* packed) {
  const QuantizedGemmKernels& kernels = *gemm.kernels;
  auto* sums = reinterpret_cast<std::int32_t*>(packed + parts.sums);
  auto* rows = reinterpret_cast<std::uint32_t*>(packed + parts.excessRows);
  auto* excess = reinterpret_cast<std::int16_t*>(packed + parts.excess);
  const std::size_t grain = std::max<std::size_t>(1, kPackedAtOnce / (gemm.panelBytes + 1));
  team.forRanges(gemm.panels, grain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      std::byte* panel = packed + i * gemm.panelBytes;
      kernels.packPanel(panelsOf(matrix, gemm, i, i + 1), panel);
      kernels.columnSums(panel, gemm.groups, sums + i * kernels.columns);
      if (!gemm.excessStarts) continue;
      const std::size_t first = gemm.excessStarts[i] * kPair;
      kernels.takeExcess(panel, gemm.groups, rows + first, excess + first * kernels.columns);
    }
  });
}

template <typename T>
T* keepArray(Planner& planner, std::size_t count) {
  return reinterpret_cast<T*>(planner.keep(count * sizeof(T)));
}

// Computes each column's offset, factor, scale and bias, which the kernels apply to the column's sums.
void setColumns(const QuantizedGemm& op, const Matrix& matrix, const std::int32_t* sums, Int8Gemm& gemm, Planner& planner) {
  const std::size_t n = gemm.n, padded = gemm.panels * gemm.kernels->columns;
  auto* offset = keepArray<std::int32_t>(planner, padded);
  auto* scale = keepArray<float>(planner, padded);
  auto* bias = keepArray<float>(planner, padded);
  const std::int32_t shift = matrix.isSigned ? 0 : 128;
  std::int32_t* factor = nullptr;
  if (std::ranges::any_of(matrix.zeroPoints, [&](std::int32_t zero) { return zero != shift; })) {
    factor = keepArray<std::int32_t>(planner, padded);
  }
  const std::span<const std::byte> biases = op.bias ? planner.constantBytes(*op.bias) : std::span<const std::byte>();
  const double back = op.outputScale ? static_cast<double>(*op.outputScale) : 1;
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = static_cast<float>(static_cast<double>(*op.aScale) * static_cast<double>(matrix.scales[i]) / back);
    if (op.bias) bias[i] = static_cast<float>(static_cast<double>(loadUnaligned<float>(biases.data() + 4 * i)) / back);
    if (factor) factor[i] = matrix.zeroPoints[i] - shift;
  }
  gemm.offset = offset, gemm.bZeroPoints = factor, gemm.scale = scale, gemm.bias = bias, gemm.columnSums = sums;
  for (std::size_t i = 0; i < n; ++i) offset[i] = gemm.offsetOf(i);
}

void setStore(const QuantizedGemm& op, bool isFloat, Int8Gemm& gemm) {
  QuantizedTile& store = gemm.store;
  gemm.outputBytes = isFloat ? sizeof(float) : 1;
  store.relu = op.relu;
  if (!op.outputScale) return;
  const bool isSigned = op.outputType == DataType::int8;
  store.store = isFloat ? QuantizedTile::Store::dequantized : QuantizedTile::Store::bytes;
  store.isSigned = isSigned;
  store.zeroPoint = op.outputZeroPoint;
  store.backScale = *op.outputScale;
  store.low = static_cast<float>((isSigned ? -128 : 0) - op.outputZeroPoint);
  store.high = static_cast<float>((isSigned ? 127 : 255) - op.outputZeroPoint);
  if (op.relu) (*op.outputScale < 0 ? store.high : store.low) = 0;  // `low` and `high` are relative to the zero point
}

void setSizes(Int8Gemm& gemm, Planner& planner) {
  const QuantizedGemmKernels& kernels = *gemm.kernels;
  gemm.rowBytes = roundUp(gemm.groups, kernels.groupStep) * kernels.aGroupBytes();
  const std::size_t most = kMostWork * (kernels.groupStep > 1 ? kTileSpeed : 1), work = gemm.m * gemm.n * gemm.k;
  const std::size_t chunk = std::clamp(work / (kChunksOfThread * planner.threads()), most / kLeastShare, most);
  const std::size_t tileWork = std::min(gemm.m, kernels.mostRows) * kernels.columns * gemm.k;
  // Bytes of b that stay in the L2 cache while they are multiplied by the rows of `a`.
  const std::size_t blockBytes = planner.caches().level2 / 4;
  // Nearly equal parts: the last one would otherwise be short.
  const auto parted = [](std::size_t count, std::size_t limit) { return divideUp(count, divideUp(count, limit)); };
  gemm.panelsPerChunk =
      parted(gemm.panels, std::clamp<std::size_t>(std::min(blockBytes / gemm.panelBytes, chunk / tileWork), 1, gemm.panels));
  gemm.tilesPerChunk =
      parted(divideUp(gemm.m, kernels.mostRows), std::max<std::size_t>(1, chunk / (tileWork * gemm.panelsPerChunk)));
  const std::size_t tiles = std::max<std::size_t>(8, kPackedBytes / (kernels.mostRows * gemm.rowBytes));
  gemm.blockRows = std::min(tiles, divideUp(gemm.m, kernels.mostRows)) * kernels.mostRows;
  gemm.sumsAt = aligned(gemm.blockRows * gemm.rowBytes);
  gemm.rowsAt = gemm.sumsAt + aligned(gemm.blockRows * sizeof(std::int32_t));
  gemm.offsetsAt = gemm.rowsAt + planner.threads() * workerStride(gemm.k);
  const std::size_t offsets = gemm.aZero ? gemm.panels * kernels.columns * sizeof(std::int32_t) : 0;
  gemm.scratch = planner.scratch(gemm.offsetsAt + offsets);
}

}  // namespace

const QuantizedGemmKernels& byteKernelsFor(Isa isa, bool dots) {
#if defined(__x86_64__)
  if (hasTiles(isa)) return amxQuantizedGemmKernels(isa);
#endif
  return quantizedGemmKernels(isa, dots);
}

StepPtr plan(const QuantizedGemm& op, Planner& planner) {
  if (!op.aScale) return planWeightGemm(op, planner);
  const bool dots = hasByteDots(planner.isa());
  Int8Gemm gemm;
  gemm.k = op.b.shape()[op.bTranspose ? 1 : 0];
  gemm.n = op.b.shape()[op.bTranspose ? 0 : 1];
  gemm.m = elementCount(op.a.descriptor()) / gemm.k;
  const Isa isa = dots ? planner.isa() : withoutTiles(planner.isa());
  const Product product{ProductType::bytes, gemm.m, gemm.n, gemm.k};
  gemm.kernels = &byteKernelsFor(kernelIsa(isa, product), dots);
  gemm.aFlip = op.aType == DataType::int8 ? kFlip : 0;
  gemm.aZeroPoint = op.aZeroPoint + (gemm.aFlip ? 128 : 0);
  if (op.a.dataType() == DataType::float32) {
    gemm.quantize = quantizeKernels(planner.isa()).quantize[0][quantizedIndex(op.aType)][0];
    gemm.aScale = *op.aScale;
    gemm.aGivenZeroPoint = op.aZeroPoint;  // little-endian: its first byte is the 8-bit zero point
  }
  if (op.aZero) gemm.aZero = planner.slot(*op.aZero);
  const Matrix matrix = readMatrix(op, gemm, planner);
  setPanels(gemm);
  if (!dots) chooseBounded(op, isa, matrix, gemm, planner);
  setSizes(gemm, planner);
  setStore(op, isFloat(planner.outputOperand().dataType()), gemm);
  const PackedParts parts = partsOf(gemm);
  PackKey key{"quantized gemm", {keyOf(op.b)}, {gemm.k, gemm.n, op.bTranspose, matrix.isSigned}};
  key.add({reinterpret_cast<std::uintptr_t>(gemm.kernels)});
  gemm.b = planner.packWeights(parts.end, std::move(key), [&](std::byte* packed) {
    std::memset(packed + gemm.panels * gemm.panelBytes, 0, parts.end - gemm.panels * gemm.panelBytes);
    planner.withTeam([&](Team& team) { packMatrix(team, matrix, gemm, parts, packed); });
  });
  setExcess(gemm.b, parts, gemm);
  setColumns(op, matrix, reinterpret_cast<const std::int32_t*>(gemm.b + parts.sums), gemm, planner);
  gemm.a = planner.slot(op.a);
  gemm.output = planner.output();
  std::string text = formatText("quantized gemm {} {} {}x{}x{} {}{}", name(op.aType), name(op.b.dataType()), gemm.m, gemm.n,
                                gemm.k, kernelText(isa, product), gemm.excessStarts ? " bounded" : "");
  return makeStep(std::move(text), [gemm](const Frame& frame) { gemm.run(frame); });
}

}  // namespace webnn::cpu
