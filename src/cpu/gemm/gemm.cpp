#include "cpu/gemm/gemm.h"

#include <algorithm>

#include "cpu/gemm/gemm_amx.h"
#include "cpu/simd/gemm.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t divideUp(std::size_t a, std::size_t b) { return (a + b - 1) / b; }
constexpr std::size_t roundUp(std::size_t a, std::size_t b) { return divideUp(a, b) * b; }
// Where the i-th of `parts` nearly equal parts of `count` begins.
constexpr std::size_t partBegin(std::size_t count, std::size_t parts, std::size_t i) { return count * i / parts; }

const GemmKernels& kernelsFor(Isa isa) {
#if defined(__x86_64__)
  if (isa >= Isa::amx) return amxGemmKernels(isa);
#endif
  return gemmKernels(isa);
}

// How long sums are cut, and how B is packed for it: [block of k][panel][k][column], the last panel being narrow if its columns
// fit into one vector. All blocks but the last have the same depth.
struct Layout {
  Layout(const GemmKernels& kernels, std::size_t rows, std::size_t columns)
      : k(rows),
        n(columns),
        lanes(kernels.lanes),
        width(2 * lanes),
        padded(roundUp(n, lanes)),
        panels(divideUp(n, width)),
        headerBytes(kernels.headerBytes),
        elementBytes(kernels.elementBytes),
        kStep(kernels.kStep) {
    kc = k == 0 ? 0 : roundUp(divideUp(k, divideUp(k, kernels.kc)), std::max<std::size_t>(4, kStep));
    blocks = k == 0 ? 1 : divideUp(k, kc);
  }
  std::size_t kcOf(std::size_t block) const { return std::min(kc, k - block * kc); }
  std::size_t widthOf(std::size_t panel) const { return std::min(width, padded - panel * width); }
  // In bytes.
  std::size_t offset(std::size_t block, std::size_t panel) const {
    const std::size_t before = block * (kc * padded * elementBytes + panels * headerBytes);
    return before + panel * (headerBytes + width * paddedKcOf(block) * elementBytes);
  }
  std::size_t bytes() const {
    const std::size_t last = blocks - 1;
    return offset(last, 0) + panels * headerBytes + padded * paddedKcOf(last) * elementBytes;
  }

  std::size_t k, n, lanes, width, padded, panels, headerBytes, elementBytes, kStep, kc, blocks;

 private:
  std::size_t paddedKcOf(std::size_t block) const { return roundUp(kcOf(block), kStep); }
};

// The chunks of a product: a grid of tiles of rows and panels of columns.
struct Grid {
  Grid(const GemmKernels& kernels, const Layout& layout, std::size_t m, unsigned threads) {
    tiles = divideUp(m, kernels.mr);
    // A block of B, and the sums that are not done, shall stay in the second level of the cache.
    constexpr std::size_t kCacheFloats = std::size_t{96} << 10, kSumFloats = std::size_t{64} << 10;
    // Of a few rows B is read once, but no more at a time than a run may take after it was ended.
    constexpr std::size_t kMemoryFloats = std::size_t{8} << 20;
    const std::size_t mostPanels =
        (tiles == 1 ? kMemoryFloats : kCacheFloats) / (layout.width * std::max<std::size_t>(layout.kc, 1));
    columnParts = divideUp(layout.panels, std::max<std::size_t>(mostPanels, 1));
    const std::size_t columns = divideUp(layout.panels, std::max<std::size_t>(columnParts, 1)) * layout.width;
    const std::size_t mostRows = std::max(kSumFloats / std::max<std::size_t>(columns, 1), kernels.mr);
    rowParts = layout.blocks == 1 ? 1 : divideUp(m, mostRows);
    rowParts = std::min(rowParts, tiles);
    if (threads > 1) divide(layout, m, threads);
  }

  // Makes more chunks, for several threads: a few for each, of some ten microseconds.
  void divide(const Layout& layout, std::size_t m, unsigned threads) {
    // Multiplications, and the time in which weights come from memory.
    constexpr std::size_t kMemory = 12, kChunk = 700'000;
    const std::size_t work = layout.n * layout.k * (m + kMemory);
    const std::size_t wanted = std::min<std::size_t>(4 * threads, work / kChunk);
    while (rowParts * columnParts < wanted) {
      const std::size_t rows = divideUp(tiles, rowParts), columns = divideUp(layout.panels, columnParts);
      if (rows == 1 && columns == 1) break;
      (rows > columns ? rowParts : columnParts) += 1;
    }
  }

