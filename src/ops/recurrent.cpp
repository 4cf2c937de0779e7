#include "ops/recurrent.h"

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

constexpr std::uint32_t kGruGates = 3;
constexpr std::uint32_t kLstmGates = 4;

// Checks the shape of an operand. Does nothing if the operand is an absent option.
void requireOperandShape(Subject op, std::string_view name, const std::optional<Operand>& operand, const Shape& expected) {
  if (operand) {
    if (!canEqual(operand->shape(), expected))
      fail(op, ErrorKind::typeError, "{} shape {} is not {}.", name, toString(operand->shape()), toString(expected));
  }
}

Shape concatenated(Shape shape, std::initializer_list<std::uint32_t> more) {
  shape.insert(shape.end(), more);
  return shape;
}

// Checks hiddenSize, the weights and the biases. Their shapes start with `leading`: the number of directions, or nothing for a
// cell. hiddenSize is checked first, so that later multiples of it cannot overflow.
void requireWeights(const auto& op, std::uint32_t gates, const Shape& leading) {
  requireFixed(op, "hiddenSize", op.hiddenSize);
  const std::uint32_t bothBiases = 2 * gates;
  requireDimension(op, Size(op.hiddenSize) * Size(std::int64_t{bothBiases}), "hiddenSize * {}", bothBiases);
  const std::uint32_t inputSize = op.input.shape().back();
  requireOperandShape(op, "weight", op.weight, concatenated(leading, {gates * op.hiddenSize, inputSize}));
  requireOperandShape(op, "recurrentWeight", op.recurrentWeight, concatenated(leading, {gates * op.hiddenSize, op.hiddenSize}));
  requireOperandShape(op, "bias", op.options.bias, concatenated(leading, {gates * op.hiddenSize}));
  requireOperandShape(op, "recurrentBias", op.options.recurrentBias, concatenated(leading, {gates * op.hiddenSize}));
  if constexpr (requires { op.options.peepholeWeight; }) {
    requireOperandShape(op, "peepholeWeight", op.options.peepholeWeight, concatenated(leading, {3 * op.hiddenSize}));
  }
}

void resolveActivations(auto& op, std::initializer_list<RecurrentNetworkActivation> defaults) {
  if (!op.options.activations) op.options.activations = defaults;
  requireSize(op, "activations", op.options.activations->size(), defaults.size());
}

// Checks a recurrent network except its activations. Returns `states` final states, and the sequence of hidden states if
// requested.
Outputs inferSequence(const auto& op, std::uint32_t gates, std::size_t states) {
  const Shape& input = op.input.shape();
  require(op.steps != 0 || allowsZero(), op, "steps ({}) is 0.", op.steps);
  if (!canEqual(Size(input[0]), Size(op.steps))) {
    fail(op, ErrorKind::typeError, "steps ({}) is not the first dimension of input ({}).", Size(op.steps).text(),
         Size(input[0]).text());
  }
  const std::uint32_t directions = op.options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  requireWeights(op, gates, {directions});
  const Shape state{directions, input[1], op.hiddenSize};
  requireOperandShape(op, "initialHiddenState", op.options.initialHiddenState, state);
  if constexpr (requires { op.options.initialCellState; }) {
    requireOperandShape(op, "initialCellState", op.options.initialCellState, state);
  }
  Outputs outputs(states, OperandDescriptor{op.input.dataType(), state});
  if (op.options.returnSequence) outputs.push_back({op.input.dataType(), {op.steps, directions, input[1], op.hiddenSize}});
  return outputs;
}

Outputs inferCell(const auto& op, std::uint32_t gates, std::size_t states) {
  requireWeights(op, gates, {});
  const Shape state{op.input.shape()[0], op.hiddenSize};
  requireOperandShape(op, "hiddenState", op.hiddenState, state);
  if constexpr (requires { op.cellState; }) requireOperandShape(op, "cellState", op.cellState, state);
  return Outputs(states, OperandDescriptor{op.input.dataType(), state});
}

constexpr std::initializer_list<RecurrentNetworkActivation> kGruActivations = {RecurrentNetworkActivation::sigmoid,
                                                                               RecurrentNetworkActivation::tanh};
constexpr std::initializer_list<RecurrentNetworkActivation> kLstmActivations = {
    RecurrentNetworkActivation::sigmoid, RecurrentNetworkActivation::tanh, RecurrentNetworkActivation::tanh};

}  // namespace

constinit const OperationRow Gru::rows[] = {
    {"gru",
     "Runs a gated recurrent unit over a sequence",
     {operand("input", kFloats, rank(3)), like("weight", "input").ofRank(rank(3)),
      like("recurrentWeight", "input").ofRank(rank(3)), like("bias", "input").ofRank(rank(2)),
      like("recurrentBias", "input").ofRank(rank(2)), like("initialHiddenState", "input").ofRank(rank(3)),
      output(like("output0", "input").ofRank(rank(3))), output(like("output1", "input").ofRank(rank(4)))}},
};

constinit const OperationRow GruCell::rows[] = {
    {"gruCell",
     "Runs one step of a gated recurrent unit",
     {operand("input", kFloats, rank(2)), like("weight", "input").ofRank(rank(2)),
      like("recurrentWeight", "input").ofRank(rank(2)), like("hiddenState", "input").ofRank(rank(2)),
      like("bias", "input").ofRank(rank(1)), like("recurrentBias", "input").ofRank(rank(1)),
      output(like("output", "input").ofRank(rank(2)))}},
};

constinit const OperationRow Lstm::rows[] = {
    {"lstm",
     "Runs a long short-term memory over a sequence",
     {operand("input", kFloats, rank(3)), like("weight", "input").ofRank(rank(3)),
      like("recurrentWeight", "input").ofRank(rank(3)), like("bias", "input").ofRank(rank(2)),
      like("recurrentBias", "input").ofRank(rank(2)), like("peepholeWeight", "input").ofRank(rank(2)),
      like("initialHiddenState", "input").ofRank(rank(3)), like("initialCellState", "input").ofRank(rank(3)),
      output(like("output0", "input").ofRank(rank(3))), output(like("output1", "input").ofRank(rank(3))),
      output(like("output2", "input").ofRank(rank(4)))}},
};

constinit const OperationRow LstmCell::rows[] = {
    {"lstmCell",
     "Runs one step of a long short-term memory",
     {operand("input", kFloats, rank(2)), like("weight", "input").ofRank(rank(2)),
      like("recurrentWeight", "input").ofRank(rank(2)), like("hiddenState", "input").ofRank(rank(2)),
      like("cellState", "input").ofRank(rank(2)), like("bias", "input").ofRank(rank(1)),
      like("recurrentBias", "input").ofRank(rank(1)), like("peepholeWeight", "input").ofRank(rank(1)),
      output(like("output0", "input").ofRank(rank(2))), output(like("output1", "input").ofRank(rank(2)))}},
};

Outputs infer(Gru& op) {
  resolveActivations(op, kGruActivations);
  return inferSequence(op, kGruGates, 1);
}

Outputs infer(GruCell& op) {
  resolveActivations(op, kGruActivations);
  return inferCell(op, kGruGates, 1);
}

Outputs infer(Lstm& op) {
  resolveActivations(op, kLstmActivations);
  return inferSequence(op, kLstmGates, 2);
}

Outputs infer(LstmCell& op) {
  resolveActivations(op, kLstmActivations);
  return inferCell(op, kLstmGates, 2);
}

}  // namespace webnn::ops
