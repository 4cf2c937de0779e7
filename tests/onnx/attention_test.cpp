// Tests importing attention operators: cases that are missing in ONNX's node tests and in the models of contrib_attention.py.
#include <algorithm>
#include <cmath>

#include "context/graph_state.h"
#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Values = std::vector<double>;

constexpr const char* kMicrosoft = "com.microsoft";
const Given kAbsent{};
const Node kAttention{"Attention", {}, {}};

Attribute integer(const std::string& name, std::int64_t value) { return {name, value}; }

// Returns pseudorandom numbers that are representable as float16.
Values someValues(std::int64_t count, double seed) {
  Values values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(std::round(64 * std::sin(seed + 1.7 * static_cast<double>(i * i + 3 * i))) / 64);
  }
  return values;
}

std::int64_t countOf(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t size : dims) count *= size;
  return count;
}

Given some(Dims dims, double seed, Type type = kFloat) { return inputOf(type, dims, someValues(countOf(dims), seed)); }
Given zeros(Dims dims) { return constantOf(kFloat, dims, Values(countOf(dims))); }

// Computes attention of one head: softmax(q k^T / sqrt(size) + bias) v, for sequences of vectors with `size` elements.
Values attentionOf(const Values& q, const Values& k, const Values& v, std::size_t size, const Values& bias) {
  const std::size_t queries = q.size() / size, keys = k.size() / size;
  Values result(queries * size);
  for (std::size_t i = 0; i < queries; ++i) {
    Values weights;
    double sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double score = 0;
      for (std::size_t e = 0; e < size; ++e) score += q[i * size + e] * k[j * size + e];
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(size)) + bias[i * keys + j]));
      sum += weights.back();
    }
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t e = 0; e < size; ++e) result[i * size + e] += weights[j] / sum * v[j * size + e];
    }
  }
  return result;
}

std::vector<std::string> operationsOf(const Runnable& runnable) {
  Context context = makeContext();
  const webnn::Graph graph = import(context, runnable.model);
  std::vector<std::string> names;
  for (const webnn::Node& node : graph.state()->definition->nodes) names.emplace_back(name(node.operation));
  return names;
}

// One head, 2 queries, 3 keys, vectors of 4 elements.
const Given kQuery = some({1, 1, 2, 4}, 1), kKey = some({1, 1, 3, 4}, 2), kValue = some({1, 1, 3, 4}, 3);
constexpr double kNone = -INFINITY;

std::vector<Given> withMask(const Given& mask) { return {kQuery, kKey, kValue, mask}; }

Values expectedFor(const Values& bias) { return attentionOf(kQuery.values, kKey.values, kValue.values, 4, bias); }

TEST(AttentionImport, IsTheUsualSequenceOfOperations) {
  const Runnable plain = modelOf(kAttention, {kQuery, kKey, kValue}, 23);
  EXPECT_EQ(operationsOf(plain), (std::vector<std::string>{"transpose", "matmul", "mul", "softmax", "matmul"}));
  // This constant mask leaves each query at least one key, so the import adds no operations for queries without keys.
  const Runnable masked =
      modelOf({"Attention", {}, {}, {integer("is_causal", 1)}}, withMask(constantOf(kBool, {2, 3}, {1, 0, 1, 1, 1, 1})), 23);
  EXPECT_EQ(operationsOf(masked), (std::vector<std::string>{"transpose", "matmul", "mul", "add", "softmax", "matmul"}));
  // A causal mask, too, leaves each query at least one key. This mask is too large to be computed at import.
  const Given tokens = some({1, 1, 600, 4}, 1);
  const Runnable causal = modelOf({"Attention", {}, {}, {integer("is_causal", 1)}}, {tokens, tokens, tokens}, 23);
  EXPECT_EQ(operationsOf(causal),
            (std::vector<std::string>{"expand", "triangular", "transpose", "matmul", "mul", "add", "softmax", "matmul"}));
}

