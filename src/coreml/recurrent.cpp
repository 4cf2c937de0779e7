// Exports recurrent networks and cells to MIL, step by step. MIL's gru and lstm only support constant weights, and define
// peepholes differently.
#include <optional>

#include "base/text.h"
#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// The maximum number of steps, because each step becomes several MIL operations.
constexpr std::uint32_t kMaxSteps = 1 << 12;

std::string_view activationName(RecurrentNetworkActivation activation) {
  switch (activation) {
    case RecurrentNetworkActivation::relu: return "relu";
    case RecurrentNetworkActivation::sigmoid: return "sigmoid";
    case RecurrentNetworkActivation::tanh: break;
  }
  return "tanh";
}

// The weights of one direction, without the dimension of directions, converted to float32 so that float16 results are rounded
// once. Members are absent if the corresponding options are absent.
struct Weights {
  MilValue input, recurrent;
  std::optional<MilValue> bias, recurrentBias, peephole;
};

struct State {
  MilValue hidden, cell;  // [batchSize, hiddenSize]
};

template <typename Op>
class Recurrence {
 public:
  static constexpr bool kIsLstm = requires(Op op) { op.options.peepholeWeight; };

  Recurrence(const Op& op, MilBuilder& out) : op_(op), out_(out) {}

  Weights weightsOf(std::size_t direction, bool isCell) {
    Weights weights{part(op_.weight, direction, isCell), part(op_.recurrentWeight, direction, isCell), {}, {}, {}};
    weights.bias = optionalPart(op_.options.bias, direction, isCell);
    weights.recurrentBias = optionalPart(op_.options.recurrentBias, direction, isCell);
    if constexpr (kIsLstm) weights.peephole = optionalPart(op_.options.peepholeWeight, direction, isCell);
    return weights;
  }

  MilValue part(const Operand& operand, std::size_t direction, bool isCell) {
    const MilValue value = out_.cast(out_[operand], MilType::float32);
    if (isCell) return value;
    const MilValue one = sliceAlong(0, value, Size(static_cast<std::int64_t>(direction)), Size(std::int64_t{1}), out_);
    return reshape(one, {one.shape.begin() + 1, one.shape.end()}, out_);
  }

  MilValue orZeros(const std::optional<Operand>& operand, std::size_t direction, std::uint32_t batchSize) {
    return operand ? part(*operand, direction, false) : filled(MilType::float32, 0, {batchSize, op_.hiddenSize}, out_);
  }

  // Returns input * transposed weights + bias for all steps and gates: [steps * batchSize, gates * hiddenSize]. A cell has one
  // step.
  MilValue fromInput(const MilValue& input, const Weights& weights) {
    return plus(matmul(input, weights.input, false, true, out_), weights.bias);
  }

  void step(const MilValue& input, const Weights& weights, State& state) {
    if constexpr (kIsLstm) {
      lstmStep(input, weights, state);
    } else {
      gruStep(input, weights, state);
    }
  }

 private:
  std::optional<MilValue> optionalPart(const std::optional<Operand>& operand, std::size_t direction, bool isCell) {
    return operand ? std::optional(part(*operand, direction, isCell)) : std::nullopt;
  }

  MilValue plus(const MilValue& a, const MilValue& b) { return binary("add", a, b, out_); }
  MilValue plus(const MilValue& a, const std::optional<MilValue>& b) {
    return b ? plus(a, reshape(*b, {1, b->shape.back()}, out_)) : a;
  }
  MilValue times(const MilValue& a, const MilValue& b) { return binary("mul", a, b, out_); }
  MilValue activate(std::size_t i, const MilValue& x) { return unary(activationName((*op_.options.activations)[i]), x, out_); }

  std::vector<MilValue> gates(const MilValue& x, std::size_t count) {
    return splitAlong(1, x, std::vector<std::uint32_t>(count, op_.hiddenSize), out_);
  }

  void lstmStep(const MilValue& input, const Weights& weights, State& state) {
    const std::size_t output = op_.options.layout == LstmWeightLayout::iofg ? 1 : 3, forget = output == 1 ? 2 : 1,
                      fresh = output == 1 ? 3 : 2;
    const MilValue recurrent = plus(matmul(state.hidden, weights.recurrent, false, true, out_), weights.recurrentBias);
    const std::vector<MilValue> sums = gates(plus(input, recurrent), 4);
    std::vector<MilValue> peepholes;  // in the order input, output, forget gate for every layout
    if (weights.peephole) peepholes = gates(reshape(*weights.peephole, {1, 3 * op_.hiddenSize}, out_), 3);
    const auto gate = [&](std::size_t i, std::size_t peephole) {
      return activate(0, peepholes.empty() ? sums[i] : plus(sums[i], times(state.cell, peepholes[peephole])));
    };
    const MilValue inputGate = gate(0, 0), outputGate = gate(output, 1), forgetGate = gate(forget, 2);
    state.cell = plus(times(forgetGate, state.cell), times(inputGate, activate(1, sums[fresh])));
    state.hidden = times(outputGate, activate(2, state.cell));
  }

