#include "cpu/ops/matmul.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/file.h"
#include "base/text.h"
#include "cpu/elements/fused_elementwise.h"
#include "cpu/gemm/gemm.h"
#include "cpu/runtime/alignment.h"
#include "cpu/simd/gemm.h"
#include "cpu/simd/matmul.h"

namespace webnn::cpu {

namespace {

using Sizes = std::vector<std::size_t>;

Sizes rowMajorStrides(const Shape& shape) {
  Sizes strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return strides;
}

// A tensor as batches of matrices; strides in elements, 0 where it is broadcast.
struct Matrices {
  Sizes batchStrides;
  std::size_t rowStride = 0, columnStride = 0;

  Matrices transposed() const { return {batchStrides, columnStride, rowStride}; }
};

// alpha * a * b + beta * addend, then the epilogue. The addend is a matrix for all batches.
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

// The last two of an operand's dimensions, and the others as those of the result, which may have more of them.
Matrices matricesOf(const Shape& shape, const Sizes& strides, std::size_t batchRank) {
  const std::size_t own = shape.size() - 2;
  Matrices matrices{Sizes(batchRank), strides[own], strides[own + 1]};
  for (std::size_t i = 0; i < own; ++i) {
    if (shape[i] != 1) matrices.batchStrides[batchRank - own + i] = strides[i];
  }
  return matrices;
}

// Leaves out batches of one, and takes those as more rows whose rows follow each other and meet the same b.
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

// C^T = B^T * A^T.
void transpose(Problem& problem) {
  std::swap(problem.a, problem.b);
  std::swap(problem.m, problem.n);
  std::swap(problem.aStrides, problem.bStrides);
  problem.aStrides = problem.aStrides.transposed();
  problem.bStrides = problem.bStrides.transposed();
  problem.cStrides = problem.cStrides.transposed();
  std::swap(problem.addendRowStride, problem.addendColumnStride);
}

// Whether the transposed GEMM is the better one: where the result lies the other way round, where that makes the constant
// matrix the packed one, and where a vector meets a matrix whose rows can be read as they are.
bool wantsTranspose(const Problem& problem) {
  const Matrices& c = problem.cStrides;
  const bool canTranspose = c.rowStride == 1 || problem.m == 1, can = c.columnStride == 1 || problem.n == 1;
  if (!canTranspose) return false;
  if (!can) return true;
  if (problem.n == 1) return isConstant(problem.a) && !isConstant(problem.b);
  return problem.m == 1 && !isConstant(problem.b) && problem.bStrides.rowStride == 1;
}

constexpr std::size_t kExact = 64;  // sums that are computed again at once

// What a run does.
class MatmulStep final : public Step {
 public:
  MatmulStep(Problem problem, Planner& planner)
      : isa_(gemmIsa(planner.isa(), problem.m, problem.n, problem.k, isConstant(problem.b))),
        m_(problem.m),
        n_(problem.n),
        k_(problem.k),
        a_(problem.aStrides),
        b_(problem.bStrides),
        c_(problem.cStrides),
        isHalfA_(problem.a.dataType() == DataType::float16),
        isHalfB_(problem.b.dataType() == DataType::float16),
        isHalfC_(planner.outputOperand().dataType() == DataType::float16),
        lastDimension_(planner.outputOperand().shape().empty() ? 1 : planner.outputOperand().shape().back()),
        alpha_(static_cast<float>(problem.alpha)),
        least_(std::abs(alpha_) <= 0x1p16F ? 0 : 0x1p-100F),
        beta_(problem.beta),
        addendRowStride_(problem.addendRowStride),
        addendColumnStride_(problem.addendColumnStride),
        kernels_(matmulKernels(planner.isa())),
        rows_(gemmKernels(planner.isa())),
        aSlot_(planner.slot(problem.a)),
        cSlot_(planner.output()),
        program_(settleEpilogue(problem), planner.outputOperand().descriptor(), planner) {
    scatters_ = n_ > 1 && c_.columnStride != 1;
    listBatches(problem.batch);
    packedBytes_ = aligned(packedBytes(isa_, k_, n_));
    if (problem.addend) setAddend(*problem.addend, planner);
    std::size_t bytes = isHalfAddend_ ? aligned(addendCount_ * sizeof(float)) : 0;
    addendBytes_ = bytes;
    if (isConstant(problem.b)) {
      packConstant(problem.b, planner);
      if (alpha_ != 1) {  // for exactRow, which is seldom needed
        bSlot_ = planner.slot(problem.b);
        releaseMappedPages(problem.b.record().bytes);
      }
    } else {
      bSlot_ = planner.slot(problem.b);
      bytes += packedBytes_ * bOffsets_.size();
    }
    programOffset_ = bytes;
    bytes += program_.scratchBytes() * planner.threads();
    gemmOffset_ = bytes;
    bytes += gemmScratch(isa_, m_, n_, k_, planner.threads(), !scatters_ && !isHalfC_);
    scratch_ = planner.scratch(bytes);
  }

