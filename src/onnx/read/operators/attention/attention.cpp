#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "onnx/read/operators/attention/attention_block.h"
#include "ops/operand_record.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

enum Input : std::size_t { kQuery, kKey, kValue, kMask, kPastKey, kPastValue, kKeyCounts };

// Returns the type of softmax_precision, if given. If WebNN lacks the type, returns the next wider one, or the widest.
std::optional<DataType> softmaxType(const NodeContext& node) {
  if (!node.find("softmax_precision")) return std::nullopt;
  const auto type = static_cast<ElementType>(node.integer("softmax_precision", 0));
  switch (type) {
    case ElementType::float16: return DataType::float16;
    case ElementType::float32:
    case ElementType::bfloat16:
    case ElementType::float64: return DataType::float32;
    default: break;
  }
  fail(ErrorKind::dataError, "its softmax_precision ({}) is no type of floating-point numbers.", static_cast<int>(type));
}

Operand headsOf(NodeContext& node, Input index, std::string_view countAttribute) {
  const std::size_t rank = node.rank(index);
  if (rank == 4) return node.operand(index);
  if (rank != 3) fail(ErrorKind::dataError, "the rank ({}) of its input {} is not 3 or 4.", rank, static_cast<int>(index));
  return splitHeads(node, node.operand(index), headCount(node, countAttribute));
}

// Returns the mask as a bias to add to the scores; nullopt if the node has no mask. Since version 24, keys past the mask's end
// are masked.
std::optional<Operand> attentionMask(NodeContext& node, DataType type, std::uint32_t keys) {
  if (!node.has(kMask)) return std::nullopt;
  const Operand mask = node.operand(kMask);
  const bool isBoolean = node.value(kMask).type == ElementType::boolean;
  Operand bias = isBoolean ? maskBias(node, mask, type, kMasked) : node.cast(mask, type);
  if (node.version < 24 || bias.rank() == 0 || bias.shape().back() >= keys) return bias;
  std::vector<std::uint32_t> before(bias.rank(), 0), after(bias.rank(), 0);
  after.back() = keys - bias.shape().back();
  return node.builder.pad(bias, before, after, {.value = kMasked, .label = {}});
}

AttentionWindow windowOf(const NodeContext& node) {
  const auto bound = [&](std::string_view attribute) -> std::optional<std::int64_t> {
    const std::int64_t size = node.integer(attribute, -1);
    if (size < -1) fail(ErrorKind::dataError, "its attribute {} ({}) is below -1.", webnn::quoted(attribute), size);
    return size < 0 ? std::nullopt : std::optional(size);
  };
  AttentionWindow window{bound("left_window_size"), bound("right_window_size")};
  if (node.flag("is_causal")) window.right = 0;
  return window;
}

// Returns the number of keys that are not padding, [batch, 1, 1, 1].
Operand keyCounts(NodeContext& node) {
  if (node.rank(kKeyCounts) != 1) {
    fail(ErrorKind::dataError, "the rank of its nonpad_kv_seqlen ({}) is not 1.", node.rank(kKeyCounts));
  }
  const Operand counts = node.operand(kKeyCounts);
  return node.reshape(node.cast(counts, DataType::int32), {counts.shape()[0], 1, 1, 1});
}

// The bias added to the scores, and whether it may mask all keys of a query.
struct Bias {
  std::optional<Operand> sum;
  bool mayBlind = true;
};

// Returns which queries see no key, [..., queries, 1]; nullopt if every query is known to see one.
std::optional<Operand> blindQueries(NodeContext& node, const Bias& bias) {
  if (!bias.sum || !bias.mayBlind || bias.sum->rank() == 0) return std::nullopt;
  const auto last = static_cast<std::uint32_t>(bias.sum->rank() - 1);
  const Operand greatest = node.builder.reduceMax(*bias.sum, {.axes = {last}, .keepDimensions = true, .label = {}});
  const Operand isBlind = node.builder.equal(greatest, node.scalar(greatest.dataType(), kMasked));
  const OperandRecord& record = isBlind.record();
  const auto isZero = [](std::byte value) { return value == std::byte{0}; };
  const bool isKnownFalse = record.kind == OperandKind::constant && std::ranges::all_of(record.bytes, isZero);
  return isKnownFalse ? std::nullopt : std::optional(isBlind);
}

Operand zeroWhere(NodeContext& node, const std::optional<Operand>& condition, const Operand& operand) {
  return condition ? node.builder.where(*condition, node.scalar(operand.dataType(), 0), operand) : operand;
}

