// Products of float32 rows and a constant 4-bit matrix, which stays packed: one row is bound by reading it.
#include <algorithm>

#include "base/text.h"
#include "cpu/ops/quantized_gemm.h"
#include "cpu/runtime/alignment.h"
#include "cpu/simd/int4_gemm.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kPanelBytes = std::size_t{128} << 10;  // of a chunk at least, where there is one row
constexpr std::size_t kChunk = 1 << 20;                      // multiplications of a chunk, about

std::size_t divideUp(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

struct NibbleProduct {
  const NibbleProductKernels* kernels = nullptr;
  std::size_t m = 0, n = 0, k = 0, blocks = 0;
  std::size_t panelWords = 0, panels = 0, panelsPerChunk = 0;
  const std::uint32_t* b = nullptr;
  NibbleTile tile;  // scale, zero and bias of the first panel
  Slot a, output;

  void run(const Frame& frame) const {
    const std::size_t tiles = divideUp(m, kernels->mostRows);
    frame.team.forEach(tiles * divideUp(panels, panelsPerChunk), [&](std::size_t chunk, unsigned) {
      const std::size_t row = chunk % tiles * kernels->mostRows, first = chunk / tiles * panelsPerChunk;
      NibbleTile part = tile;
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

unsigned nibbleAt(std::span<const std::byte> packed, std::size_t i) {
  return std::to_integer<unsigned>(packed[i / 2]) >> (i % 2 * 4) & 0xF;
}

// Unsigned numbers less 8: as signed ones, whose zero points are less 8 too.
void packMatrix(const QuantizedProduct& op, const NibbleProduct& product, Planner& planner, std::uint32_t* packed) {
  const unsigned flip = op.b.dataType() == DataType::uint4 ? 8 : 0;
  const std::span<const std::byte> bytes = planner.constantBytes(op.b);
  const std::size_t columns = product.kernels->columns;
  constexpr std::size_t kAtOnce = 128;  // columns: a cache line of a row
  RunWatch watch;
  for (std::size_t first = 0; first < product.n; first += kAtOnce) {
    const std::size_t end = std::min(first + kAtOnce, product.n);
    for (std::size_t k = 0; k < product.k && !watch.isOver(end - first); ++k) {
      for (std::size_t n = first; n < end; ++n) {
        const std::uint32_t number = nibbleAt(bytes, op.bTranspose ? n * product.k + k : k * product.n + n) ^ flip;
        packed[n / columns * product.panelWords + k / 8 * columns + n % columns] |= number << (28 - k % 8 * 4);
      }
    }
  }
}

void setScales(const QuantizedProduct& op, NibbleProduct& product, Planner& planner) {
  const std::size_t columns = product.kernels->columns, padded = product.panels * columns;
  const std::size_t scaledColumns = op.bScale.shape()[op.bTranspose ? 0 : 1], width = product.n / scaledColumns;
  const std::span<const std::byte> scales = planner.constantBytes(op.bScale), zeroPoints = planner.constantBytes(op.bZeroPoint);
  const bool isSigned = op.b.dataType() == DataType::int4;
  const auto keepFloats = [&](std::size_t count) { return reinterpret_cast<float*>(planner.keep(count * sizeof(float))); };
  float *scale = keepFloats(product.blocks * padded), *zeros = keepFloats(product.blocks * padded), *bias = keepFloats(padded);
  bool hasZeros = false;
  RunWatch watch;
  for (std::size_t block = 0; block < product.blocks && !watch.isOver(product.n); ++block) {
    for (std::size_t n = 0; n < product.n; ++n) {
      const std::size_t from = op.bTranspose ? n / width * product.blocks + block : block * scaledColumns + n / width;
      const int nibble = static_cast<int>(nibbleAt(zeroPoints, from)), zero = isSigned ? (nibble ^ 8) - 8 : nibble - 8;
      const auto value = loadUnaligned<float>(scales.data() + from * sizeof(float));
      const std::size_t to = (n / columns * product.blocks + block) * columns + n % columns;  // panel by panel, as they are read
      scale[to] = value;
      zeros[to] = static_cast<float>(zero);
      hasZeros = hasZeros || zero != 0;
    }
  }
  if (op.bias) std::memcpy(bias, planner.constantBytes(*op.bias).data(), product.n * sizeof(float));
  product.tile.scale = scale;
  product.tile.zero = hasZeros ? zeros : nullptr;
  product.tile.bias = bias;
}

}  // namespace

StepPtr planNibbleProduct(const QuantizedProduct& op, Planner& planner) {
  NibbleProduct product;
  product.kernels = &nibbleProductKernels(planner.isa());
  const std::size_t columns = product.kernels->columns;
  product.k = op.b.shape()[op.bTranspose ? 1 : 0];
  product.n = op.b.shape()[op.bTranspose ? 0 : 1];
  product.m = elementCount(op.a.descriptor()) / product.k;
  product.blocks = op.bScale.shape()[op.bTranspose ? 1 : 0];
  product.panels = divideUp(product.n, columns);
  product.panelWords = divideUp(product.k, 8) * columns;
  const std::size_t work = std::min(product.m, product.kernels->mostRows) * columns * product.k;
  product.panelsPerChunk =
      std::clamp<std::size_t>(product.m == 1 ? kPanelBytes / (product.panelWords * 4) : kChunk / work, 1, product.panels);
  auto* packed = reinterpret_cast<std::uint32_t*>(planner.keep(product.panels * product.panelWords * 4));
  packMatrix(op, product, planner, packed);
  product.b = packed;
  setScales(op, product, planner);
  product.tile.pitch = product.tile.k = product.k;
  product.tile.block = product.k / product.blocks;
  product.tile.relu = op.relu;
  product.tile.cPitch = product.n;
  product.a = planner.slot(op.a);
  product.output = planner.output();
  std::string text = webnn::format("quantized product float32 {} {}x{}x{} blocks of {} {}", name(op.b.dataType()), product.m,
                                   product.n, product.k, product.tile.block, name(planner.isa()));
  return makeStep(std::move(text), [product](const Frame& frame) { product.run(frame); });
}

}  // namespace webnn::cpu
