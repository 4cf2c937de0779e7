#include "ops/reduce.h"

#include <algorithm>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Implements "calculate reduction output sizes". The axes must be valid.
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

constinit const OperationRow Reduce::rows[] = {
    anyShapeRow("reduceL1", "The sum of absolute values", kWide),
    anyShapeRow("reduceL2", "The square root of the sum of squares", kFloats),
    anyShapeRow("reduceLogSum", "The logarithm of the sum", kFloats),
    anyShapeRow("reduceLogSumExp", "The logarithm of the sum of exponentials", kFloats),
    anyShapeRow("reduceMax", "The greatest value", kAny),
    anyShapeRow("reduceMean", "The mean", kFloats),
    anyShapeRow("reduceMin", "The smallest value", kAny),
    anyShapeRow("reduceProduct", "The product", kWide),
    anyShapeRow("reduceSum", "The sum", kWide),
    anyShapeRow("reduceSumSquare", "The sum of squares", kWide),
};

constinit const OperationRow ArgMinMax::rows[] = {
    {"argMin",
     "The index of the smallest value along an axis",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
    {"argMax",
     "The index of the greatest value along an axis",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
};

constinit const OperationRow CumulativeSum::rows[] = {
    unaryRow("cumulativeSum", "The running sum along an axis", kWide, rankFrom(1)),
};

Outputs infer(Reduce& op) {
  const Shape& shape = op.input.shape();
  if (!op.options.axes) op.options.axes = allAxes(shape.size());
  requireAxes(op, *op.options.axes, shape.size());
  return {{op.input.dataType(), reductionOutputShape(shape, *op.options.axes, op.options.keepDimensions)}};
}

// Indices always fit in the output type: dimensions are at most 2^31 - 1, and the table allows only int32 and int64.
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
