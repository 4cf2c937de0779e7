// Tests pass mergeConvolutions: parallel convolutions of one input whose results are added.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "context/graph_state.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::mergeConvolutions;

// Returns a constant with distinct elements.
Operand weights(Fixture& f, const Shape& shape, double scale = 0.125) {
  std::vector<Number> values(elementCount({DataType::float32, shape}));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale * (static_cast<double>(i * 7 % 31) - 15);
  return f.constant(shape, values);
}

void expectMerged(const std::string& operations, const std::function<Operand(Fixture&)>& make) {
  expectAfterPass(mergeConvolutions, operations, make, {.relative = 1e-5, .absolute = 1e-4});
}

TEST(MergeConvolutions, SumsTheBranchesOfATrainedBlock) {
  expectMerged("conv2d relu", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({2, 8, 6, 5});
    const Operand large = b.conv2d(x, weights(f, {8, 8, 3, 3}), {.padding = {{1, 1, 1, 1}}, .bias = weights(f, {8})});
    const Operand small = b.conv2d(x, weights(f, {8, 8, 1, 1}, 0.25), {.bias = weights(f, {8}, 0.5)});
    const Operand same =
        b.batchNormalization(x, weights(f, {8}), f.constant({8}, {2}), {.scale = weights(f, {8}), .epsilon = 0.01});
    return b.relu(b.add(b.add(small, large), same));
  });
}

TEST(MergeConvolutions, SumsGroupsStridesAndDilations) {
  expectMerged("conv2d", [](Fixture& f) {  // depthwise filters: a square, a line and a column
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 6, 9, 8});
    const auto convolve = [&](std::uint32_t height, std::uint32_t width) {
      return b.conv2d(x, weights(f, {6, 1, height, width}),
                      {.padding = {{height / 2 * 2, height / 2 * 2, width / 2, width / 2}},
                       .strides = {{2, 1}},
                       .dilations = {{2, 1}},
                       .groups = 6});
    };
    const Operand large = convolve(5, 5), line = convolve(1, 3), column = convolve(3, 1);
    return b.add(b.add(large, line), column);
  });
  expectMerged("conv2d", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 5, 4, 6});
    const auto convolve = [&](std::uint32_t height) {
      return b.conv2d(x, weights(f, {height, 1, 6, 4}),
                      {.padding = {{height / 2, height / 2, 0, 0}},
                       .inputLayout = InputOperandLayout::nhwc,
                       .filterLayout = Conv2dFilterOperandLayout::hwio});
    };
    const Operand one = convolve(1), three = convolve(3);
    return b.add(one, three);
  });
}

TEST(MergeConvolutions, AddsANumberToTheBias) {
  expectMerged("conv2d", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 3, 5, 4});
    const Operand y = b.add(b.conv2d(x, weights(f, {2, 3, 3, 3}), {.padding = {{1, 1, 1, 1}}}), f.constant({}, {0.75}));
    return b.add(f.constant({1}, {-2}), b.add(b.conv2d(x, weights(f, {2, 3, 1, 1})), y));
  });
}

TEST(MergeConvolutions, KeepsConvolutionsThatCannotBeMerged) {
  const auto keeps = [](const std::string& operations, const std::function<Operand(Fixture&, const Operand&)>& make) {
    expectMerged(operations, [&](Fixture& f) { return make(f, f.input({1, 4, 6, 6})); });
  };
  keeps("conv2d relu conv2d add", [](Fixture& f, const Operand& x) {  // an operation between the convolution and the sum
    const Operand y = f.builder.relu(f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
    return f.builder.add(y, f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
  });
  keeps("conv2d conv2d add add", [](Fixture& f, const Operand& x) {  // a convolution with another user
    const Operand y = f.builder.conv2d(x, weights(f, {4, 4, 1, 1}));
    return f.builder.add(f.builder.add(y, f.builder.conv2d(x, weights(f, {4, 4, 1, 1}))), y);
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // the smaller filter has a tap at -2, outside the larger filter
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{1, 1, 1, 1}}}),
                         f.builder.conv2d(x, weights(f, {4, 4, 1, 3}), {.padding = {{0, 0, 2, 0}}}));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // taps at odd positions, between those of the dilated filter
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{2, 2, 2, 2}}, .dilations = {{2, 2}}}),
                         f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{1, 1, 1, 1}}}));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // a filter that is not constant
    return f.builder.add(f.builder.conv2d(x, f.input({4, 4, 1, 1})), f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // a result that is broadcast
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 1, 1})), f.builder.conv2d(x, weights(f, {1, 4, 1, 1})));
  });
  Fixture f;
  const Operand x = f.input({1, 4, 6, 6}), large = f.constant({4, 4, 1, 1}, {std::numeric_limits<float>::max()});
  const Operand infinite = f.builder.add(f.builder.conv2d(x, large), f.builder.conv2d(x, large));
  EXPECT_EQ(operationsAfter(f, {infinite}, {mergeConvolutions}), "conv2d conv2d add");
}

