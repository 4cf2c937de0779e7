// Recurrent networks. One matrix product computes input * weights for all steps. Then each step is a dispatch, or two
// dispatches for a gru whose reset gate acts before the product. One workgroup computes one element of the state. All steps
// share their shaders, because the state contains the index of the step.
#include <algorithm>
#include <array>

#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

struct Recurrence {
  Operand input, weight, recurrentWeight;
  std::optional<Operand> bias, recurrentBias, peephole, hidden, cell;  // hidden, cell: the initial states
  std::uint32_t steps = 1, directions = 1, batch = 1, size = 1;
  bool isBackward = false, isLstm = false, resetsAfter = false;
  std::array<std::uint32_t, 4> gates{};  // positions in the weights; lstm: input, output, forget, new; gru: update, reset, new
  std::vector<RecurrentNetworkActivation> activations;

  std::uint32_t gateCount() const { return isLstm ? 4 : 3; }
  std::uint32_t stateSize() const { return directions * batch * size; }
  std::uint32_t stateWords() const { return (isLstm ? 2 : 1) * stateSize() + 1; }  // hidden, cell, index of the step
};

template <typename Op>
Recurrence recurrenceOf(const Op& op) {
  Recurrence r{.input = op.input,
               .weight = op.weight,
               .recurrentWeight = op.recurrentWeight,
               .bias = op.options.bias,
               .recurrentBias = op.options.recurrentBias,
               .size = op.hiddenSize,
               .activations = *op.options.activations};
  r.batch = op.input.shape()[op.input.rank() - 2];
  if constexpr (requires { op.options.direction; }) {
    r.steps = op.steps;
    r.directions = op.options.direction == RecurrentNetworkDirection::both ? 2 : 1;
    r.isBackward = op.options.direction == RecurrentNetworkDirection::backward;
    r.hidden = op.options.initialHiddenState;
  } else {
    r.hidden = op.hiddenState;
  }
  if constexpr (requires { op.options.peepholeWeight; }) {
    r.isLstm = true;
    r.peephole = op.options.peepholeWeight;
    const bool iofg = op.options.layout == LstmWeightLayout::iofg;
    r.gates = {0, iofg ? 1U : 3U, iofg ? 2U : 1U, iofg ? 3U : 2U};
    if constexpr (requires { op.cellState; }) {
      r.cell = op.cellState;
    } else {
      r.cell = op.options.initialCellState;
    }
  } else {
    r.resetsAfter = op.options.resetAfter;
    const bool zrn = op.options.layout == GruWeightLayout::zrn;
    r.gates = {zrn ? 0U : 1U, zrn ? 1U : 0U, 2, 0};
  }
  return r;
}

// Returns `activation(value)` in WGSL.
std::string activated(Shader& shader, RecurrentNetworkActivation activation, std::string_view value) {
  switch (activation) {
    case RecurrentNetworkActivation::relu: shader.use("maximum"); return formatText("maximum({}, 0.0f)", value);
    case RecurrentNetworkActivation::sigmoid: shader.use("sigmoid"); return formatText("sigmoid({})", value);
    case RecurrentNetworkActivation::tanh: break;
  }
  shader.use("hyperbolicTangent");
  return formatText("hyperbolicTangent({})", value);
}

Operand stateOf(const Recurrence& r, Planner& planner) { return planner.scratch({DataType::uint32, {r.stateWords()}}); }

// Plans a kernel that writes the state before the first step: the initial hidden and cell states, and step index 0.
void planStart(const Recurrence& r, const Operand& state, Planner& planner) {
  Shader shader;
  const auto value = [&](const std::optional<Operand>& initial, const std::string& at) {
    return initial ? "bitcast<u32>(" + shader.read(*initial, Lane::f32).at(at) + ")" : std::string("0u");
  };
  std::string body = formatText("  if (i < {}u) {{ return {}; }}\n", r.stateSize(), value(r.hidden, "i"));
  if (r.isLstm) {
    body +=
        formatText("  if (i < {}u) {{ return {}; }}\n", 2 * r.stateSize(), value(r.cell, formatText("i - {}u", r.stateSize())));
  }
  planner.elements(shader, state, Lane::u32, body + "  return 0u;", "first state");
}

// Plans a kernel that copies part of the state to an output.
void planPart(const Operand& state, std::uint32_t begin, const Operand& output, Planner& planner) {
  Shader shader;
  const Shader::Input words = shader.read(state, Lane::u32);
  planner.elements(shader, output, Lane::f32, "  return bitcast<f32>(" + words.at(formatText("i + {}u", begin)) + ");", "state");
}

