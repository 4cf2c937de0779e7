// Tests the decoder: a growing cache gives the same tokens as a single run over all tokens, a seed determines random tokens, and
// unsuitable models are refused. Python's tests of webnn.Decoder expect the same tokens.
#include "webnn/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "support/onnx_model.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Tokens = std::vector<std::int64_t>;

const std::filesystem::path kDecoder = WEBNN_SOURCE_DIR "/examples/generation/decoder.onnx";

// Returns the logits after all tokens. The reference backend computes them in a single run.
std::vector<float> logitsOf(const Tokens& tokens) {
  static const Session session = Session::load(makeContext("reference"), kDecoder);
  const auto count = static_cast<std::uint32_t>(tokens.size());
  Tokens mask(tokens.size(), 1), positions(tokens.size());
  std::iota(positions.begin(), positions.end(), 0);
  const Array empty{{DataType::float32, {1, 2, 0, 8}}, {}};
  std::map<std::string, ArrayView> inputs{
      {"input_ids", {tokens, {1, count}}}, {"attention_mask", {mask, {1, count}}}, {"position_ids", {positions, {1, count}}}};
  for (const char* layer : {"0", "1"})
    for (const char* part : {"key", "value"}) inputs.emplace(std::string("past_key_values.") + layer + "." + part, empty);
  const Array logits = session.run(inputs).at("logits");
  const std::span<const float> last = logits.as<float>().last(logits.descriptor.shape.back());
  return {last.begin(), last.end()};
}

void expectNear(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5 + 1e-4 * std::abs(expected[i])) << i;
}

std::string messageOf(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Decoder, GivesTheTokensOfPython) {
  Decoder decoder(kDecoder);
  EXPECT_EQ(decoder.generate({1, 2, 3}, {.maxTokens = 4}), (Tokens{16, 10, 16, 3}));  // the example of webnn.Decoder
  EXPECT_EQ(decoder.length(), 7u);
}

TEST(Decoder, GivesTheTokensOfARunOverAll) {
  Decoder decoder(makeContext("cpu"), kDecoder);
  Tokens tokens{1, 2, 3};
  for (const std::int64_t token : decoder.generate(tokens, {.maxTokens = 12})) {
    const std::vector<float> logits = logitsOf(tokens);
    EXPECT_EQ(token, std::ranges::max_element(logits) - logits.begin());
    tokens.push_back(token);
  }
  EXPECT_EQ(decoder.length(), 15u);
}

TEST(Decoder, TakesPartsOfAnyLength) {
  Decoder decoder(kDecoder);
  std::vector<float> last;
  for (const Tokens& part : {Tokens{4}, {5, 6, 7}, {8}, {9, 10}}) last = decoder.feed(part);
  expectNear(last, logitsOf({4, 5, 6, 7, 8, 9, 10}));
  decoder.reset();
  EXPECT_EQ(decoder.length(), 0u);
  expectNear(decoder.feed({4, 5}), logitsOf({4, 5}));
}

TEST(Decoder, ContinuesAConversation) {
  Decoder decoder(kDecoder);
  Tokens tokens{1};
  for (const std::int64_t token : decoder.generate({1}, {.maxTokens = 3})) tokens.push_back(token);
  Decoder copy = decoder;
  tokens.insert(tokens.end(), {2, 3});
  expectNear(decoder.feed({2, 3}), logitsOf(tokens));
  expectNear(copy.feed({2, 3}), logitsOf(tokens));
  EXPECT_EQ(copy.generate({4}, {.maxTokens = 2}), decoder.generate({4}, {.maxTokens = 2}));
  EXPECT_EQ(copy.generate({}, {.maxTokens = 2}), decoder.generate({}, {.maxTokens = 2}));  // the last token was not read yet
}

