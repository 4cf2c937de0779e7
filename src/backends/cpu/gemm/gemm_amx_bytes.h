// Products of 8-bit integers on AMX tiles: unsigned by signed with 32-bit sums, bit-identical to VNNI's.
#pragma once

#include "backends/cpu/simd/bytes/quantized_gemm.h"

namespace webnn::cpu {

constexpr std::size_t kByteRows = 32, kByteColumns = 32;  // of a product: two tile registers each
constexpr std::size_t kByteStep = 64;                     // steps of k per instruction

// Up to 32 x 32 sums over k.
struct ByteProduct {
  const std::byte* a = nullptr;  // [step of 64 k][row][64], of 16 or 32 rows, with zeros after the last k
  const std::byte* b = nullptr;  // [group of four k][column][4], of 16 or 32 columns, with anything after the last k of a step
  std::size_t steps = 0, rows = 0, columns = 0;  // 16 or 32
  std::int32_t* sums = nullptr;                  // [row][column]
};

struct ByteTileKernels {
  void (*begin)() = nullptr;  // as of QuantizedGemmKernels
  void (*end)() = nullptr;
  void (*multiply)(const ByteProduct& product) = nullptr;
};

// Returns 16 or 32, the rows of the tiles that hold `rows` rows.
constexpr std::size_t paddedByteRows(std::size_t rows) { return rows <= kByteRows / 2 ? kByteRows / 2 : kByteRows; }
#if defined(__x86_64__)
// Packs a row of k bytes xor `flip` as row `row` of `rows` of ByteProduct::a, zeros after it.
void packByteRow(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row, std::byte* to);

// Packs a row given in `count` pieces of `bytes` bytes; piece i is at pieces[i * stride]. Does not change the bytes after the
// row.
void packBytePieces(const std::byte* const* pieces, std::size_t stride, std::size_t count, std::size_t bytes, std::size_t rows,
                    std::size_t row, std::byte* to);

// Requires an instruction set with tiles.
const ByteTileKernels& byteTileKernels(Isa isa);
// Returns the same kernels for GEMM; the processor must also have VNNI.
const QuantizedGemmKernels& amxQuantizedGemmKernels(Isa isa);
#endif

}  // namespace webnn::cpu
