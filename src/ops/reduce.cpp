#include "ops/reduce.h"

#include <algorithm>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kReduceRows[] = {
    {"reduceL1",
     "The sum of absolute values",
     "dom-mlgraphbuilder-reducel1",
     {operand("input", kWide, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceL2",
     "The square root of the sum of squares",
     "dom-mlgraphbuilder-reducel2",
     {operand("input", kFloats, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceLogSum",
     "The logarithm of the sum",
     "dom-mlgraphbuilder-reducelogsum",
     {operand("input", kFloats, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceLogSumExp",
     "The logarithm of the sum of exponentials",
     "dom-mlgraphbuilder-reducelogsumexp",
     {operand("input", kFloats, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceMax",
     "The greatest value",
     "dom-mlgraphbuilder-reducemax",
     {operand("input", kAny, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceMean",
     "The mean",
     "dom-mlgraphbuilder-reducemean",
     {operand("input", kFloats, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceMin",
     "The smallest value",
     "dom-mlgraphbuilder-reducemin",
     {operand("input", kAny, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceProduct",
     "The product",
     "dom-mlgraphbuilder-reduceproduct",
     {operand("input", kWide, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceSum",
     "The sum",
     "dom-mlgraphbuilder-reducesum",
     {operand("input", kWide, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
    {"reduceSumSquare",
     "The sum of squares",
     "dom-mlgraphbuilder-reducesumsquare",
     {operand("input", kWide, kAnyRank), output(like("output", "input").ofRank(kAnyRank))}},
};

constexpr OperationRow kArgMinMaxRows[] = {
    {"argMin",
     "The index of the smallest value along an axis",
     "dom-mlgraphbuilder-argmin",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
    {"argMax",
     "The index of the greatest value along an axis",
     "dom-mlgraphbuilder-argmax",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
};

constexpr OperationRow kCumulativeSumRows[] = {
    unaryRow("cumulativeSum", "The running sum along an axis", "dom-mlgraphbuilder-cumulativesum", kWide, rankFrom(1)),
};

// "calculate reduction output sizes" for valid axes.
Shape reductionOutputShape(const Shape& inputShape, const std::vector<std::uint32_t>& axes, bool keepDimensions) {
  Shape shape;
  for (std::uint32_t i = 0; i < inputShape.size(); ++i) {
    const bool reduced = std::ranges::find(axes, i) != axes.end();
    if (!reduced) shape.push_back(inputShape[i]);
    if (reduced && keepDimensions) shape.push_back(1);
  }
  return shape;
}

}  // namespace

std::span<const OperationRow> Reduce::rows() { return kReduceRows; }
std::span<const OperationRow> ArgMinMax::rows() { return kArgMinMaxRows; }
std::span<const OperationRow> CumulativeSum::rows() { return kCumulativeSumRows; }

Outputs infer(Reduce& op) {
  const Shape& shape = op.input.shape();
  if (!op.options.axes) op.options.axes = allAxes(shape.size());
  requireAxes(op, *op.options.axes, shape.size());
  return {{op.input.dataType(), reductionOutputShape(shape, *op.options.axes, op.options.keepDimensions)}};
}

// An index always fits the output type: dimensions are at most 2^31 - 1, and the table allows int32 and int64 only.
Outputs infer(ArgMinMax& op) {
  const Shape& shape = op.input.shape();
  requireAxis(op, op.axis, shape.size());
  return {{op.options.outputDataType, reductionOutputShape(shape, {op.axis}, op.options.keepDimensions)}};
}

Outputs infer(CumulativeSum& op) {
  requireAxis(op, op.axis, op.input.rank());
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
