#include "onnx/read/operators/normalization.h"

#include <algorithm>

#include "onnx/read/node_context.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kEpsilon = 1e-5;

// Reshapes a parameter with one element per channel to broadcast to [N, C, ...].
Operand perChannel(NodeContext& node, const Operand& parameter, std::size_t rank) {
  Shape shape(rank, 1);
  shape.at(1) = product(parameter.shape());
  return node.reshape(parameter, shape);
}

void requireChannels(const Operand& input) {
  if (input.rank() < 2) fail(ErrorKind::dataError, "its input of rank {} has no channels.", input.rank());
}

// Returns the type of floats that the attribute stash_type names.
DataType stashType(const NodeContext& node) {
  const auto type = static_cast<ElementType>(node.integer("stash_type", 1));
  const auto dataType = dataTypeOf(type);
  node.require(dataType && isFloat(*dataType), "stash_type {}: WebNN has no such type of floats", webnn::onnx::name(type));
  return *dataType;
}

struct BatchParameters {
  Operand scale, bias, mean, variance;
};

// Training mode: normalizes by the batch's mean and variance, and sets the running mean and variance as further results.
void normalizeByBatch(NodeContext& node, const Operand& input, BatchParameters parameters,
                      const BatchNormalizationOptions& options) {
  GraphBuilder& builder = node.builder;
  std::vector<std::uint32_t> axes;
  for (std::uint32_t i = 0; i < input.rank(); ++i) {
    if (i != 1) axes.push_back(i);
  }
  const Operand kept = builder.reduceMean(input, {.axes = axes, .keepDimensions = true, .label = {}});
  const Operand distance = builder.sub(input, kept);
  const Operand variance = builder.reduceMean(builder.mul(distance, distance), {.axes = axes, .label = {}});
  const Operand mean = node.reshape(kept, variance.shape());
  const auto running = [&](std::size_t index, const Operand& before, const Operand& now) {
    if (!node.wants(index)) return;
    const double momentum = node.number("momentum", 0.9);
    const auto factor = [&](double value) { return node.scalar(DataType::float32, value); };
    const Operand next = builder.add(builder.mul(before, factor(momentum)), builder.mul(now, factor(1 - momentum)));
    node.set(index, node.cast(next, node.operand(index + 2).dataType()));
  };
  running(1, parameters.mean, mean);
  running(2, parameters.variance, variance);
  const Operand result = builder.batchNormalization(input, mean, variance, options);
  node.set(0, node.reshape(node.cast(result, node.operand(0).dataType()), node.operand(0).shape()));
}

void importBatchNormalization(NodeContext& node) {
  Operand input = node.operand(0);
  const Shape shape = input.shape();
  const bool isTraining = node.flag("training_mode");
  const auto isOfInputType = [&](std::size_t i) { return node.operand(i).dataType() == input.dataType(); };
  const bool isUniform = !isTraining && isOfInputType(1) && isOfInputType(2) && isOfInputType(3) && isOfInputType(4);
  const DataType type = isUniform ? input.dataType() : DataType::float32;
  if (shape.size() == 1) {
    input = node.builder.reshape(input, {shape[0], 1});
  } else if (node.integer("spatial", 1) == 0) {  // before version 9: one parameter per element
    requireChannels(input);
    input = node.reshape(input, {shape[0], product(std::span(shape).subspan(1))});
  }
  input = node.cast(input, type);
  const auto parameter = [&](std::size_t i) { return node.cast(node.reshape(node.operand(i), {product(node.shape(i))}), type); };
  const BatchParameters parameters{parameter(1), parameter(2), parameter(3), parameter(4)};
  BatchNormalizationOptions options{
      .scale = parameters.scale, .bias = parameters.bias, .epsilon = node.number("epsilon", kEpsilon), .label = {}};
  if (isTraining) return normalizeByBatch(node, input, parameters, options);
  const Operand result = node.builder.batchNormalization(input, parameters.mean, parameters.variance, options);
  node.set(0, node.reshape(node.cast(result, node.operand(0).dataType()), shape));
}

// Normalizes the elements of each sample and channel. Reshapes inputs of other ranks to 4-D, the only rank of WebNN's
// instanceNormalization.
Operand normalizeInstances(NodeContext& node, const Operand& input, const InstanceNormalizationOptions& options) {
  const Shape& shape = input.shape();
  const auto rest = std::span(shape).subspan(2);
  const Shape plane = rest.size() == 2 ? shape : Shape{shape[0], shape[1], 1, product(rest)};
  return node.reshape(node.builder.instanceNormalization(node.reshape(input, plane), options), shape);
}