// The sums are kept because the merged convolution would round differently if terms nearly cancel, and could overflow if they
// are large.
TEST(MergeConvolutions, KeepsTermsThatCancelOrAreLarge) {
  struct Case {
    double x, weight, other, bias, number;  // other: the weight of a second convolution; 0: none
  };
  for (const Case& c : std::vector<Case>{{0.3, 1e8, -99999992, 0, 0},
                                         {0.3, 1, 0, 1e8, -1e8},
                                         {3e38, -1, 0, 3e38, 3e38},
                                         {1, 1e30, 1e30, 0, 0},
                                         {1, 1, 0, 1e30, 1e30}}) {
    SCOPED_TRACE(std::to_string(c.weight) + " " + std::to_string(c.bias));
    const auto sum = [&](Fixture& f) {
      const Operand x = f.input({1, 1, 1, 1});
      Operand y = f.builder.conv2d(x, f.constant({1, 1, 1, 1}, {c.weight}), {.bias = f.constant({1}, {c.bias})});
      if (c.other != 0) y = f.builder.add(y, f.builder.conv2d(x, f.constant({1, 1, 1, 1}, {c.other})));
      return c.number != 0 ? f.builder.add(y, f.constant({}, {c.number})) : y;
    };
    Fixture compiled, computed;
    EXPECT_NE(operationsAfter(compiled, {sum(compiled)}, {mergeConvolutions}), "conv2d");
    // AMX kernels multiply bfloat16 parts, so that their results may be the neighbouring floats.
    const double neighbours = 0x1p-22 * std::abs(c.weight * c.x);
    expectCpuAgrees(computed, {sum(computed)}, {.relative = 1e-6, .absolute = neighbours, .inputs = {{"input0", {Number(c.x)}}}});
  }
}

// One operand of the sum is 1x1 or has one channel, and is broadcast.
TEST(MergeConvolutions, KeepsResultsThatAreBroadcast) {
  expectMerged("conv2d conv2d add", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 1, 4, 4});
    const Operand wide = b.conv2d(x, weights(f, {1, 1, 3, 3}), {.padding = {{1, 4, 1, 4}}, .strides = {{4, 4}}});
    return b.add(wide, b.conv2d(x, weights(f, {1, 1, 1, 1}, 4), {.strides = {{4, 4}}}));
  });
  expectMerged("conv2d batchNormalization add", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 1, 1, 1});
    const Operand wide = b.conv2d(x, weights(f, {1, 1, 3, 3}), {.padding = {{1, 2, 1, 2}}});
    return b.add(wide, b.batchNormalization(x, f.constant({1}, {0.5}), f.constant({1}, {2})));
  });
  expectMerged("conv2d batchNormalization add", [](Fixture& f) {  // one channel beside several
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 1, 1, 2});
    const Operand wide = b.conv2d(x, weights(f, {12, 1, 1, 1}));
    return b.add(wide, b.batchNormalization(x, f.constant({1}, {0.5}), f.constant({1}, {2})));
  });
}

// In a chain of sums, each merge makes a new filter. The total size of the new filters must stay within the budget.
TEST(MergeConvolutions, KeepsTheBudgetOfFolding) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({1, 64, 8, 8}), filter = weights(f, {64, 64, 3, 3});
  const auto convolve = [&](double bias) {
    return b.conv2d(x, filter, {.padding = {{1, 1, 1, 1}}, .bias = f.constant({64}, {bias})});
  };
  Operand y = convolve(0);
  for (int i = 1; i < 200; ++i) y = b.add(y, convolve(i));
  const auto graph = b.build({{"y", y}}).state()->definition;
  cpu::Module module(*graph);
  // The filter has 147,456 bytes, so that the budget suffices for few of the 199 sums.
  const cpu::CompileLimits limits{.foldedBytes = std::size_t{1} << 20, .foldedBytesPerConstantByte = 0};
  mergeConvolutions(module, {std::make_shared<cpu::FoldingBudget>(limits, graph->constants)});
  EXPECT_GT(module.nodes.size(), 300U);
  EXPECT_LT(module.nodes.size(), 399U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
