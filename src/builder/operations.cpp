// The GraphBuilder methods that append one operation, in the order of the families.
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

Operand GraphBuilder::gelu(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::gelu, std::move(input), std::move(options)});
}

Operand GraphBuilder::hardSwish(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::hardSwish, std::move(input), std::move(options)});
}

Operand GraphBuilder::relu(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::relu, std::move(input), std::move(options)});
}

Operand GraphBuilder::sigmoid(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::sigmoid, std::move(input), std::move(options)});
}

Operand GraphBuilder::softplus(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::softplus, std::move(input), std::move(options)});
}

Operand GraphBuilder::softsign(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::softsign, std::move(input), std::move(options)});
}

Operand GraphBuilder::tanh(Operand input, OperatorOptions options) {
  return appendOne(ops::Activation{ops::ActivationKind::tanh, std::move(input), std::move(options)});
}

Operand GraphBuilder::elu(Operand input, EluOptions options) { return appendOne(ops::Elu{std::move(input), std::move(options)}); }

Operand GraphBuilder::leakyRelu(Operand input, LeakyReluOptions options) {
  return appendOne(ops::LeakyRelu{std::move(input), std::move(options)});
}

Operand GraphBuilder::hardSigmoid(Operand input, HardSigmoidOptions options) {
  return appendOne(ops::HardSigmoid{std::move(input), std::move(options)});
}

Operand GraphBuilder::linear(Operand input, LinearOptions options) {
  return appendOne(ops::Linear{std::move(input), std::move(options)});
}

Operand GraphBuilder::prelu(Operand input, Operand slope, OperatorOptions options) {
  return appendOne(ops::Prelu{std::move(input), std::move(slope), std::move(options)});
}

Operand GraphBuilder::softmax(Operand input, std::uint32_t axis, OperatorOptions options) {
  return appendOne(ops::Softmax{std::move(input), axis, std::move(options)});
}

Operand GraphBuilder::conv2d(Operand input, Operand filter, Conv2dOptions options) {
  return appendOne(ops::Conv2d{std::move(input), std::move(filter), std::move(options)});
}

Operand GraphBuilder::convTranspose2d(Operand input, Operand filter, ConvTranspose2dOptions options) {
  return appendOne(ops::ConvTranspose2d{std::move(input), std::move(filter), std::move(options)});
}

Operand GraphBuilder::add(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::add, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::sub(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::sub, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::mul(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::mul, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::div(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::div, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::max(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::max, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::min(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::min, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::pow(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::pow, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::equal(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::equal, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::notEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::notEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::greater(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::greater, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::greaterOrEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::greaterOrEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::lesser(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::lesser, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::lesserOrEqual(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::lesserOrEqual, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalAnd(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalAnd, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalOr(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalOr, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::logicalXor(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Binary{ops::BinaryKind::logicalXor, std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::where(Operand condition, Operand trueValue, Operand falseValue, OperatorOptions options) {
  return appendOne(ops::Where{std::move(condition), std::move(trueValue), std::move(falseValue), std::move(options)});
}

Operand GraphBuilder::abs(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::abs, std::move(input), std::move(options)});
}

Operand GraphBuilder::ceil(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::ceil, std::move(input), std::move(options)});
}

Operand GraphBuilder::cos(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::cos, std::move(input), std::move(options)});
}

Operand GraphBuilder::erf(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::erf, std::move(input), std::move(options)});
}

Operand GraphBuilder::exp(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::exp, std::move(input), std::move(options)});
}

Operand GraphBuilder::floor(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::floor, std::move(input), std::move(options)});
}

Operand GraphBuilder::identity(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::identity, std::move(input), std::move(options)});
}

Operand GraphBuilder::log(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::log, std::move(input), std::move(options)});
}

Operand GraphBuilder::neg(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::neg, std::move(input), std::move(options)});
}

Operand GraphBuilder::reciprocal(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::reciprocal, std::move(input), std::move(options)});
}

Operand GraphBuilder::roundEven(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::roundEven, std::move(input), std::move(options)});
}

