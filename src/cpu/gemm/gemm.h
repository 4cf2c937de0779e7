// C = A * B: the one GEMM that matmul, gemm, convolution, attention and recurrent networks are made of.
//
// B is packed once (PackedB); A is read where it is, copied tile by tile, or written by a function, which is how convolution
// reads images without an im2col buffer. The result leaves the registers through an epilogue. The order of a sum depends on M, N,
// K and the instruction set alone, not on the number of threads or the sizes of caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "cpu/gemm/packed_b.h"
#include "cpu/runtime/caches.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/threads.h"

namespace webnn::cpu {

// Rows of A that can be read where they are, in runs of equal length: element (i, k) of the r-th run, k being counted within
// it, at start[i * rowStride + r * runStride + k].
struct Indirection {
  const float* start = nullptr;
  std::size_t rowStride = 0, runs = 1, runStride = 0;
};

// How A is read. Set one of `data`, `half` and `gather`.
struct AOperand {
  const float* data = nullptr;          // element (m, k) at data[m * lda + k]
  const std::uint16_t* half = nullptr;  // the same, of float16
  std::size_t lda = 0;
  // Writes the elements (row + i, k + j), i < rows, j < count, to to[i * ld + j].
  void (*gather)(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                 std::size_t ld) = nullptr;
  // Beside `gather`: whether the rows [row, row + rows) are in memory as they are, and where.
  bool (*indirection)(const void* context, std::size_t row, std::size_t rows, Indirection& indirection) = nullptr;
  const void* context = nullptr;
};

// What happens to sums, in this order.
struct GemmEpilogue {
  const float* bias = nullptr;  // added to each row; n elements
  bool clamps = false;          // to [minimum, maximum]; NaN stays
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  // Called on blocks of C while they are in cache: rows [row, row + rows), columns [column, column + columns), whose first
  // element is at `c` and whose rows are `ld` elements apart. Blocks differ with the number of threads.
  void (*apply)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                std::size_t ld, unsigned worker) = nullptr;
  const void* context = nullptr;
};

// The operands of one run.
struct GemmCall {
  AOperand a;
  const std::byte* b = nullptr;  // packed by GemmPlan::b()
  // Where the result goes: one of `c` and `half`, or neither if `epilogue.apply` takes it from the block that it is given. `half`
  // is rounded once, after the epilogue. Element (m, n) is at [m * ldc + n]; written only within m x n.
  float* c = nullptr;
  std::uint16_t* half = nullptr;
  std::size_t ldc = 0;
  GemmEpilogue epilogue = {};
  std::byte* scratch = nullptr;  // GemmPlan::scratchBytes() in all, aligned to 64
};

// The instruction set to multiply with, where `isa` may be used: tiles are for GEMMs that are large enough. `isConstant`: if B
// is packed once, not in each run. GemmPlan works with any instruction set and size.
Isa gemmIsa(Isa isa, std::size_t m, std::size_t n, std::size_t k, bool isConstant = true);

// How C is cut into chunks for threads: a grid of tiles of MR rows by panels of NR columns.
struct GemmGrid {
  std::size_t tiles = 0, rowParts = 0, columnParts = 0;
  std::size_t chunks() const { return rowParts * columnParts; }
};

// A GEMM of certain sizes, planned once and run often.
class GemmPlan {
 public:
  GemmPlan() = default;
  // `threads`: the most that a team has. `writesFloat`: if the result goes to GemmCall::c.
  GemmPlan(const PackedB& b, std::size_t m, unsigned threads, const CacheSizes& caches, bool writesFloat = true);
  // The same with another M, not above this one's: for the last block of rows. Needs no more scratch.
  GemmPlan withRows(std::size_t m) const;

  const PackedB& b() const { return b_; }
  std::size_t m() const { return m_; }
  std::size_t n() const { return b_.n(); }
  std::size_t k() const { return b_.k(); }
  // For all workers.
  std::size_t scratchBytes() const { return workerBytes_ * threads_; }

  // Computes C with the team.
  void run(Team& team, const GemmCall& call) const;

  // The same in chunks, for loops over many GEMMs: each computed by runChunk, in any order, at once on several workers of the
  // same team. The grid for one thread has as few chunks as suit the caches.
  const GemmGrid& grid(unsigned threads) const { return threads > 1 ? shared_ : alone_; }
  void runChunk(const GemmGrid& grid, const GemmCall& call, std::size_t chunk, unsigned worker) const;

 private:
  PackedB b_;
  std::size_t m_ = 0, workerBytes_ = 0;
  unsigned threads_ = 1;
  CacheSizes caches_;
  bool writesFloat_ = true;
  GemmGrid alone_, shared_;
};

}  // namespace webnn::cpu
