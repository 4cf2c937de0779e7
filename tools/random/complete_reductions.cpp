// complete() for reductions, softmax, normalizations, resample2d and operations with indices.
#include <algorithm>
#include <utility>

#include "random/complete.h"

namespace webnn::random {

void complete(Maker& m, ops::Reduce& op) {
  op.input = take(m, op, "input");
  op.options.keepDimensions = m.choose.oneIn(2);
  if (m.choose.oneIn(4)) return;
  std::vector<std::uint32_t> axes = m.choose.permutation(op.input.rank());
  axes.resize(m.choose.oneIn(2) ? std::min<std::size_t>(axes.size(), 1) : m.choose.below(axes.size() + 1));
  op.options.axes = axes;
}

void complete(Maker& m, ops::ArgMinMax& op) {
  op.input = take(m, op, "input");
  op.axis = m.axis(op.input);
  op.options.keepDimensions = m.choose.oneIn(2);
  if (m.choose.oneIn(2)) op.options.outputDataType = DataType::int64;
}

void complete(Maker& m, ops::CumulativeSum& op) {
  op.input = take(m, op, "input");
  op.axis = m.axis(op.input);
  op.options.exclusive = m.choose.oneIn(2);
  op.options.reversed = m.choose.oneIn(2);
}

void complete(Maker& m, ops::Softmax& op) {
  op.input = take(m, op, "input");
  op.axis = m.choose.oneIn(2) ? static_cast<std::uint32_t>(op.input.rank() - 1) : m.axis(op.input);
}

void complete(Maker& m, ops::BatchNormalization& op) {
  const bool startsWithMean = m.choose.oneIn(4);
  if (startsWithMean) {
    op.mean = take(m, op, "mean");
    Shape shape = m.shape(m.choose.between(1, 5));
    op.options.axis = m.choose.below(shape.size());
    shape[op.options.axis] = op.mean.shape()[0];
    op.input = m.shaped({op.mean.dataType(), shape});
  } else {
    op.input = take(m, op, "input");
    op.options.axis = op.input.rank() > 1 && m.choose.oneIn(2) ? 1 : m.axis(op.input);
  }
  const OperandDescriptor channels{op.input.dataType(), {op.input.shape()[op.options.axis]}};
  if (!startsWithMean) op.mean = m.shaped(channels);
  op.variance = m.shaped(channels, {0.25, 2});
  if (m.choose.oneIn(2)) op.options.scale = m.shaped(channels);
  if (m.choose.oneIn(2)) op.options.bias = m.shaped(channels);
  if (m.choose.oneIn(3)) op.options.epsilon = m.choose.pick({0.0, 1e-3, 0.5});
}

void complete(Maker& m, ops::InstanceNormalization& op) {
  op.input = take(m, op, "input");
  op.options.layout = m.choose.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const OperandDescriptor channels{op.input.dataType(),
                                   {op.input.shape()[op.options.layout == InputOperandLayout::nchw ? 1 : 3]}};
  if (m.choose.oneIn(2)) op.options.scale = m.shaped(channels);
  if (m.choose.oneIn(2)) op.options.bias = m.shaped(channels);
  if (m.choose.oneIn(3)) op.options.epsilon = m.choose.pick({1e-3, 0.5});
}

namespace {

// Chooses scale or bias first, and then an input whose normalized dimensions have its shape.
void completeForAffine(Maker& m, ops::LayerNormalization& op) {
  const bool isScale = m.choose.oneIn(2);
  const Operand x = take(m, op, isScale ? "scale" : "bias");
  (isScale ? op.options.scale : op.options.bias) = x;
  Shape shape = x.shape();
  op.options.axes.emplace();
  const bool hasMore = shape.size() < kMaxRank && m.choose.oneIn(2);
  if (hasMore) shape.insert(shape.begin(), m.size());
  for (std::uint32_t i = hasMore ? 1 : 0; i < shape.size(); ++i) op.options.axes->push_back(i);
  op.input = m.shaped({x.dataType(), shape});
}

}  // namespace

void complete(Maker& m, ops::LayerNormalization& op) {
  if (m.choose.oneIn(4)) return completeForAffine(m, op);
  op.input = take(m, op, "input");
  std::vector<std::uint32_t> axes = m.choose.permutation(op.input.rank());
  const std::uint32_t form = m.choose.below(4);
  if (form == 0) {
    axes.resize(m.choose.below(axes.size() + 1));
  } else if (form == 1) {
    std::ranges::sort(axes);
    if (!axes.empty()) axes.erase(axes.begin());  // removes the first axis; all other axes are the default
  } else {
    axes.assign(op.input.rank() > 0 ? 1 : 0, static_cast<std::uint32_t>(op.input.rank() - 1));
  }
  if (form != 1 || m.choose.oneIn(2)) op.options.axes = axes;
  OperandDescriptor sizes{op.input.dataType(), {}};
  for (const std::uint32_t axis : axes) sizes.shape.push_back(op.input.shape()[axis]);
  if (m.choose.oneIn(2)) op.options.scale = m.shaped(sizes);
  if (m.choose.oneIn(2)) op.options.bias = m.shaped(sizes);
  if (m.choose.oneIn(3)) op.options.epsilon = m.choose.pick({1e-3, 0.5});
}

void complete(Maker& m, ops::Resample2d& op) {
  op.input = take(m, op, "input");
  op.options.mode = m.choose.pick({InterpolationMode::nearestNeighbor, InterpolationMode::linear});
  if (op.options.mode == InterpolationMode::linear && !isFloat(op.input.dataType())) {
    op.options.mode = InterpolationMode::nearestNeighbor;  // linear results of integers depend on rounding
  }
  if (m.choose.oneIn(2)) {
    std::vector<std::uint32_t> axes = m.choose.permutation(4);
    axes.resize(2);
    if (m.choose.oneIn(2)) axes = {1, 2};
    op.options.axes = axes;
  }
  if (m.choose.oneIn(2)) {
    op.options.sizes = {m.choose.between(1, 9), m.choose.between(1, 9)};
  } else if (!m.choose.oneIn(5)) {
    const auto scale = [&] { return m.choose.pick({1.0F, 2.0F, 0.5F, 3.0F, 1.5F, 0.7F, 1.3F}); };
    op.options.scales = {scale(), scale()};
  }
}

namespace {

DataType indexType(Maker& m) { return m.choose.pick({DataType::int32, DataType::uint32, DataType::int64}); }

Range within(std::uint32_t size) { return {-static_cast<double>(size), static_cast<double>(size)}; }

// Returns indices for an axis of size `size`: an existing integer tensor, whose elements may be out of range, or a new one.
// Results of quantizeLinear are unsuitable, because they may be off by one.
Operand indices(Maker& m, const Shape& shape, std::uint32_t size) {
  const bool isLoose = std::exchange(m.takesLoose, false);
  const Operand result = m.shaped({indexType(m), shape}, within(size));
  m.takesLoose = isLoose;
  return result;
}
Operand anyIndices(Maker& m, ops::RankRange ranks) {
  const bool isLoose = std::exchange(m.takesLoose, false);
  const Operand result = m.any(ops::kIndices, ranks);
  m.takesLoose = isLoose;
  return result;
}

}  // namespace

void complete(Maker& m, ops::Gather& op) {
  if (m.choose.oneIn(6)) {  // use indices of high rank
    op.indices = indices(m, m.shape(m.choose.between(4, 8)), 3);
    op.input = m.any(ops::kAnyAndInt4s, ops::rank(1));
    return;
  }
  op.input = take(m, op, "input");
  op.options.axis = m.axis(op.input);
  op.indices =
      m.choose.oneIn(2) ? anyIndices(m, {0, 4}) : indices(m, m.shape(m.choose.below(4)), op.input.shape()[op.options.axis]);
}

void complete(Maker& m, ops::GatherElements& op) {
  if (m.choose.oneIn(3)) {
    op.indices = anyIndices(m, ops::rankFrom(1));
    op.options.axis = m.axis(op.indices);
    Shape shape = op.indices.shape();
    shape[op.options.axis] = m.size();
    op.input = m.shaped({m.type(ops::kAnyAndInt4s), shape});
    return;
  }
  op.input = take(m, op, "input");
  op.options.axis = m.axis(op.input);
  Shape shape = op.input.shape();
  if (m.choose.oneIn(2)) shape[op.options.axis] = m.size();
  op.indices = indices(m, shape, op.input.shape()[op.options.axis]);
}

void complete(Maker& m, ops::GatherND& op) {
  op.input = take(m, op, "input");
  if (m.choose.oneIn(3)) {
    op.indices = anyIndices(m, ops::rankFrom(1));
    if (op.indices.shape().back() <= op.input.rank()) return;
  }
  Shape shape = m.shape(m.choose.below(3));
  shape.push_back(m.choose.between(1, static_cast<std::uint32_t>(op.input.rank())));
  op.indices = indices(m, shape, 3);
}

void complete(Maker& m, ops::ScatterElements& op) {
  const bool startsWithUpdates = m.choose.oneIn(3);
  const Operand x = take(m, op, startsWithUpdates ? "updates" : "input");
  op.options.axis = m.axis(x);
  Shape shape = x.shape();
  if (m.choose.oneIn(2)) shape[op.options.axis] = m.size();
  op.input = startsWithUpdates ? m.shaped({x.dataType(), shape}) : x;
  op.updates = startsWithUpdates ? x : m.shaped({x.dataType(), shape});
  op.indices = indices(m, op.updates.shape(), op.input.shape()[op.options.axis]);
}

void complete(Maker& m, ops::ScatterND& op) {
  op.input = take(m, op, "input");
  const auto rank = static_cast<std::uint32_t>(op.input.rank());
  const bool isLong = m.choose.oneIn(6);
  const std::uint32_t depth = isLong ? rank : m.choose.between(1, rank);
  Shape shape = m.shape(m.choose.below(isLong ? 8 : 3));
  Shape updates = shape;
  shape.push_back(depth);
  updates.insert(updates.end(), op.input.shape().begin() + depth, op.input.shape().end());
  op.indices = indices(m, shape, 3);
  op.updates = m.shaped({op.input.dataType(), updates});
}

}  // namespace webnn::random
