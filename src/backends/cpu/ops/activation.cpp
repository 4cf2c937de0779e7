#include "backends/cpu/ops/activation.h"

#include <algorithm>
#include <array>
#include <limits>

#include "backends/cpu/elements/row_step.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/elements.h"
#include "backends/cpu/simd/softmax.h"
#include "backends/cpu/simd/transpose.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

// Plans softmax, and relu and prelu of integers. Pass lowerElementwise has already replaced the activations of floats.
namespace webnn::cpu {

namespace {

constexpr std::size_t kGrain = 4096;  // elements per chunk; each takes about 2 ns

// The input as [blocks, count, stride]. Softmax runs over `count` elements that are `stride` apart.
struct SoftmaxShape {
  std::size_t blocks = 1, count = 1, stride = 1;
};

SoftmaxShape softmaxShape(const Shape& shape, std::uint32_t axis) {
  SoftmaxShape result;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    (d < axis ? result.blocks : d == axis ? result.count : result.stride) *= shape[d];
  }
  return result;
}

// Softmax along contiguous elements: the last axis, or an axis that only dimensions of size 1 follow.
class SoftmaxRows final : public Step {
 public:
  SoftmaxRows(const ops::Softmax& op, const SoftmaxShape& shape, Planner& planner)
      : softmax_(softmaxKernels(planner.isa())),
        elements_(elementKernels(planner.isa())),
        input_(planner.slot(op.input)),
        output_(planner.output()),
        shape_(shape),
        isHalf_(op.input.dataType() == DataType::float16) {
    if (isHalf_) {
      tileBytes_ = workerStride(shape.count * sizeof(float));
      scratch_ = planner.scratch(tileBytes_ * planner.threads());
    }
  }
  void run(const Frame& frame) const override {
    frame.team.forRanges(shape_.blocks, std::max<std::size_t>(1, kGrain / shape_.count),
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           for (std::size_t i = begin; i < end; ++i) runRow(frame, i * shape_.count, worker);
                         });
  }
  std::string describe() const override {
    return formatText("softmax {} {}x{}", isHalf_ ? "f16" : "f32", shape_.blocks, shape_.count);
  }

 private:
  void runRow(const Frame& frame, std::size_t offset, unsigned worker) const {
    const std::size_t n = shape_.count;
    const auto row = n < kLongSoftmaxRow ? softmax_.row : softmax_.longRow;
    if (!isHalf_) return row(frame.in<float>(input_) + offset, frame.out<float>(output_) + offset, n);
    auto* tile = reinterpret_cast<float*>(frame.out<std::byte>(scratch_) + worker * tileBytes_);
    elements_.loadHalf(frame.in<std::byte>(input_) + offset * 2, tile, n);
    row(tile, tile, n);
    elements_.storeHalf(tile, frame.out<std::byte>(output_) + offset * 2, n);
  }

  const SoftmaxKernels& softmax_;
  const ElementKernels& elements_;
  Slot input_, output_, scratch_;
  SoftmaxShape shape_;
  bool isHalf_;
  std::size_t tileBytes_ = 0;
};

// Softmax along the last axis with quantized results and quantized or float inputs. Each row is computed in floats.
class QuantizedSoftmaxRows final : public Step {
 public:
  QuantizedSoftmaxRows(const QuantizedSoftmax& op, Planner& planner)
      : softmax_(softmaxKernels(planner.isa())),
        quantize_(quantizeKernels(planner.isa()).quantize[0][quantizedIndex(op.to.type)][0]),
        from_(op.from),
        to_(op.to),
        input_(planner.slot(op.input)),
        output_(planner.output()),
        count_(op.input.shape().back()),
        rows_(elementCount(op.input.descriptor()) / count_),
        rowBytes_(workerStride(count_ * sizeof(float))),
        scratch_(planner.scratch(rowBytes_ * planner.threads())) {
    if (from_) dequantize_ = quantizeKernels(planner.isa()).dequantize[0][quantizedIndex(from_->type)][0];
  }
  void run(const Frame& frame) const override {
    frame.team.forRanges(rows_, std::max<std::size_t>(1, kGrain / count_),
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           for (std::size_t i = begin; i < end && !isRunOver(); ++i) runRow(frame, i * count_, worker);
                         });
  }
  std::string describe() const override {
    return formatText("softmax {} {} {}x{}", from_ ? name(from_->type) : "f32", name(to_.type), rows_, count_);
  }

 private:
  // Zero points are stored as integers. On little-endian machines, their first byte is the zero point as an 8-bit value.
  void runRow(const Frame& frame, std::size_t offset, unsigned worker) const {
    auto* row = reinterpret_cast<float*>(frame.out<std::byte>(scratch_) + worker * rowBytes_);
    if (dequantize_) dequantize_(frame.in<std::byte>(input_) + offset, &from_->scale, &from_->zeroPoint, count_, row);
    const float* input = dequantize_ ? row : frame.in<float>(input_) + offset;
    (count_ < kLongSoftmaxRow ? softmax_.row : softmax_.longRow)(input, row, count_);
    quantize_(row, &to_.scale, &to_.zeroPoint, count_, frame.out<std::byte>(output_) + offset);
  }

  const SoftmaxKernels& softmax_;
  QuantizeRun quantize_, dequantize_ = nullptr;
  std::optional<Quantization> from_;
  Quantization to_;
  Slot input_, output_;
  std::size_t count_, rows_, rowBytes_;
  Slot scratch_;
};

