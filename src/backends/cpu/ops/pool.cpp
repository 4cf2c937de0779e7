#include "backends/cpu/ops/pool.h"

#include <algorithm>
#include <utility>

#include "backends/cpu/conv/pool_taps.h"
#include "backends/cpu/ops/reduce/reduce_steps.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/pool.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

using ops::Pool2dKind;

// Returns whether a single window covers the whole dimension.
bool isGlobal(const std::vector<PoolTaps>& taps, std::size_t size) { return taps.size() == 1 && taps[0].count == size; }

StepPtr planGlobal(const ops::Pool2d& op, const ops::ImageAxes& image, Planner& planner) {
  constexpr ops::ReduceKind kKinds[] = {ops::ReduceKind::reduceMean, ops::ReduceKind::reduceL2, ops::ReduceKind::reduceMax};
  const Shape& shape = op.input.shape();
  Reduction reduction{
      .kind = kKinds[static_cast<std::size_t>(op.kind)], .type = op.input.dataType(), .outer = shape[image.batch]};
  reduction.count = std::size_t{shape[image.height]} * shape[image.width];
  (image.channel == 1 ? reduction.outer : reduction.inner) *= shape[image.channel];
  return planReduction(reduction, planner.slot(op.input), planner);
}

struct PoolStep {
  PoolKernel kernel;
  std::vector<PoolTaps> rows, columns;
  std::size_t images;                                                // images of the batch; for nchw, planes
  std::ptrdiff_t imageStride, rowStride, pixelStride, outputStride;  // bytes
  std::size_t channels, width;
  std::size_t fullCount, stride;  // columns of a window that lies inside the input, and stride between windows: see PoolRow
  std::size_t padding = 0, padded = 0, dilation = 1;
  std::size_t lineBytes = 0;  // bytes of a worker's buffer for the combined rows of a window
  std::size_t rowBytes;       // bytes of an output row
  std::size_t grain;          // output rows per chunk

  // nhwc: whether the rows of the windows are combined into a line first. Only for maxima, which do not depend on the order.
  bool isSeparable = false;

  void run(const std::byte* from, std::byte* to, std::byte* lines, Team& team) const {
    if (isSeparable) return runSeparably(from, to, lines, team);
    team.forRanges(images * rows.size(), grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::byte* image = from + static_cast<std::ptrdiff_t>(i / rows.size()) * imageStride;
        kernel({image, to + i * rowBytes, rows[i % rows.size()], columns.data(), columns.size(), rowStride, pixelStride,
                outputStride, channels, width, lines + worker * lineBytes, std::numeric_limits<std::size_t>::max(), fullCount,
                stride, padding, padded, dilation});
      }
    });
  }

 private:
  void runSeparably(const std::byte* from, std::byte* to, std::byte* lines, Team& team) const {
    constexpr PoolTaps kOne{0, 1, 1};
    team.forRanges(images * rows.size(), grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      std::byte* const line = lines + worker * lineBytes;
      for (std::size_t i = begin; i < end; ++i) {
        PoolRow row{};
        row.from = from + static_cast<std::ptrdiff_t>(i / rows.size()) * imageStride;
        row.to = line;
        row.rows = rows[i % rows.size()];
        row.columns = &kOne;
        row.positions = 1;
        row.rowStride = rowStride;
        row.channels = width * channels;  // the whole line is treated as one pixel
        kernel(row);
        row.from = line;
        row.to = to + i * rowBytes;
        row.rows = kOne;
        row.columns = columns.data();
        row.positions = columns.size();
        row.pixelStride = pixelStride;
        row.outputStride = outputStride;
        row.channels = channels;
        kernel(row);
      }
    });
  }
};

}  // namespace

