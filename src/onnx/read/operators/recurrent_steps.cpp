#include "onnx/read/operators/recurrent_steps.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint64_t kMaxSteps = 4096;

constexpr ActivationFunction kFunctions[]{
    {"relu",
     {},
     {},
     RecurrentNetworkActivation::relu,
     [](NodeContext& node, Operand x, double, double) { return node.builder.relu(x); }},
    {"sigmoid",
     {},
     {},
     RecurrentNetworkActivation::sigmoid,
     [](NodeContext& node, Operand x, double, double) { return node.builder.sigmoid(x); }},
    {"tanh",
     {},
     {},
     RecurrentNetworkActivation::tanh,
     [](NodeContext& node, Operand x, double, double) { return node.builder.tanh(x); }},
    {"affine",
     1,
     0,
     {},
     [](NodeContext& node, Operand x, double alpha, double beta) {
       return node.builder.linear(x, {.alpha = alpha, .beta = beta, .label = {}});
     }},
    {"leakyrelu",
     0.01,
     {},
     {},
     [](NodeContext& node, Operand x, double alpha, double) { return node.builder.leakyRelu(x, {.alpha = alpha, .label = {}}); }},
    {"thresholdedrelu",
     1,
     {},
     {},
     [](NodeContext& node, Operand x, double alpha, double) {
       const Operand passes = node.builder.greaterOrEqual(x, node.scalar(x.dataType(), alpha));
       return node.builder.where(passes, x, node.scalar(x.dataType(), 0));
     }},
    {"scaledtanh",
     1,
     1,
     {},
     [](NodeContext& node, Operand x, double alpha, double beta) {
       const Operand scaled = node.builder.mul(x, node.scalar(x.dataType(), beta));
       return node.builder.mul(node.builder.tanh(scaled), node.scalar(x.dataType(), alpha));
     }},
    {"hardsigmoid",
     0.2,
     0.5,
     {},
     [](NodeContext& node, Operand x, double alpha, double beta) {
       return node.builder.hardSigmoid(x, {.alpha = alpha, .beta = beta, .label = {}});
     }},
    {"elu",
     1,
     {},
     {},
     [](NodeContext& node, Operand x, double alpha, double) { return node.builder.elu(x, {.alpha = alpha, .label = {}}); }},
    {"softsign", {}, {}, {}, [](NodeContext& node, Operand x, double, double) { return node.builder.softsign(x); }},
    {"softplus", {}, {}, {}, [](NodeContext& node, Operand x, double, double) { return node.builder.softplus(x); }},
};

const ActivationFunction& functionOf(const NodeContext& node, std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto* found = std::ranges::find(kFunctions, lower, &ActivationFunction::name);
  node.require(found != std::end(kFunctions), "activation {}: WebNN has no such function", webnn::quoted(name));
  return *found;
}

// Distributes the values of activation_alpha or activation_beta, in order, among the activations that have this parameter.
class StepParameters {
 public:
  StepParameters(const NodeContext& node, std::string_view attribute)
      : values_(node.floats(attribute).value_or(std::vector<float>{})) {}

  double take(const std::optional<double>& absent) {
    if (!absent) return 0;
    return next_ < values_.size() ? static_cast<double>(values_[next_++]) : *absent;
  }

 private:
  std::vector<float> values_;
  std::size_t next_ = 0;
};

struct State {
  Operand hidden, cell;
};

// The recurrent weights and bias of all or some gates.
struct Projection {
  Operand weight;               // [gates * hiddenSize, hiddenSize]
  std::optional<Operand> bias;  // [gates * hiddenSize]
};

// Unrolls one direction of a recurrence.
class Direction {
 public:
  Direction(NodeContext& node, const Recurrence& recurrence, std::uint32_t direction);
  RecurrenceResult run();  // the result has one direction

 private:
  Operand part(const Operand& all) const;  // returns this direction's slice, without the direction dimension
  std::optional<Operand> part(const std::optional<Operand>& all) const;
  void separateCandidate();
  std::vector<Operand> inputGates() const;
  Operand initial(const std::optional<Operand>& state) const;
  Operand multiply(const Operand& state, const Projection& product) const;
  Operand activate(std::size_t index, Operand x) const;
  std::vector<Operand> gates(const Operand& all, std::uint32_t count) const;
  State step(const Operand& fromInput, const State& state) const;
  Operand gruStep(const Operand& fromInput, const Operand& hidden) const;
  State lstmStep(const Operand& fromInput, const State& state) const;

