// GEMM of a float32 A and a constant B of 4 or 8 bits. B stays packed, because products with one row are limited by reading B.
#include <algorithm>

#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/ops/quantized_gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/weight_gemm.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kPanelBytes = std::size_t{128} << 10;  // approximate bytes of B per chunk if A has one row
constexpr std::size_t kWeightChunk = 1 << 20;                // approximate multiplications per chunk
constexpr std::size_t kPackGrain = 1 << 16;                  // words of four or eight elements packed per chunk

struct WeightGemm {
  const WeightGemmKernels* kernels = nullptr;
  std::size_t m = 0, n = 0, k = 0, blocks = 0, bits = 0;
  std::size_t panelWords = 0, panels = 0, panelsPerChunk = 0;
  const std::uint32_t* b = nullptr;
  WeightTile tile;  // scale, zero and bias point to the values of the first panel
  Slot a, output;

  void run(const Frame& frame) const {
    const std::size_t tiles = divideUp(m, kernels->mostRows);
    frame.team.forEach(tiles * divideUp(panels, panelsPerChunk), [&](std::size_t chunk, unsigned) {
      const std::size_t row = chunk % tiles * kernels->mostRows, first = chunk / tiles * panelsPerChunk;
      WeightTile part = tile;
      part.rows = std::min(kernels->mostRows, m - row);
      part.a = frame.in<float>(a) + row * k;
      for (std::size_t p = first; p < std::min(first + panelsPerChunk, panels); ++p) {
        const std::size_t column = p * kernels->columns;
        part.b = b + p * panelWords;
        part.columns = std::min(kernels->columns, n - column);
        part.scale = tile.scale + column * blocks;
        part.zero = tile.zero ? tile.zero + column * blocks : nullptr;
        part.bias = tile.bias + column;
        part.c = frame.out<float>(output) + row * n + column;
        kernels->tile(part);
      }
    });
  }
};

// Multiplies many rows: unpacks panels of B to float32 in scratch memory, and multiplies them with the kernels for floats.
struct UnpackedGemm {
  WeightGemm gemm;
  GemmPlan plan;
  bool hasBias = false;
  Slot scratch;

  void run(const Frame& frame) const {
    GemmCall call;
    call.a = {.data = frame.in<float>(gemm.a), .lda = gemm.k};
    call.unpack = {.write = write, .context = &gemm};
    call.c = frame.out<float>(gemm.output);
    call.ldc = gemm.n;
    call.epilogue.bias = hasBias ? gemm.tile.bias : nullptr;
    call.epilogue.clamps = gemm.tile.relu;
    if (gemm.tile.relu) call.epilogue.minimum = 0;
    call.scratch = frame.out<std::byte>(scratch);
    plan.run(frame.team, call);
  }

  static void write(const void* context, std::size_t first, std::size_t last, std::size_t k, std::size_t count, float* to) {
    const WeightGemm& gemm = *static_cast<const WeightGemm*>(context);
    const std::size_t columns = gemm.kernels->columns;
    for (std::size_t p = first; p < last; ++p, to += count * columns) {
      const std::size_t column = p * columns, rest = gemm.n - column;
      WeightTile part = gemm.tile;
      part.b = gemm.b + p * gemm.panelWords;
      part.scale += column * gemm.blocks;
      if (part.zero) part.zero += column * gemm.blocks;
      // The last panel of a PackedB is narrow if its columns fit in one vector.
      gemm.kernels->unpack(part, k, count, rest <= columns / 2 ? columns / 2 : columns, to);
    }
  }
};

bool hasSignedCodes(DataType type) { return type == DataType::int4 || type == DataType::int8; }

// Returns the bits of the i-th element.
unsigned codeAt(std::span<const std::byte> packed, std::size_t bits, std::size_t i) {
  if (bits == 8) return std::to_integer<unsigned>(packed[i]);
  return std::to_integer<unsigned>(packed[i / 2]) >> (i % 2 * 4) & 0xF;
}

