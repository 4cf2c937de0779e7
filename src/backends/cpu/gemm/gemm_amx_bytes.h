// Products of 8-bit integers on AMX tiles: unsigned by signed with 32-bit sums, bit-identical to the VNNI kernels.
#pragma once

#include "backends/cpu/simd/bytes/quantized_gemm.h"

namespace webnn::cpu {

constexpr std::size_t kByteRows = 32, kByteColumns = 32;  // the largest product; each side takes two tile registers
constexpr std::size_t kByteStep = 64;                     // values of k per tile instruction

// A product of up to 32 x 32 sums over k.
struct ByteProduct {
  const std::byte* a = nullptr;                  // [step of 64 k][row][64], strides below; 16 or 32 rows; 0 after the last k
  const std::byte* b = nullptr;                  // [group of four k][column][4]; 16 or 32 columns; any bytes after the last k
  std::size_t stepStride = 0, rowStride = 0;     // bytes from step to step and from row to row of `a`
  std::size_t steps = 0, rows = 0, columns = 0;  // rows and columns: 16 or 32
  std::int32_t* sums = nullptr;                  // the result, [row][column]
};

struct ByteTileKernels {
  void (*begin)() = nullptr;  // see QuantizedGemmKernels::begin
  void (*end)() = nullptr;
  void (*multiply)(const ByteProduct& product) = nullptr;
};

// Returns the tile height (16 or 32) for `rows` rows.
constexpr std::size_t paddedByteRows(std::size_t rows) { return rows <= kByteRows / 2 ? kByteRows / 2 : kByteRows; }
#if defined(__x86_64__)
// Packs k bytes, each xor `flip`, as row `row` of `rows` rows that are 64 bytes apart: ByteProduct::a with a stepStride of
// 64 * rows. Zeroes the rest of the row's last step.
void packByteRow(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row, std::byte* to);

// Packs a row of ByteProduct::a with a stepStride of 64. The row is given in `count` pieces of `bytes` bytes; piece i is at
// pieces[i * stride]. Writes 64 zero bytes after the row, which also pad its last step; `to` must have room for them.
void packBytePieces(const std::byte* const* pieces, std::size_t stride, std::size_t count, std::size_t bytes, std::byte* to);

// Returns the kernels for `isa`, which must have tiles.
const ByteTileKernels& byteTileKernels(Isa isa);
// Returns byteTileKernels() wrapped as GEMM kernels. The processor must also have VNNI, because VNNI kernels store the sums.
const QuantizedGemmKernels& amxQuantizedGemmKernels(Isa isa);
#endif

}  // namespace webnn::cpu