TEST(AttentionImport, BroadcastsMasksOrPadsThem) {
  expectCases({
      {"one dimension", kAttention, withMask(inputOf(kBool, {3}, {0, 1, 1})), {expectedFor({kNone, 0, 0, kNone, 0, 0})}, 23},
      {"one key for all", kAttention, withMask(inputOf(kFloat, {2, 1}, {5, 7})), {expectedFor({5, 5, 5, 7, 7, 7})}, 23},
      {"a number", kAttention, withMask(inputOf(kFloat, {}, {5})), {expectedFor(Values(6, 5))}, 23},
      {"padded", kAttention, withMask(inputOf(kFloat, {2, 1}, {5, 7})), {expectedFor({5, kNone, kNone, 7, kNone, kNone})}, 24},
      {"padded booleans",
       kAttention,
       withMask(inputOf(kBool, {2, 2}, {1, 0, 1, 1})),
       {expectedFor({0, kNone, kNone, 0, 0, kNone})},
       24},
      {"whole numbers",
       kAttention,
       withMask(inputOf(kInt32, {2, 3}, {1, 0, -1, 2, 0, 3})),
       {expectedFor({1, 0, -1, 2, 0, 3})},
       24},
  });
}

TEST(AttentionImport, ZeroesQueriesThatSeeNoKey) {
  Values expected = expectedFor({0, 0, 0, 0, kNone, 0});
  std::fill_n(expected.begin(), 4, 0.0);
  for (const bool isConstant : {false, true}) {
    const Runnable model = modelOf(kAttention, withMask({kBool, {2, 3}, {0, 0, 0, 1, 0, 1}, isConstant}), 23);
    expectNear(run(model)[0].values, expected);
  }
}

TEST(AttentionImport, ComputesTheSoftmaxInAnotherType) {
  for (const std::int64_t type : {1, 11, 16}) {  // float, double and bfloat16; WebNN lacks the last two
    const std::vector<Given> inputs{some({1, 1, 2, 4}, 1, kFloat16), some({1, 1, 3, 4}, 2, kFloat16),
                                    some({1, 1, 3, 4}, 3, kFloat16)};
    const std::vector<Imported> results = run(modelOf({"Attention", {}, {}, {integer("softmax_precision", type)}}, inputs, 23));
    EXPECT_EQ(results[0].descriptor.dataType, DataType::float16);
    expectNear(results[0].values, expectedFor(Values(6, 0)), 2e-3);
  }
}

TEST(AttentionImport, TakesAnEmptyPastForNone) {
  const Given none = constantOf(kFloat, {1, 1, 0, 4}, {});
  const Runnable model =
      modelOf({"Attention", {}, {}, {integer("is_causal", 1)}}, {kQuery, kKey, kValue, kAbsent, none, none}, 23, 3);
  const std::vector<Imported> results = run(model);
  expectNear(results[0].values, expectedFor({0, kNone, kNone, 0, 0, kNone}));
  expectNear(results[1].values, kKey.values);
  expectNear(results[2].values, kValue.values);
}

TEST(AttentionImport, KeepsQueriesToWindows) {
  const auto window = [](std::int64_t left, std::int64_t right) {
    return Node{"Attention", {}, {}, {integer("left_window_size", left), integer("right_window_size", right)}};
  };
  const std::vector<Given> inputs{kQuery, kKey, kValue};
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const Given longQuery = some({1, 1, 4, 4}, 1);
  Values longExpected = kValue.values;  // each query sees only the key at its own position, and the fourth query has none
  longExpected.resize(16);
  expectCases({
      {"itself", window(0, 0), inputs, {expectedFor({0, kNone, kNone, kNone, 0, kNone})}, 25},
      {"left", window(0, -1), inputs, {expectedFor({0, 0, 0, kNone, 0, 0})}, 25},
      {"right", window(-1, 1), inputs, {expectedFor({0, 0, kNone, 0, 0, 0})}, 25},
      {"one that ends before the last query", window(0, 0), {longQuery, kKey, kValue}, {longExpected}, 25},
      {"all", window(kHuge, kHuge), inputs, {expectedFor(Values(6, 0))}, 25},
  });
}

TEST(AttentionImport, RunsTheSubgraphsOfFlexAttention) {
  Graph doubled;
  doubled.nodes = {{"Add", {"s", "s"}, {"t"}}};
  doubled.inputs = {{"s"}};
  doubled.outputs = {{"t"}};
  Values query = kQuery.values;
  for (double& value : query) value *= 2;
  Node node{"FlexAttention", {}, {}, {{"score_mod", subgraph(doubled)}}, "ai.onnx.preview"};
  Values expected = attentionOf(query, kKey.values, kValue.values, 4, Values(6, 0));
  expectNear(run(modelOf(node, {kQuery, kKey, kValue}, 26))[0].values, expected);
  node.attributes.push_back({"prob_mod", subgraph(doubled)});
  for (double& value : expected) value *= 2;
  expectNear(run(modelOf(node, {kQuery, kKey, kValue}, 26))[0].values, expected);
}

