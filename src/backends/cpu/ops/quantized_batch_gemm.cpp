// Batched products of 8-bit matrices, computed as in quantized_gemm.cpp, but with both operands packed in each run. First all
// matrices of b are packed with their column sums; each tile of rows of `a` is packed before it is multiplied.
#include "backends/cpu/ops/quantized_batch_gemm.h"

#include <algorithm>
#include <array>

#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/gemm/matrices.h"
#include "backends/cpu/ops/quantized_gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kMostTileRows = 32;
constexpr std::size_t kMatrixGrain = 40'000;                 // bytes per chunk, about 10 microseconds of packing
constexpr std::size_t kProductChunk = std::size_t{2} << 20;  // multiplications per chunk
constexpr std::size_t kLeastPanels = 8;                      // minimum per chunk, because each chunk packs its tile of rows

class QuantizedBatchGemmStep final : public Step {
 public:
  QuantizedBatchGemmStep(const QuantizedBatchGemm& op, Planner& planner);

  void run(const Frame& frame) const override {
    packMatrices(frame);
    const std::size_t panelChunks = divideUp(panels_, panelsPerChunk_), tiles = divideUp(m_, kernels_->mostRows);
    const std::size_t work = kernels_->mostRows * k_ * kernels_->columns * panelsPerChunk_;
    frame.team.forRanges(batches_.size() * panelChunks * tiles, 1 + kProductChunk / work,
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           const KernelScope scope(*kernels_);
                           for (std::size_t i = begin; i < end && !isRunOver(); ++i) {
                             const std::size_t piece = i / tiles;
                             multiply(frame, batches_[piece / panelChunks], i % tiles * kernels_->mostRows,
                                      piece % panelChunks * panelsPerChunk_, worker);
                           }
                         });
  }
  std::string describe() const override { return text_; }

 private:
  void packMatrices(const Frame& frame) const;
  void packRows(const std::uint8_t* from, std::size_t rows, std::byte* packed, std::int32_t* sums) const;
  void multiply(const Frame& frame, const Batch& batch, std::size_t row, std::size_t firstPanel, unsigned worker) const;
  void setUniform(const QuantizedBatchGemm& op, Planner& planner);
  void setStore(const QuantizedBatchGemm& op);
  void setSizes(Planner& planner);

  const QuantizedGemmKernels* kernels_ = nullptr;
  std::size_t m_ = 0, n_ = 0, k_ = 0, groups_ = 0;
  Matrices a_, b_, c_;
  std::vector<Batch> batches_;
  std::vector<std::size_t> bOffsets_;
  bool isSignedB_;
  std::uint8_t aFlip_ = 0;
  std::int32_t aZeroPoint_, bZeroPoint_;  // zero points after packing, which may shift them by 128
  std::size_t rowBytes_ = 0, panelBytes_ = 0, matrixBytes_ = 0, panels_ = 0, panelsPerChunk_ = 0;
  const std::int32_t* factor_ = nullptr;  // the zero point of b, once for each column of a panel
  QuantizedTile store_;                   // how kernels store results: scale, bias, output type
  std::size_t outputBytes_ = 0;
  Slot aSlot_, bSlot_, output_, scratch_;
  // offsetsAt_, workersAt_: byte offsets in scratch; workerBytes_: bytes per worker.
  std::size_t offsetsAt_ = 0, workersAt_ = 0, workerBytes_ = 0;
  std::string text_;
};