// Writes a shader of a step. If a gru's reset gate acts before the product, a step has two shaders: planReset() and planStep().
class StepKernel {
 public:
  StepKernel(const Recurrence& r, const Operand& projected, Planner& planner)
      : r_(r), planner_(planner), threads_(std::min(threadsFor(r.size), 64U)) {
    fromInput_ = shader_.read(projected, Lane::f32), weights_ = shader_.read(r.recurrentWeight, Lane::f32);
    declareGroupReduction(shader_, "Sum", threads_, "a + b");
    shader_.use("settled");
  }

  // Plans the kernel that writes hidden * reset, [directions, batch, size], to `reset`.
  void planReset(const Operand& from, const Operand& reset) {
    state_ = shader_.read(from, Lane::u32);
    const Shader::Output to = shader_.write(reset, Lane::f32);
    const std::string sums = sumsOf({r_.gates[1]}, "hiddenAt(k)");
    finish(sums, formatText("    let reset = {};\n    {}\n", activated(shader_, r_.activations[0], gate(r_.gates[1], 0)),
                            to.set("w", "reset * hiddenAt(unit)")));
  }

  // Plans the kernel that writes the state after the step to `to`, and the step's part of `sequence`. `reset` was written by
  // planReset().
  void planStep(const Operand& from, const Operand& to, const std::optional<Operand>& reset,
                const std::optional<Operand>& sequence) {
    state_ = shader_.read(from, Lane::u32);
    const Shader::Output next = shader_.write(to, Lane::u32);
    std::string sums, results;
    if (r_.isLstm) {
      sums = sumsOf({r_.gates[0], r_.gates[1], r_.gates[2], r_.gates[3]}, "hiddenAt(k)");
      const auto peephole = [&](std::uint32_t gate) {
        if (!r_.peephole) return std::string();
        return " + old * " +
               shader_.read(*r_.peephole, Lane::f32).at(formatText("(direction * 3u + {}u) * {}u + unit", gate, r_.size));
      };
      const auto opened = [&](std::uint32_t i) {
        return activated(shader_, r_.activations[0], gate(r_.gates[i], i) + peephole(i));
      };
      results = formatText(
          "    let old = bitcast<f32>({});\n"
          "    let cell = {} * old + {} * {};\n"
          "    let hidden = {} * {};\n    {}\n",
          state_.at(formatText("{}u + w", r_.stateSize())), opened(2), opened(0),
          activated(shader_, r_.activations[1], gate(r_.gates[3], 3)), opened(1), activated(shader_, r_.activations[2], "cell"),
          next.set(formatText("{}u + w", r_.stateSize()), "bitcast<u32>(cell)"));
    } else {
      std::string recurrent;
      if (reset) {
        sums = sumsOf({r_.gates[0]}, "hiddenAt(k)") + sumsOf({r_.gates[2]}, resetAt(*reset), 1);
        recurrent = recurrentSum(r_.gates[2], 1);
      } else {
        sums = sumsOf({r_.gates[0], r_.gates[2], r_.gates[1]}, "hiddenAt(k)");
        recurrent =
            formatText("{} * ({})", activated(shader_, r_.activations[0], gate(r_.gates[1], 2)), recurrentSum(r_.gates[2], 1));
      }
      results = formatText(
          "    let update = {};\n    let candidate = {};\n"
          "    let hidden = update * hiddenAt(unit) + settled(settled(1.0f - update) * candidate);\n",
          activated(shader_, r_.activations[0], gate(r_.gates[0], 0)),
          activated(shader_, r_.activations[1], inputSum(r_.gates[2]) + " + " + recurrent));
    }
    results += "    " + next.set("w", "bitcast<u32>(hidden)") + "\n";
    results += formatText("    if (w == 0u) {{ {} }}\n", next.set(formatText("{}u", r_.stateWords() - 1), "step + 1u"));
    if (sequence) {
      const Shader::Output all = shader_.write(*sequence, Lane::f32);
      results += "    " + all.set(formatText("time * {}u + w", r_.stateSize()), "hidden") + "\n";
    }
    finish(sums, results);
  }

 private:
  std::string resetAt(const Operand& reset) {
    return shader_.read(reset, Lane::f32).at(formatText("(w / {0}u) * {0}u + k", r_.size));
  }