Operand GraphBuilder::sin(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sin, std::move(input), std::move(options)});
}

Operand GraphBuilder::sign(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sign, std::move(input), std::move(options)});
}

Operand GraphBuilder::sqrt(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::sqrt, std::move(input), std::move(options)});
}

Operand GraphBuilder::tan(Operand input, OperatorOptions options) {
  return appendOne(ops::Unary{ops::UnaryKind::tan, std::move(input), std::move(options)});
}

Operand GraphBuilder::logicalNot(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::logicalNot, std::move(a), std::move(options)});
}

Operand GraphBuilder::isNaN(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::isNaN, std::move(a), std::move(options)});
}

Operand GraphBuilder::isInfinite(Operand a, OperatorOptions options) {
  return appendOne(ops::LogicalUnary{ops::LogicalUnaryKind::isInfinite, std::move(a), std::move(options)});
}

Operand GraphBuilder::cast(Operand input, DataType dataType, OperatorOptions options) {
  return appendOne(ops::Cast{std::move(input), dataType, std::move(options)});
}

Operand GraphBuilder::clamp(Operand input, ClampOptions options) {
  return appendOne(ops::Clamp{std::move(input), std::move(options)});
}

Operand GraphBuilder::gather(Operand input, Operand indices, GatherOptions options) {
  return appendOne(ops::Gather{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::gatherElements(Operand input, Operand indices, GatherOptions options) {
  return appendOne(ops::GatherElements{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::gatherND(Operand input, Operand indices, OperatorOptions options) {
  return appendOne(ops::GatherND{std::move(input), std::move(indices), std::move(options)});
}

Operand GraphBuilder::scatterElements(Operand input, Operand indices, Operand updates, ScatterOptions options) {
  return appendOne(ops::ScatterElements{std::move(input), std::move(indices), std::move(updates), std::move(options)});
}

Operand GraphBuilder::scatterND(Operand input, Operand indices, Operand updates, OperatorOptions options) {
  return appendOne(ops::ScatterND{std::move(input), std::move(indices), std::move(updates), std::move(options)});
}

Operand GraphBuilder::matmul(Operand a, Operand b, OperatorOptions options) {
  return appendOne(ops::Matmul{std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::gemm(Operand a, Operand b, GemmOptions options) {
  return appendOne(ops::Gemm{std::move(a), std::move(b), std::move(options)});
}

Operand GraphBuilder::batchNormalization(Operand input, Operand mean, Operand variance, BatchNormalizationOptions options) {
  return appendOne(ops::BatchNormalization{std::move(input), std::move(mean), std::move(variance), std::move(options)});
}

Operand GraphBuilder::instanceNormalization(Operand input, InstanceNormalizationOptions options) {
  return appendOne(ops::InstanceNormalization{std::move(input), std::move(options)});
}

Operand GraphBuilder::layerNormalization(Operand input, LayerNormalizationOptions options) {
  return appendOne(ops::LayerNormalization{std::move(input), std::move(options)});
}

Operand GraphBuilder::averagePool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::averagePool2d, std::move(input), std::move(options)});
}

Operand GraphBuilder::l2Pool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::l2Pool2d, std::move(input), std::move(options)});
}

Operand GraphBuilder::maxPool2d(Operand input, Pool2dOptions options) {
  return appendOne(ops::Pool2d{ops::Pool2dKind::maxPool2d, std::move(input), std::move(options)});
}

Operand GraphBuilder::dequantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::DequantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

Operand GraphBuilder::quantizeLinear(Operand input, Operand scale, Operand zeroPoint, OperatorOptions options) {
  return appendOne(ops::QuantizeLinear{std::move(input), std::move(scale), std::move(zeroPoint), std::move(options)});
}

std::vector<Operand> GraphBuilder::gru(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps,
                                       std::uint32_t hiddenSize, GruOptions options) {
  return append(ops::Gru{std::move(input), std::move(weight), std::move(recurrentWeight), steps, hiddenSize, std::move(options)});
}

Operand GraphBuilder::gruCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState,
                              std::uint32_t hiddenSize, GruCellOptions options) {
  return appendOne(ops::GruCell{std::move(input), std::move(weight), std::move(recurrentWeight), std::move(hiddenState),
                                hiddenSize, std::move(options)});
}

std::vector<Operand> GraphBuilder::lstm(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps,
                                        std::uint32_t hiddenSize, LstmOptions options) {
  return append(
      ops::Lstm{std::move(input), std::move(weight), std::move(recurrentWeight), steps, hiddenSize, std::move(options)});
}

std::vector<Operand> GraphBuilder::lstmCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState,
                                            Operand cellState, std::uint32_t hiddenSize, LstmCellOptions options) {
  return append(ops::LstmCell{std::move(input), std::move(weight), std::move(recurrentWeight), std::move(hiddenState),
                              std::move(cellState), hiddenSize, std::move(options)});
}

Operand GraphBuilder::reduceL1(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceL1, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceL2(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceL2, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceLogSum(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceLogSum, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceLogSumExp(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceLogSumExp, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceMax(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceMax, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceMean(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceMean, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceMin(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceMin, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceProduct(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceProduct, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceSum(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceSum, std::move(input), std::move(options)});
}

Operand GraphBuilder::reduceSumSquare(Operand input, ReduceOptions options) {
  return appendOne(ops::Reduce{ops::ReduceKind::reduceSumSquare, std::move(input), std::move(options)});
}

Operand GraphBuilder::argMin(Operand input, std::uint32_t axis, ArgMinMaxOptions options) {
  return appendOne(ops::ArgMinMax{ops::ArgMinMaxKind::argMin, std::move(input), axis, std::move(options)});
}

Operand GraphBuilder::argMax(Operand input, std::uint32_t axis, ArgMinMaxOptions options) {
  return appendOne(ops::ArgMinMax{ops::ArgMinMaxKind::argMax, std::move(input), axis, std::move(options)});
}

Operand GraphBuilder::cumulativeSum(Operand input, std::uint32_t axis, CumulativeSumOptions options) {
  return appendOne(ops::CumulativeSum{std::move(input), axis, std::move(options)});
}

Operand GraphBuilder::resample2d(Operand input, Resample2dOptions options) {
  return appendOne(ops::Resample2d{std::move(input), std::move(options)});
}

Operand GraphBuilder::concat(std::vector<Operand> inputs, std::uint32_t axis, OperatorOptions options) {
  return appendOne(ops::Concat{std::move(inputs), axis, std::move(options)});
}

Operand GraphBuilder::expand(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Expand{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::pad(Operand input, std::vector<std::uint32_t> beginningPadding, std::vector<std::uint32_t> endingPadding,
                          PadOptions options) {
  return appendOne(ops::Pad{std::move(input), std::move(beginningPadding), std::move(endingPadding), std::move(options)});
}

Operand GraphBuilder::reshape(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Reshape{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::reverse(Operand input, ReverseOptions options) {
  return appendOne(ops::Reverse{std::move(input), std::move(options)});
}

Operand GraphBuilder::slice(Operand input, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes,
                            SliceOptions options) {
  return appendOne(ops::Slice{std::move(input), std::move(starts), std::move(sizes), std::move(options)});
}

std::vector<Operand> GraphBuilder::split(Operand input, Splits splits, SplitOptions options) {
  return append(ops::Split{std::move(input), std::move(splits), std::move(options)});
}

Operand GraphBuilder::tile(Operand input, std::vector<std::uint32_t> repetitions, OperatorOptions options) {
  return appendOne(ops::Tile{std::move(input), std::move(repetitions), std::move(options)});
}

Operand GraphBuilder::transpose(Operand input, TransposeOptions options) {
  return appendOne(ops::Transpose{std::move(input), std::move(options)});
}

Operand GraphBuilder::triangular(Operand input, TriangularOptions options) {
  return appendOne(ops::Triangular{std::move(input), std::move(options)});
}

}  // namespace webnn