  std::size_t tiles = 0, rowParts = 0, columnParts = 0;
  std::size_t chunks() const { return rowParts * columnParts; }
};

std::size_t tileBytes(const GemmKernels& kernels) { return kernels.mr * kTileLda * sizeof(float); }

// Floats of C that a chunk may have, when C is kept in scratch to be rounded.
std::size_t blockFloats(const GemmKernels& kernels, const Layout& layout, std::size_t m) {
  const Grid grid(kernels, layout, m, 1);
  if (grid.chunks() == 0) return 0;
  const std::size_t tiles = divideUp(grid.tiles, grid.rowParts), panels = divideUp(layout.panels, grid.columnParts);
  return std::min(tiles * kernels.mr, m) * panels * layout.width;
}

std::size_t workerScratch(const GemmKernels& kernels, const Layout& layout, std::size_t m, bool isFloat) {
  return tileBytes(kernels) + kernels.scratchBytes + (isFloat ? 0 : roundUp(blockFloats(kernels, layout, m) * sizeof(float), 64));
}

// One chunk of a product.
class Chunk {
 public:
  Chunk(const GemmKernels& kernels, const Gemm& gemm, const Layout& layout, const Grid& grid, std::size_t chunk, unsigned worker)
      : kernels_(kernels), gemm_(gemm), layout_(layout), grid_(grid), worker_(worker) {
    tileRows_ = gemm.m / grid.tiles;
    longTiles_ = gemm.m % grid.tiles;
    // Neighbouring chunks share columns: their part of B comes from memory once.
    const std::size_t rowPart = chunk % grid.rowParts, columnPart = chunk / grid.rowParts;
    firstTile_ = partBegin(grid.tiles, grid.rowParts, rowPart);
    lastTile_ = partBegin(grid.tiles, grid.rowParts, rowPart + 1);
    firstPanel_ = partBegin(layout.panels, grid.columnParts, columnPart);
    lastPanel_ = partBegin(layout.panels, grid.columnParts, columnPart + 1);
    column_ = firstPanel_ * layout.width;
    columns_ = std::min(layout.n, lastPanel_ * layout.width) - column_;
    std::byte* scratch = gemm.scratch + worker * workerScratch(kernels, layout, gemm.m, gemm.c != nullptr);
    tile_ = reinterpret_cast<float*>(scratch);
    tileScratch_ = scratch + tileBytes(kernels);
    if (gemm.c) {
      c_ = gemm.c + rowOf(firstTile_) * gemm.ldc + column_;
      ldc_ = gemm.ldc;
    } else {
      c_ = reinterpret_cast<float*>(scratch + tileBytes(kernels) + kernels.scratchBytes);
      ldc_ = roundUp(columns_, layout.lanes);
    }
    bringsNext_ = rowPart + 1 == grid.rowParts && lastPanel_ < layout.panels;
  }

  void run() const {
    RunWatch watch;
    for (std::size_t block = 0; block < layout_.blocks; ++block) {
      const std::size_t tileWork = kernels_.mr * layout_.kcOf(block) + kernels_.mr * columns_;
      for (std::size_t tile = firstTile_; tile < lastTile_; ++tile) {
        runTile(block, tile);
        if (watch.isOver(tileWork)) return;
      }
    }
  }

 private:
  // The first tiles are a row longer than the others. Without a division: it would take as long as a tile of a short sum.
  std::size_t rowOf(std::size_t tile) const { return tile * tileRows_ + std::min(tile, longTiles_); }

