// GraphBuilder's methods of the family.
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

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

}  // namespace webnn
