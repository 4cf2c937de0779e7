#include "backends/cpu/ops/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/cpu/elements/copy_block.h"
#include "backends/cpu/elements/strided_copy.h"
#include "backends/cpu/ops/resample_taps.h"
#include "base/divide_up.h"
#include "base/progress.h"
#include "base/text.h"
#include "ops/resample_samples.h"

namespace webnn::cpu {

namespace {

using ops::Sample;

// A tensor viewed as [outer, height, middle, width, inner]; height and width are resampled. If the operation's first axis is the
// width (isSwapped), only the order of rounding differs.
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
  bool hasGaps;               // whether output positions are not contiguous
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

constexpr std::size_t kTableBytes = 2 * sizeof(Sample) + 16;  // bytes per position: a temporary sample, the step's sample, taps

void charge(const ops::Resample2d& op, Planner& planner) {
  for (const std::uint32_t axis : *op.options.axes) planner.charge(planner.outputOperand().shape()[axis] * kTableBytes);
}

TapTable tableOf(const ops::Resample2d& op, std::size_t i, const Shape& output) {
  const std::vector<Sample> samples = ops::samplesOf(op, i, output);
  TapTable table{.axis = (*op.options.axes)[i], .count = 2, .size = samples.size(), .indices = {}, .weights = {}};
  table.indices.reserve(2 * samples.size());
  table.weights.reserve(2 * samples.size());
  Progress progress;
  for (const Sample& sample : samples) {
    progress.count();
    const ops::LinearTaps taps = ops::tapsOf(sample);
    table.indices.insert(table.indices.end(), taps.indices.begin(), taps.indices.end());
    table.weights.insert(table.weights.end(), taps.weights.begin(), taps.weights.end());
  }
  return table;
}

TapTable tableOf(const AxisTaps& taps, Planner& planner) {
  const Shape& shape = taps.indices.shape();
  TapTable table{.axis = taps.axis, .count = shape[1], .size = shape[0], .indices = {}, .weights = {}};
  const std::span<const std::byte> indices = planner.constantBytes(taps.indices), weights = planner.constantBytes(taps.weights);
  planner.charge(indices.size() + weights.size());
  table.indices.resize(table.size * table.count);
  table.weights.resize(table.size * table.count);
  std::memcpy(table.indices.data(), indices.data(), indices.size());
  std::memcpy(table.weights.data(), weights.data(), weights.size());
  return table;
}

}  // namespace

StepPtr plan(const ops::Resample2d& op, Planner& planner) {
  charge(op, planner);
  const Shape& output = planner.outputOperand().shape();
  const DataType type = op.input.dataType();
  if (op.options.mode == InterpolationMode::linear && isFloat(type)) {
    std::vector<TapTable> axes{tableOf(op, 0, output), tableOf(op, 1, output)};
    std::ranges::sort(axes, {}, &TapTable::axis);
    return planTaps(op.input, std::move(axes), std::nullopt, std::nullopt, planner);
  }
  const Resampling shape(op, output, planner.outputStride());
  const Slot from = planner.slot(op.input), to = planner.output();
  if (op.options.mode == InterpolationMode::nearestNeighbor) return planNearest(shape, from, to);
  return type == DataType::int8 ? planIntegers<std::int8_t>(shape, from, to) : planIntegers<std::uint8_t>(shape, from, to);
}

StepPtr plan(const Resample& op, Planner& planner) {
  std::vector<TapTable> axes;
  for (const AxisTaps& taps : op.axes) axes.push_back(tableOf(taps, planner));
  return planTaps(op.input, std::move(axes), op.from, op.to, planner);
}

}  // namespace webnn::cpu