TEST(Decoder, StopsAtTokensAndWhenItIsTold) {
  Decoder decoder(kDecoder);
  const Tokens all = decoder.generate({1, 2, 3}, {.maxTokens = 8});
  const auto expectFirst = [&](std::size_t count, const GenerateOptions& options) {
    decoder.reset();
    EXPECT_EQ(decoder.generate({1, 2, 3}, options), Tokens(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
  };
  expectFirst(static_cast<std::size_t>(std::ranges::find(all, all[3]) - all.begin()), {.stop = {all[3]}});
  Tokens heard;
  expectFirst(2, {.onToken = [&](std::int64_t token) {
                heard.push_back(token);
                return heard.size() < 2;
              }});
  EXPECT_EQ(heard, Tokens(all.begin(), all.begin() + 2));
  EXPECT_EQ(decoder.length(), 5u);
  expectFirst(0, {.maxTokens = 0});
  EXPECT_EQ(decoder.length(), 0u);
}

TEST(Decoder, DrawsTheTokensOfItsSeed) {
  Decoder decoder(kDecoder);
  const auto draw = [&](std::optional<std::uint64_t> seed) {
    decoder.reset();
    return decoder.generate({1}, {.maxTokens = 20, .temperature = 2, .seed = seed});
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
  EXPECT_NE(draw({}), draw({}));
}

TEST(Decoder, DrawsAmongTheMostProbable) {
  Decoder prompt(kDecoder);
  const std::vector<float> logits = prompt.feed({1, 2});
  std::vector<std::int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::greater(), [&](std::int64_t token) { return logits[static_cast<std::size_t>(token)]; });
  std::vector<double> weights;
  for (const std::int64_t token : order)
    weights.push_back(std::exp(static_cast<double>(logits[static_cast<std::size_t>(token)])));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::set<std::int64_t> nucleus;
  for (double reached = 0; reached < 0.6 * sum; reached += weights[nucleus.size() - 1]) nucleus.insert(order[nucleus.size()]);
  const auto expectAmong = [&](const std::set<std::int64_t>& allowed, GenerateOptions options) {
    options.maxTokens = 1;
    options.temperature = 1;
    std::set<std::int64_t> seen;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      options.seed = seed;
      prompt.reset();
      seen.insert(prompt.generate({1, 2}, options).at(0));
    }
    EXPECT_TRUE(std::ranges::includes(allowed, seen));
    EXPECT_GT(2 * seen.size(), allowed.size());  // most of the allowed tokens are drawn
  };
  expectAmong({order[0]}, {.topK = 1});
  expectAmong({order[0], order[1], order[2]}, {.topK = 3});
  expectAmong(nucleus, {.topP = 0.6});
}

TEST(Decoder, AppendsNothingAfterAnError) {
  Decoder decoder(kDecoder);
  decoder.feed({1, 2});
  EXPECT_EQ(messageOf([&] { decoder.feed({}); }), "feed: there are no tokens.");
  EXPECT_EQ(messageOf([&] { decoder.feed({3, -1}); }), "feed: the token -1 is negative.");
  EXPECT_EQ(messageOf([&] { decoder.generate({3}, {.maxTokens = 1, .temperature = -1}); }),
            "generate: temperature (-1) must be at least 0, and topP (1) between 0 and 1.");
  EXPECT_EQ(messageOf([&] { decoder.generate({3}); }), "generate: the text would never end; give maxTokens, stop or onToken.");
  std::stop_source source;
  source.request_stop();
  EXPECT_NE(messageOf([&] { decoder.feed({3}, {.stop = source.get_token()}); }), "no error");
  EXPECT_NE(messageOf([&] { decoder.generate({3}, {.maxTokens = 1}, {.timeout = std::chrono::nanoseconds(1)}); }), "no error");
  EXPECT_EQ(decoder.length(), 2u);
  expectNear(decoder.feed({3}), logitsOf({1, 2, 3}));
}

// Returns a session of a model that looks up logits in a table and has a cache. `others` are additional inputs.
Session sessionOf(const std::vector<onnx::ValueInfo>& others, const std::vector<onnx::Dimension>& past = {{"b"}, {"p"}}) {
  onnx::Graph graph;
  graph.nodes = {{"Gather", {"table", "ids"}, {"scores"}},
                 {"Cast", {"ids"}, {"halves"}, {{"to", std::int64_t{onnx::kFloat16}}}},
                 {"Concat", {"past.0", "halves"}, {"present.0"}, {{"axis", std::int64_t{1}}}}};
  graph.initializers = {onnx::tensor("table", {3, 2}, std::vector<float>{0, 1, 2, 3, 4, 3})};
  graph.inputs = {{"ids", onnx::kInt32, {{"b", "s"}}}, {"past.0", onnx::kFloat16, past}};
  graph.inputs.insert(graph.inputs.end(), others.begin(), others.end());
  graph.outputs = {{"present.0", onnx::kFloat16, {{"b", "t"}}}, {"scores", onnx::kFloat, {{"b", "s", 2}}}};
  const auto content = std::make_shared<const std::string>(onnx::modelBytes({graph, {{"", 17}}}));
  return Session::load(makeContext("reference"), ExternalBytes{std::as_bytes(std::span(*content)), content});
}

TEST(Decoder, KnowsOtherNamesAndTypes) {
  Decoder decoder(sessionOf(
      {{"use_cache_branch", onnx::kBool, {{1}}}, {"num_logits_to_keep", onnx::kInt64, {std::vector<onnx::Dimension>{}}}}));
  EXPECT_EQ(decoder.feed({0, 2}), (std::vector<float>{4, 3}));
  EXPECT_EQ(decoder.generate({1}, {.maxTokens = 3}), (Tokens{1, 1, 1}));
}

TEST(Decoder, RefusesOtherModels) {
  EXPECT_EQ(messageOf([] { Decoder(WEBNN_SOURCE_DIR "/examples/digits/digits.webnn"); }),
            "Decoder: the model has no input input_ids, ids, tokens; it has \"image\".");
  EXPECT_EQ(messageOf([] {
              Decoder{sessionOf({{"pixels", onnx::kFloat, {{1}}}})};
            }),
            "Decoder: the input \"pixels\" is none of a decoder: \"ids\", \"past.0\", \"pixels\".");
  EXPECT_EQ(messageOf([] {
              Decoder{sessionOf({}, {{"b"}, {8}})};
            }),
            "Decoder: the cache \"past.0\" [\"b\", 8] does not have one open dimension, its length.");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