QuantizedBatchGemmStep::QuantizedBatchGemmStep(const QuantizedBatchGemm& op, Planner& planner)
    : isSignedB_(op.bQuantization.type == DataType::int8),
      aZeroPoint_(op.aQuantization.zeroPoint),
      bZeroPoint_(op.bQuantization.zeroPoint),
      aSlot_(planner.slot(op.a)),
      bSlot_(planner.slot(op.b)),
      output_(planner.output()) {
  const auto [aShape, aStrides] = permuted(op.a.shape(), op.aPermutation);
  const auto [bShape, bStrides] = permuted(op.b.shape(), op.bPermutation);
  const auto [shape, strides] = resultOf(planner.outputOperand().shape(), op.outputPermutation);
  const std::size_t batchRank = shape.size() - 2;
  m_ = shape[batchRank], n_ = shape.back(), k_ = aShape.back();
  a_ = matricesOf(aShape, aStrides, batchRank);
  b_ = matricesOf(bShape, bStrides, batchRank);
  c_ = matricesOf(shape, strides, batchRank);
  Batches batches = batchesOf(Sizes(shape.begin(), shape.end() - 2), a_, b_, c_);
  batches_ = std::move(batches.list), bOffsets_ = std::move(batches.bOffsets);

  const bool dots = hasByteDots(planner.isa());
  const Product product{ProductType::bytes, m_, n_, k_};
  const Isa isa = dots ? planner.isa() : withoutTiles(planner.isa());
  kernels_ = &byteKernelsFor(kernelIsa(isa, product), dots);
  const std::string batch = batches_.size() == 1 ? std::string() : formatText("{} * ", batches_.size());
  text_ = formatText("quantized gemm {} {} {}{}x{}x{} {}", name(op.aQuantization.type), name(op.bQuantization.type), batch, m_,
                     n_, k_, kernelText(isa, product));
  setUniform(op, planner);
  setStore(op);
  setSizes(planner);
}

// Creates panels of per-column values, which are the same for all columns because each operand has one scale and zero point. The
// kernels multiply unsigned values of `a` by signed values of b, so this function also shifts the zero points of a signed `a` and
// an unsigned b.
void QuantizedBatchGemmStep::setUniform(const QuantizedBatchGemm& op, Planner& planner) {
  const std::size_t columns = kernels_->columns;
  const auto fill = [&]<typename T>(T value) {
    T* values = reinterpret_cast<T*>(planner.keep(columns * sizeof(T)));
    std::fill_n(values, columns, value);
    return values;
  };
  if (op.aQuantization.type == DataType::int8) aFlip_ = 0x80, aZeroPoint_ += 128;
  if (!isSignedB_) bZeroPoint_ -= 128;
  if (bZeroPoint_ != 0) factor_ = fill(bZeroPoint_);
  const double back = op.result ? static_cast<double>(op.result->scale) : 1;
  store_.scale = fill(static_cast<float>(static_cast<double>(op.alpha) * static_cast<double>(op.aQuantization.scale) *
                                         static_cast<double>(op.bQuantization.scale) / back));
  store_.bias = fill(0.0F);
  store_.factor = factor_;
  store_.groups = groups_ = divideUp(k_, kernels_->group);
}

void QuantizedBatchGemmStep::setStore(const QuantizedBatchGemm& op) {
  outputBytes_ = op.result ? 1 : sizeof(float);
  store_.ldc = c_.rowStride;
  if (!op.result) return;
  const bool isSigned = op.result->type == DataType::int8;
  store_.store = QuantizedTile::Store::bytes;
  store_.isSigned = isSigned;
  store_.zeroPoint = op.result->zeroPoint;
  store_.low = static_cast<float>((isSigned ? -128 : 0) - op.result->zeroPoint);
  store_.high = static_cast<float>((isSigned ? 127 : 255) - op.result->zeroPoint);
}

void QuantizedBatchGemmStep::setSizes(Planner& planner) {
  rowBytes_ = roundUp(groups_, kernels_->groupStep) * kernels_->aGroupBytes();
  panels_ = divideUp(n_, kernels_->columns);
  panelBytes_ = groups_ * kernels_->group * kernels_->columns;
  matrixBytes_ = panels_ * panelBytes_;
  const std::size_t tileWork = kernels_->mostRows * kernels_->columns * k_;
  panelsPerChunk_ = std::min(std::max(kLeastPanels, kProductChunk / tileWork), panels_);
  // Number of bytes that tiles read past the last matrix.
  const std::size_t readOn = (rowBytes_ - groups_ * kernels_->aGroupBytes()) * kernels_->columns;
  offsetsAt_ = aligned(matrixBytes_ * bOffsets_.size() + readOn);
  workersAt_ = offsetsAt_ + panels_ * kernels_->columns * bOffsets_.size() * sizeof(std::int32_t);
  workerBytes_ = workerStride(aligned(kernels_->mostRows * rowBytes_) + aligned(k_));
  scratch_ = planner.scratch(workersAt_ + planner.threads() * workerBytes_);
}