  void run(const Frame& frame) const override {
    const Run run{*this, frame, frame.out<std::byte>(scratch_), addend(frame)};
    if (!packed_) packDynamic(frame, run.scratch);
    const unsigned threads = batches_.size() >= 4 * frame.team.size() ? 1 : frame.team.size();
    const std::size_t chunks = gemmChunks(isa_, m_, n_, k_, threads);
    // GEMMs of some 10 microseconds at least.
    const std::size_t grain = std::max<std::size_t>(1, 700'000 / std::max<std::size_t>(1, m_ * n_ * k_ / chunks));
    frame.team.forRanges(batches_.size() * chunks, chunks > 1 && batches_.size() == 1 ? 1 : grain,
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           for (std::size_t i = begin; i < end; ++i) multiply(run, i / chunks, threads, i % chunks, worker);
                         });
  }

  std::string describe() const override {
    const std::string batch = batches_.size() == 1 ? std::string() : formatText("{} * ", batches_.size());
    return formatText("gemm {} {}{}x{}x{} {}", isHalfA_ ? "f16" : "f32", batch, m_, n_, k_, name(isa_));
  }

 private:
  struct Batch {
    std::size_t a, c, packed;  // offsets, and which of the matrices of b
  };
  struct Run {
    const MatmulStep& step;
    const Frame& frame;
    std::byte* scratch;
    const float* addend;
  };
  // What the epilogue is told of.
  struct Block {
    const Run& run;
    const Batch& batch;
  };
  struct Columns {
    const MatmulStep& step;
    const std::byte* matrix;
  };

  // What the GEMM itself can do is taken from the epilogue.
  const Epilogue& settleEpilogue(Problem& problem) {
    const bool hasBias =
        problem.addend && problem.beta == 1 && (addendRowStride_ == 0 || m_ == 1) && (addendColumnStride_ == 1 || n_ == 1);
    hasBias_ = alpha_ == 1 && hasBias;
    combines_ = alpha_ != 1 || (problem.addend && !hasBias_);
    const std::vector<ElementInstruction>& code = problem.epilogue.program.instructions;
    if (combines_ || code.size() != 1 || problem.epilogue.program.inputs != 1) return problem.epilogue;
    if (code[0].code != ElementCode::relu && code[0].code != ElementCode::clamp) return problem.epilogue;
    clamps_ = true;
    minimum_ = code[0].code == ElementCode::relu ? 0 : code[0].p;
    maximum_ = code[0].code == ElementCode::relu ? std::numeric_limits<float>::infinity() : code[0].q;
    problem.epilogue = {};
    return problem.epilogue;
  }

  void listBatches(const Sizes& batch) {
    const std::size_t count = std::accumulate(batch.begin(), batch.end(), std::size_t{1}, std::multiplies<>());
    for (std::size_t i = 0; i < count; ++i) {
      Batch at{0, 0, 0};
      std::size_t rest = i, packedStride = 1, offset = 0;
      bool isFirst = true;  // of those with the same matrix of b
      for (std::size_t d = batch.size(); d-- > 0;) {
        const std::size_t index = rest % batch[d];
        rest /= batch[d];
        at.a += index * a_.batchStrides[d];
        at.c += index * c_.batchStrides[d];
        offset += index * b_.batchStrides[d];
        if (b_.batchStrides[d] == 0) {
          isFirst = isFirst && index == 0;
          continue;
        }
        at.packed += index * packedStride;
        packedStride *= batch[d];
      }
      if (isFirst) bOffsets_.push_back(offset);
      batches_.push_back(at);
    }
  }

  void setAddend(const Operand& addend, Planner& planner) {
    addendSlot_ = planner.slot(addend);
    isHalfAddend_ = addend.dataType() == DataType::float16;
    addendCount_ = elementCount(addend.descriptor());
    hasAddend_ = true;
  }
  const float* addend(const Frame& frame) const {
    if (!hasAddend_) return nullptr;
    if (!isHalfAddend_) return frame.in<float>(addendSlot_);
    auto* floats = frame.out<float>(scratch_);
    rows_.widenRows(frame.in<std::uint16_t>(addendSlot_), 0, 1, addendCount_, floats, 0);
    return floats;
  }

