#include "backends/cpu/ops/recurrent/recurrent.h"

#include "backends/cpu/ops/recurrent/recurrent_network.h"

namespace webnn::cpu {

namespace {

RecurrentNetwork networkOf(const auto& op, Planner& planner) {
  constexpr bool isLstm = requires { op.options.peepholeWeight; }
  , isCell = requires { op.hiddenState; };
  const Shape& inputShape = op.input.descriptor().shape;
  RecurrentNetwork network;
  network.isa = withoutTiles(planner.isa());
  network.isLstm = isLstm;
  network.isHalf = op.input.descriptor().dataType == DataType::float16;
  network.batch = inputShape[inputShape.size() - 2];
  network.inputSize = inputShape.back();
  network.hiddenSize = op.hiddenSize;
  std::copy(op.options.activations->begin(), op.options.activations->end(), network.activations);
  network.input = planner.slot(op.input);
  network.weight = op.weight;
  network.recurrentWeight = op.recurrentWeight;
  network.bias = op.options.bias;
  network.recurrentBias = op.options.recurrentBias;
  network.hiddenOutput = planner.output(0);
  if constexpr (isLstm) {
    network.gatePlaces = op.options.layout == LstmWeightLayout::iofg ? std::array<std::size_t, 4>{0, 1, 2, 3}
                                                                     : std::array<std::size_t, 4>{0, 3, 1, 2};
    network.peephole = op.options.peepholeWeight;
    network.cellOutput = planner.output(1);
  } else {
    network.gatePlaces =
        op.options.layout == GruWeightLayout::zrn ? std::array<std::size_t, 4>{0, 1, 2} : std::array<std::size_t, 4>{1, 0, 2};
    network.resetAfter = op.options.resetAfter;
  }
  if constexpr (isCell) {
    network.initialHidden = planner.slot(op.hiddenState);
    if constexpr (isLstm) network.initialCell = planner.slot(op.cellState);
  } else {
    network.steps = op.steps;
    network.directions = op.options.direction == RecurrentNetworkDirection::both ? 2 : 1;
    network.startsBackward = op.options.direction == RecurrentNetworkDirection::backward;
    if (op.options.initialHiddenState) network.initialHidden = planner.slot(*op.options.initialHiddenState);
    if constexpr (isLstm) {
      if (op.options.initialCellState) network.initialCell = planner.slot(*op.options.initialCellState);
    }
    if (op.options.returnSequence) network.sequenceOutput = planner.output(isLstm ? 2 : 1);
  }
  return network;
}

}  // namespace

StepPtr plan(const ops::Gru& op, Planner& planner) { return planRecurrent(networkOf(op, planner), planner); }
StepPtr plan(const ops::GruCell& op, Planner& planner) { return planRecurrent(networkOf(op, planner), planner); }
StepPtr plan(const ops::Lstm& op, Planner& planner) { return planRecurrent(networkOf(op, planner), planner); }
StepPtr plan(const ops::LstmCell& op, Planner& planner) { return planRecurrent(networkOf(op, planner), planner); }

}  // namespace webnn::cpu
