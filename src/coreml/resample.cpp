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

bool isLastTwo(const ops::Resample2d& op) { return (*op.options.axes)[0] == 2 && (*op.options.axes)[1] == 3; }

}  // namespace

void toMil(const ops::Resample2d& op, MilBuilder& out) {
  const Shape& from = op.input.shape();
  const Shape& to = out.output().shape();
  MilValue x = out[op.input];
  const bool isLinear = op.options.mode == InterpolationMode::linear;
  if (isLastTwo(op) && x.type != MilType::int32) {
    if (isLinear) {
      return out.set(0, out.add("resize_bilinear", x.type, to,
                                {{"x", {x}},
                                 {"target_size_height", {out.integer(to[2])}},
                                 {"target_size_width", {out.integer(to[3])}},
                                 {"sampling_mode", {out.text("UNALIGN_CORNERS")}}}));
    }
    if (to[2] % from[2] == 0 && to[3] % from[3] == 0) {
      return out.set(0, out.add("upsample_nearest_neighbor", x.type, to,
                                {{"x", {x}},
                                 {"scale_factor_height", {out.integer(to[2] / from[2])}},
                                 {"scale_factor_width", {out.integer(to[3] / from[3])}}}));
    }
  }
  if (isLinear) x = out.cast(x, MilType::float32);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<ops::Sample> samples = ops::samplesOf(op, i, to);
    const std::size_t axis = (*op.options.axes)[i];
    x = isLinear ? interpolated(x, axis, samples, out) : nearestOf(x, axis, samples, out);
  }
  if (isLinear && !isFloat(op.input.dataType())) x = unary("round", x, out);
  out.set(0, x);
}

}  // namespace webnn::coreml
