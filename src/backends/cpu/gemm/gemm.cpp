#include "backends/cpu/gemm/gemm.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/gemm/gemm.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// Returns the start of the i-th part when `count` items are split into nearly equal `parts`.
constexpr std::size_t partBegin(std::size_t count, std::size_t parts, std::size_t i) { return count * i / parts; }

// The minimum number of tiles per chunk if chunks unpack panels of B: unpacking takes about as long as half a tile.
constexpr std::size_t kFewestTilesToUnpack = 8;
// The minimum number of panels per chunk if chunks convert rows of A: with fewer than kPanelsToConvert, converting is not hidden
// behind the products. kFewestPanelsToConvert applies if threads would otherwise have no work.
constexpr std::size_t kPanelsToConvert = 6, kFewestPanelsToConvert = 4;

// Splits C into more chunks for several threads: up to four per thread, each of about ten microseconds or more.
void divide(GemmGrid& grid, const PackedB& b, std::size_t m, unsigned threads, bool unpacksB) {
  // In multiply-adds. kMemory: the cost of reading a weight from memory. kColumn: the cost of storing an element of C, and of the
  // start of a sum. kChunk: the minimum work per chunk.
  constexpr std::size_t kMemory = 12, kColumn = 24, kChunk = 700'000;
  const std::size_t lanes = b.kernels().lanes, work = roundUp(b.n(), lanes) * ((b.k() + kColumn) * m + b.k() * kMemory);
  const std::size_t wanted = std::min<std::size_t>(4 * threads, work / kChunk);
  if (b.kernels().convertRows && grid.rowParts > 0) {
    const std::size_t busy = std::min<std::size_t>(threads, wanted);
    std::size_t mostColumns = std::max<std::size_t>(b.panels() / kPanelsToConvert, 1);
    if (grid.tiles * mostColumns < busy) mostColumns = std::max<std::size_t>(b.panels() / kFewestPanelsToConvert, 1);
    if (grid.tiles * mostColumns < busy) {
      grid.tiles = std::max(grid.tiles, std::min(divideUp(m, b.kernels().convertedRows), divideUp(busy, mostColumns)));
    }
    grid.rowParts = std::max(grid.rowParts, std::min(grid.tiles, wanted));
    std::size_t columns = std::min(wanted / grid.rowParts, mostColumns);
    if (grid.rowParts % threads != 0 && columns > threads) columns -= columns % threads;
    grid.columnParts = std::max(grid.columnParts, columns);
    return;
  }
  while (grid.chunks() < wanted) {
    const std::size_t rows = divideUp(grid.tiles, grid.rowParts), columns = divideUp(b.panels(), grid.columnParts);
    if (columns == 1 && (unpacksB ? rows < 2 * kFewestTilesToUnpack : rows == 1)) break;
    ((unpacksB ? columns == 1 : rows > columns) ? grid.rowParts : grid.columnParts) += 1;
  }
  // If A is larger than B, each thread computes whole rows: it then reads only its part of A, and writes what it reads next.
  if (m > b.n() && grid.rowParts % threads == 0) grid.rowGroups = threads;
}