// Softmax in float32 along an axis that is not the last, with at most kMostLines adjacent lines. Each block is transposed to
// rows.
class SoftmaxFewColumns final : public Step {
 public:
  static constexpr std::size_t kMostLines = 15, kMostElements = std::size_t{1} << 16;
  SoftmaxFewColumns(const ops::Softmax& op, const SoftmaxShape& shape, Planner& planner)
      : row_(softmaxKernels(planner.isa()).row),
        transpose_(transposeKernel(planner.isa(), sizeof(float))),
        input_(planner.slot(op.input)),
        output_(planner.output()),
        shape_(shape),
        rowsBytes_(workerStride(shape.count * shape.stride * sizeof(float))),
        scratch_(planner.scratch(rowsBytes_ * planner.threads())),
        toRows_(plane(shape.count, shape.stride)),
        toColumns_(plane(shape.stride, shape.count)) {}

  void run(const Frame& frame) const override {
    const std::size_t unit = shape_.count * shape_.stride;
    frame.team.forRanges(shape_.blocks, std::max<std::size_t>(1, kGrain / unit),
                         [&](std::size_t begin, std::size_t end, unsigned worker) {
                           for (std::size_t i = begin; i < end; ++i) runBlock(frame, i * unit * sizeof(float), worker);
                         });
  }
  std::string describe() const override {
    return formatText("softmax few columns f32 {}x{}x{}", shape_.blocks, shape_.count, shape_.stride);
  }

 private:
  static CopyPlane plane(std::size_t rows, std::size_t columns) {
    return {.n1 = columns,
            .n0 = rows,
            .from1 = sizeof(float),
            .from0 = static_cast<std::ptrdiff_t>(columns * sizeof(float)),
            .to1 = static_cast<std::ptrdiff_t>(rows * sizeof(float)),
            .to0 = sizeof(float)};
  }
  void runBlock(const Frame& frame, std::size_t offset, unsigned worker) const {
    std::byte* const rows = frame.out<std::byte>(scratch_) + worker * rowsBytes_;
    transpose_(frame.in<std::byte>(input_) + offset, rows, toRows_);
    auto* row = reinterpret_cast<float*>(rows);
    for (std::size_t i = 0; i < shape_.stride; ++i, row += shape_.count) row_(row, row, shape_.count);
    transpose_(rows, frame.out<std::byte>(output_) + offset, toColumns_);
  }

  void (*row_)(const float* x, float* y, std::size_t n);
  CopyKernel transpose_;
  Slot input_, output_;
  SoftmaxShape shape_;
  std::size_t rowsBytes_;
  Slot scratch_;
  CopyPlane toRows_, toColumns_;
};

// Softmax along an axis that is not the last, for kSoftmaxColumns adjacent lines at a time.
class SoftmaxColumns final : public Step {
 public:
  SoftmaxColumns(const ops::Softmax& op, const SoftmaxShape& shape, Planner& planner)
      : softmax_(softmaxKernels(planner.isa())),
        elements_(elementKernels(planner.isa())),
        input_(planner.slot(op.input)),
        output_(planner.output()),
        shape_(shape),
        isHalf_(op.input.dataType() == DataType::float16),
        pieces_(divideUp(shape.stride, kSoftmaxColumns)) {}

  void run(const Frame& frame) const override {
    const std::size_t unit = shape_.count * std::min(shape_.stride, kSoftmaxColumns);
    frame.team.forRanges(shape_.blocks * pieces_, std::max<std::size_t>(1, kGrain / unit),
                         [&](std::size_t begin, std::size_t end, unsigned) {
                           for (std::size_t i = begin; i < end; ++i) runPiece(frame, i / pieces_, i % pieces_ * kSoftmaxColumns);
                         });
  }
  std::string describe() const override {
    return formatText("softmax columns {} {}x{}x{}", isHalf_ ? "f16" : "f32", shape_.blocks, shape_.count, shape_.stride);
  }

 private:
  using Columns = std::array<float, kSoftmaxColumns>;

