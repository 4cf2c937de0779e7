#include "backends/cpu/ops/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/cpu/elements/copy_block.h"
#include "backends/cpu/elements/strided_copy.h"
#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/resample.h"
#include "base/divide_up.h"
#include "base/progress.h"
#include "base/text.h"
#include "ops/resample_samples.h"

namespace webnn::cpu {

namespace {

using ops::Sample;

// A tensor viewed as [outer, height, middle, width, inner], of which height and width are resampled. If the operation's first
// axis is the width (isSwapped), only the order of rounding differs.
struct Resampling {
  Resampling(const ops::Resample2d& op, const Shape& output, std::size_t outputStride) {
    const std::vector<std::uint32_t>& axes = *op.options.axes;
    isSwapped = axes[0] > axes[1];
    const std::size_t first = isSwapped ? 1 : 0, y = axes[first], x = axes[1 - first];
    const Shape& shape = op.input.shape();
    rows = ops::samplesOf(op, first, output);
    columns = ops::samplesOf(op, 1 - first, output);
    height = shape[y];
    width = shape[x];
    for (std::size_t d = 0; d < y; ++d) outer *= shape[d];
    for (std::size_t d = y + 1; d < x; ++d) middle *= shape[d];
    for (std::size_t d = x + 1; d < shape.size(); ++d) inner *= shape[d];
    bytes = bitsPerElement(op.input.dataType()) / 8;
    hasGaps = outputStride != output.back();
    positionBytes = (hasGaps ? outputStride : inner) * bytes;
  }

  std::vector<Sample> rows, columns;
  std::size_t outer = 1, height, middle = 1, width, inner = 1, bytes;
  bool isSwapped;
  bool hasGaps;               // other values lie between output positions
  std::size_t positionBytes;  // distance between output positions

  std::size_t inputRowBytes() const { return width * inner * bytes; }
  std::size_t outputRowBytes() const { return columns.size() * positionBytes; }
  std::size_t rowCount() const { return outer * rows.size() * middle; }
  // Returns the byte offset of input row `y` in the image of output row `row`.
  std::size_t inputRow(std::size_t row, std::size_t y) const {
    const std::size_t o = row / (rows.size() * middle);
    return ((o * height + y) * middle + row % middle) * inputRowBytes();
  }
  const Sample& sampleOf(std::size_t row) const { return rows[row / middle % rows.size()]; }

