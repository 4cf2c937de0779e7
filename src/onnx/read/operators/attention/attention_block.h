// Building blocks for the attention operators of all domains. Tensors of heads have the shape [batch, heads, sequence, size].
#pragma once

#include <optional>
#include <string_view>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Returns an attribute that counts heads. Throws DataError if it is absent or out of range.
std::uint32_t headCount(const NodeContext& node, std::string_view attribute);

// splitHeads() turns [batch, sequence, heads * size] into [batch, heads, sequence, size]; mergeHeads() is the inverse.
Operand splitHeads(NodeContext& node, const Operand& operand, std::uint32_t heads);
Operand mergeHeads(NodeContext& node, const Operand& operand);

// Repeats each head for the query heads that share it: two heads become 0, 0, 1, 1 for a `count` of 4.
Operand shareHeads(NodeContext& node, const Operand& operand, std::uint32_t count);

// Concatenates a past key or value, if input `pastIndex` is present and not empty, with the present one.
Operand withPast(NodeContext& node, std::size_t pastIndex, const Operand& present);

// Returns 0, 1, ..., count - 1 as int32 in a shape of rank 4 with `count` at `axis` and 1 elsewhere.
Operand positions(NodeContext& node, std::uint32_t axis, std::uint32_t count);

// Returns the bias for scores: 0 if `isAllowed`, else `masked`.
Operand maskBias(NodeContext& node, const Operand& isAllowed, DataType type, double masked);

// Returns the sum of the operands that are present; nullopt if both are absent.
std::optional<Operand> sumOf(NodeContext& node, const std::optional<Operand>& a, const std::optional<Operand>& b);

// The number of keys that a query sees on each side of its own position. nullopt: all keys on that side.
struct AttentionWindow {
  std::optional<std::int64_t> left, right;
};

// Returns the bias [queries, keys] that restricts queries to their windows, or nullopt if all keys lie inside. The first query is
// at position `offset`, the first key at position 0.
std::optional<Operand> windowBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys,
                                  std::uint32_t offset, const AttentionWindow& window, double masked);

// Returns the bias for sequences with different key counts `end`, int32 [batch, 1, 1, 1]. The last query is at position end - 1;
// keys from `end` on are masked too.
Operand cacheBias(NodeContext& node, DataType type, std::uint32_t queries, std::uint32_t keys, const Operand& end,
                  const AttentionWindow& window, double masked);

struct AttentionInputs {
  Operand query, key, value;  // the number of query heads is a multiple of the number of key heads
  double scale = 1;
  double softcap = 0;           // bound of tanh soft capping; 0: no capping
  std::optional<Operand> bias;  // broadcasts to the scores
  std::optional<Operand> sink;  // [heads]: an extra score per head that takes a share of the probability but has no value
  std::optional<DataType> softmaxType;
};

// The results of attend() in the order of computation, each in the query's type. All but `output` have the shape of the scores,
// [batch, heads, queries, keys].
struct AttentionResult {
  Operand scores, capped, biased, probabilities, output;
};

// Emits transpose, matmul, scale (in float16: scale, matmul), add, softmax, matmul, in the order that engines recognize and fuse.
AttentionResult attend(NodeContext& node, const AttentionInputs& attention);

// Compute the two matrix products of attend(), for operators with other steps between them. In float16 the scale multiplies the
// query before the product, so that scores do not overflow.
Operand attentionScores(NodeContext& node, const Operand& query, const Operand& key, double scale);
Operand weighValues(NodeContext& node, const Operand& probabilities, const Operand& value);

// Rotates pairs among the first 2 * n elements of the last dimension, with n cosines and sines that broadcast. Element i is
// paired with i + n, or if interleaved, element 2i with 2i + 1.
Operand rotate(NodeContext& node, const Operand& operand, const Operand& cosines, const Operand& sines, bool isInterleaved);

// Handlers that other files of this family define.
void importCausalConvWithState(NodeContext& node);
void importLinearAttention(NodeContext& node);
void importRotaryEmbedding(NodeContext& node);
void importContribAttention(NodeContext& node);
void importContribRotaryEmbedding(NodeContext& node);
void importGroupQueryAttention(NodeContext& node);
void importMultiHeadAttention(NodeContext& node);
void importQAttention(NodeContext& node);

}  // namespace webnn::formats::onnx
