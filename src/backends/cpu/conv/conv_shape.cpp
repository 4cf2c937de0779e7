#include "backends/cpu/conv/conv_shape.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/checked.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

ConvAxis axisOf(const ops::WindowAxis& window) {
  // Positions on the padding must be addressable too, even on platforms with a 32-bit size_t.
  if (window.inputSize + window.padding() > kMaxTensorBytes)
    fail(ErrorKind::operationError, "build: a convolution's {} with its padding is beyond what can be addressed.", window.name);
  ConvAxis axis;
  axis.size = static_cast<std::size_t>(window.inputSize);
  axis.step = static_cast<std::size_t>(window.stride);
  axis.count = static_cast<std::size_t>(ops::windowCount(window, RoundingType::floor));
  axis.offsets.reserve(static_cast<std::size_t>(window.windowSize));
  axis.taps.reserve(static_cast<std::size_t>(window.windowSize));
  for (std::uint64_t tap = 0; tap < window.windowSize; ++tap) {
    axis.offsets.push_back(static_cast<std::int64_t>(tap * window.dilation) - static_cast<std::int64_t>(window.beginningPadding));
    axis.taps.push_back(static_cast<std::size_t>(tap));
  }
  return axis;
}

std::array<std::size_t, 4> stridesOf(const Shape& shape) {
  std::array<std::size_t, 4> strides{};
  std::size_t stride = 1;
  for (std::size_t i = 4; i-- > 0; stride *= shape[i]) strides[i] = stride;
  return strides;
}

// A phase of one dimension of a transposed convolution: output positions first, first + stride, ... Output position p reads tap t
// at input position (p + padding - t * dilation) / stride, if that is an integer.
struct AxisPhase {
  ConvAxis axis;
  std::size_t first = 0;
};
// Returns the phases that at least one tap reaches.
std::vector<AxisPhase> axisPhases(const ops::WindowAxis& window, std::size_t outputSize) {
  const auto stride = static_cast<std::int64_t>(window.stride), padding = static_cast<std::int64_t>(window.beginningPadding);
  std::map<std::int64_t, AxisPhase> phases;  // key: position of the phase's first output
  for (std::uint64_t tap = 0; tap < window.windowSize; ++tap) {
    const auto reach = static_cast<std::int64_t>(tap * window.dilation);
    const std::int64_t first = ((reach - padding) % stride + stride) % stride;
    if (first >= static_cast<std::int64_t>(outputSize)) continue;
    AxisPhase& phase = phases[first];
    phase.first = static_cast<std::size_t>(first);
    phase.axis.size = static_cast<std::size_t>(window.inputSize);
    phase.axis.count = divideUp(outputSize - phase.first, static_cast<std::size_t>(window.stride));
    phase.axis.offsets.push_back((first + padding - reach) / stride);
    phase.axis.taps.push_back(static_cast<std::size_t>(tap));
  }
  std::vector<AxisPhase> result;
  for (auto& [first, phase] : phases) {
    // Puts the offsets in ascending order, so that taps can be contiguous (ConvAxis::isDense).
    std::ranges::reverse(phase.axis.offsets);
    std::ranges::reverse(phase.axis.taps);
    result.push_back(std::move(phase));
  }
  return result;
}

}  // namespace

std::size_t ConvAxis::distance() const {
  const std::int64_t first = offsets.size() > 1 ? offsets[1] - offsets[0] : 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - 1] != first) return 0;
  }
  return static_cast<std::size_t>(std::max<std::int64_t>(first, 0));
}

ConvAxis::Range ConvAxis::inside(std::int64_t offset, std::size_t positions) const {
  if (positions > size) return {};
  const ops::Steps steps = ops::stepsInside(offset, step, count, size - positions + 1);
  return {steps.begin, steps.end};
}

ConvShape shapeOf(const ops::Conv2d& op) {
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  const ops::FilterAxes filter = ops::axesOf(op.options.filterLayout);
  const auto [height, width] = ops::convolutionAxes(op);
  return {.batch = op.input.shape()[image.batch],
          .groups = op.options.groups,
          .inputs = op.input.shape()[image.channel],
          .outputs = op.filter.shape()[filter.output],
          .height = axisOf(height),
          .width = axisOf(width)};
}

ConvShape withoutPaddedTaps(ConvShape shape) {
  for (ConvAxis* axis : {&shape.height, &shape.width}) {
    std::vector<std::int64_t> offsets;
    std::vector<std::size_t> taps;
    for (std::size_t i = 0; i < axis->tapCount(); ++i) {
      const ConvAxis::Range inside = axis->inside(axis->offsets[i]);
      if (inside.begin >= inside.end) continue;
      offsets.push_back(axis->offsets[i]);
      taps.push_back(axis->taps[i]);
    }
    if (offsets.empty()) continue;
    axis->offsets = std::move(offsets);
    axis->taps = std::move(taps);
  }
  return shape;
}

FilterStrides filterStrides(const ops::Conv2d& op) {
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const auto strides = stridesOf(op.filter.shape());
  return {.group = op.filter.shape()[axes.output] / op.options.groups * strides[axes.output],
          .output = strides[axes.output],
          .input = strides[axes.input],
          .height = strides[axes.height],
          .width = strides[axes.width]};
}

FilterStrides filterStrides(const ops::ConvTranspose2d& op) {
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const auto strides = stridesOf(op.filter.shape());
  return {.group = op.filter.shape()[axes.input] / op.options.groups * strides[axes.input],
          .output = strides[axes.output],
          .input = strides[axes.input],
          .height = strides[axes.height],
          .width = strides[axes.width]};
}

void addStrides(PackKey& key, const FilterStrides& f) { key.add({f.group, f.output, f.input, f.height, f.width}); }

void addTaps(PackKey& key, const ConvShape& shape) {
  key.add({shape.groups, shape.inputs, shape.outputs});
  for (const ConvAxis* axis : {&shape.height, &shape.width}) {
    key.sizes.push_back(axis->tapCount());
    key.sizes.insert(key.sizes.end(), axis->taps.begin(), axis->taps.end());
  }
}

ConvPhases phasesOf(const ops::ConvTranspose2d& op, const Shape& outputShape) {
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  const auto [height, width] = ops::convolutionAxes(op);
  ConvPhases result{.phases = {},
                    .rowStep = static_cast<std::size_t>(height.stride),
                    .columnStep = static_cast<std::size_t>(width.stride),
                    .batch = outputShape[image.batch],
                    .outputs = outputShape[image.channel],
                    .height = outputShape[image.height],
                    .width = outputShape[image.width]};
  const std::vector<AxisPhase> rows = axisPhases(height, result.height), columns = axisPhases(width, result.width);
  std::size_t covered = 0;
  for (const AxisPhase& row : rows) {
    for (const AxisPhase& column : columns) {
      result.phases.push_back({{.batch = result.batch,
                                .groups = op.options.groups,
                                .inputs = op.input.shape()[image.channel],
                                .outputs = result.outputs,
                                .height = row.axis,
                                .width = column.axis},
                               row.first,
                               column.first});
      covered += row.axis.count * column.axis.count;
    }
  }
  result.isComplete = covered == result.height * result.width;
  return result;
}

}  // namespace webnn::cpu