  void gruStep(const MilValue& input, const Weights& weights, State& state) {
    const std::size_t update = op_.options.layout == GruWeightLayout::zrn ? 0 : 1, reset = 1 - update;
    const std::vector<MilValue> sums = gates(input, 3);
    const std::uint32_t size = op_.hiddenSize;
    // In both layouts, the new gate is the last: its rows begin at 2 * size.
    const auto rows = [&](std::uint32_t begin, std::uint32_t count) {
      const MilValue weightRows = sliceAlong(0, weights.recurrent, Size(begin), Size(count), out_);
      const MilValue product = matmul(state.hidden, weightRows, false, true, out_);
      return plus(product, biasOf(weights, begin, count));
    };
    const std::vector<MilValue> recurrent = op_.options.resetAfter ? gates(rows(0, 3 * size), 3) : gates(rows(0, 2 * size), 2);
    const MilValue resetGate = activate(0, plus(sums[reset], recurrent[reset]));
    const MilValue updateGate = activate(0, plus(sums[update], recurrent[update]));
    MilValue fresh;
    if (op_.options.resetAfter) {
      fresh = times(resetGate, recurrent[2]);
    } else {
      const MilValue last = sliceAlong(0, weights.recurrent, Size(2 * size), Size(size), out_);
      const MilValue product = matmul(times(resetGate, state.hidden), last, false, true, out_);
      fresh = plus(product, biasOf(weights, 2 * size, size));
    }
    const MilValue candidate = activate(1, plus(sums[2], fresh));
    const MilValue rest = binary("sub", out_.scalar(MilType::float32, 1), updateGate, out_);
    state.hidden = plus(times(updateGate, state.hidden), times(rest, candidate));
  }

  std::optional<MilValue> biasOf(const Weights& weights, std::uint32_t begin, std::uint32_t count) {
    if (!weights.recurrentBias) return std::nullopt;
    return sliceAlong(0, *weights.recurrentBias, Size(begin), Size(count), out_);
  }

  const Op& op_;
  MilBuilder& out_;
};

template <typename Op>
void exportNetwork(const Op& op, MilBuilder& out) {
  if (out.numberOf(op.steps) > kMaxSteps) out.refuse(formatText("more than {} steps ({})", kMaxSteps, op.steps));
  Recurrence recurrence(op, out);
  const std::size_t directions = op.options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  const std::uint32_t batchSize = op.input.shape()[1];
  const MilValue input =
      reshape(out.cast(out[op.input], MilType::float32), {countOf({op.steps, batchSize}), op.input.shape()[2]}, out);
  std::vector<MilValue> hidden, cell, sequences;
  for (std::size_t direction = 0; direction < directions; ++direction) {
    const bool backward = direction == 1 || op.options.direction == RecurrentNetworkDirection::backward;
    const Weights weights = recurrence.weightsOf(direction, false);
    State state{recurrence.orZeros(op.options.initialHiddenState, direction, batchSize), {}};
    if constexpr (requires { op.options.initialCellState; }) {
      state.cell = recurrence.orZeros(op.options.initialCellState, direction, batchSize);
    }
    const MilValue sums = recurrence.fromInput(input, weights);
    const std::vector<MilValue> steps = splitAlong(0, sums, std::vector<std::uint32_t>(op.steps, batchSize), out);
    std::vector<MilValue> all(op.steps);
    for (std::size_t i = 0; i < op.steps; ++i) {
      const std::size_t time = backward ? op.steps - 1 - i : i;
      recurrence.step(steps[time], weights, state);
      if (op.options.returnSequence) all[time] = reshape(state.hidden, {1, 1, batchSize, op.hiddenSize}, out);
    }
    hidden.push_back(reshape(state.hidden, {1, batchSize, op.hiddenSize}, out));
    if constexpr (Recurrence<Op>::kIsLstm) cell.push_back(reshape(state.cell, {1, batchSize, op.hiddenSize}, out));
    if (op.options.returnSequence) sequences.push_back(concatenate(0, all, out));
  }
  std::size_t result = 0;
  out.set(result++, concatenate(0, hidden, out));
  if constexpr (Recurrence<Op>::kIsLstm) out.set(result++, concatenate(0, cell, out));
  if (op.options.returnSequence) out.set(result, concatenate(1, sequences, out));
}

template <typename Op>
void exportCell(const Op& op, MilBuilder& out) {
  Recurrence recurrence(op, out);
  const Weights weights = recurrence.weightsOf(0, true);
  State state{recurrence.part(op.hiddenState, 0, true), {}};
  if constexpr (Recurrence<Op>::kIsLstm) state.cell = recurrence.part(op.cellState, 0, true);
  recurrence.step(recurrence.fromInput(recurrence.part(op.input, 0, true), weights), weights, state);
  out.set(0, state.hidden);
  if constexpr (Recurrence<Op>::kIsLstm) out.set(1, state.cell);
}

}  // namespace

void toMil(const ops::Gru& op, MilBuilder& out) { exportNetwork(op, out); }

void toMil(const ops::GruCell& op, MilBuilder& out) { exportCell(op, out); }

void toMil(const ops::Lstm& op, MilBuilder& out) { exportNetwork(op, out); }

void toMil(const ops::LstmCell& op, MilBuilder& out) { exportCell(op, out); }

}  // namespace webnn::coreml
