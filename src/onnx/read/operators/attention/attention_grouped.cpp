#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "onnx/read/operators/attention/attention_block.h"

namespace webnn::formats::onnx {

namespace {

enum GroupedInput : std::size_t {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLastKeys,
  kTotal,
  kCosines,
  kSines,
  kPositions,
  kBias,
  kSink,
  kKeyScale,
  kValueScale,
  kQueryNorm,
  kKeyNorm,
};

// The counts of past and new keys of each sequence.
struct Cache {
  std::uint32_t batch = 0, queries = 0;
  std::uint32_t total = 0;            // the number of keys of the longest sequence
  std::uint32_t capacity = 0;         // the number of keys that the past tensors have room for
  bool isPrompt = false;              // true if there are no past keys
  std::vector<std::uint32_t> before;  // the number of past keys of each sequence; a single number if all are equal

  bool isEven() const { return before.size() == 1; }
};

void requireComposable(const NodeContext& node) {
  for (const std::string_view attribute : {"k_quant_type", "v_quant_type"}) {
    node.require(node.text(attribute, "NONE") == "NONE", "{}: WebNN has no quantized attention", attribute);
  }
  node.require(!node.has(kKeyScale) && !node.has(kValueScale), "a quantized cache: WebNN has no quantized attention");
  node.require(!node.flag("sliding_window_cache"), "sliding_window_cache: WebNN cannot move what its inputs hold");
  node.require(!node.has(kQueryNorm) && !node.has(kKeyNorm),
               "q_norm_weight and k_norm_weight: ONNX Runtime has them on GPUs only");
}

Operand pastOf(const NodeContext& node, GroupedInput index) {
  if (node.rank(index) != 4) fail(ErrorKind::dataError, "the rank of its past keys or values ({}) is not 4.", node.rank(index));
  return node.operand(index);
}

// Reads the key counts, which must be constants. For a prompt or a single sequence, the total gives the counts.
Cache readCache(const NodeContext& node, const Operand& key) {
  Cache cache{.batch = key.shape()[0], .queries = key.shape()[2], .before = {}};
  const std::vector<std::int64_t> totals = node.integers(kTotal);
  const std::int64_t total = totals.size() == 1 ? totals[0] : 0;
  if (total < cache.queries || static_cast<std::uint64_t>(total) > kMaxDimension) {
    fail(ErrorKind::dataError, "its total_sequence_length ({}) is less than its sequence length ({}).", total, cache.queries);
  }
  cache.total = static_cast<std::uint32_t>(total);
  cache.isPrompt = cache.total == cache.queries;
  if (node.has(kPastKey) && !node.value(kPastKey).isEmpty()) cache.capacity = pastOf(node, kPastKey).shape()[2];
  if (cache.isPrompt || cache.batch == 1) {
    cache.before = {cache.total - cache.queries};
  } else {
    for (const std::int64_t last : node.integers(kLastKeys)) {
      if (last < cache.queries - std::int64_t{1} || last >= total) {
        fail(ErrorKind::dataError, "one of its seqlens_k ({}) is out of range.", last);
      }
      cache.before.push_back(static_cast<std::uint32_t>(last + 1 - cache.queries));
    }
    if (cache.before.size() != cache.batch) fail(ErrorKind::dataError, "its seqlens_k are not {} numbers.", cache.batch);
    if (static_cast<std::size_t>(std::ranges::count(cache.before, cache.before[0])) == cache.batch) cache.before.resize(1);
  }
  if (std::ranges::max(cache.before) > cache.capacity) {
    fail(ErrorKind::dataError, "its past has room for {} keys, fewer than {}.", cache.capacity, std::ranges::max(cache.before));
  }
  return cache;
}

Operand firstKeys(NodeContext& node, const Operand& operand, std::uint32_t count) {
  Shape shape = operand.shape();
  if (shape[2] == count) return operand;
  shape[2] = count;
  return node.builder.slice(operand, {0, 0, 0, 0}, shape);
}

// Returns the first `before` keys of `past`, then `added` [batch, heads, queries, size], then zeros up to `length` keys.
Operand insert(NodeContext& node, const std::optional<Operand>& past, const Operand& added, std::uint32_t before,
               std::uint32_t length) {
  const Operand joined = before == 0 ? added : node.builder.concat({firstKeys(node, *past, before), added}, 2);
  const std::uint32_t count = joined.shape()[2];
  return count == length ? joined : node.builder.pad(joined, {0, 0, 0, 0}, {0, 0, length - count, 0});
}

// Returns the past keys or values followed by the new keys or values in `added`.
Operand updated(NodeContext& node, const Cache& cache, GroupedInput pastIndex, const Operand& added) {
  std::optional<Operand> past;
  if (cache.capacity > 0) past = pastOf(node, pastIndex);
  const std::uint32_t length = std::max(cache.total, cache.capacity);
  if (cache.isEven()) return insert(node, past, added, cache.before[0], length);
  const std::vector<Operand> pasts = node.builder.split(*past, cache.batch), parts = node.builder.split(added, cache.batch);
  std::vector<Operand> results;
  for (std::uint32_t i = 0; i < cache.batch; ++i) results.push_back(insert(node, pasts[i], parts[i], cache.before[i], length));
  return node.builder.concat(results, 0);
}

// Returns the number of past keys as int32 [batch or 1, 1, 1, 1].
Operand beforeOf(NodeContext& node, const Cache& cache) {
  const std::vector<double> values(cache.before.begin(), cache.before.end());
  return node.constant(DataType::int32, {static_cast<std::uint32_t>(values.size()), 1, 1, 1}, values);
}

// Returns the positions of the queries, [batch or 1, queries].
Operand queryPositions(NodeContext& node, const Cache& cache) {
  const std::optional<Operand> given = node.optionalOperand(kPositions);
  if (given && !cache.isPrompt) return *given;
  Operand first = beforeOf(node, cache);
  if (given) first = node.builder.slice(*given, std::vector<std::uint32_t>(given->rank(), 0), Shape(given->rank(), 1));
  const Operand start = node.reshape(first, {static_cast<std::uint32_t>(elementCount(first.descriptor())), 1});
  const Operand following = node.reshape(node.cast(positions(node, 2, cache.queries), start.dataType()), {1, cache.queries});
  return node.builder.add(start, following);
}

void rotateHeads(NodeContext& node, const Cache& cache, Operand& query, Operand& key) {
  const Operand ids = queryPositions(node, cache);
  const auto table = [&](GroupedInput index) {
    const Operand rows = node.builder.gather(node.operand(index), ids);
    const Shape& shape = rows.shape();
    if (shape.size() != 3) fail(ErrorKind::dataError, "the ranks of its cosines, sines and position_ids are not 2.");
    return node.reshape(rows, {shape[0], 1, shape[1], shape[2]});
  };
  const Operand cosines = table(kCosines), sines = table(kSines);
  const bool isInterleaved = node.flag("rotary_interleaved");
  query = rotate(node, query, cosines, sines, isInterleaved);
  key = rotate(node, key, cosines, sines, isInterleaved);
}

// Returns the bias that masks the keys that a query does not see, which depend on the length of its sequence; nullopt if no key
// is masked.
std::optional<Operand> groupedBias(NodeContext& node, const Cache& cache, DataType type) {
  constexpr double kMasked = -std::numeric_limits<double>::infinity();
  const std::int64_t size = node.integer("local_window_size", -1);
  AttentionWindow window;
  if (size > 0) window.left = size - 1;
  if (node.flag("causal", true)) window.right = 0;
  if (cache.isEven()) return windowBias(node, type, cache.queries, cache.total, cache.before[0], window, kMasked);
  const Operand end = node.builder.add(beforeOf(node, cache), node.scalar(DataType::int32, cache.queries));
  return cacheBias(node, type, cache.queries, cache.total, end, window, kMasked);
}

std::optional<Operand> sinkOf(NodeContext& node, const AttentionInputs& attention) {
  if (node.has(kSink)) return node.operand(kSink);
  if (!node.flag("smooth_softmax")) return std::nullopt;
  return node.expand(node.scalar(attention.query.dataType(), 0), {attention.query.shape()[1]});
}

// Reads query, key and value as heads, from separate inputs or packed in input 0.
void readGroupedHeads(NodeContext& node, AttentionInputs& attention) {
  const std::uint32_t queryHeads = headCount(node, "num_heads"), heads = headCount(node, "kv_num_heads");
  Operand query = node.operand(kQuery), key, value;
  if (node.has(kKey)) {
    key = node.operand(kKey);
    value = node.operand(kValue);
  } else {
    const std::uint64_t all = queryHeads + 2 * std::uint64_t{heads};
    if (query.rank() != 3 || query.shape()[2] % all != 0) {
      fail(ErrorKind::dataError, "its query {} does not pack {} heads.", toString(query.shape()), all);
    }
    const auto size = static_cast<std::uint32_t>(query.shape()[2] / all);
    const std::vector<std::uint32_t> sizes{queryHeads * size, heads * size, heads * size};
    const std::vector<Operand> parts = node.builder.split(query, sizes, {.axis = 2, .label = {}});
    query = parts[0];
    key = parts[1];
    value = parts[2];
  }
  attention.query = splitHeads(node, query, queryHeads);
  attention.key = splitHeads(node, key, heads);
  attention.value = splitHeads(node, value, heads);
}

}  // namespace

void importGroupQueryAttention(NodeContext& node) {
  requireComposable(node);
  AttentionInputs attention;
  readGroupedHeads(node, attention);
  const Cache cache = readCache(node, attention.key);
  if (node.flag("do_rotary")) rotateHeads(node, cache, attention.query, attention.key);
  const Operand key = updated(node, cache, kPastKey, attention.key), value = updated(node, cache, kPastValue, attention.value);
  attention.key = firstKeys(node, key, cache.total);
  attention.value = firstKeys(node, value, cache.total);
  const double scale = node.number("scale", 0);
  attention.scale = scale == 0 ? 1 / std::sqrt(static_cast<double>(attention.query.shape()[3])) : scale;
  attention.softcap = node.number("softcap", 0);
  attention.bias = sumOf(node, node.optionalOperand(kBias), groupedBias(node, cache, attention.query.dataType()));
  attention.sink = sinkOf(node, attention);
  node.set(0, mergeHeads(node, attend(node, attention).output));
  if (node.wants(1)) node.set(1, key);
  if (node.wants(2)) node.set(2, value);
}

}  // namespace webnn::formats::onnx
