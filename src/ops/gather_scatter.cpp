#include "ops/gather_scatter.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kGatherRows[] = {
    {"gather", "Slices along an axis, chosen by indices", "dom-mlgraphbuilder-gather",
     {operand("input", kAnyAndInt4s, rankFrom(1)),
      operand("indices", kIndices, kAnyRank),
      output(like("output", "input").ofRank(rankFrom(1)))}},
};

constexpr OperationRow kGatherElementsRows[] = {
    {"gatherElements", "Elements along an axis, chosen one by one", "dom-mlgraphbuilder-gatherelements",
     {operand("input", kAnyAndInt4s, rankFrom(1)),
      operand("indices", kIndices).ofRankOf("input"),
      output(like("output", "input"))}},
};

constexpr OperationRow kGatherNDRows[] = {
    {"gatherND", "Slices at coordinates", "dom-mlgraphbuilder-gathernd",
     {operand("input", kAnyAndInt4s, rankFrom(1)),
      operand("indices", kIndices, rankFrom(1)),
      output(like("output", "input").ofRank(kAnyRank))}},
};

constexpr OperationRow kScatterElementsRows[] = {
    {"scatterElements", "Writes elements along an axis, one by one", "dom-mlgraphbuilder-scatterelements",
     {operand("input", kAnyAndInt4s, rankFrom(1)),
      operand("indices", kIndices).ofRankOf("input"),
      like("updates", "input"),
      output(like("output", "input"))}},
};

constexpr OperationRow kScatterNDRows[] = {
    {"scatterND", "Writes slices at coordinates", "dom-mlgraphbuilder-scatternd",
     {operand("input", kAnyAndInt4s, rankFrom(1)),
      operand("indices", kIndices, rankFrom(1)),
      like("updates", "input").ofRank(kAnyRank),
      output(like("output", "input").ofRank(rankFrom(1)))}},
};

}  // namespace

std::span<const OperationRow> Gather::rows() { return kGatherRows; }
std::span<const OperationRow> GatherElements::rows() { return kGatherElementsRows; }
std::span<const OperationRow> GatherND::rows() { return kGatherNDRows; }
std::span<const OperationRow> ScatterElements::rows() { return kScatterElementsRows; }
std::span<const OperationRow> ScatterND::rows() { return kScatterNDRows; }

Outputs infer(Gather& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(GatherElements& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(GatherND& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(ScatterElements& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(ScatterND& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

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

}  // namespace webnn
