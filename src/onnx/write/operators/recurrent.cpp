#include <algorithm>

#include "base/text.h"
#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

// For each gate of a weight layout, its position in ONNX's order: update, reset, new (GRU), or input, output, forget, cell
// (LSTM).
using GateOrder = std::vector<std::size_t>;

GateOrder gatesOf(GruWeightLayout layout) { return layout == GruWeightLayout::zrn ? GateOrder{0, 1, 2} : GateOrder{1, 0, 2}; }
GateOrder gatesOf(LstmWeightLayout layout) {
  return layout == LstmWeightLayout::iofg ? GateOrder{0, 1, 2, 3} : GateOrder{0, 2, 3, 1};
}

std::string_view activationName(RecurrentNetworkActivation activation) {
  switch (activation) {
    case RecurrentNetworkActivation::relu: return "Relu";
    case RecurrentNetworkActivation::sigmoid: return "Sigmoid";
    case RecurrentNetworkActivation::tanh: break;
  }
  return "Tanh";
}

// The operands of a network, gates in ONNX's order. A cell counts as a network with one step and one direction.
template <typename Op>
class Network {
 public:
  static constexpr bool kIsCell = requires(Op op) { op.hiddenState; };
  static constexpr bool kIsLstm = requires(Op op) { op.options.peepholeWeight; };

  Network(const Op& op, Exporter& out) : op_(op), out_(out), gates_(gatesOf(op.options.layout)) {
    input = leading(op.input);
    weight = ordered(leading(op.weight));
    recurrentWeight = ordered(leading(op.recurrentWeight));
    bias = ordered(leading(op.options.bias));
    recurrentBias = ordered(leading(op.options.recurrentBias));
    if constexpr (kIsCell) {
      hidden = leading(op.hiddenState);
      if constexpr (kIsLstm) cell = leading(op.cellState);
    } else {
      hidden = out[op.options.initialHiddenState];
      if constexpr (kIsLstm) cell = out[op.options.initialCellState];
    }
    if constexpr (kIsLstm) peephole = leading(op.options.peepholeWeight);
  }

  // ONNX's inputs. If an option is absent, the name of its input is empty.
  OnnxValue input, weight, recurrentWeight, bias, recurrentBias, hidden, cell, peephole;

  std::uint32_t steps() const {
    if constexpr (kIsCell)
      return 1;
    else
      return op_.steps;
  }
  std::uint32_t batchSize() const { return op_.input.shape()[kIsCell ? 0 : 1]; }
  RecurrentNetworkDirection direction() const {
    if constexpr (kIsCell)
      return RecurrentNetworkDirection::forward;
    else
      return op_.options.direction;
  }
  std::uint32_t directions() const { return direction() == RecurrentNetworkDirection::both ? 2 : 1; }
  std::size_t gateCount() const { return gates_.size(); }

  // Returns the input and recurrent bias joined as in ONNX; absent if neither exists.
  OnnxValue bothBiases() const {
    if (bias.name.empty() && recurrentBias.name.empty()) return {};
    return out_.add("Concat", {orZeros(bias), orZeros(recurrentBias)}, {{"axis", std::int64_t{1}}});
  }

  // Sets the results: the final states [directions, batchSize, hiddenSize], and the sequence if requested.
  void set(const std::vector<OnnxValue>& states, const OnnxValue& sequence) const {
    for (std::size_t i = 0; i < states.size(); ++i) {
      if constexpr (kIsCell)
        out_.set(i, out_.reshape(states[i], {batchSize(), op_.hiddenSize}));
      else
        out_.set(i, states[i]);
    }
    if constexpr (!kIsCell) {
      if (op_.options.returnSequence) out_.set(states.size(), sequence);
    }
  }

 private:
  OnnxValue leading(const std::optional<Operand>& operand) const {
    if (!kIsCell || !operand) return out_[operand];
    Shape shape = operand->shape();
    shape.insert(shape.begin(), 1);
    return out_.reshape(out_[*operand], shape);
  }

  OnnxValue ordered(const OnnxValue& weights) const {
    if (weights.name.empty() || std::ranges::is_sorted(gates_)) return weights;
    const std::vector<OnnxValue> parts = splitEvenly(1, weights, gates_.size(), out_);
    std::vector<OnnxValue> inOrder(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) inOrder[gates_[i]] = parts[i];
    return concatenate(1, inOrder, out_);
  }

  OnnxValue orZeros(const OnnxValue& biases) const {
    if (!biases.name.empty()) return biases;
    return out_.splat(input.type, 0, {directions(), static_cast<std::uint32_t>(gates_.size()) * op_.hiddenSize});
  }

  const Op& op_;
  Exporter& out_;
  GateOrder gates_;
};

