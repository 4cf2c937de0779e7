#include "ops/shape.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kConcatRows[] = {
    {"concat", "Joins operands along an axis", "dom-mlgraphbuilder-concat",
     {operand("inputs", kAnyAndInt4s, rankFrom(1)),
      output(like("output", "inputs"))}},
};

constexpr OperationRow kExpandRows[] = {
    {"expand", "Broadcasts to a shape", "dom-mlgraphbuilder-expand",
     {operand("input", kAnyAndInt4s, kAnyRank),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constexpr OperationRow kPadRows[] = {
    unaryRow("pad", "Adds elements before and after each dimension", "dom-mlgraphbuilder-pad", kAnyAndInt4s, kAnyRank),
};

constexpr OperationRow kReshapeRows[] = {
    {"reshape", "The same elements in another shape", "dom-mlgraphbuilder-reshape",
     {operand("input", kAnyAndInt4s, kAnyRank),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constexpr OperationRow kReverseRows[] = {
    unaryRow("reverse", "Reverses the order along axes", "dom-mlgraphbuilder-reverse", kAnyAndInt4s, kAnyRank),
};

constexpr OperationRow kSliceRows[] = {
    unaryRow("slice", "A window, with strides", "dom-mlgraphbuilder-slice", kAnyAndInt4s, kAnyRank),
};

constexpr OperationRow kSplitRows[] = {
    unaryRow("split", "Parts along an axis", "dom-mlgraphbuilder-split", kAnyAndInt4s, rankFrom(1)),
};

constexpr OperationRow kTileRows[] = {
    unaryRow("tile", "Repeats each dimension", "dom-mlgraphbuilder-tile", kAnyAndInt4s, kAnyRank),
};

constexpr OperationRow kTransposeRows[] = {
    unaryRow("transpose", "Reorders the dimensions", "dom-mlgraphbuilder-transpose", kAnyAndInt4s, kAnyRank),
};

constexpr OperationRow kTriangularRows[] = {
    unaryRow("triangular", "Keeps the upper or lower triangle of each matrix", "dom-mlgraphbuilder-triangular", kAnyAndInt4s, rankFrom(2)),
};

}  // namespace

std::span<const OperationRow> Concat::rows() { return kConcatRows; }
std::span<const OperationRow> Expand::rows() { return kExpandRows; }
std::span<const OperationRow> Pad::rows() { return kPadRows; }
std::span<const OperationRow> Reshape::rows() { return kReshapeRows; }
std::span<const OperationRow> Reverse::rows() { return kReverseRows; }
std::span<const OperationRow> Slice::rows() { return kSliceRows; }
std::span<const OperationRow> Split::rows() { return kSplitRows; }
std::span<const OperationRow> Tile::rows() { return kTileRows; }
std::span<const OperationRow> Transpose::rows() { return kTransposeRows; }
std::span<const OperationRow> Triangular::rows() { return kTriangularRows; }

Outputs infer(Concat& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Expand& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Pad& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Reshape& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Reverse& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Slice& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Split& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Tile& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Transpose& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Triangular& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

Operand GraphBuilder::concat(std::vector<Operand> inputs, std::uint32_t axis, OperatorOptions options) {
  return appendOne(ops::Concat{std::move(inputs), axis, std::move(options)});
}

Operand GraphBuilder::expand(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Expand{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::pad(Operand input, std::vector<std::uint32_t> beginningPadding, std::vector<std::uint32_t> endingPadding, PadOptions options) {
  return appendOne(ops::Pad{std::move(input), std::move(beginningPadding), std::move(endingPadding), std::move(options)});
}

Operand GraphBuilder::reshape(Operand input, std::vector<std::uint32_t> newShape, OperatorOptions options) {
  return appendOne(ops::Reshape{std::move(input), std::move(newShape), std::move(options)});
}

Operand GraphBuilder::reverse(Operand input, ReverseOptions options) {
  return appendOne(ops::Reverse{std::move(input), std::move(options)});
}

Operand GraphBuilder::slice(Operand input, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes, SliceOptions options) {
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
