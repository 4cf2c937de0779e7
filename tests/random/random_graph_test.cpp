// Tests random graphs: their variety, the reduction of failing graphs, and the isolation of crashes and hangs.
#include "random/random_graph.h"

#include <csignal>

#include "context/graph_state.h"
#include "random/coverage.h"
#include "random/isolation.h"
#include "random/reduce.h"
#include "support/support.h"

namespace webnn::random {
namespace WEBNN_TEST_FILE {

Context reference() { return Context::create({.backend = "reference", .execution = Execution::callerThread}); }

RandomGraph made(const Context& context, std::uint64_t seed) {
  Choices choices(seed);
  return makeRandomGraph(context, choices);
}

std::size_t count(const Graph& graph, std::string_view operation) {
  std::size_t found = 0;
  for (const Node& node : graph.state()->definition->nodes) found += name(node.operation) == operation;
  return found;
}

TEST(RandomGraphs, AreThoseOfTheirSeeds) {
  const Context a = reference(), b = reference();
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const RandomGraph one = made(a, seed), other = made(b, seed);
    EXPECT_EQ(*one.graph.state()->definition, *other.graph.state()->definition) << seed;
    EXPECT_EQ(one.inputs, other.inputs) << seed;
  }
  EXPECT_FALSE(*made(a, 1).graph.state()->definition == *made(a, 2).graph.state()->definition);
}

TEST(RandomGraphs, HaveAllOperationsOptionsAndTypes) {
  const Context context = reference();
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) coverage.add(*made(context, seed).graph.state()->definition);
  for (const std::string_view kind : {"output", "option"}) {
    EXPECT_EQ(coverage.missing(kind), std::vector<std::string>()) << kind;
  }
  EXPECT_LT(coverage.missing("type").size(), 10u);
  EXPECT_LT(coverage.missing("same").size(), 4u);
}

TEST(RandomGraphs, AreMadeOfBytes) {
  const Context context = reference();
  for (std::size_t size = 0; size < 200; ++size) {
    Numbers numbers(size);
    std::vector<std::uint8_t> bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(numbers.next());
    Choices choices{std::span<const std::uint8_t>(bytes)}, again{std::span<const std::uint8_t>(bytes)};
    const RandomGraph one = makeRandomGraph(context, choices), other = makeRandomGraph(context, again);
    EXPECT_GE(one.graph.outputs().size(), 1u);
    EXPECT_EQ(*one.graph.state()->definition, *other.graph.state()->definition);
  }
}

TEST(RandomGraphs, ThatFailBecomeSmallerAsLongAsTheyFail) {
  const Context context = reference();
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; tried < 5; ++seed) {
    RandomGraph large = made(context, seed);
    if (count(large.graph, "tanh") == 0 || large.graph.state()->definition->nodes.size() < 8) continue;
    ++tried;
    const Case smallest =
        reduce(context, {large.graph, large.inputs}, [](const Case& one) { return count(one.graph, "tanh") > 0; });
    const GraphDefinition& graph = *smallest.graph.state()->definition;
    ASSERT_EQ(graph.nodes.size(), 1u) << seed;
    EXPECT_EQ(graph.outputs.size(), 1u);
    EXPECT_EQ(elementCount(graph.outputs[0].second.descriptor()), 1u) << seed;
    ASSERT_EQ(smallest.inputs.size() + graph.constants.size(), 1u);
  }
}

TEST(RandomGraphs, ThatFailForTwoOperationsKeepBoth) {
  const Context context = reference();
  for (std::uint64_t seed = 1;; ++seed) {
    RandomGraph large = made(context, seed);
    const auto fails = [](const Case& one) { return count(one.graph, "softmax") > 0 && count(one.graph, "matmul") > 0; };
    if (large.graph.state()->definition->nodes.size() < 8 || !fails({large.graph, large.inputs})) continue;
    if (count(large.graph, "quantizeLinear") > 0) continue;  // the reduced graph would keep it between the two operations
    const Case smallest = reduce(context, {large.graph, large.inputs}, fails);
    EXPECT_EQ(smallest.graph.state()->definition->nodes.size(), 2u) << seed;
    break;
  }
}

std::string endOf(const std::function<void(const std::function<void(std::string_view)>&)>& work, std::string& heard) {
  return isolated(work, [&](std::string_view text) { heard += text; });
}

TEST(RandomIsolation, CrashesAndHangsEndTheChildOnly) {
  std::string heard;
  EXPECT_EQ(endOf([](const auto& tell) { tell("a"), tell("b"); }, heard), "");
  EXPECT_EQ(heard, "ab");
  const std::string death = endOf([](const auto& tell) { tell("c"), std::raise(SIGKILL); }, heard);
  EXPECT_EQ(death, "died of signal 9 (Killed)");
  EXPECT_EQ(heard, "abc");
  EXPECT_EQ(endOf([](const auto&) { throw 1; }, heard), "ended with status 2");
  EXPECT_EQ(endOf([](const auto&) { std::raise(SIGALRM); }, heard), "took too long");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::random