// com.microsoft

TEST(ContribAttentionImport, UnpacksKeysAndValues) {
  // 2 tokens, 2 heads with 2 elements: [token][head][q, k or v][element].
  const Values packed = someValues(24, 1);
  Values parts[3];
  for (std::size_t token = 0; token < 2; ++token) {
    for (std::size_t part = 0; part < 3; ++part) {
      for (std::size_t head = 0; head < 2; ++head) {
        for (std::size_t i = 0; i < 2; ++i) parts[part].push_back(packed[((token * 2 + head) * 3 + part) * 2 + i]);
      }
    }
  }
  Values keysAndValues;
  for (std::size_t i = 0; i < 8; i += 2) {
    for (const std::size_t part : {1, 2}) keysAndValues.insert(keysAndValues.end(), {parts[part][i], parts[part][i + 1]});
  }
  const Node node{"MultiHeadAttention", {}, {}, {integer("num_heads", 2)}, kMicrosoft};
  const Given bias = some({12}, 5), query = inputOf(kFloat, {1, 2, 4}, parts[0]);
  const Values expected =
      run(modelOf(node, {query, inputOf(kFloat, {1, 2, 4}, parts[1]), inputOf(kFloat, {1, 2, 4}, parts[2]), bias}))[0].values;
  expectCases({{"all", node, {inputOf(kFloat, {1, 2, 2, 3, 2}, packed), kAbsent, kAbsent, bias}, {expected}},
               {"keys and values", node, {query, inputOf(kFloat, {1, 2, 2, 2, 2}, keysAndValues), kAbsent, bias}, {expected}}});
}

TEST(ContribAttentionImport, TakesTheMasksRowsAfterThePast) {
  // One head with 1 element. The projections copy the input. The mask is for up to 4 tokens.
  const Given input = some({1, 2, 1}, 1), past = some({2, 1, 1, 1, 1}, 2);
  const Given mask = inputOf(kInt32, {1, 1, 4, 4}, {0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0});
  const std::vector<Given> inputs{input, constantOf(kFloat, {1, 3}, {1, 1, 1}), kAbsent, mask, past};
  const Node node{"Attention", {}, {}, {integer("num_heads", 1)}, kMicrosoft};
  const Values& x = input.values;
  const Values keys{past.values[0], x[0], x[1]}, values{past.values[1], x[0], x[1]};
  expectNear(run(modelOf(node, inputs))[0].values, attentionOf(x, keys, values, 1, {0, 0, kNone, kNone, 0, 0}));
}

// Returns operands for one new token after `past` tokens: 2 query heads of 2 elements share one head of keys and values.
std::vector<Given> grouped(std::int64_t batch, std::int64_t past, const Given& lasts, std::int64_t total) {
  return {some({batch, 1, 4}, 1),
          some({batch, 1, 2}, 2),
          some({batch, 1, 2}, 3),
          some({batch, 1, past, 2}, 4),
          some({batch, 1, past, 2}, 5),
          lasts,
          constantOf(kInt32, {1}, {static_cast<double>(total)})};
}

const std::vector<Attribute> kGroupedHeads{integer("num_heads", 2), integer("kv_num_heads", 1)};