  // Calls work(row, worker, isFirst) for each output row; isFirst is set for the first row of a chunk.
  void forRows(Team& team, std::size_t bytesAtOnce, const auto& work) const {
    team.forRanges(rowCount(), std::max<std::size_t>(1, bytesAtOnce / outputRowBytes()),
                   [&](std::size_t begin, std::size_t end, unsigned worker) {
                     for (std::size_t row = begin; row < end; ++row) work(row, worker, row == begin);
                   });
  }
};

template <typename Word>
void pickElements(const std::byte* from, std::byte* to, std::size_t rowStride, const std::vector<std::uint32_t>& columns) {
  RunWatch watch;
  for (std::size_t i = 0; i < columns.size() && !watch.isOver(1); ++i)
    copyWord<Word>(to + i * rowStride, from + columns[i] * sizeof(Word));
}

void pickBlocks(const std::byte* from, std::byte* to, std::size_t rowStride, const std::vector<std::uint32_t>& columns,
                std::size_t block) {
  switch (block) {
    case 1: return pickElements<std::uint8_t>(from, to, rowStride, columns);
    case 2: return pickElements<std::uint16_t>(from, to, rowStride, columns);
    case 4: return pickElements<std::uint32_t>(from, to, rowStride, columns);
    default: break;
  }
  RunWatch watch;
  for (std::size_t i = 0; i < columns.size() && !watch.isOver(1); ++i)
    copyBlock(to + i * rowStride, from + columns[i] * block, block);
}

StepPtr planNearest(const Resampling& shape, Slot from, Slot to) {
  std::vector<std::uint32_t> columns;
  columns.reserve(shape.columns.size());
  Progress progress;
  for (const Sample& sample : shape.columns) {
    progress.count();
    columns.push_back(static_cast<std::uint32_t>(ops::nearest(sample)));
  }
  return makeStep("resample nearest", [=, columns = std::move(columns)](const Frame& frame) {
    const auto* input = frame.in<std::byte>(from);
    auto* output = frame.out<std::byte>(to);
    const std::size_t rowBytes = shape.outputRowBytes();
    shape.forRows(frame.team, kBytesPerChunk, [&](std::size_t row, unsigned, bool isFirst) {
      const std::size_t source = shape.inputRow(row, ops::nearest(shape.sampleOf(row)));
      std::byte* target = output + row * rowBytes;
      if (!isFirst && !shape.hasGaps && shape.inputRow(row - 1, ops::nearest(shape.sampleOf(row - 1))) == source) {
        std::memcpy(target, target - rowBytes, rowBytes);
      } else {
        pickBlocks(input + source, target, shape.positionBytes, columns, shape.inner * shape.bytes);
      }
    });
  });
}

float lowerWeight(const Sample& sample) { return static_cast<float>(1 - sample.fraction); }
float upperWeight(const Sample& sample) { return static_cast<float>(sample.fraction); }

// The samples of a row's positions in the format of the kernels.
struct Taps {
  Taps() = default;
  Taps(const std::vector<Sample>& samples, std::size_t width) {
    Progress progress;
    for (const Sample& sample : samples) {
      progress.count();
      lower.push_back(static_cast<std::int32_t>(sample.lower));
      upper.push_back(static_cast<std::int32_t>(sample.upper));
      lowerWeights.push_back(lowerWeight(sample));
      upperWeights.push_back(upperWeight(sample));
    }
    isDoubled = doubles(width);
  }
  ResampleTaps view() const { return {lower.data(), upper.data(), lowerWeights.data(), upperWeights.data(), isDoubled}; }
  bool doubles(std::size_t width) const {
    if (width < 4 || lower.size() != 2 * width) return false;
    for (std::size_t i = 2; i + 2 < lower.size(); ++i) {
      const std::size_t first = (i - 1) / 2, model = 2 + i % 2;
      if (static_cast<std::size_t>(lower[i]) != first || static_cast<std::size_t>(upper[i]) != first + 1) return false;
      if (lowerWeights[i] != lowerWeights[model] || upperWeights[i] != upperWeights[model]) return false;
    }
    return true;
  }
  std::vector<std::int32_t> lower, upper;
  std::vector<float> lowerWeights, upperWeights;
  bool isDoubled = false;
};

StepPtr planLinear(const Resampling& shape, DataType type, Slot from, Slot to, Planner& planner) {
  const bool isLine = shape.inner == 1;
  const std::size_t lineFloats = isLine ? (shape.width + 15) / 16 * 16 : 0;
  const Slot lines = isLine ? planner.scratch(lineFloats * sizeof(float) * planner.threads()) : to;
  return makeStep(
      isLine ? "resample lines" : "resample pixels",
      [=, kernel = resampleKernel(planner.isa(), type, isLine), columns = Taps(shape.columns, shape.width)](const Frame& frame) {
        const auto* input = frame.in<std::byte>(from);
        auto* output = frame.out<std::byte>(to);
        auto* memory = frame.out<float>(lines);
        shape.forRows(frame.team, kBytesPerChunk / 2, [&](std::size_t row, unsigned worker, bool) {
          const Sample& y = shape.sampleOf(row);
          kernel({input + shape.inputRow(row, y.lower), input + shape.inputRow(row, y.upper), lowerWeight(y), upperWeight(y),
                  columns.view(), shape.columns.size(), shape.inner, static_cast<std::ptrdiff_t>(shape.positionBytes),
                  output + row * shape.outputRowBytes(), shape.width, memory + worker * lineFloats});
        });
      });
}

constexpr std::size_t kFloatsOfChunk = 2048;  // output floats per chunk: 8 KiB, so that L1 also holds the inputs of a chunk

// Resamples quantized images: dequantizes input rows when it reads them and quantizes output rows when it writes them.
struct QuantizedRows {
  Resampling shape;  // the byte sizes in it are those of 8-bit elements
  Taps columns;
  ResampleKernel kernel;
  QuantizeRun dequantize, quantize = nullptr;  // quantize is null for float results
  std::size_t chunk = 1;                       // output positions computed before they are quantized
  float inputScale = 1, outputScale = 1;
  std::uint8_t inputZeroPoint = 0, outputZeroPoint = 0;
  // The floats of one worker: the kernel's line buffer, two input rows and one output row.
  std::size_t lineFloats = 0, inputFloats = 0, outputFloats = 0;
  std::size_t workerFloats() const { return lineFloats + 2 * inputFloats + outputFloats; }