// No product here overflows: the last window starts at most one stride beyond the padded input, so positions are below 2^36.
StepPtr plan(const ops::Pool2d& op, Planner& planner) {
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  const Shape &input = op.input.shape(), &output = planner.outputOperand().shape();
  auto [heightAxis, widthAxis] = ops::poolingAxes(op);
  const bool isPlanes = op.options.layout == InputOperandLayout::nchw;
  // A plane of one column (1-D pooling, as ONNX models write it) is computed as one line.
  const bool isColumn = isPlanes && input[image.width] == 1 && output[image.width] == 1;
  const std::size_t height = isColumn ? image.width : image.height, width = isColumn ? image.height : image.width;
  if (isColumn) std::swap(heightAxis, widthAxis);
  planner.charge((std::size_t{output[height]} + output[width]) * sizeof(PoolTaps));
  PoolStep step{.rows = poolTaps(heightAxis, output[height]), .columns = poolTaps(widthAxis, output[width])};
  if (isGlobal(step.rows, input[height]) && isGlobal(step.columns, input[width])) return planGlobal(op, image, planner);

  const DataType type = op.input.dataType();
  const auto bytes = static_cast<std::ptrdiff_t>(bitsPerElement(type) / 8);
  const auto kind = static_cast<Pooling>(op.kind);
  step.images = std::size_t{input[0]} * (isPlanes ? input[1] : 1);
  step.channels = isPlanes ? 1 : input[image.channel];
  step.width = input[width];
  step.fullCount = static_cast<std::size_t>(widthAxis.windowSize);
  step.stride = static_cast<std::size_t>(widthAxis.stride);
  step.pixelStride = step.outputStride = bytes * static_cast<std::ptrdiff_t>(step.channels);
  step.rowStride = step.pixelStride * static_cast<std::ptrdiff_t>(step.width);
  step.imageStride = step.rowStride * static_cast<std::ptrdiff_t>(input[height]);
  step.rowBytes = step.columns.size() * static_cast<std::size_t>(step.outputStride);
  const std::size_t taps = static_cast<std::size_t>(std::min(heightAxis.windowSize, heightAxis.inputSize)) *
                           static_cast<std::size_t>(std::min(widthAxis.windowSize, widthAxis.inputSize));
  step.grain = std::max<std::size_t>(1, 65536 / std::max<std::size_t>(1, step.columns.size() * step.channels * taps));
  // The work per output row. For nchw, the rows of its windows are first combined into one line.
  const std::size_t window = static_cast<std::size_t>(std::min(widthAxis.windowSize, widthAxis.inputSize));
  const std::size_t work = isPlanes ? step.width * (taps / std::max<std::size_t>(window, 1)) + step.columns.size() * window
                                    : step.columns.size() * step.channels * taps;
  const bool isLong = work > std::size_t{1} << 20;
  step.kernel = isPlanes ? poolPlane(planner.isa(), kind, type, isLong) : poolPixels(planner.isa(), kind, type, isLong);
  const auto lineBytes = [&](std::size_t elements, std::size_t elementBytes) {
    return workerStride(elements * elementBytes + kPoolPadding);
  };
  if (isPlanes) {
    step.lineBytes = lineBytes(step.width, std::max<std::size_t>(4, static_cast<std::size_t>(bytes)));
    const std::uint64_t reach = widthAxis.effectiveWindowSize();
    constexpr std::size_t kMostStride = 2;  // larger strides need gathers, which may take longer than single loads
    if (kind == Pooling::max && isFloat(type) && !isLong && reach <= 2 * step.width && step.stride <= kMostStride) {
      step.padded = paddedPoolLine(step.columns.size(), step.stride, static_cast<std::size_t>(reach));
      step.padding = static_cast<std::size_t>(widthAxis.beginningPadding);
      step.dilation = static_cast<std::size_t>(widthAxis.dilation);
      step.padded = std::max(step.padded, step.padding + step.width);
      step.lineBytes = lineBytes(step.padded, sizeof(float));
    }
  } else if (kind == Pooling::max) {
    const std::size_t line = step.width * step.channels;
    const std::size_t separateWork =
        line * (taps / std::max<std::size_t>(window, 1)) + step.columns.size() * step.channels * window;
    step.isSeparable = 3 * separateWork < 2 * work;
    if (step.isSeparable) step.lineBytes = lineBytes(line, static_cast<std::size_t>(bytes));
  }
  const Slot lines = step.lineBytes > 0 ? planner.scratch(step.lineBytes * planner.threads()) : planner.output();
  return makeStep(isPlanes ? "pool nchw" : "pool nhwc",
                  [step = std::move(step), from = planner.slot(op.input), to = planner.output(), lines](const Frame& frame) {
                    step.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.out<std::byte>(lines), frame.team);
                  });
}

}  // namespace webnn::cpu