// Returns the attributes common to GRU and LSTM.
template <typename Op>
Attributes attributesOf(const Op& op, const Network<Op>& network) {
  constexpr std::string_view kDirections[] = {"forward", "reverse", "bidirectional"};  // indexed by direction
  std::vector<std::string> activations;
  for (std::uint32_t i = 0; i < network.directions(); ++i) {
    for (const RecurrentNetworkActivation activation : *op.options.activations) {
      activations.emplace_back(activationName(activation));
    }
  }
  return {{"activations", std::move(activations)},
          {"direction", std::string(kDirections[static_cast<std::size_t>(network.direction())])},
          {"hidden_size", std::int64_t{op.hiddenSize}}};
}

// Exports a network step by step, in float32, so that float16 is rounded once. An LSTM with peepholes needs this form, because
// ONNX's output gate reads the new cell state and WebNN's the old one.
template <typename Op>
class SteppedNetwork {
 public:
  SteppedNetwork(const Op& op, const Network<Op>& network, Exporter& out) : op_(op), network_(network), out_(out) {}

  void run() {
    const std::vector<OnnxValue> weight = parts(network_.weight), recurrentWeight = parts(network_.recurrentWeight),
                                 bias = parts(network_.bias), recurrentBias = parts(network_.recurrentBias),
                                 peephole = parts(network_.peephole);
    std::vector<OnnxValue> hidden = states(network_.hidden), cell(network_.directions()), sequence;
    if constexpr (Network<Op>::kIsLstm) cell = states(network_.cell);
    const OnnxValue input = out_.cast(network_.input, ElementType::float32);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      peepholes_ = peephole[i].name.empty() ? std::vector<OnnxValue>(3) : splitEvenly(1, peephole[i], 3, out_);
      recurrentWeight_ = out_.transpose(recurrentWeight[i], {0, 2, 1});
      recurrentBias_ = recurrentBias[i];
      // Biases are [1, gates * hiddenSize], which broadcasts over [steps, batchSize, gates * hiddenSize].
      const OnnxValue products = out_.add("MatMul", {input, out_.transpose(weight[i], {0, 2, 1})});
      const OnnxValue fromInput = plus(products, bias[i]);
      const bool backward = i == 1 || network_.direction() == RecurrentNetworkDirection::backward;
      const OnnxValue states = runSteps(fromInput, backward, hidden[i], cell[i]);
      sequence.push_back(out_.reshape(states, {network_.steps(), 1, network_.batchSize(), op_.hiddenSize}));
    }
    std::vector<OnnxValue> last{concatenate(0, hidden, out_)};
    if constexpr (Network<Op>::kIsLstm) last.push_back(concatenate(0, cell, out_));
    network_.set(last, concatenate(1, sequence, out_));
  }

 private:
  // Splits a value by direction; each part keeps a first dimension of 1.
  std::vector<OnnxValue> parts(const OnnxValue& value) {
    if (value.name.empty()) return std::vector<OnnxValue>(network_.directions());
    return splitEvenly(0, out_.cast(value, ElementType::float32), network_.directions(), out_);
  }

  std::vector<OnnxValue> states(const OnnxValue& initial) {
    if (!initial.name.empty()) return parts(initial);
    const OnnxValue zeros =
        out_.add("Expand", {out_.scalar(ElementType::float32, 0), out_.integers(Shape{1, network_.batchSize(), op_.hiddenSize})});
    return std::vector<OnnxValue>(network_.directions(), zeros);
  }

  OnnxValue plus(const OnnxValue& a, const OnnxValue& b) { return b.name.empty() ? a : out_.add("Add", {a, b}); }
  OnnxValue times(const OnnxValue& a, const OnnxValue& b) { return out_.add("Mul", {a, b}); }
  OnnxValue activate(std::size_t i, const OnnxValue& value) {
    return out_.add(activationName((*op_.options.activations)[i]), {value});
  }

  // Returns all hidden states [steps, batchSize, hiddenSize] and leaves the last states in `hidden` and `cell`.
  OnnxValue runSteps(const OnnxValue& fromInput, bool backward, OnnxValue& hidden, OnnxValue& cell) {
    const std::vector<OnnxValue> inputs = splitEvenly(0, fromInput, network_.steps(), out_);
    std::vector<OnnxValue> all(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t time = backward ? inputs.size() - 1 - i : i;
      step(inputs[time], hidden, cell);
      all[time] = hidden;
    }
    return concatenate(0, all, out_);
  }

  OnnxValue recurrent(const OnnxValue& hidden, const OnnxValue& weight, const OnnxValue& bias) {
    return plus(out_.add("MatMul", {hidden, weight}), bias);
  }

  void step(const OnnxValue& fromInput, OnnxValue& hidden, OnnxValue& cell) {
    if constexpr (Network<Op>::kIsLstm) {
      stepLstm(fromInput, hidden, cell);
    } else {
      stepGru(fromInput, hidden);
    }
  }

  void stepGru(const OnnxValue& fromInput, OnnxValue& hidden) {
    const std::vector<OnnxValue> inputs = splitEvenly(2, fromInput, 3, out_);  // in ONNX's order: update, reset, new
    const std::vector<OnnxValue> states = splitEvenly(2, recurrent(hidden, recurrentWeight_, recurrentBias_), 3, out_);
    const OnnxValue update = activate(0, plus(inputs[0], states[0])), reset = activate(0, plus(inputs[1], states[1]));
    OnnxValue fresh = times(reset, states[2]);
    if (!op_.options.resetAfter) {
      const OnnxValue bias = recurrentBias_.name.empty() ? OnnxValue{} : splitEvenly(1, recurrentBias_, 3, out_)[2];
      fresh = recurrent(times(reset, hidden), splitEvenly(2, recurrentWeight_, 3, out_)[2], bias);
    }
    fresh = activate(1, plus(inputs[2], fresh));
    const OnnxValue kept = out_.add("Sub", {out_.scalar(ElementType::float32, 1), update});
    hidden = plus(times(update, hidden), times(kept, fresh));
  }

  void stepLstm(const OnnxValue& fromInput, OnnxValue& hidden, OnnxValue& cell) {
    const OnnxValue sum = plus(fromInput, recurrent(hidden, recurrentWeight_, recurrentBias_));
    const std::vector<OnnxValue> gates = splitEvenly(2, sum, 4, out_);  // in ONNX's order: input, output, forget, cell
    const auto gate = [&](std::size_t i) {
      return activate(0, peepholes_[i].name.empty() ? gates[i] : plus(gates[i], times(cell, peepholes_[i])));
    };
    const OnnxValue input = gate(0), output = gate(1), forget = gate(2);
    cell = plus(times(forget, cell), times(input, activate(1, gates[3])));
    hidden = times(output, activate(2, cell));
  }

  const Op& op_;
  const Network<Op>& network_;
  Exporter& out_;
  OnnxValue recurrentWeight_, recurrentBias_;  // parameters of the current direction
  std::vector<OnnxValue> peepholes_;           // weights of the current direction's input, output and forget gates
};