  void runTile(std::size_t block, std::size_t tile) const {
    const std::size_t row = rowOf(tile), rows = rowOf(tile + 1) - row, k = layout_.kcOf(block);
    const bool isLast = block + 1 == layout_.blocks;
    const GemmEpilogue& epilogue = gemm_.epilogue;
    GemmTile task;
    setRows(task, row, rows, block * layout_.kc, k);
    task.b = reinterpret_cast<const float*>(gemm_.b + layout_.offset(block, firstPanel_));
    task.k = k;
    task.rows = rows;
    task.scratch = tileScratch_;
    task.c = c_ + (row - rowOf(firstTile_)) * ldc_;
    task.ldc = ldc_;
    task.columns = columns_;
    task.adds = block > 0;
    if (isLast) {
      task.bias = epilogue.bias ? epilogue.bias + column_ : nullptr;
      task.clamps = epilogue.clamps;
      task.minimum = epilogue.minimum;
      task.maximum = epilogue.maximum;
    }
    setNext(task, block, tile - firstTile_);
    kernels_.multiply[rows - 1](task);
    if (!isLast) return;
    if (epilogue.apply) epilogue.apply(epilogue.context, row, rows, column_, columns_, task.c, ldc_, worker_);
    if (gemm_.half) {
      kernels_.narrowRows(task.c, ldc_, rows, columns_, gemm_.half + row * gemm_.ldc + column_, gemm_.ldc);
    }
  }

  // To copy rows first pays if they are read often and are so far apart that they lie in the same few sets of the first level of
  // the cache, whose addresses repeat every 1024 floats.
  bool readsInPlace(std::size_t rows, std::size_t ld, std::size_t count) const {
    constexpr std::size_t kBadStride = 512, kFewRows = 3, kFewPanels = 4;
    return ld == count || ld % kBadStride != 0 || rows <= kFewRows || lastPanel_ - firstPanel_ <= kFewPanels;
  }

  void setRows(GemmTile& task, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) const {
    const AOperand& a = gemm_.a;
    if (a.data && readsInPlace(rows, a.lda, count)) {
      task.a = a.data + row * a.lda + k;
      task.lda = a.lda;
      return;
    }
    if (a.indirection && setIndirection(task, row, rows, count)) return;
    task.a = tile_;
    if (a.data) {
      kernels_.copyRows(a.data + row * a.lda + k, a.lda, rows, count, tile_, kTileLda);
    } else if (a.half) {
      kernels_.widenRows(a.half + row * a.lda + k, a.lda, rows, count, tile_, kTileLda);
    } else {
      a.gather(a.context, row, rows, k, count, tile_, kTileLda);
    }
  }

  bool setIndirection(GemmTile& task, std::size_t row, std::size_t rows, std::size_t count) const {
    Indirection indirection;
    if (layout_.blocks > 1 || rows < kernels_.fewestIndirectRows ||
        !gemm_.a.indirection(gemm_.a.context, row, rows, indirection) || !readsInPlace(rows, indirection.rowStride, count)) {
      return false;
    }
    task.a = indirection.start;
    task.lda = indirection.rowStride;
    task.runs = indirection.runs;
    task.runLength = count / indirection.runs;
    task.runStride = indirection.runStride;
    return true;
  }

  // While the first tiles work on this block of B, the next one comes into the cache.
  void setNext(GemmTile& task, std::size_t block, std::size_t tile) const {
    const std::size_t tiles = lastTile_ - firstTile_;
    if (tiles == 1) return;
    const bool isLast = block + 1 == layout_.blocks;
    if (isLast && !bringsNext_) return;
    const std::size_t linesOfFour = divideUp(4 * layout_.width * layout_.elementBytes, 64);
    const std::size_t parts = std::min(tiles, linesOfFour);
    if (tile >= parts) return;
    const std::size_t lines = layout_.kc * layout_.width * (lastPanel_ - firstPanel_) * layout_.elementBytes / 64;
    const std::byte* next = gemm_.b + (isLast ? layout_.offset(0, lastPanel_) : layout_.offset(block + 1, firstPanel_));
    task.next = next + partBegin(lines, parts, tile) * 64;
    task.nextLines = divideUp(linesOfFour, parts);
  }

  const GemmKernels& kernels_;
  const Gemm& gemm_;
  const Layout& layout_;
  const Grid& grid_;
  unsigned worker_;
  std::size_t tileRows_, longTiles_, firstTile_, lastTile_, firstPanel_, lastPanel_, column_, columns_;
  float* tile_;
  std::byte* tileScratch_;
  float* c_;
  std::size_t ldc_;
  bool bringsNext_;
};

