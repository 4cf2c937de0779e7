#include "onnx/read/operators/attention/attention_block.h"

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint32_t kKeys = 3;  // the axis of the scores that softmax normalizes

Operand cap(NodeContext& node, const Operand& scores, double softcap) {
  if (softcap == 0) return scores;
  const Operand limit = node.scalar(scores.dataType(), softcap);
  return node.builder.mul(node.builder.tanh(node.builder.div(scores, limit)), limit);
}

// Computes softmax over the scores and the sink as an extra column, and removes that column.
Operand softmaxWithSink(NodeContext& node, const Operand& scores, const Operand& sink) {
  Shape shape = scores.shape();
  const Shape kept = shape;
  shape[kKeys] = 1;
  const Operand column = node.expand(node.reshape(node.cast(sink, scores.dataType()), {1, shape[1], 1, 1}), shape);
  const Operand all = node.builder.softmax(node.builder.concat({scores, column}, kKeys), kKeys);
  return node.builder.slice(all, {0, 0, 0, 0}, kept);
}

Operand normalize(NodeContext& node, const Operand& scores, const AttentionInputs& attention) {
  const Operand precise = node.cast(scores, attention.softmaxType.value_or(scores.dataType()));
  const Operand result = attention.sink ? softmaxWithSink(node, precise, *attention.sink) : node.builder.softmax(precise, kKeys);
  return node.cast(result, scores.dataType());
}

Operand addBias(NodeContext& node, const Operand& scores, const std::optional<Operand>& bias) {
  if (!bias) return scores;
  const Operand result = node.builder.add(scores, node.cast(*bias, scores.dataType()));
  if (result.shape() != scores.shape()) {
    fail(ErrorKind::dataError, "its mask or bias {} does not broadcast to the scores {}.", toString(bias->shape()),
         toString(scores.shape()));
  }
  return result;
}

}  // namespace

std::uint32_t headCount(const NodeContext& node, std::string_view attribute) {
  const std::int64_t count = node.integer(attribute, 0);
  if (count <= 0 || static_cast<std::uint64_t>(count) > kMaxDimension) {
    fail(ErrorKind::dataError, "its attribute {} ({}) is not a number of heads.", webnn::quoted(attribute), count);
  }
  return static_cast<std::uint32_t>(count);
}

Operand splitHeads(NodeContext& node, const Operand& operand, std::uint32_t heads) {
  const Shape& shape = operand.shape();
  if (shape.size() != 3 || shape[2] % heads != 0) {
    fail(ErrorKind::dataError, "a tensor {} does not consist of {} heads.", toString(shape), heads);
  }
  return node.transpose(node.reshape(operand, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

Operand mergeHeads(NodeContext& node, const Operand& operand) {
  const Shape& shape = operand.shape();
  return node.reshape(node.transpose(operand, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

Operand shareHeads(NodeContext& node, const Operand& operand, std::uint32_t count) {
  const Shape& shape = operand.shape();
  if (shape.size() != 4 || count % shape[1] != 0) {
    fail(ErrorKind::dataError, "the {} heads of the query cannot share those of a tensor {}.", count, toString(shape));
  }
  if (shape[1] == count) return operand;
  const Operand apart = node.reshape(operand, {shape[0], shape[1], 1, shape[2], shape[3]});
  const Operand repeated = node.expand(apart, {shape[0], shape[1], count / shape[1], shape[2], shape[3]});
  return node.reshape(repeated, {shape[0], count, shape[2], shape[3]});
}

Operand withPast(NodeContext& node, std::size_t pastIndex, const Operand& present) {
  if (!node.has(pastIndex) || node.value(pastIndex).isEmpty()) return present;
  return node.builder.concat({node.operand(pastIndex), present}, 2);
}

Operand positions(NodeContext& node, std::uint32_t axis, std::uint32_t count) {
  Shape shape(4, 1);
  shape[axis] = count;
  const Operand ones = node.expand(node.scalar(DataType::int32, 1), shape);
  return node.builder.cumulativeSum(ones, axis, {.exclusive = true, .label = {}});
}

Operand maskBias(NodeContext& node, const Operand& isAllowed, DataType type, double masked) {
  return node.builder.where(isAllowed, node.scalar(type, 0), node.scalar(type, masked));
}

std::optional<Operand> sumOf(NodeContext& node, const std::optional<Operand>& a, const std::optional<Operand>& b) {
  if (!a || !b) return a ? a : b;
  return node.builder.add(*a, *b);
}

std::optional<Operand> windowBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys,
                                  std::uint32_t offset, const AttentionWindow& window, double masked) {
  const auto triangle = [&](bool upper, std::int64_t diagonal) {  // `diagonal` lies between -queries and keys
    const Operand all = node.builder.expand(node.scalar(type, masked), {queries, keys});
    return node.builder.triangular(all, {.upper = upper, .diagonal = static_cast<std::int32_t>(diagonal), .label = {}});
  };
  constexpr std::int64_t kFar = std::int64_t{1} << 40;  // farther than any position
  std::optional<Operand> bias;
  if (window.right) {
    const std::int64_t firstMasked = offset + std::min(*window.right, kFar) + 1;
    if (firstMasked < keys) bias = triangle(true, std::max(firstMasked, -std::int64_t{queries}));
  }
  if (window.left) {
    const std::int64_t lastMasked = offset - std::min(*window.left, kFar) - 1;
    if (lastMasked > -std::int64_t{queries}) bias = sumOf(node, bias, triangle(false, std::min<std::int64_t>(lastMasked, keys)));
  }
  return bias;
}

Operand cacheBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys, const Operand& end,
                  const AttentionWindow& window, double masked) {
  GraphBuilder& builder = node.builder;
  const Operand key = positions(node, 3, keys);
  const auto constant = [&](std::int64_t value) { return node.scalar(DataType::int32, value); };  // saturates at the int32 limits
  Operand isAllowed = builder.lesser(key, end);
  if (window.left || window.right) {
    const Operand query = builder.add(positions(node, 2, queries), builder.sub(end, constant(queries)));
    const Operand distance = builder.sub(key, query);
    if (window.right) isAllowed = builder.logicalAnd(isAllowed, builder.lesserOrEqual(distance, constant(*window.right)));
    if (window.left) isAllowed = builder.logicalAnd(isAllowed, builder.greaterOrEqual(distance, constant(-*window.left)));
  }
  return maskBias(node, isAllowed, type, masked);
}

Operand attentionScores(NodeContext& node, const Operand& query, const Operand& key, double scale) {
  const Operand transposed = node.transpose(shareHeads(node, key, query.shape()[1]), {0, 1, 3, 2});
  if (scale == 1) return node.builder.matmul(query, transposed);
  const Operand factor = node.scalar(query.dataType(), scale);
  if (query.dataType() == DataType::float16) return node.builder.matmul(node.builder.mul(query, factor), transposed);
  return node.builder.mul(node.builder.matmul(query, transposed), factor);
}

Operand weighValues(NodeContext& node, const Operand& probabilities, const Operand& value) {
  return node.builder.matmul(probabilities,
                             node.cast(shareHeads(node, value, probabilities.shape()[1]), probabilities.dataType()));
}

AttentionResult attend(NodeContext& node, const AttentionInputs& attention) {
  AttentionResult result;
  result.scores = attentionScores(node, attention.query, attention.key, attention.scale);
  result.capped = cap(node, result.scores, attention.softcap);
  result.biased = addBias(node, result.capped, attention.bias);
  result.probabilities = normalize(node, result.biased, attention);
  result.output = weighValues(node, result.probabilities, attention.value);
  return result;
}

}  // namespace webnn::formats::onnx
