#include "backends/cpu/ops/matmul.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "backends/cpu/elements/fused_elementwise.h"
#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/gemm/matrices.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/gemm/gemm.h"
#include "backends/cpu/simd/gemm/matmul.h"
#include "base/files/file.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// A batch of products: epilogue(alpha * a * b + beta * addend). All batches share the addend matrix.
struct Problem {
  Operand a, b;
  Sizes batch;
  std::size_t m = 0, n = 0, k = 0;
  Matrices aStrides, bStrides, cStrides;
  double alpha = 1;
  float beta = 1;
  std::optional<Operand> addend;
  std::size_t addendRowStride = 0, addendColumnStride = 0;
  Epilogue epilogue;
};

Product productOf(const Problem& problem, Precision precision) {
  const bool areHalves = problem.a.dataType() == DataType::float16 && problem.b.dataType() == DataType::float16;
  return atPrecision({areHalves ? ProductType::halves : ProductType::floats, problem.m, problem.n, problem.k}, precision);
}

// Removes batch dimensions of size 1. Merges batches into one product with more rows if they share b, all their rows have one
// stride, and the addend is the same for all rows.
void mergeBatches(Problem& problem) {
  const auto erase = [&](std::size_t i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    problem.batch.erase(problem.batch.begin() + at);
    for (Matrices* matrices : {&problem.aStrides, &problem.bStrides, &problem.cStrides}) {
      matrices->batchStrides.erase(matrices->batchStrides.begin() + at);
    }
  };
  for (std::size_t i = problem.batch.size(); i-- > 0;) {
    if (problem.batch[i] == 1) erase(i);
  }
  while (!problem.batch.empty() && problem.addendRowStride == 0) {
    const std::size_t last = problem.batch.size() - 1;
    Matrices &a = problem.aStrides, &c = problem.cStrides;
    if (problem.bStrides.batchStrides[last] != 0) break;
    if (problem.m == 1) {
      a.rowStride = a.batchStrides[last];
      c.rowStride = c.batchStrides[last];
    } else if (a.batchStrides[last] != problem.m * a.rowStride || c.batchStrides[last] != problem.m * c.rowStride) {
      break;
    }
    problem.m *= problem.batch[last];
    erase(last);
  }
}

// Exchanges the operands, using C^T = B^T * A^T.
void transpose(Problem& problem) {
  std::swap(problem.a, problem.b);
  std::swap(problem.m, problem.n);
  std::swap(problem.aStrides, problem.bStrides);
  problem.aStrides = problem.aStrides.transposed();
  problem.bStrides = problem.bStrides.transposed();
  problem.cStrides = problem.cStrides.transposed();
  std::swap(problem.addendRowStride, problem.addendColumnStride);
}

// Returns whether to compute the transposed product. Its rows must be contiguous in the output. Returns true in three cases:
// - The rows of the product itself are not contiguous in the output.
// - b is a column and not constant, and `a` is constant (and is then packed).
// - `a` is a row, and b is not constant and has contiguous columns (which are then read in place).
bool wantsTranspose(const Problem& problem) {
  const Matrices& c = problem.cStrides;
  const bool canTranspose = c.rowStride == 1 || problem.m == 1, can = c.columnStride == 1 || problem.n == 1;
  if (!canTranspose) return false;
  if (!can) return true;
  if (problem.n == 1) return isConstant(problem.a) && !isConstant(problem.b);
  return problem.m == 1 && !isConstant(problem.b) && problem.bStrides.rowStride == 1;
}

double element(const std::byte* data, bool isHalf, std::size_t i) {
  if (!isHalf) return double{loadUnaligned<float>(data + 4 * i)};
  return static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(data + 2 * i)));
}

constexpr std::size_t kPackedAtOnce = std::size_t{16} << 20;  // bytes to pack before the pages of their constant are released

PackedNumbers numbersOf(const Problem& problem, Precision precision) {
  if (productOf(problem, precision).type == ProductType::bf16) return PackedNumbers::bf16;
  return problem.b.dataType() == DataType::float16 ? PackedNumbers::halves : PackedNumbers::floats;
}

// With at least this many batches per thread, each batch is computed by one thread.
constexpr std::size_t kBatchesPerThread = 4;

// The right-hand matrices. Constants are packed at build time, other matrices in each run.
class BatchedB {
 public:
  BatchedB(const Problem& problem, Isa isa, Precision precision)
      : layout_(isa, problem.k, problem.n, numbersOf(problem, precision)),
        strides_(problem.bStrides),
        isHalf_(problem.b.dataType() == DataType::float16),
        bytes_(aligned(layout_.bytes())) {}

