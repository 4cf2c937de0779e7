#include <algorithm>
#include <array>
#include <cmath>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"
#include "ops/resample_samples.h"

namespace webnn::onnx {

namespace {

struct ResampledAxis {
  std::uint32_t index, inputSize, outputSize;
  float scale;                       // float32, because runtimes store scales as float32
  std::vector<ops::Sample> samples;  // empty for open sizes, see enlargedAxis()

  // Returns whether the resampling leaves every element in place.
  bool isIdentity(InterpolationMode mode) const {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const bool isLinear = mode == InterpolationMode::linear;
      if (isLinear ? samples[i].lower != i || samples[i].fraction != 0 : ops::nearest(samples[i]) != i) return false;
    }
    return inputSize == outputSize;  // equal handles are the same open size
  }
};

using ResampledAxes = std::array<ResampledAxis, 2>;

// Returns the axis of an open dimension that is enlarged by an integer, or for linear interpolation by a power of two; refuses
// others. With these scales, runtimes choose the right elements in single precision for all sizes below 2^22: linear positions
// are exact, and nearest positions are never near the middle between two elements.
ResampledAxis enlargedAxis(std::uint32_t index, std::uint32_t inputSize, std::uint32_t outputSize, InterpolationMode mode,
                           const Exporter& out) {
  constexpr std::uint32_t kMostTimes = 64;
  for (std::uint32_t times = 1; times <= kMostTimes; mode == InterpolationMode::linear ? times *= 2 : ++times) {
    if (asDimension(Size(inputSize) * Size(std::int64_t{times})) == outputSize)
      return {index, inputSize, outputSize, static_cast<float>(times), {}};
  }
  out.refuseOpenSizes();
}

ResampledAxes axesOf(const ops::Resample2d& op, const Shape& outputShape, const Exporter& out) {
  const auto axis = [&](std::size_t i) {
    const std::uint32_t index = (*op.options.axes)[i], inputSize = op.input.shape()[index], outputSize = outputShape[index];
    if (isOpen(inputSize) || isOpen(outputSize)) return enlargedAxis(index, inputSize, outputSize, op.options.mode, out);
    const float scale = static_cast<float>(outputSize) / static_cast<float>(inputSize);
    return ResampledAxis{index, inputSize, outputSize, scale, ops::samplesOf(op, i, outputShape)};
  };
  return {axis(0), axis(1)};
}

// Returns whether Resize gives the right samples. Runtimes use single precision, which may choose another nearest neighbor and is
// off by whole pixels far from the origin.
bool isExactInFloat(const ResampledAxis& axis, InterpolationMode mode) {
  constexpr double kTolerance = 1e-4;
  for (std::size_t i = 0; i < axis.samples.size(); ++i) {
    const ops::Sample& sample = axis.samples[i];
    const float coordinate = (static_cast<float>(i) + 0.5f) / axis.scale - 0.5f;
    const float clamped = std::clamp(coordinate, 0.0f, static_cast<float>(axis.inputSize - 1));
    if (mode == InterpolationMode::linear) {
      const double exact = static_cast<double>(sample.lower) + sample.fraction;
      if (std::abs(static_cast<double>(clamped) - exact) > kTolerance) return false;
    } else if (std::ceil(clamped - 0.5f) != static_cast<float>(ops::nearest(sample))) {
      return false;
    }
  }
  return true;
}

// Returns whether Resize can be used. ONNX Runtime interpolates two dimensions only if they are the last two, or all but the
// first and the last.
bool isResize(const ops::Resample2d& op, const ResampledAxes& axes) {
  const InterpolationMode mode = op.options.mode;
  const auto& [y, x] = axes;
  const auto [first, second] = std::minmax(y.index, x.index);
  if (mode == InterpolationMode::linear && !(second == first + 1 && first > 0)) return false;
  return isExactInFloat(y, mode) && isExactInFloat(x, mode);
}

const std::vector<std::uint32_t> kChannelsFirst{0, 3, 1, 2}, kChannelsLast{0, 2, 3, 1};

// Adds a Resize. If `isTransposed`, image and result have the last dimension before the two resampled ones.
OnnxValue resize(const ops::Resample2d& op, const OnnxValue& image, bool isTransposed, Exporter& out) {
  Shape shape = out.output().shape();
  if (isTransposed) shape = {shape[0], shape[3], shape[1], shape[2]};
  std::vector<OnnxValue> inputs{image, OnnxValue{}, OnnxValue{}, out.integers(shape)};
  Attributes attributes{{"coordinate_transformation_mode", std::string("half_pixel")}};
  if (op.options.mode == InterpolationMode::linear) {
    attributes.emplace_back("mode", std::string("linear"));
  } else {
    attributes.emplace_back("mode", std::string("nearest"));
    attributes.emplace_back("nearest_mode", std::string("round_prefer_floor"));
  }
  return out.add("Resize", std::move(inputs), std::move(attributes));
}

OnnxValue gatherAlong(const ResampledAxis& axis, const OnnxValue& image, std::size_t (*choose)(const ops::Sample&),
                      Exporter& out) {
  Integers indices;
  for (const ops::Sample& sample : axis.samples) indices.push_back(static_cast<std::int64_t>(choose(sample)));
  return out.add("Gather", {image, out.integers(indices)}, {{"axis", std::int64_t{axis.index}}});
}

// Returns lower * (1 - fraction) + upper * fraction.
OnnxValue interpolateAlong(const ResampledAxis& axis, const OnnxValue& image, Exporter& out) {
  // Shapes are aligned at the last dimension, so [outputSize, 1, ...] broadcasts along the axis.
  Shape shape(4 - axis.index, 1);
  shape.front() = axis.outputSize;
  const auto weighted = [&](std::size_t (*choose)(const ops::Sample&), double (*weigh)(double)) {
    std::vector<float> weights;
    for (const ops::Sample& sample : axis.samples) weights.push_back(static_cast<float>(weigh(sample.fraction)));
    return out.add("Mul", {gatherAlong(axis, image, choose, out), out.reshape(floats(weights, out), shape)});
  };
  const OnnxValue lower = weighted([](const ops::Sample& sample) { return sample.lower; }, [](double f) { return 1 - f; });
  const OnnxValue upper = weighted([](const ops::Sample& sample) { return sample.upper; }, [](double f) { return f; });
  return out.add("Add", {lower, upper});
}

}  // namespace