  NodeContext& node_;
  GraphBuilder& builder_;
  const Recurrence& recurrence_;
  const std::uint32_t direction_;
  // One projection for all gates. A GRU without resetAfter has two: one for the update and reset gates, one for the candidate.
  std::vector<Projection> projections_;
  std::vector<Operand> peephole_;  // weights of the input, output and forget gates, each [1, hiddenSize]
};

Direction::Direction(NodeContext& node, const Recurrence& recurrence, std::uint32_t direction)
    : node_(node), builder_(node.builder), recurrence_(recurrence), direction_(direction) {
  projections_ = {{part(recurrence.recurrentWeight), part(recurrence.recurrentBias)}};
  if (recurrence.gates == 3 && !recurrence.resetAfter) separateCandidate();
  if (recurrence.peephole) peephole_ = gates(node.reshape(part(*recurrence.peephole), {1, 3 * recurrence.hiddenSize}), 3);
}

Operand Direction::part(const Operand& all) const {
  std::vector<std::uint32_t> starts(all.rank(), 0);
  Shape sizes = all.shape();
  starts[0] = direction_;
  sizes[0] = 1;
  const Operand one = recurrence_.directions == 1 ? all : builder_.slice(all, starts, sizes);
  return node_.reshape(one, Shape(sizes.begin() + 1, sizes.end()));
}

std::optional<Operand> Direction::part(const std::optional<Operand>& all) const {
  if (!all) return std::nullopt;
  return part(*all);
}

void Direction::separateCandidate() {
  const std::vector<std::uint32_t> sizes{2 * recurrence_.hiddenSize, recurrence_.hiddenSize};
  const Projection all = projections_[0];
  const std::vector<Operand> weights = builder_.split(all.weight, sizes);
  projections_ = {{weights[0], {}}, {weights[1], {}}};
  if (!all.bias) return;
  const std::vector<Operand> biases = builder_.split(*all.bias, sizes);
  for (std::size_t i = 0; i < 2; ++i) projections_[i].bias = biases[i];
}

// Returns for each step the input's product with the weights, plus the bias: [batchSize, gates * hiddenSize].
std::vector<Operand> Direction::inputGates() const {
  const std::uint32_t rows = recurrence_.steps * recurrence_.batchSize;
  const Operand input = node_.reshape(recurrence_.input, {rows, recurrence_.input.shape()[2]});
  const Operand all =
      builder_.gemm(input, part(recurrence_.weight), {.c = part(recurrence_.bias), .bTranspose = true, .label = {}});
  return builder_.split(all, recurrence_.steps);
}

Operand Direction::initial(const std::optional<Operand>& state) const {
  if (state) return part(*state);
  return builder_.expand(node_.scalar(recurrence_.input.dataType(), 0), {recurrence_.batchSize, recurrence_.hiddenSize});
}

Operand Direction::multiply(const Operand& state, const Projection& product) const {
  return builder_.gemm(state, product.weight, {.c = product.bias, .bTranspose = true, .label = {}});
}

Operand Direction::activate(std::size_t index, Operand x) const {
  const std::size_t first = recurrence_.activations.size() / recurrence_.directions * direction_;
  const Activation& activation = recurrence_.activations[first + index];
  const bool isOfGate = index < 2;  // the cell state's activation is not clipped, as in ONNX Runtime
  if (recurrence_.clip && isOfGate) {
    x = builder_.clamp(x, {.minValue = -*recurrence_.clip, .maxValue = *recurrence_.clip, .label = {}});
  }
  return activation.function->apply(node_, x, activation.alpha, activation.beta);
}

std::vector<Operand> Direction::gates(const Operand& all, std::uint32_t count) const {
  return builder_.split(all, count, {.axis = 1, .label = {}});
}

Operand Direction::gruStep(const Operand& fromInput, const Operand& hidden) const {
  const std::vector<Operand> x = gates(fromInput, 3);  // update gate, reset gate, candidate
  const std::vector<Operand> h = gates(multiply(hidden, projections_[0]), recurrence_.resetAfter ? 3 : 2);
  const Operand update = activate(0, builder_.add(x[0], h[0]));
  const Operand reset = activate(0, builder_.add(x[1], h[1]));
  const Operand recurrent =
      recurrence_.resetAfter ? builder_.mul(reset, h[2]) : multiply(builder_.mul(reset, hidden), projections_[1]);
  const Operand candidate = activate(1, builder_.add(x[2], recurrent));
  const Operand rest = builder_.sub(node_.scalar(hidden.dataType(), 1), update);
  return builder_.add(builder_.mul(rest, candidate), builder_.mul(update, hidden));
}

