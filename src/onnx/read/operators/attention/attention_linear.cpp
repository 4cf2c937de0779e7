#include <cmath>
#include <limits>

#include "base/text.h"
#include "onnx/read/compose.h"
#include "onnx/read/operators/attention/attention_block.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint32_t kMaxSteps = 4096;

// The operands of one time step, in float32.
struct Step {
  Operand query;  // [batch, key heads, query heads per key head, keySize]
  Operand key;    // [batch, heads, 1, keySize]
  Operand value;  // [batch, heads, 1, valueSize]
  Operand decay;  // [batch, heads, keySize or 1, 1]; null if the rule has no decay
  Operand beta;   // [batch, heads or 1, 1, 1]; null if the rule has no correction
};

struct Sizes {
  std::uint32_t batch, steps, heads, sharing, keySize, valueSize;
};

// Splits an input [batch, steps, heads * size] into one float32 tensor [batch, heads, rows, size / rows] per step.
std::vector<Operand> stepsOf(NodeContext& node, const Operand& operand, std::uint32_t heads, std::uint32_t rows) {
  const Shape& shape = operand.shape();
  const std::uint64_t parts = std::uint64_t{heads} * rows;
  if (shape.size() != 3 || shape[2] % parts != 0) {
    fail(ErrorKind::dataError, "a tensor {} does not consist of {} heads.", toString(shape), parts);
  }
  const Operand all = node.cast(
      node.reshape(operand, {shape[0], shape[1], heads, rows, static_cast<std::uint32_t>(shape[2] / parts)}), DataType::float32);
  std::vector<Operand> steps = node.builder.split(all, shape[1], {.axis = 1, .label = {}});
  for (Operand& step : steps) step = node.reshape(step, {shape[0], heads, rows, static_cast<std::uint32_t>(shape[2] / parts)});
  return steps;
}

Sizes sizesOf(NodeContext& node) {
  for (const std::size_t i : {0, 1, 2, 4, 5}) {
    if ((i < 3 || node.has(i)) && node.rank(i) != 3) {
      fail(ErrorKind::dataError, "the rank ({}) of its input {} is not 3.", node.rank(i), i);
    }
  }
  const std::uint32_t queryHeads = headCount(node, "q_num_heads"), heads = headCount(node, "kv_num_heads");
  node.require(queryHeads % heads == 0, "the {} heads of its query cannot share {} of keys and values", queryHeads, heads);
  const Shape& key = node.shape(1);
  const Sizes sizes{key[0], key[1], heads, queryHeads / heads, key[2] / heads, node.shape(2)[2] / heads};
  node.require(sizes.steps <= kMaxSteps, "WebNN has no such recurrence, and unrolled it would have {} steps, more than {}",
               sizes.steps, kMaxSteps);
  return sizes;
}

// The parts of the update rule. decays: the state is multiplied by exp(decay). corrects: the state's output for the key is
// subtracted from the value (delta rule).
struct Rule {
  bool decays, corrects;
};

Rule ruleOf(const NodeContext& node) {
  const std::string_view rule = node.text("update_rule", "gated_delta");
  const Rule result{rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"};
  if (rule != "linear" && !result.decays && !result.corrects) {
    fail(ErrorKind::dataError, "its update_rule ({}) is unknown.", webnn::quoted(rule));
  }
  return result;
}

std::vector<Step> readSteps(NodeContext& node, const Sizes& sizes, const Rule& rule) {
  const std::vector<Operand> query = stepsOf(node, node.operand(0), sizes.heads, sizes.sharing);
  const std::vector<Operand> key = stepsOf(node, node.operand(1), sizes.heads, 1),
                             value = stepsOf(node, node.operand(2), sizes.heads, 1);
  std::vector<Operand> decay(sizes.steps), beta(sizes.steps);
  if (rule.decays) {
    const Operand all = node.operand(4);
    decay = stepsOf(node, all, sizes.heads, all.shape().back() == sizes.heads ? 1 : sizes.keySize);
  }
  if (rule.corrects) {
    const Operand all = node.operand(5);
    beta = stepsOf(node, all, all.shape().back() == 1 ? 1 : sizes.heads, 1);
  }
  if (query.size() != sizes.steps || value.size() != sizes.steps || decay.size() != sizes.steps || beta.size() != sizes.steps) {
    fail(ErrorKind::dataError, "its inputs are sequences of different lengths.");
  }
  std::vector<Step> steps;
  for (std::uint32_t i = 0; i < sizes.steps; ++i) steps.push_back({query[i], key[i], value[i], decay[i], beta[i]});
  return steps;
}

// Returns the state [batch, heads, keySize, valueSize] after a step: S + transpose(key) * beta * (value - key * S), or if beta
// is null, S + transpose(key) * value. S is exp(decay) * state, or if decay is null, `state`.
Operand nextState(NodeContext& node, Operand state, const Step& step) {
  GraphBuilder& builder = node.builder;
  if (step.decay) state = builder.mul(state, builder.exp(step.decay));
  Operand value = step.value;
  if (step.beta) value = builder.mul(builder.sub(value, builder.matmul(step.key, state)), step.beta);
  const Shape& shape = step.key.shape();
  const Operand column = node.reshape(step.key, {shape[0], shape[1], shape[3], 1});
  return builder.add(state, builder.mul(column, value));
}

void requireDefault(const NodeContext& node, std::string_view attribute, std::int64_t value) {
  const std::int64_t given = node.integer(attribute, value);
  node.require(given == value, "{} ({}) is not {}", attribute, given, value);
}

Operand silu(NodeContext& node, const Operand& operand) {
  const Operand x = node.cast(operand, DataType::float32);
  return node.cast(node.builder.mul(x, node.builder.sigmoid(x)), operand.dataType());
}

// Returns the input with `length` columns of the past, or zeros, before it.
Operand withState(NodeContext& node, std::uint32_t length) {
  const Operand input = node.operand(0);
  if (length == 0) return input;
  if (node.has(3)) return node.builder.concat({node.operand(3), input}, 2);
  return node.builder.pad(input, {0, 0, length}, {0, 0, 0});
}

}  // namespace

