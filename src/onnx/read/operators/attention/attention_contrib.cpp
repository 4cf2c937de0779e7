#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "onnx/read/operators/attention/attention_block.h"

namespace webnn::formats::onnx {

namespace {

// Queries, keys and values, each [batch, heads, sequence, size].
struct Heads {
  Operand query, key, value;
  std::uint32_t past = 0;  // the number of keys from the past input
};

struct InputIndices {
  std::size_t mask, bias;
};

std::uint32_t queriesOf(const Heads& heads) { return heads.query.shape()[2]; }
std::uint32_t keysOf(const Heads& heads) { return heads.key.shape()[2]; }

// Returns which keys are not padding. `limits` holds key counts [batch], or ends followed by starts [2 * batch].
Operand insideOf(NodeContext& node, const Operand& limits, const Heads& heads) {
  const std::uint32_t batch = heads.query.shape()[0], count = limits.shape()[0];
  node.require(count == batch || count == 2 * batch, "a mask of {} numbers for a batch of {}: WebNN has no ragged tensors", count,
               batch);
  const Operand key = node.cast(positions(node, 3, keysOf(heads)), limits.dataType());
  const std::vector<Operand> parts = node.builder.split(limits, count / batch);
  const Operand isBeforeEnd = node.builder.lesser(key, node.reshape(parts[0], {batch, 1, 1, 1}));
  if (count == batch) return isBeforeEnd;
  return node.builder.logicalAnd(isBeforeEnd, node.builder.greaterOrEqual(key, node.reshape(parts[1], {batch, 1, 1, 1})));
}

// Returns which scores the mask admits. The mask may have rank 1 to 4.
Operand admitted(NodeContext& node, const Operand& mask, const Heads& heads) {
  if (mask.rank() == 1) return insideOf(node, mask, heads);
  Shape shape = mask.shape();
  Operand apart = mask;
  if (shape.size() == 2) apart = node.reshape(mask, {shape[0], 1, 1, shape[1]});
  if (shape.size() == 3) apart = node.reshape(mask, {shape[0], 1, shape[1], shape[2]});
  if (shape.size() == 4) {
    apart = node.builder.slice(mask, {0, 0, heads.past, 0}, {shape[0], shape[1], queriesOf(heads), keysOf(heads)});
  }
  return node.builder.greater(apart, node.scalar(mask.dataType(), 0));
}

std::optional<Operand> contribBias(NodeContext& node, const Heads& heads, const InputIndices& inputs) {
  const DataType type = heads.query.dataType();
  const double masked = node.number("mask_filter_value", -10000);
  std::optional<Operand> bias = node.optionalOperand(inputs.bias);
  if (node.has(inputs.mask)) {
    bias = sumOf(node, bias, maskBias(node, admitted(node, node.operand(inputs.mask), heads), type, masked));
  }
  if (!node.flag("unidirectional")) return bias;
  // Uses minus infinity instead of the mask's finite value, so that later keys stay excluded even if all keys are masked.
  constexpr double kLater = -std::numeric_limits<double>::infinity();
  return sumOf(node, bias, windowBias(node, type, queriesOf(heads), keysOf(heads), heads.past, {.left = {}, .right = 0}, kLater));
}

double contribScale(const NodeContext& node, const Heads& heads) {
  const double given = node.number("scale", 0);
  return given == 0 ? 1 / std::sqrt(static_cast<double>(heads.query.shape()[3])) : given;
}

AttentionResult attendHeads(NodeContext& node, const Heads& heads, const InputIndices& inputs) {
  AttentionInputs attention;
  attention.query = heads.query;
  attention.key = heads.key;
  attention.value = heads.value;
  attention.scale = contribScale(node, heads);
  attention.bias = contribBias(node, heads, inputs);
  const AttentionResult result = attend(node, attention);
  node.set(0, mergeHeads(node, result.output));
  return result;
}

void requireNoSharing(const NodeContext& node) {
  node.require(!node.flag("past_present_share_buffer"), "past_present_share_buffer: WebNN cannot write into its inputs");
  node.require(!node.flag("do_rotary"), "do_rotary: the positions are not known when the graph is built");
}

// Returns the hidden sizes of query, key and value; their sum is the size of the projections.
std::vector<std::uint32_t> hiddenSizes(const NodeContext& node, std::uint32_t total) {
  const auto given = node.integers("qkv_hidden_sizes");
  if (!given) return std::vector<std::uint32_t>(3, total / 3);
  const auto isSize = [&](std::int64_t size) { return size > 0 && size <= total; };
  if (given->size() != 3 || !std::ranges::all_of(*given, isSize)) {
    fail(ErrorKind::dataError, "its qkv_hidden_sizes are not three parts of {}.", total);
  }
  return {given->begin(), given->end()};
}

// Computes attention over `projected` [batch, sequence, sum of hidden sizes], with the past key and value at `pastIndex`.
void attendProjected(NodeContext& node, const Operand& projected, std::size_t pastIndex, const InputIndices& inputs) {
  requireNoSharing(node);
  GraphBuilder& builder = node.builder;
  const std::uint32_t count = headCount(node, "num_heads");
  const std::vector<Operand> parts = builder.split(projected, hiddenSizes(node, projected.shape()[2]), {.axis = 2, .label = {}});
  Heads heads{splitHeads(node, parts[0], count), splitHeads(node, parts[1], count), splitHeads(node, parts[2], count), 0};
  if (node.has(pastIndex) && !node.value(pastIndex).isEmpty()) {
    const Shape shape = node.shape(pastIndex);
    if (shape.size() != 5) fail(ErrorKind::dataError, "the rank of its past ({}) is not 5.", shape.size());
    const std::vector<Operand> past = builder.split(node.operand(pastIndex), 2u);
    const Shape one(shape.begin() + 1, shape.end());
    heads.key = builder.concat({node.reshape(past[0], one), heads.key}, 2);
    heads.value = builder.concat({node.reshape(past[1], one), heads.value}, 2);
    heads.past = shape[3];
  }
  attendHeads(node, heads, inputs);
  if (!node.wants(1)) return;
  const auto stacked = [&](const Operand& operand) {
    Shape shape = operand.shape();
    shape.insert(shape.begin(), 1);
    return node.reshape(operand, shape);
  };
  node.set(1, builder.concat({stacked(heads.key), stacked(heads.value)}, 0));
}

Operand project(NodeContext& node, const Operand& input, const Operand& weights, const std::optional<Operand>& bias) {
  if (input.rank() != 3 || weights.rank() != 2) {
    fail(ErrorKind::dataError, "the ranks of its input ({}) and weights ({}) are not 3 and 2.", input.rank(), weights.rank());
  }
  const Operand product = node.builder.matmul(input, weights);
  return bias ? node.builder.add(product, *bias) : product;
}

// Returns a dequantized input. Scale and zero point are inputs too, with one element or one per column.
Operand dequantized(NodeContext& node, std::size_t index, std::size_t scaleIndex, std::size_t zeroPointIndex) {
  const Operand input = node.operand(index);
  if (input.rank() == 0) fail(ErrorKind::dataError, "its input {} is a scalar.", index);
  const auto alike = [&](const Operand& operand) {
    Shape shape(input.rank(), 1);
    shape.back() = static_cast<std::uint32_t>(elementCount(operand.descriptor()));
    return node.reshape(operand, shape);
  };
  const Operand scale = alike(node.operand(scaleIndex));
  const Operand zeroPoint = node.has(zeroPointIndex) ? alike(node.operand(zeroPointIndex)) : node.scalar(input.dataType(), 0);
  return node.builder.dequantizeLinear(input, scale, node.expand(zeroPoint, scale.shape()));
}

// Tells which input holds the queries, keys or values: part `index` of [batch, sequence, heads, count, size], or if `count` is 1,
// the whole input [batch, sequence, heads * size].
struct Part {
  std::size_t input = 0;
  std::uint32_t index = 0, count = 1;
};

Operand unpack(NodeContext& node, const Part& part, std::uint32_t heads) {
  const Operand all = node.operand(part.input);
  const Shape& shape = all.shape();
  if (part.count == 1) {
    if (shape.size() != 3 || shape[2] % heads != 0) {
      fail(ErrorKind::dataError, "a tensor {} does not consist of {} heads.", toString(shape), heads);
    }
    return node.reshape(all, {shape[0], shape[1], heads, shape[2] / heads});
  }
  if (shape.size() != 5 || shape[2] != heads || shape[3] != part.count) {
    fail(ErrorKind::dataError, "a tensor {} does not pack {} tensors of {} heads.", toString(shape), part.count, heads);
  }
  const Operand one = node.builder.slice(all, {0, 0, 0, part.index, 0}, {shape[0], shape[1], heads, 1, shape[4]});
  return node.reshape(one, {shape[0], shape[1], heads, shape[4]});
}

// Returns a part as heads plus its slice of the bias, which begins at `start`. Advances `start` past the slice.
Operand biasedHeads(NodeContext& node, const Part& part, std::uint32_t count, std::uint64_t& start) {
  Operand operand = unpack(node, part, count);
  const std::uint32_t size = operand.shape()[3], first = static_cast<std::uint32_t>(start);
  start += std::uint64_t{count} * size;
  if (node.has(3)) {
    const Operand bias = node.operand(3);
    if (bias.rank() != 1 || bias.shape()[0] < start) {
      fail(ErrorKind::dataError, "its bias {} is shorter than {}.", toString(bias.shape()), start);
    }
    operand = node.builder.add(operand, node.reshape(node.builder.slice(bias, {first}, {count * size}), {1, 1, count, size}));
  }
  return node.transpose(operand, {0, 2, 1, 3});
}

// Reads queries, keys and values, and adds the bias. Keys and values that already are heads (rank 4) have no bias.
Heads readHeads(NodeContext& node, std::uint32_t count) {
  const bool isPacked = node.rank(0) == 5, isKeyPacked = !isPacked && node.rank(1) == 5;
  std::uint64_t start = 0;
  Heads heads;
  heads.query = biasedHeads(node, isPacked ? Part{0, 0, 3} : Part{}, count, start);
  if (!isPacked && node.rank(1) == 4) {
    heads.key = node.operand(1);
    heads.value = node.operand(2);
    return heads;
  }
  heads.key = biasedHeads(node, isPacked ? Part{0, 1, 3} : isKeyPacked ? Part{1, 0, 2} : Part{1}, count, start);
  heads.value = biasedHeads(node, isPacked ? Part{0, 2, 3} : isKeyPacked ? Part{1, 1, 2} : Part{2}, count, start);
  return heads;
}

}  // namespace

void importContribAttention(NodeContext& node) {
  attendProjected(node, project(node, node.operand(0), node.operand(1), node.optionalOperand(2)), 4, {.mask = 3, .bias = 5});
}

void importQAttention(NodeContext& node) {
  const Operand input = dequantized(node, 0, 3, 6), weights = dequantized(node, 1, 4, 7);
  attendProjected(node, project(node, input, weights, node.operand(2)), 8, {.mask = 5, .bias = node.inputCount()});
}

void importMultiHeadAttention(NodeContext& node) {
  node.require(!node.has(8) && !node.has(9), "past_sequence_length and cache_indirection: WebNN cannot write into its inputs");
  const std::uint32_t count = headCount(node, "num_heads");
  Heads heads = readHeads(node, count);
  const std::uint32_t added = keysOf(heads);
  heads.key = withPast(node, 6, heads.key);
  heads.value = withPast(node, 7, heads.value);
  heads.past = keysOf(heads) - added;
  const AttentionResult result = attendHeads(node, heads, {.mask = 4, .bias = 5});
  if (node.wants(1)) node.set(1, heads.key);
  if (node.wants(2)) node.set(2, heads.value);
  if (node.wants(3)) node.set(3, result.biased);
}

}  // namespace webnn::formats::onnx