  // Returns the dequantized input row at byte offset `source`, from one of two buffers. `held` has the offsets of the buffered
  // rows. `other` is the offset of a row that must stay buffered.
  const float* rowOf(const std::byte* input, std::size_t source, float* places, std::array<std::size_t, 2>& held,
                     std::size_t other) const {
    for (const std::size_t i : {0U, 1U}) {
      if (held[i] == source) return places + i * inputFloats;
    }
    const std::size_t place = held[0] == other ? 1 : 0;
    held[place] = source;
    dequantize(input + source, &inputScale, &inputZeroPoint, shape.inputRowBytes(), places + place * inputFloats);
    return places + place * inputFloats;
  }

  // Computes one output row from two input rows, which are weighted by `y`.
  void runRow(const float* lower, const float* upper, const Sample& y, std::byte* to, float* line, float* results) const {
    const ResampleTaps taps = columns.view();
    const std::size_t positions = shape.columns.size(), outputBytes = quantize ? 1 : sizeof(float);
    ResampleRow part{.lower = reinterpret_cast<const std::byte*>(lower), .upper = reinterpret_cast<const std::byte*>(upper)};
    part.lowerWeight = lowerWeight(y), part.upperWeight = upperWeight(y);
    part.inner = shape.inner, part.width = shape.width, part.line = line;
    part.outputStride = static_cast<std::ptrdiff_t>(shape.inner * sizeof(float));
    for (std::size_t at = 0; at < positions; at += chunk, to += chunk * shape.inner * outputBytes) {
      part.columns = {taps.lower + at, taps.upper + at, taps.lowerWeight + at, taps.upperWeight + at, taps.isDoubled};
      part.positions = std::min(chunk, positions - at);
      part.to = quantize ? reinterpret_cast<std::byte*>(results) : to;
      kernel(part);
      if (quantize) quantize(results, &outputScale, &outputZeroPoint, part.positions * shape.inner, to);
    }
  }

  void run(const std::byte* input, std::byte* output, float* memory, Team& team) const {
    const std::size_t elements = shape.columns.size() * shape.inner, rowBytes = elements * (quantize ? 1 : sizeof(float));
    // A chunk has several rows, because adjacent output rows share input rows, which are then dequantized once.
    const std::size_t grain = std::max(kBytesPerChunk / 8 / elements, std::clamp<std::size_t>(shape.rowCount() / 8, 1, 16));
    team.forRanges(shape.rowCount(), grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      float *line = memory + worker * workerFloats(), *places = line + lineFloats, *results = places + 2 * inputFloats;
      constexpr std::size_t kNone = ~std::size_t{0};
      std::array<std::size_t, 2> held{kNone, kNone};
      for (std::size_t row = begin; row < end && !isRunOver(); ++row) {
        const Sample& y = shape.sampleOf(row);
        const std::size_t first = shape.inputRow(row, y.lower), second = shape.inputRow(row, y.upper);
        const float* lower = rowOf(input, first, places, held, second);
        const float* upper = rowOf(input, second, places, held, first);
        runRow(lower, upper, y, output + row * rowBytes, line, results);
      }
    });
  }
};

// Interpolates between a and b in double, as the reference does.
double mixed(double a, double b, const Sample& sample) { return a * (1 - sample.fraction) + b * sample.fraction; }

// Resamples int8 and uint8. The order of the dimensions matters, because the last bit of the double decides ties.
template <typename T>
StepPtr planIntegers(const Resampling& shape, Slot from, Slot to) {
  return makeStep("resample integers", [=](const Frame& frame) {
    const auto* input = frame.in<std::byte>(from);
    auto* output = frame.out<std::byte>(to);
    shape.forRows(frame.team, kBytesPerChunk / 32, [&](std::size_t row, unsigned, bool) {
      const Sample& y = shape.sampleOf(row);
      const auto* lower = reinterpret_cast<const T*>(input + shape.inputRow(row, y.lower));
      const auto* upper = reinterpret_cast<const T*>(input + shape.inputRow(row, y.upper));
      auto* position = reinterpret_cast<T*>(output + row * shape.outputRowBytes());
      for (const Sample& x : shape.columns) {
        T* target = std::exchange(position, position + shape.positionBytes);
        for (std::size_t c = 0; c < shape.inner; ++c) {
          const std::size_t left = x.lower * shape.inner + c, right = x.upper * shape.inner + c;
          const double value = shape.isSwapped
                                   ? mixed(mixed(lower[left], upper[left], y), mixed(lower[right], upper[right], y), x)
                                   : mixed(mixed(lower[left], lower[right], x), mixed(upper[left], upper[right], x), y);
          using Limits = std::numeric_limits<T>;
          *target++ = static_cast<T>(std::clamp<double>(std::nearbyint(value), Limits::lowest(), Limits::max()));
        }
      }
    });
  });
}

constexpr std::size_t kTableBytes = 2 * sizeof(Sample) + 16;  // bytes per position: samples here and in the step, and taps

void charge(const ops::Resample2d& op, Planner& planner) {
  for (const std::uint32_t axis : *op.options.axes) planner.charge(planner.outputOperand().shape()[axis] * kTableBytes);
}

}  // namespace