  void packPiece(const std::byte* b, std::size_t i, std::size_t pieces, std::byte* packed) const {
    const std::size_t offset = bOffsets_[i / pieces];
    std::byte* to = packed + i / pieces * packedBytes_;
    if (isHalfB_) {
      packBPiece(isa_, k_, n_, reinterpret_cast<const std::uint16_t*>(b) + offset, b_.rowStride, b_.columnStride, to, i % pieces);
    } else {
      packBPiece(isa_, k_, n_, reinterpret_cast<const float*>(b) + offset, b_.rowStride, b_.columnStride, to, i % pieces);
    }
  }
  void packConstant(const Operand& b, Planner& planner) {
    std::string key =
        formatText("gemm {} {} {} {} {} {} {}", keyOf(b), isHalfB_, k_, n_, b_.rowStride, b_.columnStride, name(isa_));
    // As bytes: there may be a million.
    key.append(reinterpret_cast<const char*>(bOffsets_.data()), bOffsets_.size() * sizeof(bOffsets_[0]));
    bool isNew = false;
    std::byte* packed = planner.cacheWeights(packedBytes_ * bOffsets_.size(), key, isNew);
    packed_ = packed;
    if (!isNew) return;
    const std::byte* bytes = planner.constantBytes(b).data();
    // Large parts, so that a small matrix does not wake the team.
    planner.withTeam([&](Team& team) { packAll(team, 256 * 1024, bytes, packed); });
  }
  // Some 10 microseconds at 4 bytes in a nanosecond.
  void packDynamic(const Frame& frame, std::byte* scratch) const {
    packAll(frame.team, 40'000, frame.in<std::byte>(bSlot_), scratch + addendBytes_);
  }
  void packAll(Team& team, std::size_t bytesAtOnce, const std::byte* b, std::byte* packed) const {
    const std::size_t pieces = packBPieces(isa_, k_, n_);
    const std::size_t grain = std::max<std::size_t>(1, bytesAtOnce / (packedBytes_ / pieces + 1));
    team.forRanges(pieces * bOffsets_.size(), grain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) packPiece(b, i, pieces, packed);
    });
  }

  void multiply(const Run& run, std::size_t batch, unsigned threads, std::size_t chunk, unsigned worker) const {
    const Batch& at = batches_[batch];
    Gemm gemm{.m = m_, .n = n_, .k = k_, .ldc = c_.rowStride, .scratch = run.scratch + gemmOffset_};
    const std::byte* matrix = run.frame.in<std::byte>(aSlot_) + at.a * (isHalfA_ ? 2 : 4);
    const Columns columns{*this, matrix};
    if (a_.columnStride != 1 && k_ > 1) {
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
    gemm.b = (packed_ ? packed_ : run.scratch + addendBytes_) + at.packed * packedBytes_;
    if (!scatters_ && isHalfC_) gemm.half = run.frame.out<std::uint16_t>(cSlot_) + at.c;
    if (!scatters_ && !isHalfC_) gemm.c = run.frame.out<float>(cSlot_) + at.c;
    if (hasBias_) gemm.epilogue.bias = run.addend;
    gemm.epilogue.clamps = clamps_;
    gemm.epilogue.minimum = minimum_;
    gemm.epilogue.maximum = maximum_;
    const Block block{run, at};
    if (combines_ || scatters_ || !program_.empty()) {
      gemm.epilogue.apply = apply;
      gemm.epilogue.context = &block;
    }
    gemmChunk(isa_, gemm, threads, chunk, worker);
  }

  // Rows of a matrix whose elements are apart.
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
    if (step.combines_) {
      for (std::size_t i = 0; i < rows; ++i) {
        const float* addend = block.run.addend;
        if (addend) addend += (row + i) * step.addendRowStride_ + column * step.addendColumnStride_;
        step.combineRow(block, row + i, column, columns, addend, c + i * ld);
      }
    }
    const std::size_t at = block.batch.c + row * step.c_.rowStride + column * step.c_.columnStride;
    if (!step.program_.empty()) step.runProgram(block, at, rows, columns, c, ld, worker);
    if (step.scatters_) step.scatter(block, at, rows, columns, c, ld);
  }

