// C = A * B: the GEMM that matmul, gemm, convolution, attention and recurrent networks share.
// B is packed once (PackedB). A is read in place, copied tile by tile, or gathered by a callback; convolution uses the callback
// to avoid an im2col buffer. An epilogue is applied while results are in registers or cache. The summation order depends only on
// M, N, K and the instruction set, not on the number of threads or the cache sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/cpu/gemm/packed_b.h"
#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/threads.h"

namespace webnn::cpu {

// Rows of A that are read in place, as `lines` times `runs` runs of equal length. Element k of run r of line l of row i is at
// start[i * rowStride + l * lineStride + r * runStride + k].
struct Indirection {
  const float* start = nullptr;
  std::size_t rowStride = 0, lines = 1, lineStride = 0, runs = 1, runStride = 0;
};

// Describes how A is read. The caller sets exactly one of `data`, `half` and `gather`.
struct AOperand {
  const float* data = nullptr;          // float32: element (m, k) is at data[m * lda + k]
  const std::uint16_t* half = nullptr;  // float16: element (m, k) is at half[m * lda + k]
  std::size_t lda = 0;
  // Writes element (row + i, k + j) to to[i * ld + j], for all i < rows and j < count.
  void (*gather)(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                 std::size_t ld) = nullptr;
  // Optional if `gather` is set. Returns whether rows [row, row + rows) can be read in place, and describes them in
  // `indirection`.
  bool (*indirection)(const void* context, std::size_t row, std::size_t rows, Indirection& indirection) = nullptr;
  // Optional if `gather` is set. Returns whether elements [k, k + count) of rows [row, row + rows) are all 0.
  bool (*isZero)(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) = nullptr;
  const void* context = nullptr;
};

// Operations on the sums, applied in the order of the members.
struct GemmEpilogue {
  const float* bias = nullptr;  // n elements, added to each row
  bool clamps = false;          // whether to clamp to [minimum, maximum]; NaN stays NaN
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  // Called for each block of C while it is in cache: rows [row, row + rows) by columns [column, column + columns). `c` points to
  // the block's first element, and rows are `ld` floats apart. The block sizes depend on the number of threads and the cache
  // sizes.
  void (*apply)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                std::size_t ld, unsigned worker) = nullptr;
  const void* context = nullptr;
};

// Reads a B that is stored in a smaller form than floats. Each chunk of C unpacks the panels that it multiplies to scratch
// memory, so that they are unpacked once for many rows of A.
struct PanelUnpacker {
  // Writes rows [k, k + count) of panels [first, last) to `to`. The layout is [panel][k][column], as in PackedB.
  void (*write)(const void* context, std::size_t first, std::size_t last, std::size_t k, std::size_t count, float* to) = nullptr;
  const void* context = nullptr;
};

// The operands of one execution of a GemmPlan.
struct GemmCall {
  AOperand a;
  // B, packed as GemmPlan::b() describes. If the plan unpacks B, `unpack` writes it instead.
  const std::byte* b = nullptr;
  PanelUnpacker unpack = {};
  // The destination: `c`, or `half` for results rounded to float16 once after the epilogue. Both are null if `epilogue.apply`
  // consumes the results. Element (m, n) goes to [m * ldc + n]; nothing outside m x n is written.
  float* c = nullptr;
  std::uint16_t* half = nullptr;
  std::size_t ldc = 0;
  GemmEpilogue epilogue = {};
  std::byte* scratch = nullptr;  // GemmPlan::scratchBytes() bytes, aligned to 64
};

// Splits C into chunks for threads: `tiles` row tiles (at most MR rows each) are divided into rowParts, and panels of NR
// columns into columnParts. The chunks of a row group, which has rowParts / rowGroups row parts, follow each other: first all row
// parts of the first columns, so that their part of B is read from memory once.
struct GemmGrid {
  std::size_t tiles = 0, rowParts = 0, columnParts = 0, rowGroups = 1;
  std::size_t chunks() const { return rowParts * columnParts; }
};

// A GEMM of fixed sizes that is planned once and run many times.
class GemmPlan {
 public:
  GemmPlan() = default;
  // `threads`: the maximum team size. `writesFloat`: whether the result goes to GemmCall::c. `unpacksB`: whether
  // GemmCall::unpack writes B, which requires PackedB::isOfFloats().
  GemmPlan(const PackedB& b, std::size_t m, unsigned threads, const CacheSizes& caches, bool writesFloat = true,
           bool unpacksB = false);
  // Returns the plan for `m` rows, at most m(): for the last block of rows. It needs no more scratch memory than this plan.
  GemmPlan withRows(std::size_t m) const;

  const PackedB& b() const { return b_; }
  std::size_t m() const { return m_; }
  std::size_t n() const { return b_.n(); }
  std::size_t k() const { return b_.k(); }
  std::size_t scratchBytes() const { return workerBytes_ * threads_; }

  void run(Team& team, const GemmCall& call) const;

  // grid() and runChunk() compute C chunk by chunk, for loops over many GEMMs. Chunks may run in any order and concurrently on
  // workers of one team. The grid for one thread has as few chunks as the caches allow.
  const GemmGrid& grid(unsigned threads) const { return threads > 1 ? shared_ : alone_; }
  void runChunk(const GemmGrid& grid, const GemmCall& call, std::size_t chunk, unsigned worker) const;

 private:
  PackedB b_;
  std::size_t m_ = 0, workerBytes_ = 0;
  unsigned threads_ = 1;
  CacheSizes caches_;
  bool writesFloat_ = true, unpacksB_ = false;
  GemmGrid alone_, shared_;
};

#ifdef __EMSCRIPTEN__
// Runs the micro-kernels of large GEMMs for about two milliseconds, once. Browsers compile a function quickly at its first call,
// and optimize it on another thread after it has run for a while. The warm-up makes the optimization overlap the rest of the
// build instead of the first run.
void warmUpGemm(Isa isa);
#endif

}  // namespace webnn::cpu