TEST(ContribAttentionImport, KnowsTheLengthOfASingleSequence) {
  const Node node{"GroupQueryAttention", {}, {}, kGroupedHeads, kMicrosoft};
  const std::vector<Given> inputs = grouped(1, 3, inputOf(kInt32, {1}, {3}), 4);
  const auto joined = [](Values a, const Values& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const Values key = joined(inputs[3].values, inputs[1].values), value = joined(inputs[4].values, inputs[2].values);
  Runnable model = modelOf(node, inputs, 21, 3);
  model.inputs.erase("x5");
  const std::vector<Imported> results = run(model);
  const Values& q = inputs[0].values;
  const Values heads =
      joined(attentionOf({q[0], q[1]}, key, value, 2, Values(4, 0)), attentionOf({q[2], q[3]}, key, value, 2, Values(4, 0)));
  expectNear(results[0].values, heads);
  expectNear(results[1].values, key);
  expectNear(results[2].values, value);
}

TEST(ContribAttentionImport, NeedsTheLengthsOfSeveralSequences) {
  expectRefused(
      modelOf({"GroupQueryAttention", {}, {}, kGroupedHeads, kMicrosoft}, grouped(2, 3, inputOf(kInt32, {2}, {3, 1}), 4)),
      {"x5", "must be known"});
}

TEST(AttentionImport, NamesUnsupportedFeatures) {
  const auto with = [](const std::string& opType, std::vector<Attribute> attributes) {
    attributes.insert(attributes.end(), kGroupedHeads.begin(), kGroupedHeads.end());
    return Node{opType, {}, {}, attributes, kMicrosoft};
  };
  const Given tokens = some({1, 2, 6}, 1), weights = zeros({6, 18}), lasts = constantOf(kInt32, {1}, {3});
  const std::vector<Given> one = grouped(1, 3, lasts, 4);
  std::vector<Given> quantized = one;
  quantized.resize(12);
  quantized.push_back(zeros({1}));
  std::vector<Attribute> linear{integer("q_num_heads", 1), integer("kv_num_heads", 1), {"update_rule", "linear"}};
  const std::vector<Given> long_(3, some({1, 4097, 1}, 1));
  expectUnsupported({
      {with("Attention", {integer("do_rotary", 1)}), {tokens, weights}, {"do_rotary"}},
      {with("Attention", {integer("past_present_share_buffer", 1)}), {tokens, weights}, {"past_present_share_buffer", "WebNN"}},
      {with("Attention", {}),
       {tokens, weights, kAbsent, constantOf(kInt32, {5}, {2, 0, 2, 0, 2})},
       {"5 numbers", "no ragged tensors"}},
      {with("MultiHeadAttention", {}),
       {tokens, tokens, tokens, kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, lasts},
       {"past_sequence_length"}},
      {with("GroupQueryAttention", {{"k_quant_type", "PER_TENSOR"}}), one, {"k_quant_type", "no quantized attention"}},
      {with("GroupQueryAttention", {}), quantized, {"no quantized attention"}},
      {with("GroupQueryAttention", {integer("sliding_window_cache", 1)}), one, {"sliding_window_cache"}},
      {with("RotaryEmbedding", {integer("is_packed_batching", 1)}),
       {tokens, lasts, zeros({4, 3}), zeros({4, 3})},
       {"no ragged tensors"}},
      {{"LinearAttention", {}, {}, linear}, long_, {"4097 steps", "4096"}, 27},
      {with("CausalConvWithState", {integer("channels_last", 1)}), {tokens, zeros({2, 1, 3})}, {"channels_last (1)"}},
  });
}

TEST(AttentionImport, RefusesNodesThatContradictThemselves) {
  struct Row {
    Node node;
    std::vector<Given> inputs;
    std::vector<std::string> parts;
  };
  const auto node = [](const std::string& opType, std::vector<Attribute> attributes = {}, const std::string& domain = {}) {
    return Node{opType, {}, {}, std::move(attributes), domain};
  };
  const Given tokens = some({1, 2, 6}, 1), last = constantOf(kInt32, {1}, {3});
  const std::vector<Given> heads{kQuery, kKey, kValue}, flat{tokens, tokens, tokens};
  const std::vector<Attribute> linear{integer("q_num_heads", 1), integer("kv_num_heads", 1)};
  const Attribute two = integer("num_heads", 2), four = integer("num_heads", 4);
  Graph slicing;
  slicing.nodes = {{"Transpose", {"s"}, {"t"}}};
  slicing.inputs = {{"s"}};
  slicing.outputs = {{"t"}};
  std::vector<Given> flatPast = grouped(1, 3, last, 4);
  flatPast[4] = some({6}, 1);
  const Row rows[]{
      {node("Attention"), flat, {"\"q_num_heads\" (0)"}},
      {node("Attention", {integer("q_num_heads", -1)}), flat, {"\"q_num_heads\" (-1)"}},
      {node("Attention", {integer("q_num_heads", 4)}), flat, {"[1, 2, 6]", "4 heads"}},
      {node("Attention", {integer("q_num_heads", 2), integer("kv_num_heads", 3)}), flat, {"2 heads", "[1, 3, 2, 2]"}},
      {node("Attention"), {some({4}, 1), kKey, kValue}, {"rank (1)", "input 0"}},
      {node("Attention", {integer("left_window_size", -2)}), heads, {"\"left_window_size\" (-2)"}},
      {node("Attention", {integer("softmax_precision", 7)}), heads, {"softmax_precision (7)"}},
      {node("Attention"), withMask(zeros({3, 1, 2, 3})), {"[3, 1, 2, 3]", "[1, 1, 2, 3]"}},
      {node("Attention"),
       {kQuery, kKey, kValue, kAbsent, kAbsent, kAbsent, constantOf(kInt64, {1, 1}, {2})},
       {"nonpad_kv_seqlen (2)"}},
      {node("FlexAttention", {}, "ai.onnx.preview"), flat, {"rank (3)", "input 0"}},
      {node("FlexAttention", {{"score_mod", subgraph(slicing)}}, "ai.onnx.preview"), heads, {"\"score_mod\"", "[3, 2, 1, 1]"}},
      {node("FlexAttention", {integer("score_mod", 1)}, "ai.onnx.preview"), heads, {"\"score_mod\""}},
      {node("RotaryEmbedding", {two}), {tokens, zeros({1, 2, 2}), zeros({1, 2, 2})}, {"[1, 2, 2]", "3 elements"}},
      {node("RotaryEmbedding", {four}), {tokens, zeros({1, 2, 2}), zeros({1, 2, 2})}, {"[1, 2, 6]", "4 heads"}},
      {node("RotaryEmbedding", {}, kMicrosoft),
       {tokens, constantOf(kInt64, {1}, {0}), zeros({4}), zeros({4})},
       {"cos_cache (1)"}},
      {node("LinearAttention", {linear[0]}), flat, {"\"kv_num_heads\" (0)"}},
      {node("LinearAttention", {linear[0], linear[1], {"update_rule", "quick"}}), flat, {"update_rule (\"quick\")"}},
      {node("LinearAttention", {linear[0], linear[1], {"update_rule", "linear"}}),
       {tokens, tokens, some({1, 3, 6}, 1)},
       {"different lengths"}},
      {node("CausalConvWithState", {{"activation", "relu"}}), {tokens, zeros({2, 1, 3})}, {"activation (\"relu\")"}},
      {node("CausalConvWithState", {integer("dilation", 0)}, kMicrosoft), {tokens, zeros({2, 1, 3})}, {"dilation (0)"}},
      {node("CausalConvWithState"), {tokens, zeros({2, 3})}, {"(3)", "(2)"}},
      {node("Attention", {two}, kMicrosoft), {tokens, zeros({6})}, {"weights (1)"}},
      {node("Attention", {two, {"qkv_hidden_sizes", std::vector<std::int64_t>{6, 6}}}, kMicrosoft),
       {tokens, zeros({6, 18})},
       {"qkv_hidden_sizes", "18"}},
      {node("MultiHeadAttention", {four}, kMicrosoft), flat, {"[1, 2, 6]", "4 heads"}},
      {node("MultiHeadAttention", {two}, kMicrosoft), {tokens, tokens, tokens, zeros({12})}, {"[12]", "18"}},
      {node("MultiHeadAttention", {two}, kMicrosoft), {some({1, 2, 2, 2, 3}, 1)}, {"3 tensors of 2 heads"}},
      {node("GroupQueryAttention", kGroupedHeads, kMicrosoft), grouped(1, 3, last, 0), {"total_sequence_length (0)"}},
      {node("GroupQueryAttention", kGroupedHeads, kMicrosoft), grouped(1, 3, last, 9), {"3 keys", "8"}},
      {node("GroupQueryAttention", kGroupedHeads, kMicrosoft),
       grouped(2, 3, constantOf(kInt32, {2}, {3, 7}), 4),
       {"seqlens_k (7)"}},
      {node("GroupQueryAttention", kGroupedHeads, kMicrosoft), grouped(2, 3, last, 4), {"not 2 numbers"}},
      {node("GroupQueryAttention", kGroupedHeads, kMicrosoft), flatPast, {"(1) is not 4"}},
      {node("QAttention", {two}, kMicrosoft),
       {constantOf(kUint8, {}, {1}), constantOf(kInt8, {1, 3}, {1, 1, 1}), zeros({3}), zeros({}), zeros({})},
       {"input 0 is a scalar"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.node.opType);
    Context context = makeContext();
    const Runnable model = modelOf(row.node, row.inputs, 27);
    expectError(ErrorKind::dataError, row.parts, [&] { import(context, model.model); });
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