std::uint32_t reversedNibbles(std::uint32_t word) {
  word = __builtin_bswap32(word);
  return (word & 0x0F0F0F0F) << 4 | (word >> 4 & 0x0F0F0F0F);
}

// Packs B as signed values. Subtracting 8 or 128 turns unsigned values and their zero points into signed ones.
void packMatrix(const QuantizedGemm& op, const WeightGemm& gemm, Planner& planner, std::uint32_t* packed) {
  const std::uint32_t flips = hasSignedCodes(op.b.dataType()) ? 0 : gemm.bits == 4 ? 0x88888888 : 0x80808080;
  const std::span<const std::byte> bytes = planner.constantBytes(op.b);
  const std::size_t columns = gemm.kernels->columns, bits = gemm.bits, perWord = 32 / bits;
  const bool hasWords = op.bTranspose && gemm.k * bits % 8 == 0;  // every word's elements start at a byte
  const auto wordAt = [&](std::size_t k, std::size_t n) {
    if (hasWords && k + perWord <= gemm.k) {
      const auto word = loadUnaligned<std::uint32_t>(&bytes[(n * gemm.k + k) * bits / 8]);
      return (bits == 4 ? reversedNibbles(word) : __builtin_bswap32(word)) ^ flips;
    }
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < std::min(perWord, gemm.k - k); ++i)
      word |= codeAt(bytes, bits, op.bTranspose ? n * gemm.k + k + i : (k + i) * gemm.n + n) << (32 - (i + 1) * bits);
    return word ^ flips;
  };
  planner.withTeam([&](Team& team) {
    team.forRanges(gemm.panels, 1 + kPackGrain / gemm.panelWords, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t first = begin * columns; first < std::min(end * columns, gemm.n); first += columns) {
        std::uint32_t* to = packed + first / columns * gemm.panelWords;
        const std::size_t count = std::min(columns, gemm.n - first);
        for (std::size_t k = 0; k < gemm.k && !isRunOver(); k += perWord, to += columns) {
          for (std::size_t i = 0; i < count; ++i) to[i] = wordAt(k, first + i);
        }
      }
    });
  });
}

void setScales(const QuantizedGemm& op, WeightGemm& gemm, Planner& planner) {
  const std::size_t columns = gemm.kernels->columns, padded = gemm.panels * columns;
  const std::size_t scaledColumns = op.bScale.shape()[op.bTranspose ? 0 : 1], width = gemm.n / scaledColumns;
  const std::span<const std::byte> scales = planner.constantBytes(op.bScale), zeroPoints = planner.constantBytes(op.bZeroPoint);
  const int middle = 1 << (gemm.bits - 1), flips = hasSignedCodes(op.b.dataType()) ? middle : 0;
  // The packed memory has the scales, the zero points (minus 8 or 128 if unsigned), the bias, and a last value that is 1 if any
  // of these zero points is not 0.
  const std::size_t all = roundUp(gemm.blocks * padded, kAlignment / sizeof(float)), count = 2 * all + padded + 1;
  PackKey key{"weight scales",
              {keyOf(op.bScale), keyOf(op.bZeroPoint), op.bias ? keyOf(*op.bias) : ConstantKey{}},
              {gemm.n, gemm.blocks, columns, op.bTranspose, static_cast<std::size_t>(op.b.dataType())}};
  const std::byte* const packed = planner.packWeights(count * sizeof(float), std::move(key), [&](std::byte* to) {
    float *scale = reinterpret_cast<float*>(to), *zeros = scale + all, *bias = zeros + all, *hasZeros = bias + padded;
    std::memset(to, 0, count * sizeof(float));
    RunWatch watch;
    for (std::size_t block = 0; block < gemm.blocks && !watch.isOver(gemm.n); ++block) {
      for (std::size_t n = 0; n < gemm.n; ++n) {
        const std::size_t from = op.bTranspose ? n / width * gemm.blocks + block : block * scaledColumns + n / width;
        const int zero = (static_cast<int>(codeAt(zeroPoints, gemm.bits, from)) ^ flips) - middle;
        const auto value = loadUnaligned<float>(scales.data() + from * sizeof(float));
        const std::size_t place = (n / columns * gemm.blocks + block) * columns + n % columns;  // [panel][block][column]
        scale[place] = value;
        zeros[place] = static_cast<float>(zero);
        if (zero != 0) *hasZeros = 1;
      }
    }
    if (op.bias) std::memcpy(bias, planner.constantBytes(*op.bias).data(), gemm.n * sizeof(float));
  });
  gemm.tile.scale = reinterpret_cast<const float*>(packed);
  gemm.tile.zero = gemm.tile.scale[count - 1] != 0 ? gemm.tile.scale + all : nullptr;
  gemm.tile.bias = gemm.tile.scale + 2 * all;
}

}  // namespace

