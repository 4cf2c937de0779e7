// Building blocks of all domains' attention operators. Heads are [batch, heads, sequence, size].
#pragma once

#include <optional>
#include <string_view>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// An attribute that counts heads, which must be given.
std::uint32_t headCount(const NodeContext& node, std::string_view attribute);

// [batch, sequence, heads * size] to heads, and heads to [batch, sequence, heads * size].
Operand splitHeads(NodeContext& node, const Operand& operand, std::uint32_t heads);
Operand mergeHeads(NodeContext& node, const Operand& operand);

// Repeats each head for the query heads that share it: 0, 0, 1, 1 for two heads and a `count` of 4.
Operand shareHeads(NodeContext& node, const Operand& operand, std::uint32_t count);

// The past of a key or value, if the input is there and not empty, and then the present.
Operand withPast(NodeContext& node, std::size_t pastIndex, const Operand& present);

// 0, 1, ... along an axis of a shape of rank 4 that has ones elsewhere; int32.
Operand positions(NodeContext& node, std::uint32_t axis, std::uint32_t count);

// Returns the bias of scores: 0 where `isAllowed`, `masked` elsewhere.
Operand maskBias(NodeContext& node, const Operand& isAllowed, DataType type, double masked);

// Returns the sum of the present operands.
std::optional<Operand> sumOf(NodeContext& node, const std::optional<Operand>& a, const std::optional<Operand>& b);

// The keys that a query sees around its own position; nullopt: all on that side.
struct AttentionWindow {
  std::optional<std::int64_t> left, right;
};

// The bias [queries, keys] that keeps queries to their windows, if any key lies outside one. The first query's position is
// `offset`, the first key's 0.
std::optional<Operand> windowBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys,
                                  std::uint32_t offset, const AttentionWindow& window, double masked);

// The same with a number of keys per sequence, int32 [batch, 1, 1, 1], whose last key belongs to the last query; also masks later
// keys.
Operand cacheBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys, const Operand& end,
                  const AttentionWindow& window, double masked);

struct AttentionInputs {
  Operand query, key, value;  // the heads of the query are a multiple of the others'
  double scale = 1;
  double softcap = 0;           // 0: none
  std::optional<Operand> bias;  // broadcast to the scores
  std::optional<Operand> sink;  // [heads]: a score that takes its share of the probability, but has no value
  std::optional<DataType> softmaxType;
};

// The stages, each in the query's type: scores [batch, heads, queries, keys] as scaled, capped and biased.
struct AttentionResult {
  Operand scores, capped, biased, probabilities, output;
};

// Emits transpose, matmul, scale, add, softmax, matmul, in the order that engines recognise.
AttentionResult attend(NodeContext& node, const AttentionInputs& attention);

// The parts of attend(), for operators with steps in between. The float16 scale multiplies the query first, so that scores do not
// overflow.
Operand attentionScores(NodeContext& node, const Operand& query, const Operand& key, double scale);
Operand weighValues(NodeContext& node, const Operand& probabilities, const Operand& value);

// Rotates pairs of elements, the first 2 * n of the last dimension (of n cosines and sines, which broadcast): the element
// i with i + n, or if they are interleaved 2i with 2i + 1.
Operand rotate(NodeContext& node, const Operand& operand, const Operand& cosines, const Operand& sines, bool isInterleaved);

// Operators of other files of this family.
void importCausalConvWithState(NodeContext& node);
void importLinearAttention(NodeContext& node);
void importRotaryEmbedding(NodeContext& node);
void importContribAttention(NodeContext& node);
void importContribRotaryEmbedding(NodeContext& node);
void importGroupQueryAttention(NodeContext& node);
void importMultiHeadAttention(NodeContext& node);
void importQAttention(NodeContext& node);

}  // namespace webnn::formats::onnx