StepPtr plan(const ops::Resample2d& op, Planner& planner) {
  charge(op, planner);
  const Resampling shape(op, planner.outputOperand().shape(), planner.outputStride());
  const Slot from = planner.slot(op.input), to = planner.output();
  if (op.options.mode == InterpolationMode::nearestNeighbor) return planNearest(shape, from, to);
  const DataType type = op.input.dataType();
  if (type == DataType::int8) return planIntegers<std::int8_t>(shape, from, to);
  if (type == DataType::uint8) return planIntegers<std::uint8_t>(shape, from, to);
  return planLinear(shape, type, from, to, planner);
}

StepPtr plan(const QuantizedResample& op, Planner& planner) {
  charge(op.resample, planner);
  const Shape& output = planner.outputOperand().shape();
  const QuantizeKernels& kernels = quantizeKernels(planner.isa());
  QuantizedRows rows{
      .shape = Resampling(op.resample, output, output.back()), .columns = {}, .kernel = nullptr, .dequantize = nullptr};
  rows.columns = Taps(rows.shape.columns, rows.shape.width);
  const bool isLine = rows.shape.inner == 1;
  rows.chunk = rows.shape.columns.size();
  rows.kernel = resampleKernel(planner.isa(), DataType::float32, isLine);
  rows.dequantize = kernels.dequantize[0][quantizedIndex(op.input.type)][0];
  rows.inputScale = op.input.scale, rows.inputZeroPoint = static_cast<std::uint8_t>(op.input.zeroPoint);
  if (op.result) {
    rows.quantize = kernels.quantize[0][quantizedIndex(op.result->type)][0];
    rows.outputScale = op.result->scale, rows.outputZeroPoint = static_cast<std::uint8_t>(op.result->zeroPoint);
    if (!isLine) rows.chunk = std::clamp<std::size_t>(kFloatsOfChunk / rows.shape.inner, 1, rows.chunk);
    rows.outputFloats = roundUp(rows.chunk * rows.shape.inner, 16);
  }
  if (isLine) rows.lineFloats = roundUp(rows.shape.width, 16);
  rows.inputFloats = roundUp(rows.shape.inputRowBytes(), 16);
  const Slot from = planner.slot(op.resample.input), to = planner.output();
  const Slot memory = planner.scratch(rows.workerFloats() * sizeof(float) * planner.threads());
  return makeStep(formatText("quantized resample {} to {}", name(op.input.type), name(planner.outputOperand().dataType())),
                  [rows = std::move(rows), from, to, memory](const Frame& frame) {
                    rows.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.out<float>(memory), frame.team);
                  });
}

}  // namespace webnn::cpu
