#include "ops/recurrent.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr OperationRow kGruRows[] = {
    {"gru", "Gated recurrent unit over a sequence", "dom-mlgraphbuilder-gru",
     {operand("input", kFloats, rank(3)),
      like("weight", "input").ofRank(rank(3)),
      like("recurrentWeight", "input").ofRank(rank(3)),
      like("bias", "input").ofRank(rank(2)),
      like("recurrentBias", "input").ofRank(rank(2)),
      like("initialHiddenState", "input").ofRank(rank(3)),
      output(like("output0", "input").ofRank(rank(3))),
      output(like("output1", "input").ofRank(rank(4)))}},
};

constexpr OperationRow kGruCellRows[] = {
    {"gruCell", "One step of a gated recurrent unit", "dom-mlgraphbuilder-grucell",
     {operand("input", kFloats, rank(2)),
      like("weight", "input").ofRank(rank(2)),
      like("recurrentWeight", "input").ofRank(rank(2)),
      like("hiddenState", "input").ofRank(rank(2)),
      like("bias", "input").ofRank(rank(1)),
      like("recurrentBias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(2)))}},
};

constexpr OperationRow kLstmRows[] = {
    {"lstm", "Long short-term memory over a sequence", "dom-mlgraphbuilder-lstm",
     {operand("input", kFloats, rank(3)),
      like("weight", "input").ofRank(rank(3)),
      like("recurrentWeight", "input").ofRank(rank(3)),
      like("bias", "input").ofRank(rank(2)),
      like("recurrentBias", "input").ofRank(rank(2)),
      like("peepholeWeight", "input").ofRank(rank(2)),
      like("initialHiddenState", "input").ofRank(rank(3)),
      like("initialCellState", "input").ofRank(rank(3)),
      output(like("output0", "input").ofRank(rank(3))),
      output(like("output1", "input").ofRank(rank(3))),
      output(like("output2", "input").ofRank(rank(4)))}},
};

constexpr OperationRow kLstmCellRows[] = {
    {"lstmCell", "One step of a long short-term memory", "dom-mlgraphbuilder-lstmcell",
     {operand("input", kFloats, rank(2)),
      like("weight", "input").ofRank(rank(2)),
      like("recurrentWeight", "input").ofRank(rank(2)),
      like("hiddenState", "input").ofRank(rank(2)),
      like("cellState", "input").ofRank(rank(2)),
      like("bias", "input").ofRank(rank(1)),
      like("recurrentBias", "input").ofRank(rank(1)),
      like("peepholeWeight", "input").ofRank(rank(1)),
      output(like("output0", "input").ofRank(rank(2))),
      output(like("output1", "input").ofRank(rank(2)))}},
};

}  // namespace

std::span<const OperationRow> Gru::rows() { return kGruRows; }
std::span<const OperationRow> GruCell::rows() { return kGruCellRows; }
std::span<const OperationRow> Lstm::rows() { return kLstmRows; }
std::span<const OperationRow> LstmCell::rows() { return kLstmCellRows; }

Outputs infer(Gru& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(GruCell& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(Lstm& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

Outputs infer(LstmCell& op) { fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::ops

namespace webnn {

std::vector<Operand> GraphBuilder::gru(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize, GruOptions options) {
  return append(ops::Gru{std::move(input), std::move(weight), std::move(recurrentWeight), steps, hiddenSize, std::move(options)});
}

Operand GraphBuilder::gruCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, std::uint32_t hiddenSize, GruCellOptions options) {
  return appendOne(ops::GruCell{std::move(input), std::move(weight), std::move(recurrentWeight), std::move(hiddenState), hiddenSize, std::move(options)});
}

std::vector<Operand> GraphBuilder::lstm(Operand input, Operand weight, Operand recurrentWeight, std::uint32_t steps, std::uint32_t hiddenSize, LstmOptions options) {
  return append(ops::Lstm{std::move(input), std::move(weight), std::move(recurrentWeight), steps, hiddenSize, std::move(options)});
}

std::vector<Operand> GraphBuilder::lstmCell(Operand input, Operand weight, Operand recurrentWeight, Operand hiddenState, Operand cellState, std::uint32_t hiddenSize, LstmCellOptions options) {
  return append(ops::LstmCell{std::move(input), std::move(weight), std::move(recurrentWeight), std::move(hiddenState), std::move(cellState), hiddenSize, std::move(options)});
}

}  // namespace webnn
