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
    anyShapeRow("reduceL1", "Sums the absolute values along axes", kWide),
    anyShapeRow("reduceL2", "Computes the square root of the sum of squares along axes", kFloats),
    anyShapeRow("reduceLogSum", "Computes the logarithm of the sum along axes", kFloats),
    anyShapeRow("reduceLogSumExp", "Computes the logarithm of the sum of exponentials along axes", kFloats),
    anyShapeRow("reduceMax", "Computes the greatest value along axes", kAny),
    anyShapeRow("reduceMean", "Computes the mean along axes", kFloats),
    anyShapeRow("reduceMin", "Computes the smallest value along axes", kAny),
    anyShapeRow("reduceProduct", "Computes the product of all elements along axes", kWide),
    anyShapeRow("reduceSum", "Sums the elements along axes", kWide),
    anyShapeRow("reduceSumSquare", "Sums the squares along axes", kWide),
};

constinit const OperationRow ArgMinMax::rows[] = {
    {"argMin",
     "Returns the index of the smallest value along an axis",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
    {"argMax",
     "Returns the index of the greatest value along an axis",
     {operand("input", kAny, rankFrom(1)), output(operand("output", DataTypeSet{DataType::int32, DataType::int64}, kAnyRank))}},
};

constinit const OperationRow CumulativeSum::rows[] = {
    unaryRow("cumulativeSum", "Computes the running sum along an axis", kWide, rankFrom(1)),
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
