#include "backends/reference/recurrent.h"

#include <algorithm>
#include <cmath>

namespace webnn::reference {

namespace {

using Values = std::vector<double>;
using View = std::span<const double>;

// Views of one direction's weights and biases; empty for absent options.
struct Weights {
  View input, recurrent, bias, recurrentBias, peephole;
};

// The hidden and cell state between two time steps, [batchSize, hiddenSize]. A GRU has no cell state.
struct State {
  Values hidden, cell;
};

Values toDoubles(const Environment& frame, const std::optional<Operand>& operand) {
  return operand ? frame[*operand].toDoubles() : Values{};
}

double activate(RecurrentNetworkActivation activation, double x) {
  switch (activation) {
    case RecurrentNetworkActivation::relu: return x < 0 ? 0 : x;
    case RecurrentNetworkActivation::sigmoid: return 1 / (1 + std::exp(-x));
    case RecurrentNetworkActivation::tanh: break;
  }
  return std::tanh(x);
}

// Multiplies inputs [batchSize, size] by the transpose of weights [rows, size] and adds bias [rows], which may be empty.
Values gateProduct(View inputs, View weights, View bias, std::size_t size) {
  const std::size_t rows = weights.size() / size;
  Values result(inputs.size() / size * rows);
  Progress progress;
  for (std::size_t i = 0; i < result.size(); ++i, progress.count(size)) {
    const View x = inputs.subspan(i / rows * size, size), w = weights.subspan(i % rows * size, size);
    double sum = bias.empty() ? 0 : bias[i % rows];
    for (std::size_t k = 0; k < size; ++k) sum += x[k] * w[k];
    result[i] = sum;
  }
  return result;
}

// Computes one time step of gru or gruCell. https://www.w3.org/TR/webnn/#api-mlgraphbuilder-grucell
template <typename Op>
void gruStep(const Op& op, View input, const Weights& weights, State& state) {
  const std::size_t size = op.hiddenSize, stateSize = state.hidden.size(), batchSize = stateSize / size;
  const std::size_t z = op.options.layout == GruWeightLayout::zrn ? 0 : size, r = size - z, n = 2 * size;
  const auto activation = [&](std::size_t i, double x) { return activate((*op.options.activations)[i], x); };
  const Values fromInput = gateProduct(input, weights.input, weights.bias, input.size() / batchSize);
  const Values fromHidden = gateProduct(state.hidden, weights.recurrent, weights.recurrentBias, size);
  const auto gate = [&](std::size_t i) { return i / size * 3 * size + i % size; };  // start index in a product; add z, r or n

  Values reset(stateSize), resetHidden(stateSize);
  for (std::size_t i = 0; i < stateSize; ++i) {
    reset[i] = activation(0, fromInput[gate(i) + r] + fromHidden[gate(i) + r]);
    resetHidden[i] = reset[i] * state.hidden[i];
  }
  const View newBias = weights.recurrentBias.empty() ? View{} : weights.recurrentBias.subspan(n);
  const Values fromReset =
      op.options.resetAfter ? Values{} : gateProduct(resetHidden, weights.recurrent.subspan(n * size), newBias, size);
  for (std::size_t i = 0; i < stateSize; ++i) {
    const double update = activation(0, fromInput[gate(i) + z] + fromHidden[gate(i) + z]);
    const double recurrent = op.options.resetAfter ? reset[i] * fromHidden[gate(i) + n] : fromReset[i];
    const double candidate = activation(1, fromInput[gate(i) + n] + recurrent);
    state.hidden[i] = update * state.hidden[i] + (1 - update) * candidate;
  }
}

// Computes one time step of lstm or lstmCell. https://www.w3.org/TR/webnn/#api-mlgraphbuilder-lstmcell
template <typename Op>
void lstmStep(const Op& op, View input, const Weights& weights, State& state) {
  const std::size_t size = op.hiddenSize, stateSize = state.hidden.size(), batchSize = stateSize / size;
  const bool iofg = op.options.layout == LstmWeightLayout::iofg;
  const std::size_t f = iofg ? 2 : 1, g = iofg ? 3 : 2, o = iofg ? 1 : 3;  // gate positions; the input gate is at 0
  const auto activation = [&](std::size_t i, double x) { return activate((*op.options.activations)[i], x); };
  const Values fromInput = gateProduct(input, weights.input, weights.bias, input.size() / batchSize);
  const Values fromHidden = gateProduct(state.hidden, weights.recurrent, weights.recurrentBias, size);

  for (std::size_t i = 0; i < stateSize; ++i) {
    const double oldCell = state.cell[i];
    const auto sum = [&](std::size_t gate) {
      const std::size_t at = (i / size * 4 + gate) * size + i % size;
      return fromInput[at] + fromHidden[at];
    };
    // Peephole weights are always ordered input, output, forget. All three gates use the old cell state, as in the specification.
    const auto peephole = [&](std::size_t gate) {
      return weights.peephole.empty() ? 0 : oldCell * weights.peephole[gate * size + i % size];
    };
    const double inputGate = activation(0, sum(0) + peephole(0));
    const double outputGate = activation(0, sum(o) + peephole(1));
    const double forgetGate = activation(0, sum(f) + peephole(2));
    state.cell[i] = forgetGate * oldCell + inputGate * activation(1, sum(g));
    state.hidden[i] = outputGate * activation(2, state.cell[i]);
  }
}

// Returns the i-th of `parts` equal parts. All parts of an empty array are empty.
View part(const Values& values, std::size_t i, std::size_t parts) {
  const std::size_t size = values.size() / parts;
  return View(values).subspan(i * size, size);
}

// The operands of a recurrent operation, converted to double.
struct Parameters {
  Values weight, recurrentWeight, bias, recurrentBias, peepholeWeight;