GemmGrid gridOf(const PackedB& b, std::size_t m, unsigned threads, const CacheSizes& caches, bool unpacksB) {
  const GemmKernels& kernels = b.kernels();
  GemmGrid grid;
  grid.tiles = divideUp(m, kernels.mr);
  if (kernels.convertRows && threads > 1 && b.bytes() <= caches.level2) {
    // B stays in L2, so that short tiles do not read it from L3 again.
    grid.tiles = std::max(grid.tiles, std::min<std::size_t>(4 * threads, m / (2 * kernels.convertedRows)));
  }
  // A block of B and the partial sums of C must both fit in the L2 cache.
  const std::size_t cacheFloats = caches.level2 / 8 * 3 / sizeof(float), sumFloats = caches.level2 / 4 / sizeof(float);
  // With a single row tile, B is read only once and need not fit in L2. A chunk must still be short, so that cancellation is
  // quick.
  constexpr std::size_t kMemoryFloats = std::size_t{8} << 20;
  std::size_t mostPanels =
      (grid.tiles == 1 && !unpacksB ? kMemoryFloats : cacheFloats) / (b.nr() * std::max<std::size_t>(b.kc(), 1));
  // More panels would not be faster, but take more scratch memory.
  constexpr std::size_t kMostUnpacked = 8;
  if (unpacksB) mostPanels = std::min(mostPanels, kMostUnpacked);
  // AMX kernels read A from L2, and B from L3. If there are several blocks of k, the sums of a tile's rows stay in L2.
  if (kernels.convertRows) {
    mostPanels = b.blocks() == 1 ? b.panels() : caches.level2 / 2 / (kernels.mr * b.nr() * sizeof(float));
  }
  grid.columnParts = divideUp(b.panels(), std::max<std::size_t>(mostPanels, 1));
  const std::size_t columns = divideUp(b.panels(), std::max<std::size_t>(grid.columnParts, 1)) * b.nr();
  const std::size_t mostRows = std::max(sumFloats / std::max<std::size_t>(columns, 1), kernels.mr);
  grid.rowParts = std::min(b.blocks() == 1 ? 1 : divideUp(m, mostRows), grid.tiles);
  if (threads > 1) divide(grid, b, m, threads, unpacksB);
  return grid;
}

// Returns how many rows of A are copied at a time.
std::size_t copiedRows(const GemmKernels& kernels) { return kernels.convertRows ? kernels.convertedRows : kernels.mr; }
std::size_t tileBytes(const GemmKernels& kernels) { return copiedRows(kernels) * kTileLda * sizeof(float); }

// Returns the size of GemmTile::scratch.
std::size_t tileScratchBytes(const PackedB& b, std::size_t m) {
  const GemmKernels& kernels = b.kernels();
  if (!kernels.convertRows) return kernels.scratchBytes;
  const std::size_t bytes = kernels.convertedHeaderBytes + kernels.convertedRows * b.kc() * kernels.convertedBytes;
  return kernels.scratchBytes + divideUp(std::min(m, kernels.mr), kernels.convertedRows) * bytes;
}

// Returns the maximum size of a chunk of C in floats, for plans that keep C in scratch memory. The grid for one thread has the
// largest chunks.
std::size_t chunkFloats(const PackedB& b, std::size_t m, const GemmGrid& grid) {
  if (grid.chunks() == 0) return 0;
  const std::size_t tiles = divideUp(grid.tiles, grid.rowParts), panels = divideUp(b.panels(), grid.columnParts);
  return std::min(tiles * b.kernels().mr, m) * panels * b.nr();
}

// Returns the size of the panels that a chunk unpacks.
std::size_t unpackedBytes(const PackedB& b, const GemmGrid& grid) {
  return aligned(divideUp(b.panels(), std::max<std::size_t>(grid.columnParts, 1)) * b.nr() * b.kc() * sizeof(float));
}