  // Returns the batches of the problem. Several batches may share a matrix.
  std::vector<Batch> list(const Problem& problem) {
    Batches batches = batchesOf(problem.batch, problem.aStrides, strides_, problem.cStrides);
    offsets_ = std::move(batches.bOffsets);
    batches_ = batches.list.size();
    return std::move(batches.list);
  }

  // Packs b if it is a constant. Set `isReadAgain` if runs may also call element(). `isOneChunk`: whether a thread that computes
  // a whole batch reads b only once. If each of many batches also has its own matrix, the thread packs it just before reading
  // it, so that the packed matrix is in the cache.
  void plan(const Operand& b, bool isReadAgain, bool isOneChunk, Planner& planner) {
    if (!isConstant(b)) {
      slot_ = planner.slot(b);
      const bool isReadOnce = isOneChunk && offsets_.size() == batches_ && batches_ >= kBatchesPerThread * planner.threads();
      workers_ = isReadOnce ? planner.threads() : 0;
      return;
    }
    packConstant(b, planner);
    if (!isReadAgain) return;
    slot_ = planner.slot(b);
    releaseMappedPages(b.record().bytes);  // runs seldom read the unpacked matrix
  }

  const PackedB& layout() const { return layout_; }
  std::size_t scratchBytes() const { return packed_ ? 0 : bytes_ * (workers_ ? workers_ : offsets_.size()); }
  // Packs the matrices that are not constant, unless matrix() packs them. A part of 40,000 bytes takes about 10 microseconds.
  void pack(const Frame& frame, std::byte* scratch) const {
    if (!packed_ && !workers_) packAll(frame.team, 40'000, frame.in<std::byte>(slot_), scratch);
  }
  // Returns the i-th matrix, packed.
  const std::byte* matrix(const Frame& frame, std::size_t i, std::byte* scratch, unsigned worker) const {
    if (!workers_) return (packed_ ? packed_ : scratch) + i * bytes_;
    std::byte* to = scratch + worker * bytes_;
    for (std::size_t panel = 0; panel < layout_.panels(); ++panel) packPanel(frame.in<std::byte>(slot_), i, panel, to);
    return to;
  }
  double element(const Frame& frame, std::size_t matrix, std::size_t row, std::size_t column) const {
    const std::size_t at = offsets_[matrix] + row * strides_.rowStride + column * strides_.columnStride;
    return cpu::element(frame.in<std::byte>(slot_), isHalf_, at);
  }

 private:
  void packConstant(const Operand& b, Planner& planner) {
    PackKey key{"matmul", {keyOf(b)}, {isHalf_, strides_.rowStride, strides_.columnStride}};
    addLayout(key, layout_);
    key.sizes.insert(key.sizes.end(), offsets_.begin(), offsets_.end());
    packed_ = planner.packWeights(bytes_ * offsets_.size(), std::move(key),
                                  [&](std::byte* packed) { packConstant(planner.constantBytes(b), packed, planner); });
  }
  void packConstant(std::span<const std::byte> bytes, std::byte* packed, Planner& planner) {
    // If the columns of a matrix are contiguous, each panel is packed from a range of its own. Packs some panels at a time and
    // releases the pages from which they were read, so that a large matrix is never wholly in memory twice.
    const bool isInOrder = strides_.rowStride == 1 && offsets_.size() == 1;
    const std::size_t all = layout_.panels() * offsets_.size();
    const std::size_t most = isInOrder ? std::max<std::size_t>(1, kPackedAtOnce / (bytes_ / all + 1)) : all;
    for (std::size_t begin = 0; begin < all; begin += most) {
      const std::size_t end = std::min(begin + most, all);
      // With chunks of 256 KiB, small matrices do not wake other threads.
      planner.withTeam([&](Team& team) { packPanels(team, 256 * 1024, bytes.data(), packed, begin, end); });
      if (end < all) releaseMappedPages(bytes.first(layout_.nr() * end * strides_.columnStride * (isHalf_ ? 2 : 4)));
    }
  }
  void packAll(Team& team, std::size_t bytesAtOnce, const std::byte* b, std::byte* packed) const {
    packPanels(team, bytesAtOnce, b, packed, 0, layout_.panels() * offsets_.size());
  }
  void packPanels(Team& team, std::size_t bytesAtOnce, const std::byte* b, std::byte* packed, std::size_t first,
                  std::size_t last) const {
    const std::size_t panels = layout_.panels();
    const std::size_t grain = std::max<std::size_t>(1, bytesAtOnce / (bytes_ / panels + 1));
    team.forRanges(last - first, grain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = first + begin; i < first + end; ++i)
        packPanel(b, i / panels, i % panels, packed + i / panels * bytes_);
    });
  }
  void packPanel(const std::byte* b, std::size_t matrix, std::size_t panel, std::byte* to) const {
    const std::size_t offset = offsets_[matrix];
    if (isHalf_) {
      layout_.packPanel(reinterpret_cast<const std::uint16_t*>(b) + offset, strides_.rowStride, strides_.columnStride, to, panel);
    } else {
      layout_.packPanel(reinterpret_cast<const float*>(b) + offset, strides_.rowStride, strides_.columnStride, to, panel);
    }
  }

  PackedB layout_;
  Matrices strides_;
  bool isHalf_;
  std::size_t bytes_, batches_ = 0;
  std::vector<std::size_t> offsets_;
  const std::byte* packed_ = nullptr;
  unsigned workers_ = 0;  // if not 0, the scratch memory holds one matrix per worker
  Slot slot_;
};

