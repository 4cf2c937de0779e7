#include "backends/reference/normalization.h"

#include <cmath>
#include <optional>

#include "backends/reference/groups.h"

namespace webnn::reference {

namespace {

// Returns the values of an operand, or `count` copies of `absent` if there is no operand.
std::vector<double> valuesOr(const std::optional<Operand>& operand, const Environment& frame, std::size_t count, double absent) {
  return operand ? frame[*operand].toDoubles() : std::vector<double>(count, absent);
}

class Normalizer {
 public:
  template <typename Op>
  Normalizer(const Op& op, const Environment& frame, std::size_t count)
      : epsilon_(op.options.epsilon),
        scale_(valuesOr(op.options.scale, frame, count, 1)),
        bias_(valuesOr(op.options.bias, frame, count, 0)) {}

  // `i` is the index in scale and bias.
  double operator()(double x, double mean, double variance, std::size_t i) const {
    return scale_[i] * ((x - mean) / std::sqrt(variance + epsilon_)) + bias_[i];
  }

 private:
  double epsilon_;
  std::vector<double> scale_, bias_;
};

double meanOf(const Group<double>& group) {
  double sum = 0;
  Progress progress;
  for (std::size_t i = 0; i < group.size(); ++i, progress.count()) sum += group[i];
  return sum / static_cast<double>(group.size());
}

// Returns the mean squared distance from the mean. The formula E(x^2) - E(x)^2 would lose significant digits.
double varianceOf(const Group<double>& group, double mean) {
  double sum = 0;
  Progress progress;
  for (std::size_t i = 0; i < group.size(); ++i, progress.count()) sum += (group[i] - mean) * (group[i] - mean);
  return sum / static_cast<double>(group.size());
}

// Normalizes each group by its own mean and variance. affineIndex(group, member) is the index in scale and bias.
template <typename AffineIndex>
void normalizeGroups(const NdArray& input, const Groups& groups, const Normalizer& normalizer, AffineIndex affineIndex,
                     NdArray& output) {
  const std::vector<double> values = input.toDoubles();
  std::vector<double> results(values.size());
  Progress progress;
  for (std::size_t g = 0; g < groups.firsts.size(); ++g) {
    const Group<double> group{values, groups.firsts[g], groups.offsets};
    const double mean = meanOf(group), variance = varianceOf(group, mean);
    for (std::size_t i = 0; i < group.size(); ++i, progress.count()) {
      results[group.position(i)] = normalizer(group[i], mean, variance, affineIndex(g, i));
    }
  }
  output.setDoubles(results);
}

}  // namespace

void run(const ops::BatchNormalization& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const std::vector<double> values = input.toDoubles();
  const std::vector<double> mean = frame[op.mean].toDoubles(), variance = frame[op.variance].toDoubles();
  const Normalizer normalizer(op, frame, mean.size());
  const Groups channelsOfEachPlace(input.shape(), {op.options.axis});
  std::vector<double> results(values.size());
  Progress progress;
  for (const std::uint32_t first : channelsOfEachPlace.firsts) {
    const Group<double> channels{values, first, channelsOfEachPlace.offsets};
    for (std::size_t c = 0; c < channels.size(); ++c, progress.count()) {
      results[channels.position(c)] = normalizer(channels[c], mean[c], variance[c], c);
    }
  }
  frame.output().setDoubles(results);
}

void run(const ops::InstanceNormalization& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const bool nchw = op.options.layout == InputOperandLayout::nchw;
  const Groups planes(input.shape(), nchw ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2});
  const std::size_t channels = input.shape()[nchw ? 1 : 3];
  // In both layouts, planes are numbered by batch first and then by channel.
  const auto channelOf = [channels](std::size_t plane, std::size_t) { return plane % channels; };
  normalizeGroups(input, planes, Normalizer(op, frame, channels), channelOf, frame.output());
}

// Scale and bias have the dimensions of `axes`, in the order of `axes`, so a member's index in its group is also its index in
// scale and bias.
void run(const ops::LayerNormalization& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const Groups groups(input.shape(), *op.options.axes);
  const auto member = [](std::size_t, std::size_t i) { return i; };
  normalizeGroups(input, groups, Normalizer(op, frame, groups.offsets.size()), member, frame.output());
}

}  // namespace webnn::reference
