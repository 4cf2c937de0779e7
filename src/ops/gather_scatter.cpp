#include "ops/gather_scatter.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Requires `indices` to have the shape of `input` except along the axis.
void requireIndicesAlong(Subject op, const Operand& input, const Operand& indices, std::uint32_t axis) {
  requireAxis(op, axis, input.rank());
  Shape expected = input.shape();
  expected[axis] = indices.shape()[axis];
  if (canEqual(indices.shape(), expected)) return;
  fail(op, ErrorKind::typeError, "indices shape {} and input shape {} differ outside axis ({}).", toString(indices.shape()),
       toString(input.shape()), axis);
}

// Returns the shape of the slices of `input` at the coordinates in `indices`: the dimensions of `indices` but the last, then
// the dimensions of `input` that have no coordinate.
Shape shapeAtCoordinates(Subject op, const Operand& input, const Operand& indices) {
  Shape shape = indices.shape();
  const std::uint32_t coordinateSize = shape.back();
  requireFixed(op, "the last dimension of indices", coordinateSize);
  require(coordinateSize <= input.rank(), op, "the last dimension of indices ({}) is above the rank of input ({}).",
          coordinateSize, input.rank());
  shape.pop_back();
  shape.insert(shape.end(), input.shape().begin() + coordinateSize, input.shape().end());
  return shape;
}

void requireUpdatesShape(Subject op, const Operand& updates, const Shape& expected) {
  if (canEqual(updates.shape(), expected)) return;
  fail(op, ErrorKind::typeError, "updates shape {} is not {}.", toString(updates.shape()), toString(expected));
}

}  // namespace

constinit const OperationRow Gather::rows[] = {
    {"gather",
     "Selects slices along an axis by their indices",
     {operand("input", kAnyAndInt4s, rankFrom(1)), operand("indices", kIndices, kAnyRank),
      output(like("output", "input").ofRank(rankFrom(1)))}},
};

constinit const OperationRow GatherElements::rows[] = {
    {"gatherElements",
     "Selects one element along an axis for each index",
     {operand("input", kAnyAndInt4s, rankFrom(1)), operand("indices", kIndices).ofRankOf("input"),
      output(like("output", "input"))}},
};

constinit const OperationRow GatherND::rows[] = {
    {"gatherND",
     "Selects the slices at the given coordinates",
     {operand("input", kAnyAndInt4s, rankFrom(1)), operand("indices", kIndices, rankFrom(1)),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constinit const OperationRow ScatterElements::rows[] = {
    {"scatterElements",
     "Replaces one element along an axis for each index",
     {operand("input", kAnyAndInt4s, rankFrom(1)), operand("indices", kIndices).ofRankOf("input"), like("updates", "input"),
      output(like("output", "input"))}},
};

constinit const OperationRow ScatterND::rows[] = {
    {"scatterND",
     "Replaces the slices at the given coordinates",
     {operand("input", kAnyAndInt4s, rankFrom(1)), operand("indices", kIndices, rankFrom(1)),
      like("updates", "input").ofRank(kAnyRank), output(like("output", "input").ofRank(rankFrom(1)))}},
};

Outputs infer(Gather& op) {
  const std::uint32_t axis = op.options.axis;
  requireAxis(op, axis, op.input.rank());
  Shape shape = op.input.shape();
  const auto place = shape.erase(shape.begin() + axis);
  shape.insert(place, op.indices.shape().begin(), op.indices.shape().end());
  return {{op.input.dataType(), std::move(shape)}};
}

Outputs infer(GatherElements& op) {
  requireIndicesAlong(op, op.input, op.indices, op.options.axis);
  return {{op.input.dataType(), op.indices.shape()}};
}

Outputs infer(GatherND& op) { return {{op.input.dataType(), shapeAtCoordinates(op, op.input, op.indices)}}; }

Outputs infer(ScatterElements& op) {
  requireIndicesAlong(op, op.input, op.indices, op.options.axis);
  requireUpdatesShape(op, op.updates, op.indices.shape());
  return {op.input.descriptor()};
}

Outputs infer(ScatterND& op) {
  requireUpdatesShape(op, op.updates, shapeAtCoordinates(op, op.input, op.indices));
  return {op.input.descriptor()};
}

}  // namespace webnn::ops