  // alpha * sum + beta * addend for `columns` sums at `c`. A sum must not have left the range of float32 where alpha times it has
  // not: those that did are computed again, and for a large alpha also those that may have vanished in part. What an element
  // becomes depends on its own sum alone.
  void combineRow(const Block& block, std::size_t row, std::size_t column, std::size_t columns, const float* addend,
                  float* c) const {
    const auto combine = [&](std::size_t begin, std::size_t end, float alpha) {
      const float* from = addend ? addend + begin * addendColumnStride_ : nullptr;
      kernels_.combine(c + begin, alpha, from, addendColumnStride_, beta_, end - begin);
    };
    if (alpha_ == 1 || kernels_.areBetween(c, least_, columns)) return combine(0, columns, alpha_);
    for (std::size_t begin = 0; begin < columns && !isRunOver(); begin += kExact) {
      const std::size_t end = std::min(columns, begin + kExact);
      std::array<float, kExact> exact;
      exactRow(block, row, column + begin, end - begin, exact.data());
      for (std::size_t j = begin; j < end; ++j) {
        const bool isRight = kernels_.areBetween(c + j, least_, 1);
        if (!isRight) storeUnaligned(c + j, exact[j - begin]);
        combine(j, j + 1, isRight ? alpha_ : 1);
      }
    }
  }

  // alpha times the sums of a few columns of a row, in double.
  void exactRow(const Block& block, std::size_t row, std::size_t column, std::size_t count, float* to) const {
    const Frame& frame = block.run.frame;
    const auto read = [](const std::byte* data, bool isHalf, std::size_t i) {
      if (!isHalf) return double{loadUnaligned<float>(data + 4 * i)};
      return static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(data + 2 * i)));
    };
    const auto *a = frame.in<std::byte>(aSlot_), *b = frame.in<std::byte>(bSlot_);
    const std::size_t firstA = block.batch.a + row * a_.rowStride;
    const std::size_t firstB = bOffsets_[block.batch.packed] + column * b_.columnStride;
    std::array<double, kExact> sums{};
    RunWatch watch;
    for (std::size_t l = 0; l < k_ && !watch.isOver(count); ++l) {
      const double factor = read(a, isHalfA_, firstA + l * a_.columnStride);
      const std::size_t from = firstB + l * b_.rowStride;
      for (std::size_t j = 0; j < count; ++j) sums[j] += factor * read(b, isHalfB_, from + j * b_.columnStride);
    }
    for (std::size_t j = 0; j < count; ++j) to[j] = static_cast<float>(double{alpha_} * sums[j]);
  }

  // The epilogue's program sees the output as rows of its last dimension; `at` is the block's first element in the output.
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

  // Neither rows nor columns of the result are contiguous in the output.
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

  Isa isa_;
  std::size_t m_, n_, k_;
  Matrices a_, b_, c_;
  bool isHalfA_, isHalfB_, isHalfC_, isHalfAddend_ = false, hasAddend_ = false;
  bool hasBias_ = false, combines_ = false, clamps_ = false, scatters_ = false;
  std::size_t lastDimension_;
  float alpha_, least_, beta_, minimum_ = 0, maximum_ = 0;
  std::size_t addendRowStride_, addendColumnStride_, addendCount_ = 0;
  const MatmulKernels& kernels_;
  const GemmKernels& rows_;
  Slot aSlot_, bSlot_, cSlot_, addendSlot_, scratch_;
  TileProgram program_;
  std::vector<Batch> batches_;
  std::vector<std::size_t> bOffsets_;
  const std::byte* packed_ = nullptr;
  std::size_t packedBytes_ = 0, addendBytes_ = 0, programOffset_ = 0, gemmOffset_ = 0;
};

StepPtr planProblem(Problem problem, Planner& planner) {
  mergeBatches(problem);
  if (wantsTranspose(problem)) transpose(problem);
  return std::make_unique<const MatmulStep>(std::move(problem), planner);
}

// Shape and strides as the dimensions are meant: dimension j is the stored one at permutation[j].
std::pair<Shape, Sizes> permuted(const Shape& shape, const std::vector<std::uint32_t>& permutation) {
  const Sizes strides = rowMajorStrides(shape);
  if (permutation.empty()) return {shape, strides};
  Shape sizes;
  Sizes result;
  for (const std::uint32_t j : permutation) {
    sizes.push_back(shape[j]);
    result.push_back(strides[j]);
  }
  return {sizes, result};
}

// The result's dimensions, whose i-th is the output's at the place where outputPermutation has i.
std::pair<Shape, Sizes> resultOf(const Shape& output, const std::vector<std::uint32_t>& permutation) {
  std::vector<std::uint32_t> inverse(permutation.size());
  for (std::uint32_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return permuted(output, inverse);
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
