#include "cli/random_maker.h"

namespace webnn::cli {

namespace {

using Results = std::vector<Operand>;
using enum DataType;

ReduceOptions reduceOptions(RandomMaker& m, const Operand& x) {
  ReduceOptions options{.keepDimensions = m.oneIn(2)};
  if (m.oneIn(5)) return options;
  options.axes.emplace();
  for (std::uint32_t i = 0; i < x.rank(); ++i) {
    if (m.oneIn(2)) options.axes->push_back(i);
  }
  return options;
}

template <auto Method>
void reduceReal(RandomMaker& m, Results& results) {
  const Operand x = m.realOperand();
  results.push_back((m.builder.*Method)(x, reduceOptions(m, x)));
}
// Of values above 0, whose sums do not cancel and have a logarithm.
template <auto Method>
void reducePositive(RandomMaker& m, Results& results) {
  const Operand x = m.fresh(m.floatType(), m.shape(m.between(0, 6)), 0.3, 1.4);
  results.push_back((m.builder.*Method)(x, reduceOptions(m, x)));
}
template <auto Method>
void reduceInteger(RandomMaker& m, Results& results) {
  const Operand x = m.any({int32, uint32, int64, uint64});
  results.push_back((m.builder.*Method)(x, reduceOptions(m, x)));
}
void reduceExtreme(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint32, int64, uint64, int8, uint8});
  results.push_back(m.oneIn(2) ? m.builder.reduceMax(x, reduceOptions(m, x)) : m.builder.reduceMin(x, reduceOptions(m, x)));
}

void argMinMax(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint32, int64, uint64, int8, uint8}, 1);
  const ArgMinMaxOptions options{.keepDimensions = m.oneIn(2), .outputDataType = m.pick({int32, int64})};
  const std::uint32_t axis = m.below(static_cast<std::uint32_t>(x.rank()));
  results.push_back(m.oneIn(2) ? m.builder.argMin(x, axis, options) : m.builder.argMax(x, axis, options));
}

void cumulativeSum(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32, float16, int32, uint32, int64, uint64}, 1);
  m.allExact = m.allExact && !isFloat(x.dataType());
  results.push_back(m.builder.cumulativeSum(x, m.below(static_cast<std::uint32_t>(x.rank())),
                                            {.exclusive = m.oneIn(2), .reversed = m.oneIn(2)}));
}

void softmax(RandomMaker& m, Results& results) {
  const Operand x = m.realOperand(1);
  results.push_back(m.builder.softmax(x, m.below(static_cast<std::uint32_t>(x.rank()))));
}

void batchNormalization(RandomMaker& m, Results& results) {
  const Operand x = m.realOperand(1, 5);
  const std::uint32_t axis = m.below(static_cast<std::uint32_t>(x.rank())), size = x.shape()[axis];
  const DataType type = x.dataType();
  BatchNormalizationOptions options{.axis = axis};
  if (m.oneIn(2)) options.scale = m.fresh(type, {size});
  if (m.oneIn(2)) options.bias = m.fresh(type, {size});
  results.push_back(m.builder.batchNormalization(x, m.fresh(type, {size}), m.fresh(type, {size}, 0.3, 2), options));
}

// Of fresh values: normalizing nearly equal ones shows nothing but rounding.
void instanceNormalization(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const auto layout = m.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const std::uint32_t channels = m.size(), height = m.between(2, 9), width = m.between(2, 9);
  const Shape shape = layout == InputOperandLayout::nchw ? Shape{2, channels, height, width} : Shape{2, height, width, channels};
  InstanceNormalizationOptions options{.layout = layout};
  if (m.oneIn(2)) options.scale = m.fresh(type, {channels});
  if (m.oneIn(2)) options.bias = m.fresh(type, {channels});
  results.push_back(m.builder.instanceNormalization(m.fresh(type, shape), options));
}

void layerNormalization(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const Operand x = m.fresh(type, m.shape(m.between(1, 5)));
  LayerNormalizationOptions options;
  Shape normalized;
  options.axes.emplace();
  for (std::uint32_t i = 0; i < x.rank(); ++i) {
    if (i + 1 < x.rank() && m.oneIn(2)) continue;
    options.axes->push_back(i);
    normalized.push_back(x.shape()[i]);
  }
  if (m.oneIn(2)) options.scale = m.fresh(type, normalized);
  if (m.oneIn(2)) options.bias = m.fresh(type, normalized);
  results.push_back(m.builder.layerNormalization(x, options));
}