// Computes one chunk of C (see GemmGrid).
class Chunk {
 public:
  Chunk(const PackedB& b, std::size_t m, const GemmCall& call, const GemmGrid& grid, std::size_t chunk, unsigned worker,
        std::byte* scratch)
      : kernels_(b.kernels()), call_(call), b_(b), worker_(worker) {
    tiles_ = grid.tiles;
    m_ = m;
    rowUnit_ = std::max<std::size_t>(kernels_.convertedRows, 1);
    tileRows_ = divideUp(m, rowUnit_) / grid.tiles;
    longTiles_ = divideUp(m, rowUnit_) % grid.tiles;
    const std::size_t groupRows = grid.rowParts / grid.rowGroups, groupChunks = groupRows * grid.columnParts;
    const std::size_t rowPart = chunk / groupChunks * groupRows + chunk % groupRows;
    const std::size_t columnPart = chunk % groupChunks / groupRows;
    firstTile_ = partBegin(grid.tiles, grid.rowParts, rowPart);
    lastTile_ = partBegin(grid.tiles, grid.rowParts, rowPart + 1);
    firstPanel_ = partBegin(b.panels(), grid.columnParts, columnPart);
    lastPanel_ = partBegin(b.panels(), grid.columnParts, columnPart + 1);
    column_ = firstPanel_ * b.nr();
    columns_ = std::min(b.n(), lastPanel_ * b.nr()) - column_;
    tile_ = reinterpret_cast<float*>(scratch);
    tileScratch_ = scratch + tileBytes(kernels_);
    std::byte* const rest = tileScratch_ + tileScratchBytes(b, m);
    if (call.unpack.write) unpacked_ = reinterpret_cast<float*>(rest);
    if (call.c) {
      c_ = call.c + rowOf(firstTile_) * call.ldc + column_;
      ldc_ = call.ldc;
    } else {
      c_ = reinterpret_cast<float*>(rest + (unpacked_ ? unpackedBytes(b, grid) : 0));
      ldc_ = roundUp(columns_, kernels_.lanes);
    }
    rowLines_ = divideUp(kernels_.mr, 4 * std::max<std::size_t>(lastPanel_ - firstPanel_, 1));
    bringsNext_ = (rowPart + 1) % groupRows == 0 && lastPanel_ < b.panels();
  }

  void run() const {
    RunWatch watch;
    for (std::size_t block = 0; block < b_.blocks(); ++block) {
      const std::size_t tileWork = kernels_.mr * b_.kcOf(block) + kernels_.mr * columns_;
      if (unpacked_)
        call_.unpack.write(call_.unpack.context, firstPanel_, lastPanel_, block * b_.kc(), b_.kcOf(block), unpacked_);
      for (std::size_t tile = firstTile_; tile < lastTile_; ++tile) {
        runTile(block, tile);
        if (watch.isOver(tileWork)) return;
      }
    }
  }

 private:
  // The first longTiles_ tiles have (tileRows_ + 1) * rowUnit_ rows, the others tileRows_ * rowUnit_, except for the last one.
  // Dividing here instead would take as long as a tile with a short K.
  std::size_t rowOf(std::size_t tile) const { return std::min(m_, (tile * tileRows_ + std::min(tile, longTiles_)) * rowUnit_); }

  void runTile(std::size_t block, std::size_t tile) const {
    const std::size_t row = rowOf(tile), rows = rowOf(tile + 1) - row, k = b_.kcOf(block);
    const bool isLast = block + 1 == b_.blocks();
    const GemmEpilogue& epilogue = call_.epilogue;
    float* c = c_ + (row - rowOf(firstTile_)) * ldc_;
    const AOperand& a = call_.a;
    if (!isLast && a.isZero && a.isZero(a.context, row, rows, block * b_.kc(), k)) {  // the sums do not change
      for (std::size_t i = 0; block == 0 && i < rows; ++i) std::fill_n(c + i * ldc_, columns_, 0.0F);
      return;
    }
    GemmTile task;
    task.b = unpacked_ ? unpacked_ : reinterpret_cast<const float*>(call_.b + b_.offset(block, firstPanel_));
    task.k = k;
    task.rows = rows;
    task.scratch = tileScratch_;
    task.c = c;
    task.ldc = ldc_;
    task.columns = columns_;
    task.adds = block > 0;
    if (!kernels_.convertRows) {
      setRows(task, row, rows, block * b_.kc(), k);
    } else if (a.data) {
      task.a = a.data + row * a.lda + block * b_.kc();
      task.lda = a.lda;
      task.isConverted = false;
    } else {
      convertRows(task, row, rows, block * b_.kc(), k);
    }
    if (isLast) {
      task.bias = epilogue.bias ? epilogue.bias + column_ : nullptr;
      task.clamps = epilogue.clamps;
      task.minimum = epilogue.minimum;
      task.maximum = epilogue.maximum;
    }
    if (!setNext(task, block, tile - firstTile_)) setNextRows(task, tile);
    kernels_.multiply[rows - 1](task);
    if (!isLast) return;
    if (epilogue.apply) epilogue.apply(epilogue.context, row, rows, column_, columns_, task.c, ldc_, worker_);
    if (call_.half) {
      kernels_.narrowRows(task.c, ldc_, rows, columns_, call_.half + row * call_.ldc + column_, call_.ldc);
    }
  }