// Returns whether the target has a kernel for this network.
template <typename Op>
bool hasKernel(const Op& op, Exporter& out) {
  using enum RecurrentNetworkActivation;
  if (!out.target().isCuda) return true;
  if constexpr (Network<Op>::kIsLstm) {
    return *op.options.activations == std::vector{sigmoid, tanh, tanh};
  } else {
    return op.options.resetAfter && *op.options.activations == std::vector{sigmoid, tanh};
  }
}

template <typename Op>
void exportSteps(const Op& op, const Network<Op>& network, std::string_view name, Exporter& out) {
  constexpr std::int64_t kMaxSteps = 1 << 14;
  if (out.numberOf(network.steps()) > kMaxSteps) {
    fail(ErrorKind::notSupportedError, "ONNX: {} has more than {} steps ({}).", name, kMaxSteps, network.steps());
  }
  SteppedNetwork(op, network, out).run();
}

void exportGru(const auto& op, Exporter& out) {
  const Network network(op, out);
  if (!hasKernel(op, out)) return exportSteps(op, network, "a gru with these activations", out);
  Attributes attributes = attributesOf(op, network);
  attributes.emplace_back("linear_before_reset", std::int64_t{op.options.resetAfter});
  const std::vector<OnnxValue> results = out.addMany(
      "GRU", {network.input, network.weight, network.recurrentWeight, network.bothBiases(), OnnxValue{}, network.hidden}, 2,
      std::move(attributes));
  network.set({results[1]}, results[0]);
}

void exportLstm(const auto& op, Exporter& out) {
  const Network network(op, out);
  if (op.options.peepholeWeight) return exportSteps(op, network, "an lstm with peepholes", out);
  if (!hasKernel(op, out)) return exportSteps(op, network, "an lstm with these activations", out);
  const std::vector<OnnxValue> results = out.addMany(
      "LSTM",
      {network.input, network.weight, network.recurrentWeight, network.bothBiases(), OnnxValue{}, network.hidden, network.cell},
      3, attributesOf(op, network));
  network.set({results[1], results[2]}, results[0]);
}

}  // namespace

void toOnnx(const ops::Gru& op, Exporter& out) { exportGru(op, out); }

void toOnnx(const ops::GruCell& op, Exporter& out) { exportGru(op, out); }

void toOnnx(const ops::Lstm& op, Exporter& out) { exportLstm(op, out); }

void toOnnx(const ops::LstmCell& op, Exporter& out) { exportLstm(op, out); }

}  // namespace webnn::onnx
