#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

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

}  // namespace webnn
