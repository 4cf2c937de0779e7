// Tests pass mergeConvolutions: parallel convolutions of one input whose results are added.
#include <functional>
#include <limits>
#include <string>
#include <vector>

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
  expectMerged("conv2d", [](Fixture& f) {  // a line and a column, in a depthwise block
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 6, 9, 8});
    const Operand large = b.conv2d(x, weights(f, {6, 1, 5, 5}), {.padding = {{2, 2, 2, 2}}, .strides = {{2, 1}}, .groups = 6});
    const Operand spread = b.conv2d(x, weights(f, {6, 1, 3, 3}),
                                    {.padding = {{2, 2, 2, 2}}, .strides = {{2, 1}}, .dilations = {{2, 2}}, .groups = 6});
    const Operand line = b.conv2d(x, weights(f, {6, 1, 1, 3}), {.padding = {{0, 0, 1, 1}}, .strides = {{2, 1}}, .groups = 6});
    return b.add(b.add(large, line), spread);
  });
  expectMerged("conv2d", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 5, 4, 6});
    const auto nhwc = InputOperandLayout::nhwc;
    const Operand one =
        b.conv2d(x, weights(f, {4, 6, 3, 1}),
                 {.padding = {{1, 1, 0, 0}}, .inputLayout = nhwc, .filterLayout = Conv2dFilterOperandLayout::oihw});
    const Operand two =
        b.conv2d(x, weights(f, {1, 1, 6, 4}), {.inputLayout = nhwc, .filterLayout = Conv2dFilterOperandLayout::hwio});
    return b.add(one, two);
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

TEST(MergeConvolutions, KeepsWhatIsNoSumOfFilters) {
  const auto keeps = [](const std::string& operations, const std::function<Operand(Fixture&, const Operand&)>& make) {
    expectMerged(operations, [&](Fixture& f) { return make(f, f.input({1, 4, 6, 6})); });
  };
  keeps("conv2d relu conv2d add", [](Fixture& f, const Operand& x) {  // an operation in between
    const Operand y = f.builder.relu(f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
    return f.builder.add(y, f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
  });
  keeps("conv2d conv2d add add", [](Fixture& f, const Operand& x) {  // another use
    const Operand y = f.builder.conv2d(x, weights(f, {4, 4, 1, 1}));
    return f.builder.add(f.builder.add(y, f.builder.conv2d(x, weights(f, {4, 4, 1, 1}))), y);
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // the smaller filter lies outside
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{1, 1, 1, 1}}}),
                         f.builder.conv2d(x, weights(f, {4, 4, 1, 3}), {.padding = {{0, 0, 2, 0}}}));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // taps at odd places
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{2, 2, 2, 2}}, .dilations = {{2, 2}}}),
                         f.builder.conv2d(x, weights(f, {4, 4, 3, 3}), {.padding = {{1, 1, 1, 1}}}));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // a filter that is given
    return f.builder.add(f.builder.conv2d(x, f.input({4, 4, 1, 1})), f.builder.conv2d(x, weights(f, {4, 4, 1, 1})));
  });
  keeps("conv2d conv2d add", [](Fixture& f, const Operand& x) {  // broadcast results
    return f.builder.add(f.builder.conv2d(x, weights(f, {4, 4, 1, 1})), f.builder.conv2d(x, weights(f, {1, 4, 1, 1})));
  });
  Fixture f;
  const Operand x = f.input({1, 4, 6, 6}), large = f.constant({4, 4, 1, 1}, {std::numeric_limits<float>::max()});
  const Operand infinite = f.builder.add(f.builder.conv2d(x, large), f.builder.conv2d(x, large));
  EXPECT_EQ(operationsAfter(f, {infinite}, {mergeConvolutions}), "conv2d conv2d add");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