  // Returns whether rows of A are read in place rather than copied to scratch memory. A copy pays off only if the rows are read
  // often and their stride maps them to a few L1 cache sets. Rows 1024 floats apart map to the same set.
  bool readsInPlace(std::size_t rows, std::size_t ld, std::size_t count) const {
    constexpr std::size_t kBadStride = 512, kFewRows = 3, kFewPanels = 4;
    return ld == count || ld % kBadStride != 0 || rows <= kFewRows || lastPanel_ - firstPanel_ <= kFewPanels;
  }

  void convertRows(GemmTile& task, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) const {
    for (std::size_t i = 0; i < rows; i += kernels_.convertedRows) {
      const std::size_t part = std::min(kernels_.convertedRows, rows - i);
      setRows(task, row + i, part, k, count);
      kernels_.convertRows(task, i, part);
    }
  }

  void setRows(GemmTile& task, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) const {
    const AOperand& a = call_.a;
    if (a.data && readsInPlace(rows, a.lda, count)) {
      task.a = a.data + row * a.lda + k;
      task.lda = a.lda;
      return;
    }
    if (a.indirection && setIndirection(task, row, rows, k, count)) return;
    task.a = tile_;
    if (a.data) {
      kernels_.copyRows(a.data + row * a.lda + k, a.lda, rows, count, tile_, kTileLda);
    } else if (a.half) {
      kernels_.widenRows(a.half + row * a.lda + k, a.lda, rows, count, tile_, kTileLda);
    } else {
      a.gather(a.context, row, rows, k, count, tile_, kTileLda);
    }
  }

  bool setIndirection(GemmTile& task, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) const {
    Indirection indirection;
    if (rows < kernels_.fewestIndirectRows || !call_.a.indirection(call_.a.context, row, rows, indirection) ||
        !readsInPlace(rows, indirection.rowStride, count)) {
      return false;
    }
    if (b_.blocks() > 1 && indirection.lines * indirection.runs > 1) return false;  // a block would begin within a run
    task.a = indirection.start + k;
    task.lda = indirection.rowStride;
    task.lines = indirection.lines;
    task.lineStride = indirection.lineStride;
    task.runs = indirection.runs;
    task.runLength = count / (indirection.lines * indirection.runs);
    task.runStride = indirection.runStride;
    return true;
  }

  // Divides the next block of B among the first tiles, which prefetch their parts while they compute. During the last block, the
  // next block is the first one of the next columns. Returns false if this tile has no part to prefetch.
  bool setNext(GemmTile& task, std::size_t block, std::size_t tile) const {
    const std::size_t tiles = lastTile_ - firstTile_;
    if (tiles == 1 || unpacked_ || kernels_.convertRows) return false;
    const bool isLast = block + 1 == b_.blocks();
    if (isLast && !bringsNext_) return false;
    const std::size_t linesOfFour = divideUp(4 * b_.nr() * kernels_.elementBytes, 64);
    const std::size_t parts = std::min(tiles, linesOfFour);
    if (tile >= parts) return false;
    const std::size_t lines = b_.kc() * b_.nr() * (lastPanel_ - firstPanel_) * kernels_.elementBytes / 64;
    const std::byte* next = call_.b + (isLast ? b_.offset(0, lastPanel_) : b_.offset(block + 1, firstPanel_));
    task.next = next + partBegin(lines, parts, tile) * 64;
    task.nextLines = divideUp(linesOfFour, parts);
    task.nextEnd = next + lines * 64;
    return true;
  }