void toOnnx(const ops::Resample2d& op, Exporter& out) {
  const ResampledAxes axes = axesOf(op, out.output().shape(), out);
  const bool linear = op.options.mode == InterpolationMode::linear;
  OnnxValue image = out[op.input];
  if (axes[0].isIdentity(op.options.mode) && axes[1].isIdentity(op.options.mode)) return out.set(0, image);
  if (linear) image = out.cast(image, ElementType::float32);  // compute in float32, so that the result is rounded once
  if (isResize(op, axes)) {
    // CUDA's linear Resize of [batch, height, width, channels] gives wrong values silently, so transpose first.
    const bool isTransposed = linear && out.target().isCuda && std::max(axes[0].index, axes[1].index) != 3;
    if (isTransposed) image = out.transpose(image, kChannelsFirst);
    image = resize(op, image, isTransposed, out);
    if (isTransposed) image = out.transpose(image, kChannelsLast);
  } else {
    for (const ResampledAxis& axis : {axes[1], axes[0]}) {
      if (axis.isIdentity(op.options.mode)) continue;
      if (axis.samples.empty()) out.refuseOpenSizes();
      image = linear ? interpolateAlong(axis, image, out) : gatherAlong(axis, image, ops::nearest, out);
    }
  }
  if (linear && !isFloat(op.input.dataType())) image = out.add("Round", {image});
  out.set(0, image);
}

}  // namespace webnn::onnx