void importInstanceNormalization(NodeContext& node) {
  requireChannels(node.operand(0));
  node.set(0, normalizeInstances(
                  node, node.operand(0),
                  {.scale = node.operand(1), .bias = node.operand(2), .epsilon = node.number("epsilon", kEpsilon), .label = {}}));
}

// Before version 21, scale and bias have one element per group; since then, one per channel.
void importGroupNormalization(NodeContext& node) {
  const Operand input = node.operand(0);
  requireChannels(input);
  const Shape& shape = input.shape();
  const std::int64_t groups = node.integer("num_groups", 0);
  if (groups < 1 || shape[1] % groups != 0) {
    fail(ErrorKind::dataError, "the channels ({}) are not a multiple of num_groups ({}).", shape[1], groups);
  }
  const auto count = static_cast<std::uint32_t>(groups);
  const Shape grouped{shape[0], count, product(std::span(shape).subspan(1)) / count};
  InstanceNormalizationOptions options{.epsilon = node.number("epsilon", kEpsilon), .label = {}};
  if (node.version < 21) {
    options.scale = node.operand(1);
    options.bias = node.operand(2);
  }
  Operand result = node.reshape(normalizeInstances(node, node.reshape(input, grouped), options), shape);
  if (node.version >= 21) {
    result = node.builder.mul(result, perChannel(node, node.operand(1), shape.size()));
    result = node.builder.add(result, perChannel(node, node.operand(2), shape.size()));
  }
  node.set(0, result);
}

// Computes x / (bias + alpha * mean of squares of neighboring channels)^beta. Channels outside of the input count as 0.
void importLrn(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  const Operand input = node.operand(0);
  requireChannels(input);
  const std::uint32_t size = positiveAttribute(node, "size", 0), before = (size - 1) / 2, after = size - 1 - before;
  const Operand wide = node.cast(input, DataType::float32);
  const Shape& shape = input.shape();
  const Shape planes{shape[0], 1, shape[1], product(std::span(shape).subspan(2))};
  const Operand squares = builder.pad(node.reshape(builder.mul(wide, wide), planes), {0, 0, before, 0}, {0, 0, after, 0});
  const Operand means = node.reshape(builder.averagePool2d(squares, {.windowDimensions = {size, 1}, .label = {}}), shape);
  const Operand sum = builder.linear(means, {.alpha = node.number("alpha", 1e-4), .beta = node.number("bias", 1), .label = {}});
  const Operand divisor = builder.pow(sum, node.scalar(DataType::float32, node.number("beta", 0.75)));
  node.set(0, node.cast(builder.div(wide, divisor), input.dataType()));
}

// Divides by the norm. A norm of 0 is replaced by 1, because all elements are then 0 and must stay 0.
void importLpNormalization(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  const DataType type = node.operand(0).dataType();
  const Operand input = node.cast(node.operand(0), DataType::float32);
  const std::int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) fail(ErrorKind::dataError, "p ({}) is neither 1 nor 2.", p);
  const ReduceOptions options{.axes = {node.axis(node.integer("axis", -1), input.rank())}, .keepDimensions = true, .label = {}};
  const Operand norm = p == 1 ? builder.reduceL1(input, options) : builder.reduceL2(input, options);
  const auto number = [&](double value) { return node.scalar(DataType::float32, value); };
  node.set(0, node.cast(builder.div(input, builder.where(builder.equal(norm, number(0)), number(1), norm)), type));
}

// Computes (x - mean) / (deviation + 1e-9) as (x - mean) / sqrt(variance + 1e-18). The two divisors differ by less than 1e-9.
void importMeanVarianceNormalization(NodeContext& node) {
  const Operand input = node.operand(0);
  const std::vector<std::int64_t> axes = node.integers("axes").value_or(std::vector<std::int64_t>{0, 2, 3});
  const Operand wide = node.cast(input, DataType::float32);
  const Operand result =
      node.builder.layerNormalization(wide, {.axes = node.axes(axes, input.rank()), .epsilon = 1e-18, .label = {}});
  node.set(0, node.cast(result, input.dataType()));
}