constexpr std::size_t kExact = 64;  // sums recomputed per call

// Computes alpha * sum + beta * addend for the sums of a GEMM.
class Combination {
 public:
  Combination(const Problem& problem, Planner& planner)
      : alpha_(static_cast<float>(problem.alpha)),
        least_(std::abs(alpha_) <= 0x1p16F ? 0 : hasTiles(planner.isa()) ? 0x1p-60F : 0x1p-100F),
        beta_(problem.beta),
        rowStride_(problem.addendRowStride),
        columnStride_(problem.addendColumnStride),
        kernels_(matmulKernels(planner.isa())),
        rows_(gemmKernels(planner.isa())) {
    if (!problem.addend) return;
    slot_ = planner.slot(*problem.addend);
    isHalf_ = problem.addend->dataType() == DataType::float16;
    count_ = elementCount(problem.addend->descriptor());
    const bool isRow = (rowStride_ == 0 || problem.m == 1) && (columnStride_ == 1 || problem.n == 1);
    isBias_ = alpha_ == 1 && beta_ == 1 && isRow;
  }

  float alpha() const { return alpha_; }
  // isBias(): the GEMM itself can add the addend as a bias. isNeeded(): combineRow() must be called after the GEMM.
  bool isBias() const { return isBias_; }
  bool isNeeded() const { return alpha_ != 1 || (count_ > 0 && !isBias_); }
  std::size_t scratchBytes() const { return isHalf_ ? aligned(count_ * sizeof(float)) : 0; }

  // Returns the addend as floats, or null if there is none.
  const float* addend(const Frame& frame, std::byte* scratch) const {
    if (count_ == 0) return nullptr;
    if (!isHalf_) return frame.in<float>(slot_);
    auto* floats = reinterpret_cast<float*>(scratch);
    rows_.widenRows(frame.in<std::uint16_t>(slot_), 0, 1, count_, floats, 0);
    return floats;
  }

  // Combines `columns` sums at `c`. A sum may overflow float32 although alpha times it does not; with a large alpha, a tiny sum
  // may have lost precision. exact(column, count, to) recomputes such sums in double; other sums of the row stay as they are.
  void combineRow(const float* addend, std::size_t row, std::size_t column, std::size_t columns, float* c, auto exact) const {
    if (addend) addend += row * rowStride_ + column * columnStride_;
    const auto combine = [&](std::size_t begin, std::size_t end, float alpha) {
      kernels_.combine(c + begin, alpha, addend ? addend + begin * columnStride_ : nullptr, columnStride_, beta_, end - begin);
    };
    if (alpha_ == 1 || kernels_.areBetween(c, least_, columns)) return combine(0, columns, alpha_);
    for (std::size_t begin = 0; begin < columns && !isRunOver(); begin += kExact) {
      const std::size_t end = std::min(columns, begin + kExact);
      std::array<double, kExact> sums{};
      exact(column + begin, end - begin, sums.data());
      for (std::size_t j = begin; j < end; ++j) {
        const bool isRight = kernels_.areBetween(c + j, least_, 1);
        if (!isRight) storeUnaligned(c + j, static_cast<float>(double{alpha_} * sums[j - begin]));
        combine(j, j + 1, isRight ? alpha_ : 1);
      }
    }
  }