Bias biasOf(NodeContext& node, const AttentionInputs& attention) {
  const DataType type = attention.query.dataType();
  const std::uint32_t queries = attention.query.shape()[2], keys = attention.key.shape()[2];
  const std::optional<Operand> mask = attentionMask(node, type, keys);
  const AttentionWindow window = windowOf(node);
  if (node.has(kKeyCounts)) return {sumOf(node, mask, cacheBias(node, type, queries, keys, keyCounts(node), window, kMasked))};
  const bool hasPast = node.has(kPastKey) && !node.value(kPastKey).isEmpty();
  const std::uint32_t offset = hasPast ? node.shape(kPastKey)[2] : 0;
  // The window of the last query may lie past all keys, so that the query sees no key.
  const bool hasFarQuery = window.left && std::int64_t{offset} + queries - *window.left > keys;
  return {sumOf(node, mask, windowBias(node, type, queries, keys, offset, window, kMasked)), mask || hasFarQuery};
}

double scaleOf(const NodeContext& node, const Operand& query) {
  return node.number("scale", 1 / std::sqrt(static_cast<double>(query.shape()[3])));
}

void importAttention(NodeContext& node) {
  AttentionInputs attention;
  attention.query = headsOf(node, kQuery, "q_num_heads");
  attention.key = withPast(node, kPastKey, headsOf(node, kKey, "kv_num_heads"));
  attention.value = withPast(node, kPastValue, headsOf(node, kValue, "kv_num_heads"));
  attention.scale = scaleOf(node, attention.query);
  attention.softcap = node.number("softcap", 0);
  attention.softmaxType = softmaxType(node);
  const Bias bias = biasOf(node, attention);
  attention.bias = bias.sum;
  const AttentionResult result = attend(node, attention);

  // The result of a query that sees no key is 0. Set it after the last matmul, because engines fuse softmax only with a matmul
  // that directly follows it.
  const std::optional<Operand> isBlind = blindQueries(node, bias);
  const Operand output = zeroWhere(node, isBlind, result.output);
  node.set(0, node.rank(kQuery) == 3 ? mergeHeads(node, output) : output);
  if (node.wants(1)) node.set(1, attention.key);
  if (node.wants(2)) node.set(2, attention.value);
  if (!node.wants(3)) return;
  const std::int64_t mode = node.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) fail(ErrorKind::dataError, "its qk_matmul_output_mode ({}) is not one of 0 to 3.", mode);
  if (mode == 3) return node.set(3, zeroWhere(node, isBlind, result.probabilities));
  node.set(3, mode == 0 ? result.scores : mode == 1 ? result.capped : result.biased);
}

// Applies the subgraph in an attribute to a tensor. Returns the tensor unchanged if the attribute is absent.
Operand modify(NodeContext& node, std::string_view attribute, const Operand& operand) {
  const Attribute* modifier = node.find(attribute);
  if (!modifier) return operand;
  if (modifier->type != AttributeType::graph || !modifier->g || modifier->g->outputs.size() != 1) {
    fail(ErrorKind::dataError, "its attribute {} is no graph with one output.", webnn::quoted(attribute));
  }
  const ImportedValue input{
      webnn::onnx::elementTypeOf(operand.dataType()), {operand.shape().begin(), operand.shape().end()}, operand, {}};
  const Operand result = node.operand(node.importSubgraph(*modifier->g, {input})[0]);
  if (result.descriptor() != operand.descriptor()) {
    fail(ErrorKind::dataError, "its {} turns {} into {}.", webnn::quoted(attribute), toString(operand.descriptor()),
         toString(result.descriptor()));
  }
  return result;
}

void importFlexAttention(NodeContext& node) {
  for (const Input index : {kQuery, kKey, kValue}) {
    if (node.rank(index) != 4) {
      fail(ErrorKind::dataError, "the rank ({}) of its input {} is not 4.", node.rank(index), static_cast<int>(index));
    }
  }
  const Operand query = node.operand(kQuery);
  const Operand scores = attentionScores(node, query, node.operand(kKey), scaleOf(node, query));
  const Operand modified = modify(node, "score_mod", node.cast(scores, softmaxType(node).value_or(DataType::float32)));
  const Operand probabilities = modify(node, "prob_mod", node.builder.softmax(modified, 3));
  node.set(0, node.cast(weighValues(node, probabilities, node.operand(kValue)), query.dataType()));
}

}  // namespace

std::span<const OperatorImport> attentionOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Attention", importAttention},
      {"", "CausalConvWithState", importCausalConvWithState},
      {"", "LinearAttention", importLinearAttention},
      {"", "RotaryEmbedding", importRotaryEmbedding},
      {"ai.onnx.preview", "FlexAttention", importFlexAttention},
      {"com.microsoft", "Attention", importContribAttention},
      {"com.microsoft", "CausalConvWithState", importCausalConvWithState},
      {"com.microsoft", "GroupQueryAttention", importGroupQueryAttention},
      {"com.microsoft", "LinearAttention", importLinearAttention},
      {"com.microsoft", "MultiHeadAttention", importMultiHeadAttention},
      {"com.microsoft", "QAttention", importQAttention},
      {"com.microsoft", "RotaryEmbedding", importContribRotaryEmbedding},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