  template <typename Op>
  Parameters(const Op& op, const Environment& frame)
      : weight(toDoubles(frame, op.weight)),
        recurrentWeight(toDoubles(frame, op.recurrentWeight)),
        bias(toDoubles(frame, op.options.bias)),
        recurrentBias(toDoubles(frame, op.options.recurrentBias)) {
    if constexpr (requires { op.options.peepholeWeight; }) peepholeWeight = toDoubles(frame, op.options.peepholeWeight);
  }

  Weights of(std::size_t i, std::size_t directions) const {
    return {part(weight, i, directions), part(recurrentWeight, i, directions), part(bias, i, directions),
            part(recurrentBias, i, directions), part(peepholeWeight, i, directions)};
  }
};

// Overwrites part `i` of `values`, which consists of parts of newPart's size.
void setPart(Values& values, std::size_t i, const Values& newPart) {
  std::ranges::copy(newPart, values.begin() + static_cast<std::ptrdiff_t>(i * newPart.size()));
}

// Applies `step` to each element of the sequence, for one direction after the other.
void runSequence(const auto& op, Environment& frame, auto step) {
  constexpr bool hasCell = requires { op.options.initialCellState; };
  const Parameters parameters(op, frame);
  const Values input = frame[op.input].toDoubles();
  const std::size_t directions = op.options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  const std::size_t stateSize = frame.output().size() / directions;

  const auto initial = [&](const std::optional<Operand>& operand) {
    return operand ? frame[*operand].toDoubles() : Values(directions * stateSize);
  };
  State all{initial(op.options.initialHiddenState), {}};
  if constexpr (hasCell) all.cell = initial(op.options.initialCellState);
  Values sequence(op.options.returnSequence ? op.steps * directions * stateSize : 0);

  for (std::size_t direction = 0; direction < directions; ++direction) {
    const bool backward = direction == 1 || op.options.direction == RecurrentNetworkDirection::backward;
    const Weights weights = parameters.of(direction, directions);
    const View hidden = part(all.hidden, direction, directions), cell = part(all.cell, direction, directions);
    State state{Values(hidden.begin(), hidden.end()), Values(cell.begin(), cell.end())};
    Progress progress;
    for (std::size_t i = 0; i < op.steps; ++i, progress.count(parameters.weight.size())) {
      const std::size_t time = backward ? op.steps - 1 - i : i;
      step(op, part(input, time, op.steps), weights, state);
      if (op.options.returnSequence) setPart(sequence, time * directions + direction, state.hidden);
    }
    setPart(all.hidden, direction, state.hidden);
    if constexpr (hasCell) setPart(all.cell, direction, state.cell);
  }

  frame.output(0).setDoubles(all.hidden);
  if constexpr (hasCell) frame.output(1).setDoubles(all.cell);
  if (op.options.returnSequence) frame.output(frame.outputCount() - 1).setDoubles(sequence);
}

}  // namespace

void run(const ops::Gru& op, Environment& frame) { runSequence(op, frame, gruStep<ops::Gru>); }

void run(const ops::GruCell& op, Environment& frame) {
  const Parameters parameters(op, frame);
  State state{frame[op.hiddenState].toDoubles(), {}};
  gruStep(op, frame[op.input].toDoubles(), parameters.of(0, 1), state);
  frame.output().setDoubles(state.hidden);
}

void run(const ops::Lstm& op, Environment& frame) { runSequence(op, frame, lstmStep<ops::Lstm>); }

void run(const ops::LstmCell& op, Environment& frame) {
  const Parameters parameters(op, frame);
  State state{frame[op.hiddenState].toDoubles(), frame[op.cellState].toDoubles()};
  lstmStep(op, frame[op.input].toDoubles(), parameters.of(0, 1), state);
  frame.output(0).setDoubles(state.hidden);
  frame.output(1).setDoubles(state.cell);
}

}  // namespace webnn::reference