 private:
  float alpha_, least_, beta_;
  std::size_t rowStride_, columnStride_, count_ = 0;
  bool isHalf_ = false, isBias_ = false;
  const MatmulKernels& kernels_;
  const GemmKernels& rows_;
  Slot slot_;
};

class MatmulStep final : public Step {
 public:
  MatmulStep(Problem problem, Planner& planner)
      : b_(problem, kernelIsa(planner.isa(), productOf(problem, planner.precision())), planner.precision()),
        kernelText_(kernelText(planner.isa(), productOf(problem, planner.precision()))),
        combination_(problem, planner),
        a_(problem.aStrides),
        c_(problem.cStrides),
        isHalfA_(problem.a.dataType() == DataType::float16),
        isHalfC_(planner.outputOperand().dataType() == DataType::float16),
        scatters_(problem.n > 1 && c_.columnStride != 1),
        lastDimension_(planner.outputOperand().shape().empty() ? 1 : planner.outputOperand().shape().back()),
        rows_(gemmKernels(planner.isa())),
        aSlot_(planner.slot(problem.a)),
        cSlot_(planner.output()),
        program_(settleEpilogue(problem), planner.outputOperand().descriptor(), planner),
        plan_(b_.layout(), problem.m, planner.threads(), planner.caches(), !scatters_ && !isHalfC_),
        batches_(b_.list(problem)) {
    b_.plan(problem.b, combination_.alpha() != 1, plan_.grid(1).chunks() == 1, planner);
    addendBytes_ = combination_.scratchBytes();
    programOffset_ = addendBytes_ + b_.scratchBytes();
    gemmOffset_ = programOffset_ + program_.scratchBytes() * planner.threads();
    scratch_ = planner.scratch(gemmOffset_ + plan_.scratchBytes());
  }

  void run(const Frame& frame) const override {
    auto* scratch = frame.out<std::byte>(scratch_);
    const Run run{*this, frame, scratch, combination_.addend(frame, scratch)};
    b_.pack(frame, scratch + addendBytes_);
    const unsigned threads = batches_.size() >= kBatchesPerThread * frame.team.size() ? 1 : frame.team.size();
    const GemmGrid& grid = plan_.grid(threads);
    const std::size_t chunks = grid.chunks();
    // A chunk should take at least about 10 microseconds.
    const std::size_t work = plan_.m() * plan_.n() * plan_.k();
    const std::size_t grain = std::max<std::size_t>(1, 700'000 / std::max<std::size_t>(1, work / chunks));
    frame.team.forRanges(batches_.size() * chunks, chunks > 1 && batches_.size() == 1 ? 1 : grain,
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           for (std::size_t i = begin; i < end; ++i) multiply(run, i / chunks, grid, i % chunks, worker);
                         });
  }

  std::string describe() const override {
    const std::string batch = batches_.size() == 1 ? std::string() : formatText("{} * ", batches_.size());
    return formatText("gemm {} {}{}x{}x{} {}", isHalfA_ ? "f16" : "f32", batch, plan_.m(), plan_.n(), plan_.k(), kernelText_);
  }

 private:
  struct Run {
    const MatmulStep& step;
    const Frame& frame;
    std::byte* scratch;
    const float* addend;
  };
  // The context that the GEMM passes to the epilogue.
  struct Block {
    const Run& run;
    const Batch& batch;
  };
  struct Columns {
    const MatmulStep& step;
    const std::byte* matrix;
  };

  // Moves an epilogue of one clamp or relu to the GEMM, unless combination_ is needed. Returns the remaining epilogue.
  const Epilogue& settleEpilogue(Problem& problem) {
    const std::vector<ElementInstruction>& code = problem.epilogue.program.instructions;
    if (combination_.isNeeded() || code.size() != 1 || problem.epilogue.program.inputs != 1) return problem.epilogue;
    if (code[0].code != ElementCode::relu && code[0].code != ElementCode::clamp) return problem.epilogue;
    range_.clamps = true;
    range_.minimum = code[0].code == ElementCode::relu ? 0 : code[0].p;
    range_.maximum = code[0].code == ElementCode::relu ? std::numeric_limits<float>::infinity() : code[0].q;
    problem.epilogue = {};
    return problem.epilogue;
  }