template <typename T>
void packPiece(Isa isa, std::size_t k, std::size_t n, const T* b, std::size_t rowStride, std::size_t columnStride,
               std::byte* packed, std::size_t panel) {
  const GemmKernels& kernels = kernelsFor(isa);
  const Layout layout(kernels, k, n);
  const std::size_t width = layout.widthOf(panel), column = panel * layout.width;
  for (std::size_t block = 0; block < layout.blocks && !isRunOver(); ++block) {
    const T* from = b + block * layout.kc * rowStride + column * columnStride;
    float* to = reinterpret_cast<float*>(packed + layout.offset(block, panel));
    const auto pack = [&](auto function) {
      function(from, rowStride, columnStride, layout.kcOf(block), std::min(width, n - column), width, to);
    };
    if constexpr (std::is_same_v<T, float>) {
      pack(kernels.packPanel);
    } else {
      pack(kernels.packHalfPanel);
    }
  }
}

}  // namespace

Isa gemmIsa(Isa isa, std::size_t m, std::size_t n, std::size_t k, bool isConstant) {
  if (isa < Isa::amx) return isa;
  // A tile has 16 rows whether they are used or not; and B, half as large again as in floats, comes from memory once a product.
  const std::size_t fewestRows = isConstant ? 24 : 64;
  return m >= fewestRows && n >= 16 && k >= 32 ? isa : withoutTiles(isa);
}

std::size_t packedBytes(Isa isa, std::size_t k, std::size_t n) { return Layout(kernelsFor(isa), k, n).bytes(); }

std::size_t packBPieces(Isa isa, std::size_t k, std::size_t n) { return Layout(kernelsFor(isa), k, n).panels; }

void packBPiece(Isa isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
                std::byte* packed, std::size_t piece) {
  packPiece(isa, k, n, b, rowStride, columnStride, packed, piece);
}
void packBPiece(Isa isa, std::size_t k, std::size_t n, const std::uint16_t* half, std::size_t rowStride, std::size_t columnStride,
                std::byte* packed, std::size_t piece) {
  packPiece(isa, k, n, half, rowStride, columnStride, packed, piece);
}

PackedPanel packedPanel(Isa isa, std::size_t k, std::size_t n, std::byte* packed, std::size_t piece) {
  const Layout layout(kernelsFor(withoutTiles(isa)), k, n);
  const std::size_t column = piece * layout.width, width = layout.widthOf(piece);
  return {.start = reinterpret_cast<float*>(packed),
          .column = column,
          .columns = std::min(width, n - column),
          .width = width,
          .k = k,
          .kc = layout.kc,
          .blockStride = layout.kc * layout.padded,
          .panelStride = column};
}

void packB(Isa isa, std::size_t k, std::size_t n, const float* b, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed) {
  for (std::size_t i = 0; i < packBPieces(isa, k, n); ++i) packPiece(isa, k, n, b, rowStride, columnStride, packed, i);
}
void packB(Isa isa, std::size_t k, std::size_t n, const std::uint16_t* half, std::size_t rowStride, std::size_t columnStride,
           std::byte* packed) {
  for (std::size_t i = 0; i < packBPieces(isa, k, n); ++i) packPiece(isa, k, n, half, rowStride, columnStride, packed, i);
}

std::size_t gemmScratch(Isa isa, std::size_t m, std::size_t n, std::size_t k, unsigned threads, bool isFloat) {
  const GemmKernels& kernels = kernelsFor(isa);
  return workerScratch(kernels, Layout(kernels, k, n), m, isFloat) * threads;
}

std::size_t gemmChunks(Isa isa, std::size_t m, std::size_t n, std::size_t k, unsigned threads) {
  const GemmKernels& kernels = kernelsFor(isa);
  return Grid(kernels, Layout(kernels, k, n), m, threads).chunks();
}

void gemmChunk(Isa isa, const Gemm& gemm, unsigned threads, std::size_t chunk, unsigned worker) {
  const GemmKernels& kernels = kernelsFor(isa);
  const Layout layout(kernels, gemm.k, gemm.n);
  const Grid grid(kernels, layout, gemm.m, threads);
  Chunk(kernels, gemm, layout, grid, chunk, worker).run();
}

void runGemm(Isa isa, Team& team, const Gemm& gemm) {
  const GemmKernels& kernels = kernelsFor(isa);
  const Layout layout(kernels, gemm.k, gemm.n);
  const Grid grid(kernels, layout, gemm.m, team.size());
  team.forEach(grid.chunks(),
               [&](std::size_t chunk, unsigned worker) { Chunk(kernels, gemm, layout, grid, chunk, worker).run(); });
}

}  // namespace webnn::cpu