// What importers write for it.
void writtenNormalization(RandomMaker& m, Results& results) {
  GraphBuilder& b = m.builder;
  const Operand x = m.fresh(float32, m.shape(m.between(1, 4)));
  const auto axis = static_cast<std::uint32_t>(x.rank() - 1);
  const ReduceOptions last{.axes = {axis}, .keepDimensions = true};
  const Operand centred = b.sub(x, b.reduceMean(x, last));
  const Operand square = m.oneIn(2) ? b.mul(centred, centred) : b.pow(centred, m.constant(float32, {}, {2}));
  const Operand deviation = b.sqrt(b.add(b.reduceMean(square, last), m.constant(float32, {}, {1e-5})));
  Operand y = b.div(centred, deviation);
  if (m.oneIn(2)) y = b.mul(y, m.fresh(float32, {x.shape().back()}));
  if (m.oneIn(2)) y = b.add(y, m.fresh(float32, {x.shape().back()}));
  results.push_back(y);
}

template <auto Method>
void pool(RandomMaker& m, Results& results) {
  const Operand x = m.realOperand(4, 4);
  Pool2dOptions options{.layout = m.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc}),
                        .outputShapeRounding = m.pick({RoundingType::floor, RoundingType::ceil})};
  if (!m.oneIn(5)) options.windowDimensions = {m.between(1, 4), m.between(1, 4)};
  if (m.oneIn(2) && options.windowDimensions) options.padding = {m.below(2), m.below(2), m.below(2), m.below(2)};
  if (m.oneIn(2)) options.strides = {m.between(1, 3), m.between(1, 3)};
  if (m.oneIn(5)) options.dilations = {m.between(1, 2), m.between(1, 2)};
  results.push_back((m.builder.*Method)(x, options));
}

void resample2d(RandomMaker& m, Results& results) {
  const Operand x = m.realOperand(4, 4);
  Resample2dOptions options{.mode = m.pick({InterpolationMode::nearestNeighbor, InterpolationMode::linear})};
  options.axes = m.oneIn(2) ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2};
  if (m.oneIn(2)) {
    options.sizes = {m.between(1, 20), m.between(1, 20)};
  } else {
    options.scales = {m.pick({1.0F, 2.0F, 0.5F, 1.5F}), m.pick({1.0F, 2.0F, 3.0F})};
  }
  results.push_back(m.builder.resample2d(x, options));
}

}  // namespace

std::vector<RandomOperation> randomReductions() {
  using B = GraphBuilder;
  return {
      {"reduceL1", false, true, reduceReal<&B::reduceL1>},
      {"reduceL2", false, true, reduceReal<&B::reduceL2>},
      {"reduceMean", false, true, reduceReal<&B::reduceMean>},
      {"reduceSum", false, true, reduceReal<&B::reduceSum>},
      {"reduceSumSquare", false, true, reduceReal<&B::reduceSumSquare>},
      {"reduceLogSumExp", false, true, reduceReal<&B::reduceLogSumExp>},
      {"reduceLogSum", false, true, reducePositive<&B::reduceLogSum>},
      {"reduceProduct", false, true, reducePositive<&B::reduceProduct>},
      {"reduceSum int", true, false, reduceInteger<&B::reduceSum>},
      {"reduceProduct int", true, false, reduceInteger<&B::reduceProduct>},
      {"reduceL1 int", true, false, reduceInteger<&B::reduceL1>},
      {"reduceSumSquare int", true, false, reduceInteger<&B::reduceSumSquare>},
      {"reduceMax", false, false, reduceExtreme},
      {"argMinMax", true, false, argMinMax},
      {"cumulativeSum", false, false, cumulativeSum},
      {"softmax", false, true, softmax},
      {"batchNormalization", false, true, batchNormalization},
      {"instanceNormalization", false, true, instanceNormalization},
      {"layerNormalization", false, true, layerNormalization},
      {"written normalization", false, true, writtenNormalization},
      {"averagePool2d", false, true, pool<&B::averagePool2d>},
      {"l2Pool2d", false, true, pool<&B::l2Pool2d>},
      {"maxPool2d", false, false, pool<&B::maxPool2d>},
      {"resample2d", false, true, resample2d},
  };
}

}  // namespace webnn::cli