  void multiply(const Run& run, std::size_t batch, const GemmGrid& grid, std::size_t chunk, unsigned worker) const {
    const Batch& at = batches_[batch];
    GemmCall gemm{.ldc = c_.rowStride, .epilogue = range_, .scratch = run.scratch + gemmOffset_};
    const std::byte* matrix = run.frame.in<std::byte>(aSlot_) + at.a * (isHalfA_ ? 2 : 4);
    const Columns columns{*this, matrix};
    if (a_.columnStride != 1 && plan_.k() > 1) {
      gemm.a.gather = gather;
      gemm.a.context = &columns;
    } else {
      gemm.a.lda = a_.rowStride;
      if (isHalfA_) {
        gemm.a.half = reinterpret_cast<const std::uint16_t*>(matrix);
      } else {
        gemm.a.data = reinterpret_cast<const float*>(matrix);
      }
    }
    gemm.b = b_.matrix(run.frame, at.packed, run.scratch + addendBytes_, worker);
    if (!scatters_ && isHalfC_) gemm.half = run.frame.out<std::uint16_t>(cSlot_) + at.c;
    if (!scatters_ && !isHalfC_) gemm.c = run.frame.out<float>(cSlot_) + at.c;
    if (combination_.isBias()) gemm.epilogue.bias = run.addend;
    const Block block{run, at};
    if (combination_.isNeeded() || scatters_ || !program_.empty()) {
      gemm.epilogue.apply = apply;
      gemm.epilogue.context = &block;
    }
    plan_.runChunk(grid, gemm, chunk, worker);
  }

  // Copies rows of a matrix with non-contiguous elements for the GEMM.
  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t ld) {
    const auto& [step, matrix] = *static_cast<const Columns*>(context);
    const Matrices& a = step.a_;
    const std::size_t offset = row * a.rowStride + k * a.columnStride;
    const bool isContiguous = a.rowStride == 1;
    const std::size_t times = isContiguous ? 1 : rows, height = isContiguous ? rows : 1;
    for (std::size_t i = 0; i < times; ++i) {
      if (step.isHalfA_) {
        const auto* from = reinterpret_cast<const std::uint16_t*>(matrix) + offset + i * a.rowStride;
        step.rows_.widenColumns(from, a.columnStride, height, count, to + i * ld, ld);
      } else {
        const auto* from = reinterpret_cast<const float*>(matrix) + offset + i * a.rowStride;
        step.rows_.copyColumns(from, a.columnStride, height, count, to + i * ld, ld);
      }
    }
  }

  static void apply(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                    std::size_t ld, unsigned worker) {
    const Block& block = *static_cast<const Block*>(context);
    const MatmulStep& step = block.run.step;
    for (std::size_t i = 0; step.combination_.isNeeded() && i < rows; ++i) {
      step.combination_.combineRow(
          block.run.addend, row + i, column, columns, c + i * ld,
          [&](std::size_t first, std::size_t count, double* sums) { step.exactRow(block, row + i, first, count, sums); });
    }
    const std::size_t at = block.batch.c + row * step.c_.rowStride + column * step.c_.columnStride;
    if (!step.program_.empty()) step.runProgram(block, at, rows, columns, c, ld, worker);
    if (step.scatters_) step.scatter(block, at, rows, columns, c, ld);
  }

  // Recomputes the sums of `count` columns of one row in double.
  void exactRow(const Block& block, std::size_t row, std::size_t column, std::size_t count, double* sums) const {
    const Frame& frame = block.run.frame;
    const auto* a = frame.in<std::byte>(aSlot_);
    const std::size_t first = block.batch.a + row * a_.rowStride;
    RunWatch watch;
    for (std::size_t l = 0; l < plan_.k() && !watch.isOver(count); ++l) {
      const double factor = element(a, isHalfA_, first + l * a_.columnStride);
      for (std::size_t j = 0; j < count; ++j) sums[j] += factor * b_.element(frame, block.batch.packed, l, column + j);
    }
  }

  // Runs the epilogue's program, which takes rows of the output's last dimension. `at`: the block's first output element.
  void runProgram(const Block& block, std::size_t at, std::size_t rows, std::size_t columns, float* c, std::size_t ld,
                  unsigned worker) const {
    const Frame& frame = block.run.frame;
    std::byte* scratch = block.run.scratch + programOffset_ + worker * program_.scratchBytes();
    const bool isRow = !scatters_ && at % lastDimension_ + columns <= lastDimension_;
    if (isRow && (rows == 1 || c_.rowStride == lastDimension_)) {
      return program_.run(frame, at / lastDimension_, rows, at % lastDimension_, columns, c, ld, scratch);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t first = at + i * c_.rowStride;
      if (isRow) {
        program_.run(frame, first / lastDimension_, 1, first % lastDimension_, columns, c + i * ld, ld, scratch);
      } else if (!scatters_ && lastDimension_ == 1) {
        program_.run(frame, first, columns, 0, 1, c + i * ld, 1, scratch);
      } else {
        for (std::size_t j = 0; j < columns; ++j) {
          const std::size_t element = first + j * c_.columnStride;
          program_.run(frame, element / lastDimension_, 1, element % lastDimension_, 1, c + i * ld + j, 1, scratch);
        }
      }
    }
  }

  // Writes a result to an output in which neither its rows nor its columns are contiguous.
  void scatter(const Block& block, std::size_t at, std::size_t rows, std::size_t columns, const float* c, std::size_t ld) const {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t to = at + i * c_.rowStride + j * c_.columnStride;
        if (isHalfC_) {
          rows_.narrowRows(c + i * ld + j, 0, 1, 1, block.run.frame.out<std::uint16_t>(cSlot_) + to, 0);
        } else {
          block.run.frame.out<float>(cSlot_)[to] = c[i * ld + j];
        }
      }
    }
  }

  BatchedB b_;
  std::string kernelText_;
  Combination combination_;
  Matrices a_, c_;
  bool isHalfA_, isHalfC_, scatters_;
  std::size_t lastDimension_;
  GemmEpilogue range_;
  const GemmKernels& rows_;
  Slot aSlot_, cSlot_, scratch_;
  TileProgram program_;
  GemmPlan plan_;
  std::vector<Batch> batches_;
  std::size_t addendBytes_ = 0, programOffset_ = 0, gemmOffset_ = 0;
};