void importLayerNormalization(NodeContext& node) {
  const Operand input = node.operand(0);
  const std::uint32_t axis = node.axis(node.integer("axis", -1), input.rank());
  const double epsilon = node.number("epsilon", kEpsilon);
  node.set(0, normalizeLayers(node, input, axis, node.optionalOperand(1), node.optionalOperand(2), epsilon));
  if (!node.wants(1) && !node.wants(2)) return;
  const Moments moments = momentsOf(node, node.cast(input, stashType(node)), axesFrom(axis, input.rank()), epsilon);
  node.set(1, moments.mean);
  node.set(2, moments.inverseDeviation);
}

// Serves RMSNormalization and SimplifiedLayerNormalization; only the latter has a second result.
void importRmsNormalization(NodeContext& node) {
  const Operand input = node.operand(0), scale = node.operand(1);
  const std::uint32_t axis = node.axis(node.integer("axis", -1), input.rank());
  const RootMeanSquare result =
      normalizeByRootMeanSquare(node, input, axesFrom(axis, input.rank()), node.number("epsilon", kEpsilon), stashType(node));
  node.set(0, node.builder.mul(node.cast(result.normalized, scale.dataType()), scale));
  if (node.wants(1)) node.set(1, result.inverse);
}

}  // namespace

std::vector<std::uint32_t> axesFrom(std::uint32_t axis, std::size_t rank) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t i = axis; i < rank; ++i) axes.push_back(i);
  return axes;
}

Moments momentsOf(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes, double epsilon) {
  GraphBuilder& builder = node.builder;
  const ReduceOptions options{.axes = axes, .keepDimensions = true, .label = {}};
  const Operand mean = builder.reduceMean(input, options), distance = builder.sub(input, mean);
  const Operand variance = builder.reduceMean(builder.mul(distance, distance), options);
  const Operand shifted = builder.add(variance, node.scalar(input.dataType(), epsilon));
  return {mean, builder.reciprocal(builder.sqrt(shifted))};
}

Operand normalizeLayers(NodeContext& node, const Operand& input, std::uint32_t axis, const std::optional<Operand>& scale,
                        const std::optional<Operand>& bias, double epsilon) {
  const Shape& shape = input.shape();
  LayerNormalizationOptions options{.axes = axesFrom(axis, shape.size()), .epsilon = epsilon, .label = {}};
  const Shape normalized(shape.begin() + axis, shape.end());
  // WebNN requires scale and bias of exactly this shape. If one has another shape, both are applied afterwards, with
  // broadcasting.
  const auto fits = [&](const std::optional<Operand>& parameter) { return !parameter || parameter->shape() == normalized; };
  const bool allFit = fits(scale) && fits(bias);
  if (allFit) {
    options.scale = scale;
    options.bias = bias;
  }
  Operand result = node.builder.layerNormalization(input, options);
  if (allFit) return result;
  if (scale) result = node.builder.mul(result, *scale);
  if (bias) result = node.builder.add(result, *bias);
  return result;
}

RootMeanSquare normalizeByRootMeanSquare(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes,
                                         double epsilon, DataType precision) {
  GraphBuilder& builder = node.builder;
  const Operand wide = node.cast(input, precision);
  const Operand meanSquare = builder.reduceMean(builder.mul(wide, wide), {.axes = axes, .keepDimensions = true, .label = {}});
  const Operand root = builder.sqrt(builder.add(meanSquare, node.scalar(precision, epsilon)));
  return {node.cast(builder.div(wide, root), input.dataType()), builder.reciprocal(root)};
}

std::span<const OperatorImport> normalizationOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "BatchNormalization", importBatchNormalization},
      {"", "GroupNormalization", importGroupNormalization},
      {"", "InstanceNormalization", importInstanceNormalization},
      {"", "LayerNormalization", importLayerNormalization},
      {"", "LpNormalization", importLpNormalization},
      {"", "LRN", importLrn},
      {"", "MeanVarianceNormalization", importMeanVarianceNormalization},
      {"", "RMSNormalization", importRmsNormalization},
      {"", "SimplifiedLayerNormalization", importRmsNormalization},
      {"com.microsoft", "EmbedLayerNormalization", importEmbedLayerNormalization},
      {"com.microsoft", "QEmbedLayerNormalization", importQEmbedLayerNormalization},
      {"com.microsoft", "SkipLayerNormalization", importSkipLayerNormalization},
      {"com.microsoft", "SkipSimplifiedLayerNormalization", importSkipSimplifiedLayerNormalization},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
