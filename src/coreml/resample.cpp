#include <optional>

#include "base/text.h"
#include "coreml/compose.h"
#include "coreml/families.h"
#include "ops/resample_samples.h"

namespace webnn::coreml {

namespace {

// Interpolates along one axis: lower * (1 - fraction) + upper * fraction.
MilValue interpolated(const MilValue& x, std::size_t axis, const std::vector<ops::Sample>& samples, MilBuilder& out) {
  Integers lower, upper;
  std::vector<double> fractions, rests;
  for (const ops::Sample& sample : samples) {
    lower.push_back(static_cast<std::int32_t>(sample.lower));
    upper.push_back(static_cast<std::int32_t>(sample.upper));
    fractions.push_back(sample.fraction);
    rests.push_back(1 - sample.fraction);
  }
  Shape along(4, 1);
  along[axis] = static_cast<std::uint32_t>(samples.size());
  const auto part = [&](const Integers& indices, const std::vector<double>& weights) {
    return binary("mul", gatherAlong(axis, x, out.integers(indices), out), out.floats(x.type, weights, along), out);
  };
  return binary("add", part(lower, rests), part(upper, fractions), out);
}

MilValue nearestOf(const MilValue& x, std::size_t axis, const std::vector<ops::Sample>& samples, MilBuilder& out) {
  Integers indices;
  for (const ops::Sample& sample : samples) indices.push_back(static_cast<std::int32_t>(ops::nearest(sample)));
  return gatherAlong(axis, x, out.integers(indices), out);
}

// The samples of one axis, computed from open sizes: 1-D int32 values, and the fraction as remainder / divisor.
struct OpenSamples {
  MilValue lower, upper, remainder, divisor;
};

double largestOf(std::uint32_t size) { return isOpen(size) ? OpenScope::current()->range(size).second : size; }

// Emits operations that compute ops::sampleOf() in int32.
OpenSamples openSamples(std::uint32_t inputSize, std::uint32_t outputSize, MilBuilder& out) {
  if (2 * largestOf(inputSize) * largestOf(outputSize) > kMaxDimension) {
    out.refuse(
        formatText("the samples of an axis of the sizes {} and {} need integers beyond int32 for the largest sizes; declare "
                   "smaller largest sizes",
                   Size(inputSize).text(), Size(outputSize).text()));
  }
  const MilValue input = out.size(Size(inputSize)), output = out.size(Size(outputSize));
  const MilValue one = out.integer(1), two = out.integer(2), last = binary("sub", input, one, out);
  const MilValue divisor = binary("mul", output, two, out);
  const MilValue odd = binary("add", binary("mul", range(Size(outputSize), out), two, out), one, out);
  const MilValue product = binary("sub", binary("maximum", binary("mul", odd, input, out), output, out), output, out);
  const MilValue lower = binary("floor_div", product, divisor, out);
  const MilValue upper = binary("minimum", binary("add", lower, one, out), last, out);
  const MilValue remainder = binary("sub", product, binary("mul", lower, divisor, out), out);
  return {lower, upper, remainder, divisor};
}

MilValue openResampled(const ops::Resample2d& op, const MilValue& x, std::size_t axis, std::uint32_t outputSize,
                       MilBuilder& out) {
  const OpenSamples samples = openSamples(op.input.shape()[axis], outputSize, out);
  if (op.options.mode == InterpolationMode::nearestNeighbor) {
    const MilValue isUpper = compare("greater", binary("mul", samples.remainder, out.integer(2), out), samples.divisor, out);
    return gatherAlong(axis, x, select(isUpper, samples.upper, samples.lower, out), out);
  }
  Shape along(4, 1);
  along[axis] = outputSize;
  const auto part = [&](const MilValue& indices, const MilValue& steps) {
    const auto wide = [&](const MilValue& value) { return out.cast(value, MilType::float32); };
    const MilValue weight = reshape(binary("real_div", wide(steps), wide(samples.divisor), out), along, out);
    return binary("mul", gatherAlong(axis, x, indices, out), out.cast(weight, x.type), out);
  };
  const MilValue rest = binary("sub", samples.divisor, samples.remainder, out);
  return binary("add", part(samples.lower, rest), part(samples.upper, samples.remainder), out);
}

// Returns the quotient `to` / `from` if it is the same integer for all sizes of open dimensions (and at most kMostTimes if a
// size is open); otherwise nullopt.
std::optional<std::int64_t> timesOf(std::uint32_t from, std::uint32_t to) {
  if (!isOpen(from) && !isOpen(to)) return to % from == 0 ? std::optional<std::int64_t>(to / from) : std::nullopt;
  constexpr std::int64_t kMostTimes = 64;
  for (std::int64_t times = 1; times <= kMostTimes; ++times) {
    if (asDimension(Size(from) * Size(times)) == to) return times;
  }
  return std::nullopt;
}

bool isLastTwo(const ops::Resample2d& op) { return (*op.options.axes)[0] == 2 && (*op.options.axes)[1] == 3; }

}  // namespace

void toMil(const ops::Resample2d& op, MilBuilder& out) {
  const Shape& from = op.input.shape();
  const Shape& to = out.output().shape();
  MilValue x = out[op.input];
  const bool isLinear = op.options.mode == InterpolationMode::linear;
  if (isLastTwo(op) && x.type != MilType::int32) {
    if (isLinear && !isOpen(Shape{from[2], from[3], to[2], to[3]})) {
      return out.set(0, out.add("resize_bilinear", x.type, to,
                                {{"x", {x}},
                                 {"target_size_height", {out.integer(to[2])}},
                                 {"target_size_width", {out.integer(to[3])}},
                                 {"sampling_mode", {out.text("UNALIGN_CORNERS")}}}));
    }
    const auto height = timesOf(from[2], to[2]), width = timesOf(from[3], to[3]);
    if (!isLinear && height && width) {
      return out.set(
          0,
          out.add("upsample_nearest_neighbor", x.type, to,
                  {{"x", {x}}, {"scale_factor_height", {out.integer(*height)}}, {"scale_factor_width", {out.integer(*width)}}}));
    }
  }
  if (isLinear) x = out.cast(x, MilType::float32);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t axis = (*op.options.axes)[i];
    if (isOpen(Shape{from[axis], to[axis]})) {
      x = openResampled(op, x, axis, to[axis], out);
      continue;
    }
    const std::vector<ops::Sample> samples = ops::samplesOf(op, i, to);
    x = isLinear ? interpolated(x, axis, samples, out) : nearestOf(x, axis, samples, out);
  }
  if (isLinear && !isFloat(op.input.dataType())) x = unary("round", x, out);
  out.set(0, x);
}

}  // namespace webnn::coreml