StepPtr planProblem(Problem problem, Planner& planner) {
  mergeBatches(problem);
  if (wantsTranspose(problem)) transpose(problem);
  return std::make_unique<const MatmulStep>(std::move(problem), planner);
}

}  // namespace

StepPtr plan(const BatchGemm& op, Planner& planner) {
  const auto [aShape, aStrides] = permuted(op.a.shape(), op.aPermutation);
  const auto [bShape, bStrides] = permuted(op.b.shape(), op.bPermutation);
  const auto [shape, strides] = resultOf(planner.outputOperand().shape(), op.outputPermutation);
  const std::size_t batchRank = shape.size() - 2;
  Problem problem{.a = op.a, .b = op.b, .alpha = op.alpha, .addend = op.bias, .epilogue = op.epilogue};
  problem.batch.assign(shape.begin(), shape.end() - 2);
  problem.m = shape[batchRank];
  problem.n = shape.back();
  problem.k = aShape.back();
  problem.aStrides = matricesOf(aShape, aStrides, batchRank);
  problem.bStrides = matricesOf(bShape, bStrides, batchRank);
  problem.cStrides = matricesOf(shape, strides, batchRank);
  problem.addendColumnStride = 1;
  return planProblem(std::move(problem), planner);
}

StepPtr plan(const ops::Matmul& op, Planner& planner) { return plan(BatchGemm{.a = op.a, .b = op.b}, planner); }

StepPtr plan(const ops::Gemm& op, Planner& planner) {
  const auto& options = op.options;
  const std::vector<std::uint32_t> transposed{1, 0}, plain;
  const auto [aShape, aStrides] = permuted(op.a.shape(), options.aTranspose ? transposed : plain);
  const auto [bShape, bStrides] = permuted(op.b.shape(), options.bTranspose ? transposed : plain);
  Problem problem{.a = op.a, .b = op.b, .m = aShape[0], .n = bShape[1], .k = aShape[1]};
  problem.aStrides = {{}, aStrides[0], aStrides[1]};
  problem.bStrides = {{}, bStrides[0], bStrides[1]};
  problem.cStrides = {{}, problem.n, 1};
  problem.alpha = options.alpha;
  problem.beta = static_cast<float>(options.beta);
  problem.addend = options.c;
  if (options.c) {
    const Shape& shape = options.c->shape();
    const Sizes strides = rowMajorStrides(shape);
    if (!shape.empty() && shape.back() != 1) problem.addendColumnStride = strides.back();
    if (shape.size() > 1 && shape[shape.size() - 2] != 1) problem.addendRowStride = strides[shape.size() - 2];
  }
  return planProblem(std::move(problem), planner);
}

}  // namespace webnn::cpu
