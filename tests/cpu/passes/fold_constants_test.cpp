// Tests which operations are evaluated when a graph is compiled, and the limits of their cost.
#include "backends/cpu/compile/evaluate.h"
#include "compiler/passes/fold_node.h"
#include "context/graph_state.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::foldConstants;

// Returns the module of a graph with one output, after folding within `limits`.
cpu::Module folded(Fixture& f, const Operand& output, const cpu::CompileLimits& limits = {}) {
  const auto graph = f.builder.build({{"y", output}}).state()->definition;
  cpu::Module module(*graph);
  foldConstants(module, {std::make_shared<cpu::FoldingBudget>(limits, graph->constants)});
  return module;
}

Operand doubled(Fixture& f, Operand x, int times) {
  for (int i = 0; i < times; ++i) x = f.builder.concat({x, x}, 0);
  return x;
}

TEST(FoldConstants, StopsWhereResultsWouldTakeMuchMoreThanTheConstants) {
  Fixture f;
  const Operand large = doubled(f, f.constant({64}, {1}), 22);  // 1 GiB
  const Operand y = f.builder.add(f.builder.reduceSum(large, {.axes = {0}}), f.input({}));
  EXPECT_GE(folded(f, y).nodes.size(), 4U);
}

TEST(FoldConstants, FoldsGrowingValuesWithinTheBudget) {
  Fixture f;
  const Operand y = f.builder.add(f.builder.reduceSum(doubled(f, f.constant({64}, {1}), 10), {.axes = {0}}), f.input({}));
  EXPECT_EQ(folded(f, y).nodes.size(), 1U);
}

TEST(FoldConstants, StopsWhereItWouldTakeMuchWork) {
  Fixture f;
  Operand x = f.constant({512, 512}, {0.001});
  for (int i = 0; i < 8; ++i) x = f.builder.matmul(x, x);  // 2^27 multiplications each
  EXPECT_EQ(folded(f, f.builder.add(x, f.input({512, 512}))).nodes.size(), 9U);
  Fixture g;
  Operand y = g.constant({256, 256}, {0.001});
  // Each product takes 2^24 multiplications, and the budget allows one product.
  for (int i = 0; i < 8; ++i) y = g.builder.matmul(y, y);
  EXPECT_EQ(folded(g, g.builder.add(y, g.input({256, 256}))).nodes.size(), 8U);
}

// Transformers with relative positions multiply constant positions by constant weights in each layer.
TEST(FoldConstants, MultipliesPositionsByWeightsIfTheEngineEvaluates) {
  Fixture f;
  std::vector<Number> numbers(512 * 384);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 7) - 3;
  const Operand positions = f.constant({512, 384}, numbers);
  const Operand x = f.input({512, 384});
  Operand y = x;
  for (int layer = 0; layer < 3; ++layer) {
    const Operand weights = f.constant({384, 384}, {static_cast<double>(layer + 1)});
    y = f.builder.add(y, f.builder.matmul(positions, weights));
  }
  const auto graph = f.builder.build({{"y", y}}).state()->definition;
  const auto folding = std::make_shared<cpu::FoldingBudget>(cpu::CompileLimits{}, graph->constants);
  cpu::Module module(*graph);
  foldConstants(module, {folding, cpu::evaluateFor(cpu::Isa::sse4)});
  ASSERT_EQ(module.nodes.size(), 3U);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const std::vector<double> products = compiler::constantNumbers(cpu::as<ops::Binary>(module.nodes[layer].operation)->b);
    for (std::size_t row = 0; row < 512; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < 384; ++k) sum += static_cast<double>((row * 384 + k) % 7) - 3;
      ASSERT_EQ(products[row * 384 + row % 384], sum * static_cast<double>(layer + 1)) << "row " << row;
    }
  }
}

TEST(FoldConstants, StopsWhereProductsWouldTakeLong) {
  Fixture f;
  Operand x = f.constant({512, 512}, {0.001});
  for (int i = 0; i < 8; ++i) x = f.builder.matmul(x, x);  // 2^27 multiplications each; the budget allows two and a half
  const auto graph = f.builder.build({{"y", f.builder.add(x, f.input({512, 512}))}}).state()->definition;
  cpu::Module module(*graph);
  foldConstants(module,
                {std::make_shared<cpu::FoldingBudget>(cpu::CompileLimits{}, graph->constants), cpu::evaluateFor(cpu::Isa::sse4)});
  EXPECT_EQ(module.nodes.size(), 7U);
}

TEST(FoldConstants, ReleasesIntermediateValues) {
  Fixture f;
  Operand x = f.constant({1024}, {1});
  for (int i = 0; i < 100; ++i) x = f.builder.neg(x);
  const Operand y = f.builder.add(x, f.input({1024}));
  // Only two values are alive at a time; the limit is far below the size of all values together.
  EXPECT_EQ(folded(f, y, {.foldedBytes = 8192, .foldedBytesPerConstantByte = 0}).nodes.size(), 1U);
}