  // Returns statements that compute sum`first`, sum`first + 1`, ...: products of rows of the recurrent weights with a vector.
  std::string sumsOf(const std::vector<std::uint32_t>& gates, std::string_view element, std::size_t first = 0) {
    std::string declared, added, reduced;
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const std::size_t number = first + i;
      declared += formatText("  var part{} = 0.0f;\n", number);
      added += formatText(
          "    part{0} = part{0} + v * {1};\n", number,
          weights_.at(formatText("((direction * {0}u + {1}u) * {2}u + unit) * {2}u + k", r_.gateCount(), gates[i], r_.size)));
      reduced += formatText("  let sum{0} = reduceSum(part{0}, thread);\n", number);
    }
    return declared +
           formatText("  for (var k = thread; k < {}u; k += {}u) {{\n    let v = {};\n{}  }}\n", r_.size, threads_, element,
                      added) +
           reduced;
  }

  std::string inputSum(std::uint32_t gate) {
    return fromInput_.at(formatText("((time * {0}u + item) * {1}u + direction) * {2}u + {3}u + unit", r_.batch, r_.directions,
                                    r_.gateCount() * r_.size, gate * r_.size));
  }
  std::string recurrentSum(std::uint32_t gate, std::size_t sum) {
    if (!r_.recurrentBias) return formatText("sum{}", sum);
    return formatText("(sum{} + {})", sum,
                      shader_.read(*r_.recurrentBias, Lane::f32)
                          .at(formatText("direction * {}u + {}u + unit", r_.gateCount() * r_.size, gate * r_.size)));
  }
  std::string gate(std::uint32_t gate, std::size_t sum) { return inputSum(gate) + " + " + recurrentSum(gate, sum); }

  void finish(const std::string& sums, const std::string& results) {
    const auto grid = gridOf(r_.stateSize(), planner_.limits().maxWorkgroups);
    const std::string_view backward = r_.directions == 2 ? "direction == 1u" : r_.isBackward ? "true" : "false";
    const std::string main = formatText(
        "@compute @workgroup_size({0})\n"
        "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{\n"
        "  let w = group.y * {1}u + group.x;\n"
        "  if (w >= {2}u) {{ return; }}\n"
        "  let unit = w % {3}u;\n  let item = w / {3}u % {4}u;\n  let direction = w / {5}u;\n"
        "  let step = {6};\n  let time = select(step, {7}u - step, {8});\n"
        "{9}  if (thread == 0u) {{\n{10}  }}\n}}\n",
        threads_, grid[0], r_.stateSize(), r_.size, r_.batch, r_.batch * r_.size,
        state_.at(formatText("{}u", r_.stateWords() - 1)), r_.steps - 1, backward, withHidden(sums), withHidden(results));
    planner_.add(shader_.whole(main, grid, std::uint64_t{2} * r_.stateSize() * r_.gateCount() * r_.size), "recurrent step");
  }

  // Replaces hiddenAt(X) by the hidden state of unit X of the same item and direction.
  std::string withHidden(std::string text) const {
    constexpr std::string_view kCall = "hiddenAt(";
    for (std::size_t at = 0; (at = text.find(kCall, at)) != std::string::npos;) {
      const std::size_t end = text.find(')', at);
      const std::string unit = text.substr(at + kCall.size(), end - at - kCall.size());
      const std::string value = "bitcast<f32>(" + state_.at(formatText("(w / {0}u) * {0}u + {1}", r_.size, unit)) + ")";
      text.replace(at, end + 1 - at, value);
      at += value.size();
    }
    return text;
  }

  const Recurrence& r_;
  Planner& planner_;
  std::uint32_t threads_;
  Shader shader_;
  Shader::Input fromInput_, weights_, state_;
};

void planRecurrence(const Recurrence& r, bool hasSequence, Planner& planner) {
  const std::uint32_t columns = r.directions * r.gateCount() * r.size;
  const Operand projected = planner.scratch({DataType::float32, {r.steps * r.batch, columns}});
  planRowProducts(r.input, r.weight, r.bias, r.input.shape().back(), projected, planner);
  Operand state = stateOf(r, planner), other = stateOf(r, planner);
  std::optional<Operand> reset, sequence;
  if (!r.isLstm && !r.resetsAfter) reset = planner.scratch({DataType::float32, {r.stateSize()}});
  if (hasSequence) sequence = planner.wholeWords(planner.output(planner.outputCount() - 1));
  planStart(r, state, planner);
  for (std::uint32_t step = 0; step < r.steps; ++step) {
    if (reset) StepKernel(r, projected, planner).planReset(state, *reset);
    StepKernel(r, projected, planner).planStep(state, other, reset, sequence);
    std::swap(state, other);
  }
  planPart(state, 0, planner.output(0), planner);
  if (r.isLstm) planPart(state, r.stateSize(), planner.output(1), planner);
  if (sequence) planner.narrow(*sequence, planner.output(planner.outputCount() - 1));
}

}  // namespace

void plan(const ops::Gru& op, Planner& planner) { planRecurrence(recurrenceOf(op), op.options.returnSequence, planner); }
void plan(const ops::GruCell& op, Planner& planner) { planRecurrence(recurrenceOf(op), false, planner); }
void plan(const ops::Lstm& op, Planner& planner) { planRecurrence(recurrenceOf(op), op.options.returnSequence, planner); }
void plan(const ops::LstmCell& op, Planner& planner) { planRecurrence(recurrenceOf(op), false, planner); }

}  // namespace webnn::webgpu