  // Lets a tile prefetch the contiguous rows of A that follow its own, which the hardware prefetches too late: it sees a short
  // stream per row.
  void setNextRows(GemmTile& task, std::size_t tile) const {
    if (!kernels_.prefetchesRows || !b_.isOfFloats() || tile + 1 == tiles_ || task.a == tile_ ||
        (call_.a.data && task.lda != b_.k()))
      return;
    const float* const next =
        task.a + (task.lines - 1) * task.lineStride + (task.runs - 1) * task.runStride + task.rows * task.lda;
    task.next = reinterpret_cast<const std::byte*>(next);
    task.nextLines = rowLines_;
    task.nextEnd = task.next + task.rows * task.lda * sizeof(float);
  }

  const GemmKernels& kernels_;
  const GemmCall& call_;
  const PackedB& b_;
  unsigned worker_;
  std::size_t m_, rowUnit_, tiles_, tileRows_, longTiles_, firstTile_, lastTile_, firstPanel_, lastPanel_, column_, columns_;
  float* tile_;
  std::byte* tileScratch_;
  std::size_t rowLines_;  // cache lines of the next rows of A to prefetch per four steps of k
  float* unpacked_ = nullptr;
  float* c_;
  std::size_t ldc_;
  bool bringsNext_;
};

}  // namespace

GemmPlan::GemmPlan(const PackedB& b, std::size_t m, unsigned threads, const CacheSizes& caches, bool writesFloat, bool unpacksB)
    : b_(b),
      m_(m),
      threads_(threads),
      caches_(caches),
      writesFloat_(writesFloat),
      unpacksB_(unpacksB),
      alone_(gridOf(b, m, 1, caches, unpacksB)),
      shared_(gridOf(b, m, threads, caches, unpacksB)) {
  workerBytes_ = tileBytes(b.kernels()) + tileScratchBytes(b, m);
  if (unpacksB) workerBytes_ += unpackedBytes(b, alone_);
  if (!writesFloat) workerBytes_ += aligned(chunkFloats(b, m, alone_) * sizeof(float));
  if (threads > 1) workerBytes_ = workerStride(workerBytes_);
}

GemmPlan GemmPlan::withRows(std::size_t m) const {
  return m == m_ ? *this : GemmPlan(b_, m, threads_, caches_, writesFloat_, unpacksB_);
}

void GemmPlan::runChunk(const GemmGrid& grid, const GemmCall& call, std::size_t chunk, unsigned worker) const {
  Chunk(b_, m_, call, grid, chunk, worker, call.scratch + worker * workerBytes_).run();
}

void GemmPlan::run(Team& team, const GemmCall& call) const {
  const GemmGrid& grid = this->grid(team.size());
  team.forEach(grid.chunks(), [&](std::size_t chunk, unsigned worker) { runChunk(grid, call, chunk, worker); });
}

#ifdef __EMSCRIPTEN__
void warmUpGemm(Isa isa) {
  static std::atomic<bool> isWarm;
  if (isWarm.exchange(true)) return;
  constexpr std::size_t kTimes = 100;
  const GemmKernels& kernels = gemmKernels(isa);
  const std::size_t width = 2 * kernels.lanes;
  const std::vector<float> operands(kGemmKC * width);
  std::vector<float> results(kernels.mr * width);
  GemmTile tile;
  tile.a = tile.b = operands.data();
  tile.lda = 0;
  tile.k = kGemmKC;
  tile.c = results.data();
  tile.ldc = tile.columns = width;
  // A large GEMM splits its rows into tiles of nearly equal height, mostly mr and mr - 1.
  for (std::size_t i = 0; i < kTimes; ++i) {
    kernels.multiply[kernels.mr - 1](tile);
    kernels.multiply[kernels.mr - 2](tile);
  }
}
#endif

}  // namespace webnn::cpu