void importLinearAttention(NodeContext& node) {
  requireDefault(node, "state_window", 0);
  const Sizes sizes = sizesOf(node);
  const Rule rule = ruleOf(node);
  const DataType type = node.operand(0).dataType();
  const std::optional<Operand> past = node.optionalOperand(3);
  const Shape stateShape{sizes.batch, sizes.heads, sizes.keySize, sizes.valueSize};
  Operand state = past ? node.cast(*past, DataType::float32) : node.expand(node.scalar(DataType::float32, 0), stateShape);
  if (state.shape() != stateShape) {
    fail(ErrorKind::dataError, "its past_state {} is not {}.", toString(state.shape()), toString(stateShape));
  }

  const double given = node.number("scale", 0);
  const Operand scale = node.scalar(DataType::float32, given == 0 ? 1 / std::sqrt(static_cast<double>(sizes.keySize)) : given);
  std::vector<Operand> outputs;
  for (const Step& step : readSteps(node, sizes, rule)) {
    state = nextState(node, state, step);
    const Operand output = node.builder.mul(node.builder.matmul(step.query, state), scale);
    outputs.push_back(node.reshape(output, {sizes.batch, 1, sizes.heads * sizes.sharing * sizes.valueSize}));
  }
  node.set(0, node.cast(node.builder.concat(outputs, 1), type));
  node.set(1, node.cast(state, past ? past->dataType() : type));
}

void importCausalConvWithState(NodeContext& node) {
  requireDefault(node, "ndim", 1);
  requireDefault(node, "channels_last", 0);
  requireDefault(node, "state_window", 0);
  const std::string_view activation = node.text("activation", "none");
  const bool isSilu = activation == "silu" || activation == "swish";
  if (!isSilu && activation != "none") fail(ErrorKind::dataError, "its activation ({}) is unknown.", webnn::quoted(activation));
  const std::int64_t dilation = node.integer("dilation", 1);
  if (node.rank(0) != 3 || node.rank(1) != 3) {
    fail(ErrorKind::dataError, "the ranks of its input ({}) and weight ({}) are not 3.", node.rank(0), node.rank(1));
  }
  const Shape shape = node.shape(0), kernel = node.shape(1);
  const std::int64_t longest = std::numeric_limits<std::int32_t>::max() / std::int64_t{kernel[2]};
  if (dilation < 1 || dilation > longest) {
    fail(ErrorKind::dataError, "its dilation ({}) is not one of 1 to {}.", dilation, longest);
  }

  const std::uint32_t length = (kernel[2] - 1) * static_cast<std::uint32_t>(dilation);
  const Operand sequence = withState(node, length);
  Conv2dOptions options;
  options.dilations = {1, static_cast<std::uint32_t>(dilation)};
  options.groups = shape[1];
  options.bias = node.optionalOperand(2);
  const std::uint32_t total = sequence.shape()[2];
  const Operand plane = node.reshape(sequence, {shape[0], shape[1], 1, total});
  const Operand filter = node.reshape(node.operand(1), {kernel[0], kernel[1], 1, kernel[2]});
  const Operand output = node.reshape(node.builder.conv2d(plane, filter, options), shape);
  node.set(0, isSilu ? silu(node, output) : output);
  if (length == 0) {
    node.set(1, emptyValue(node.value(0).type, {shape[0], shape[1], 0}));
  } else {
    node.set(1, node.builder.slice(sequence, {0, 0, total - length}, {shape[0], shape[1], length}));
  }
}

}  // namespace webnn::formats::onnx