// Packs the matrices of b, and computes the corrections for zero points that depend on the column sums of b:
// sum (a - za)(b - zb) = sum a b - za sum b - zb sum a + k za zb.
void QuantizedBatchGemmStep::packMatrices(const Frame& frame) const {
  auto* packed = frame.out<std::byte>(scratch_);
  auto* offsets = reinterpret_cast<std::int32_t*>(packed + offsetsAt_);
  const std::size_t columns = kernels_->columns;
  const std::int64_t moved = aZeroPoint_ - kernels_->subtracted;
  const std::int64_t constant = static_cast<std::int64_t>(k_) * aZeroPoint_ * bZeroPoint_;
  frame.team.forRanges(
      panels_ * bOffsets_.size(), 1 + kMatrixGrain / panelBytes_, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end && !isRunOver(); ++i) {
          const std::size_t column = i % panels_ * columns;
          std::byte* panel = packed + i * panelBytes_;
          kernels_->packPanel({.from = frame.in<std::uint8_t>(bSlot_) + bOffsets_[i / panels_] + column * b_.columnStride,
                               .rowStride = b_.rowStride,
                               .columnStride = b_.columnStride,
                               .k = k_,
                               .columns = std::min(columns, n_ - column),
                               .isSigned = isSignedB_},
                              panel);
          std::int32_t* offset = offsets + i * columns;
          kernels_->columnSums(panel, groups_, offset);
          for (std::size_t j = 0; j < columns; ++j) offset[j] = static_cast<std::int32_t>(constant - moved * offset[j]);
        }
      });
}

void QuantizedBatchGemmStep::packRows(const std::uint8_t* from, std::size_t rows, std::byte* packed, std::int32_t* sums) const {
  auto* row = reinterpret_cast<std::uint8_t*>(packed) + aligned(kernels_->mostRows * rowBytes_);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint8_t* numbers = from + i * a_.rowStride;
    if (a_.columnStride != 1) {
      for (std::size_t l = 0; l < k_; ++l) row[l] = numbers[l * a_.columnStride];
      numbers = row;
    }
    kernels_->packRow(numbers, k_, aFlip_, kernels_->packedRows(rows), i, packed);
    if (factor_) sums[i] = kernels_->sum(numbers, k_, aFlip_);
  }
}

void QuantizedBatchGemmStep::multiply(const Frame& frame, const Batch& batch, std::size_t row, std::size_t firstPanel,
                                      unsigned worker) const {
  auto* scratch = frame.out<std::byte>(scratch_);
  auto* packed = scratch + workersAt_ + worker * workerBytes_;
  const auto* offsets = reinterpret_cast<const std::int32_t*>(scratch + offsetsAt_);
  std::array<std::int32_t, kMostTileRows> sums{};
  QuantizedTile tile = store_;
  tile.rows = std::min(kernels_->mostRows, m_ - row);
  packRows(frame.in<std::uint8_t>(aSlot_) + batch.a + row * a_.rowStride, tile.rows, packed, sums.data());
  tile.a = packed;
  tile.rowSums = sums.data();
  for (std::size_t p = firstPanel; p < std::min(firstPanel + panelsPerChunk_, panels_); ++p) {
    const std::size_t column = p * kernels_->columns, panel = batch.packed * panels_ + p;
    tile.b = scratch + panel * panelBytes_;
    tile.columns = std::min(kernels_->columns, n_ - column);
    tile.offset = offsets + panel * kernels_->columns;
    tile.c = frame.out<std::byte>(output_) + (batch.c + row * c_.rowStride + column) * outputBytes_;
    kernels_->tile(tile);
  }
}

}  // namespace

StepPtr plan(const QuantizedBatchGemm& op, Planner& planner) {
  return std::make_unique<const QuantizedBatchGemmStep>(op, planner);
}

}  // namespace webnn::cpu