  void runPiece(const Frame& frame, std::size_t block, std::size_t column) const {
    const std::size_t n = std::min(kSoftmaxColumns, shape_.stride - column);
    alignas(64) Columns max, sum, part, tile;
    RunWatch watch;
    std::fill_n(max.data(), n, -std::numeric_limits<float>::infinity());
    std::fill_n(sum.data(), n, 0.0F);
    std::fill_n(part.data(), n, 0.0F);
    const std::size_t start = block * shape_.count * shape_.stride + column;
    for (std::size_t k = 0; k < shape_.count && !watch.isOver(n); ++k) {
      softmax_.greatest(load(frame, start + k * shape_.stride, tile, n), max.data(), n);
    }
    // Adds partial sums of 64 elements, because long chains of additions lose precision. float16 exponentials are not stored, so
    // they are computed again below.
    constexpr std::size_t kPartial = 64;
    const ElementFunction add = elements_.functions[static_cast<std::size_t>(ElementCode::add)];
    for (std::size_t k = 0; k < shape_.count && !watch.isOver(n); ++k) {
      const std::size_t at = start + k * shape_.stride;
      float* y = isHalf_ ? tile.data() : frame.out<float>(output_) + at;
      softmax_.exponentials(load(frame, at, tile, n), max.data(), y, part.data(), n);
      if (k % kPartial + 1 < kPartial && k + 1 < shape_.count) continue;
      add(sum.data(), part.data(), nullptr, sum.data(), n, 0, 0);
      std::fill_n(part.data(), n, 0.0F);
    }
    for (std::size_t k = 0; k < shape_.count && !watch.isOver(n); ++k) {
      const std::size_t at = start + k * shape_.stride;
      if (isHalf_) {
        softmax_.exponentials(load(frame, at, tile, n), max.data(), tile.data(), part.data(), n);
        softmax_.divide(tile.data(), sum.data(), tile.data(), n);
        elements_.storeHalf(tile.data(), frame.out<std::byte>(output_) + at * 2, n);
      } else {
        float* y = frame.out<float>(output_) + at;
        softmax_.divide(y, sum.data(), y, n);
      }
    }
  }
  const float* load(const Frame& frame, std::size_t at, Columns& tile, std::size_t n) const {
    if (!isHalf_) return frame.in<float>(input_) + at;
    elements_.loadHalf(frame.in<std::byte>(input_) + at * 2, tile.data(), n);
    return tile.data();
  }

  const SoftmaxKernels& softmax_;
  const ElementKernels& elements_;
  Slot input_, output_;
  SoftmaxShape shape_;
  bool isHalf_;
  std::size_t pieces_;
};

template <typename T>
void relu(const RowPart& part) {
  mapRow<T>(part, [](T x) { return x > 0 ? x : T{0}; });
}

// Computes max(0, x) + slope * min(0, x) in wrapping arithmetic.
template <typename T>
void prelu(const RowPart& part) {
  mapRows<T>(part, [](T x, T slope) { return x > 0 ? x : wrappingMultiply(slope, x); });
}

}  // namespace

StepPtr plan(const ops::Activation& op, Planner& planner) {
  if (op.kind != ops::ActivationKind::relu) return nullptr;
  const DataType type = op.input.dataType();
  const auto kernel = visitInteger(type, []<typename T>(T) -> RowKernel { return relu<T>; });
  return makeRowStep(formatText("relu {}", name(type)), kernel, {op.input}, planner);
}

StepPtr plan(const ops::Prelu& op, Planner& planner) {
  const DataType type = op.input.dataType();
  const auto kernel = visitInteger(type, []<typename T>(T) -> RowKernel { return prelu<T>; });
  return makeRowStep(formatText("prelu {}", name(type)), kernel, {op.input, op.slope}, planner);
}

StepPtr plan(const QuantizedSoftmax& op, Planner& planner) { return std::make_unique<const QuantizedSoftmaxRows>(op, planner); }

StepPtr plan(const ops::Softmax& op, Planner& planner) {
  const SoftmaxShape shape = softmaxShape(op.input.shape(), op.axis);
  if (shape.stride == 1) return std::make_unique<const SoftmaxRows>(op, shape, planner);
  if (op.input.dataType() == DataType::float32 && shape.stride <= SoftmaxFewColumns::kMostLines &&
      shape.count * shape.stride <= SoftmaxFewColumns::kMostElements)
    return std::make_unique<const SoftmaxFewColumns>(op, shape, planner);
  return std::make_unique<const SoftmaxColumns>(op, shape, planner);
}

// These operations only take floats, so pass lowerElementwise has replaced them.
StepPtr plan(const ops::Elu&, Planner&) { return nullptr; }
StepPtr plan(const ops::LeakyRelu&, Planner&) { return nullptr; }
StepPtr plan(const ops::HardSigmoid&, Planner&) { return nullptr; }
StepPtr plan(const ops::Linear&, Planner&) { return nullptr; }

}  // namespace webnn::cpu
