// Tests float32 weights that are stored as float16.
#include "formats/document/float16_weights.h"

#include <cmath>

#include "formats/formats_support.h"
#include "graph/graph_definition.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

constexpr std::uint32_t kCount = 64;

// Returns y = x + w, where w is a constant.
Graph sumWith(const std::vector<float>& weights) {
  test::Fixture fixture;
  const auto count = static_cast<std::uint32_t>(weights.size());
  const Operand w = fixture.builder.constant({DataType::float32, {count}}, std::as_bytes(std::span(weights)));
  fixture.builder.setName(w, "w");
  return fixture.builder.build({{"y", fixture.builder.add(fixture.input({count}), w)}});
}

std::vector<float> weightsOf(const std::function<double(std::uint32_t)>& valueOf, std::uint32_t count = kCount) {
  std::vector<float> weights;
  for (std::uint32_t i = 0; i < count; ++i) weights.push_back(static_cast<float>(valueOf(i)));
  return weights;
}

struct Stored {
  formats::Float16Weights result;
  Graph graph;
};
Stored stored(const Graph& graph) {
  formats::GraphDocument document = formats::documentOf(definitionOf(graph));
  Stored made{.result = storeWeightsAsFloat16(document)};
  Context context = test::makeContext();
  made.graph = formats::buildGraph(context, document, nullptr, {});
  return made;
}

// Runs the graph on zeros. Returns its output, which is the constant that the graph adds.
std::vector<float> addedBy(const Graph& graph, std::size_t count) {
  const std::vector<float> zeros(count);
  std::vector<float> sums(count);
  graph.compute(std::vector<std::span<const std::byte>>{std::as_bytes(std::span(zeros))},
                std::vector<std::span<std::byte>>{std::as_writable_bytes(std::span(sums))});
  return sums;
}

TEST(Float16Weights, StayWithinTheDocumentedError) {
  const std::vector<float> weights =
      weightsOf([](std::uint32_t i) { return std::pow(-1.7, static_cast<int>(i % 40) - 20) * (1 + i * 0x1p-13); }, 4000);
  const Stored half = stored(sumWith(weights));
  EXPECT_EQ(half.result.rounded, 1u);
  EXPECT_EQ(half.result.savedBytes, 2u * weights.size());
  EXPECT_EQ(definitionOf(half.graph).constants.at(0).dataType(), DataType::float16);
  EXPECT_EQ(definitionOf(half.graph).constants.at(0).record().name, "w.float16");
  const std::vector<float> sums = addedBy(half.graph, weights.size());
  bool isOff = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_LE(std::fabs(sums[i] - weights[i]), std::max(0x1p-11 * std::fabs(weights[i]), 0x1p-25)) << weights[i];
    isOff = isOff || sums[i] != weights[i];
  }
  EXPECT_TRUE(isOff);
}

TEST(Float16Weights, KeepInfinitiesAndNan) {
  std::vector<float> weights = weightsOf([](std::uint32_t i) { return i; });
  weights[3] = INFINITY;
  weights[4] = -INFINITY;
  weights[5] = NAN;
  const std::vector<float> sums = addedBy(stored(sumWith(weights)).graph, kCount);
  EXPECT_EQ(sums[3], INFINITY);
  EXPECT_EQ(sums[4], -INFINITY);
  EXPECT_TRUE(std::isnan(sums[5]));
  EXPECT_EQ(sums[63], 63);
}

TEST(Float16Weights, StayFloat32WhereFloat16DoesNotHoldThem) {
  const auto isKept = [](const std::vector<float>& weights) {
    const Graph graph = sumWith(weights);
    const Stored same = stored(graph);
    return same.result.kept == std::vector<std::string>{"w"} && definitionOf(same.graph) == definitionOf(graph);
  };
  EXPECT_TRUE(isKept(weightsOf([](std::uint32_t i) { return i == 7 ? 65520 : 1; })));   // would become infinite
  EXPECT_FALSE(isKept(weightsOf([](std::uint32_t i) { return i == 7 ? 65519 : 1; })));  // rounds to 65504
  EXPECT_TRUE(isKept(weightsOf([](std::uint32_t i) { return 0x1p-15 / (i + 1); })));    // all would be subnormal and lose digits
  EXPECT_FALSE(isKept(weightsOf([](std::uint32_t i) { return 0x1p-14 / (i + 1); })));
  EXPECT_FALSE(isKept(weightsOf([](std::uint32_t) { return 0; })));
}

TEST(Float16Weights, LeaveSmallConstantsAlone) {
  const Graph graph = sumWith(weightsOf([](std::uint32_t i) { return 1.0 / (i + 3); }, kCount - 1));
  const Stored same = stored(graph);
  EXPECT_EQ(same.result.rounded, 0u);
  EXPECT_TRUE(same.result.kept.empty());
  EXPECT_TRUE(definitionOf(same.graph) == definitionOf(graph));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
