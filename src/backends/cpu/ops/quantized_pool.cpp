#include "backends/cpu/ops/quantized_pool.h"

#include <algorithm>
#include <utility>

#include "backends/cpu/conv/pool_taps.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantized_pool.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "compiler/ir/code_range.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kWorkOfChunk = 65536;    // elements read per chunk
constexpr std::size_t kChannelsOfBlock = 256;  // channels per block if there are too few rows for all threads

QuantizedAverage averageOf(const QuantizedPool& op) {
  QuantizedAverage average;
  average.isSigned = op.input.type == DataType::int8;
  average.inputZeroPoint = op.input.zeroPoint + (average.isSigned ? 128 : 0);
  average.isFloat = !op.result.to;
  average.factor = op.input.scale;
  if (average.isFloat) return average;
  const CodeRange range = rangeOf(op.result);
  average.factor = static_cast<float>(static_cast<double>(op.input.scale) / static_cast<double>(op.result.to->scale));
  average.low = range.low, average.high = range.high;
  average.areCodesSigned = op.result.to->type == DataType::int8;
  average.zeroPoint = op.result.to->zeroPoint + (average.areCodesSigned ? 128 : 0);
  return average;
}

struct QuantizedPoolStep {
  QuantizedPoolKernel kernel;
  QuantizedAverage average;
  std::vector<PoolTaps> rows, columns;
  std::size_t images = 1;  // images of the batch; for nchw, planes
  std::size_t channels = 1, width = 1, height = 1;
  std::size_t blockChannels = 1;  // channels of a row that are computed at a time
  std::size_t outputBytes = 1;    // bytes per output element
  std::size_t lineBytes = 0;      // bytes of a worker's line buffer; nchw only
  std::size_t grain = 1;

  void run(const std::byte* from, std::byte* to, std::byte* lines, Team& team) const {
    const std::size_t blocks = divideUp(channels, blockChannels), rowStride = width * channels;
    team.forRanges(images * rows.size() * blocks, grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t row = i / blocks, channel = i % blocks * blockChannels;
        kernel({.from = from + row / rows.size() * height * rowStride + channel,
                .to = to + (row * columns.size() * channels + channel) * outputBytes,
                .rows = rows[row % rows.size()],
                .columns = columns.data(),
                .positions = columns.size(),
                .rowStride = static_cast<std::ptrdiff_t>(rowStride),
                .pixelStride = static_cast<std::ptrdiff_t>(channels),
                .outputStride = static_cast<std::ptrdiff_t>(channels * outputBytes),
                .channels = std::min(blockChannels, channels - channel),
                .width = width,
                .line = lines + worker * lineBytes},
               average);
      }
    });
  }
};

}  // namespace

StepPtr plan(const QuantizedPool& op, Planner& planner) {
  const ops::ImageAxes image = ops::axesOf(op.pool.options.layout);
  const Shape &input = op.pool.input.shape(), &output = planner.outputOperand().shape();
  const bool isPlanes = op.pool.options.layout == InputOperandLayout::nchw;
  const auto [heightAxis, widthAxis] = ops::poolingAxes(op.pool);
  planner.charge((std::size_t{output[image.height]} + output[image.width]) * sizeof(PoolTaps));
  QuantizedPoolStep step{
      .kernel = isPlanes ? quantizedPoolKernels(planner.isa()).plane : quantizedPoolKernels(planner.isa()).pixels,
      .average = averageOf(op),
      .rows = poolTaps(heightAxis, output[image.height]),
      .columns = poolTaps(widthAxis, output[image.width])};
  step.images = std::size_t{input[0]} * (isPlanes ? input[1] : 1);
  if (!isPlanes) step.channels = input[image.channel];
  step.height = input[image.height], step.width = input[image.width];
  step.outputBytes = step.average.isFloat ? sizeof(float) : 1;
  const std::size_t taps = static_cast<std::size_t>(std::min(heightAxis.windowSize, heightAxis.inputSize)) *
                           static_cast<std::size_t>(std::min(widthAxis.windowSize, widthAxis.inputSize));
  const bool isWhole = step.rows.size() == 1 && step.rows[0].count == step.height && step.columns.size() == 1 &&
                       step.columns[0].count == step.width;
  if (isPlanes && isWhole) {  // one window per plane: treat each plane as one row
    step.width *= std::exchange(step.height, 1);
    step.rows[0] = {0, 1, 1}, step.columns[0] = {0, step.width, 1};
  }
  const bool hasFewRows = step.images * step.rows.size() < 2 * planner.threads();
  step.blockChannels = hasFewRows ? std::min(kChannelsOfBlock, step.channels) : step.channels;
  step.grain = std::max<std::size_t>(1, kWorkOfChunk / std::max<std::size_t>(1, step.columns.size() * step.blockChannels * taps));
  constexpr std::size_t kVector = 64;
  if (isPlanes) step.lineBytes = workerStride((step.width * sizeof(std::int32_t) / kVector + 2) * kVector);
  const Slot lines = isPlanes ? planner.scratch(step.lineBytes * planner.threads()) : planner.output();
  return makeStep(formatText("quantized pool {} {} to {}", isPlanes ? "nchw" : "nhwc", name(op.input.type),
                             name(planner.outputOperand().dataType())),
                  [step = std::move(step), from = planner.slot(op.pool.input), to = planner.output(), lines](const Frame& frame) {
                    step.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.out<std::byte>(lines), frame.team);
                  });
}

}  // namespace webnn::cpu