TEST(FoldConstants, KeepsValuesThatAreNeededLaterOrAreOutputs) {
  Fixture f;
  const Operand a = f.builder.neg(f.constant({2}, {1, 2})), b = f.builder.exp(a);
  const Operand y = f.builder.add(f.builder.mul(b, a), f.input({2}));
  expectCpuAgrees(f, {y, a, f.builder.abs(a), b});
}

TEST(FoldConstants, SharesBytesOfReshapesAndSlices) {
  Fixture f;
  const Operand large = f.constant({4, 64, 1024}, {3});
  const Operand part = f.builder.slice(f.builder.reshape(large, {256, 1024}), {16, 0}, {128, 1024});
  const cpu::Module module = folded(f, f.builder.add(f.builder.identity(part), f.input({128, 1024})),
                                    {.foldedBytes = 0, .foldedBytesPerConstantByte = 0});
  ASSERT_EQ(module.nodes.size(), 1U);
  const auto& add = *cpu::as<ops::Binary>(module.nodes[0].operation);
  EXPECT_EQ(add.a.record().bytes.data(), large.record().bytes.data() + 16 * 1024 * 4);
  EXPECT_EQ(add.a.record().bytes.size(), 128U * 1024 * 4);
}

TEST(FoldConstants, CutsPiecesWhereTheyAre) {
  Fixture f;
  std::vector<Number> numbers(3 * 40 * 1024);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  const Operand large = f.constant({3, 40, 1024}, numbers);
  const auto check = [&](std::vector<std::uint32_t> starts, std::vector<std::uint32_t> sizes,
                         std::vector<std::uint32_t> strides = {}) {
    SliceOptions options;
    if (!strides.empty()) options.strides = strides;
    return f.builder.slice(large, std::move(starts), std::move(sizes), options);
  };
  std::vector<Operand> outputs{
      check({1, 0, 0}, {2, 40, 1024}),           check({1, 8, 0}, {1, 32, 1024}), check({0, 8, 0}, {2, 32, 1024}),
      check({1, 0, 8}, {1, 40, 1016}),           check({2, 3, 5}, {1, 1, 17}),    check({0, 0, 0}, {3, 40, 1024}, {2, 1, 1}),
      check({1, 1, 0}, {1, 39, 1024}, {1, 2, 1})};
  for (Operand& output : outputs) output = f.builder.add(output, f.input({1}));
  expectCpuAgrees(f, outputs);
}

// The filters of two convolutions begin at the same byte, because one is the first part of the other. They must not share packed
// weights.
TEST(FoldConstants, PacksPartsOfAConstantApart) {
  Fixture f;
  std::vector<Number> numbers(20 * 64 * 3 * 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 17) / 16 - 0.5;
  const Operand x = f.input({1, 64, 9, 9}), filter = f.constant({32, 64, 3, 3}, [&] {
    std::vector<Number> all;
    for (std::size_t i = 0; i < 32 * 64 * 9; ++i) all.push_back(numbers[i % numbers.size()]);
    return all;
  }());
  const Operand part = f.builder.slice(filter, {0, 0, 0, 0}, {30, 64, 3, 3});
  expectCpuAgrees(f, {f.builder.conv2d(x, part), f.builder.conv2d(x, filter)}, {.relative = 1e-5, .absolute = 1e-3});
}

// Each value is used twice. Recomputing a value for each use would take 2^40 additions.
TEST(FoldConstants, ComputesSharedOperandsOnce) {
  Fixture f;
  Operand scale = f.constant({1, 1}, {1e-9});
  for (int i = 0; i < 40; ++i) scale = f.builder.add(scale, scale);
  const Operand w =
      f.builder.dequantizeLinear(f.constant(DataType::int8, {2, 2}, {3}), scale, f.constant(DataType::int8, {1, 1}, {0}));
  expectCpuAgrees(f, {f.builder.matmul(f.input({2, 2}), w)}, {.relative = 1e-5});
}

TEST(FoldConstants, TakesLongChains) {
  Fixture f;
  Operand scale = f.constant({1, 1}, {1});
  for (int i = 0; i < 50'000; ++i) scale = f.builder.neg(scale);
  const Operand w =
      f.builder.dequantizeLinear(f.constant(DataType::int8, {2, 2}, {3}), scale, f.constant(DataType::int8, {1, 1}, {0}));
  Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = 1});
  const Graph graph = context.compile(f.builder.build({{"y", f.builder.matmul(f.input({2, 2}), w)}}));
  EXPECT_EQ(graph.outputs().size(), 1U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