StepPtr planWeightGemm(const QuantizedGemm& op, Planner& planner) {
  WeightGemm gemm;
  gemm.bits = bitsPerElement(op.b.dataType());
  gemm.kernels = &weightGemmKernels(planner.isa(), gemm.bits);
  const std::size_t columns = gemm.kernels->columns;
  gemm.k = op.b.shape()[op.bTranspose ? 1 : 0];
  gemm.n = op.b.shape()[op.bTranspose ? 0 : 1];
  gemm.m = elementCount(op.a.descriptor()) / gemm.k;
  gemm.blocks = op.bScale.shape()[op.bTranspose ? 1 : 0];
  gemm.panels = divideUp(gemm.n, columns);
  gemm.panelWords = divideUp(gemm.k, 32 / gemm.bits) * columns;
  const std::size_t work = std::min(gemm.m, gemm.kernels->mostRows) * columns * gemm.k;
  gemm.panelsPerChunk =
      std::clamp<std::size_t>(gemm.m == 1 ? kPanelBytes / (gemm.panelWords * 4) : kWeightChunk / work, 1, gemm.panels);
  PackKey key{"weights", {keyOf(op.b)}, {gemm.k, gemm.n, columns, op.bTranspose, static_cast<std::size_t>(op.b.dataType())}};
  gemm.b = reinterpret_cast<const std::uint32_t*>(
      planner.packWeights(gemm.panels * gemm.panelWords * 4, std::move(key),
                          [&](std::byte* packed) { packMatrix(op, gemm, planner, reinterpret_cast<std::uint32_t*>(packed)); }));
  setScales(op, gemm, planner);
  gemm.tile.rowStride = gemm.tile.k = gemm.k;
  gemm.tile.block = gemm.k / gemm.blocks;
  gemm.tile.relu = op.relu;
  gemm.tile.ldc = gemm.n;
  gemm.a = planner.slot(op.a);
  gemm.output = planner.output();
  const Isa isa = withoutTiles(planner.isa());
  const bool unpacks = gemm.m >= gemm.kernels->fewestUnpackedRows;
  std::string text = formatText("quantized gemm float32 {} {}x{}x{} blocks of {}{} {}", name(op.b.dataType()), gemm.m, gemm.n,
                                gemm.k, gemm.tile.block, unpacks ? " unpacked" : "", name(isa));
  if (unpacks) {
    UnpackedGemm unpacked{.gemm = gemm, .hasBias = op.bias.has_value()};
    unpacked.plan = GemmPlan({isa, gemm.k, gemm.n}, gemm.m, planner.threads(), planner.caches(), true, true);
    unpacked.scratch = planner.scratch(unpacked.plan.scratchBytes());
    return makeStep(std::move(text), [unpacked](const Frame& frame) { unpacked.run(frame); });
  }
  return makeStep(std::move(text), [gemm](const Frame& frame) { gemm.run(frame); });
}

}  // namespace webnn::cpu