State Direction::lstmStep(const Operand& fromInput, const State& state) const {
  // gates in the order input, output, forget, cell
  const std::vector<Operand> x = gates(builder_.add(fromInput, multiply(state.hidden, projections_[0])), 4);
  const auto gate = [&](std::size_t i, const Operand& cell) {
    return activate(0, peephole_.empty() ? x[i] : builder_.add(x[i], builder_.mul(peephole_[i], cell)));
  };
  const Operand input = gate(0, state.cell);
  const bool isCoupled = recurrence_.couplesInputAndForget;
  const Operand forget = isCoupled ? builder_.sub(node_.scalar(input.dataType(), 1), input) : gate(2, state.cell);
  const Operand cell = builder_.add(builder_.mul(forget, state.cell), builder_.mul(input, activate(1, x[3])));
  const Operand output = gate(1, cell);  // the peephole reads the new cell state; WebNN's reads the old one
  return {builder_.mul(output, activate(2, cell)), cell};
}

State Direction::step(const Operand& fromInput, const State& state) const {
  if (recurrence_.gates == 4) return lstmStep(fromInput, state);
  if (recurrence_.gates == 3) return {gruStep(fromInput, state.hidden), {}};
  return {activate(0, builder_.add(fromInput, multiply(state.hidden, projections_[0]))), {}};
}

RecurrenceResult Direction::run() {
  const std::uint32_t steps = recurrence_.steps;
  const bool isBackward = recurrence_.isBackward || direction_ == 1;
  const std::vector<Operand> inputs = inputGates();
  std::vector<Operand> sequence(steps);
  State state{initial(recurrence_.initialHidden), {}};
  if (recurrence_.gates == 4) state.cell = initial(recurrence_.initialCell);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t time = isBackward ? steps - 1 - i : i;
    State next = step(inputs[time], state);
    sequence[time] = next.hidden;
    if (recurrence_.lengths) {  // beyond a sequence's length, keep its states and return 0 as output
      const Operand isInside = builder_.greater(*recurrence_.lengths, node_.scalar(recurrence_.lengths->dataType(), time));
      sequence[time] = builder_.where(isInside, next.hidden, node_.scalar(next.hidden.dataType(), 0));
      next.hidden = builder_.where(isInside, next.hidden, state.hidden);
      if (next.cell) next.cell = builder_.where(isInside, next.cell, state.cell);
    }
    state = next;
  }
  const Shape shape{1, recurrence_.batchSize, recurrence_.hiddenSize};
  for (Operand& hidden : sequence) hidden = builder_.reshape(hidden, {1, 1, shape[1], shape[2]});
  return {builder_.concat(sequence, 0), builder_.reshape(state.hidden, shape),
          state.cell ? builder_.reshape(state.cell, shape) : Operand{}};
}

}  // namespace

std::vector<Activation> readActivations(const NodeContext& node, std::span<const std::string_view> defaults,
                                        std::size_t directions) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < directions; ++i) names.insert(names.end(), defaults.begin(), defaults.end());
  if (const Attribute* given = node.find("activations")) {
    // RNN declares two default names, one per direction, even if the node has one direction. Extra names are ignored.
    if (given->type != AttributeType::strings || given->strings.size() < names.size()) {
      fail(ErrorKind::dataError, "its attribute \"activations\" does not have {} names.", names.size());
    }
    std::copy_n(given->strings.begin(), names.size(), names.begin());
  }
  StepParameters alphas(node, "activation_alpha"), betas(node, "activation_beta");
  std::vector<Activation> result;
  for (std::string_view name : names) {
    const ActivationFunction& function = functionOf(node, name);
    const double alpha = alphas.take(function.alpha), beta = betas.take(function.beta);
    result.push_back({&function, alpha, beta});
  }
  return result;
}

RecurrenceResult unroll(NodeContext& node, const Recurrence& recurrence) {
  node.require(recurrence.steps * std::uint64_t{recurrence.directions} <= kMaxSteps,
               "WebNN has no recurrent operation of this kind, and unrolled it would have {} steps, more than {}",
               recurrence.steps * std::uint64_t{recurrence.directions}, kMaxSteps);
  const RecurrenceResult first = Direction(node, recurrence, 0).run();
  if (recurrence.directions == 1) return first;
  const RecurrenceResult second = Direction(node, recurrence, 1).run();
  GraphBuilder& builder = node.builder;
  const Operand cell = first.cell ? builder.concat({first.cell, second.cell}, 0) : Operand{};
  return {builder.concat({first.sequence, second.sequence}, 1), builder.concat({first.hidden, second.hidden}, 0), cell};
}

}  // namespace webnn::formats::onnx
