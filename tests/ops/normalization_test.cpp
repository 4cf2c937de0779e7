#include "ops/normalization.h"

#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

const std::vector<DataType> kFloats{DataType::float32, DataType::float16};
constexpr std::uint32_t kHuge[] = {4, 2147483647u, 2147483648u, std::numeric_limits<std::uint32_t>::max()};

// Describes one of the three normalizations, which is called with an input, scale and bias. Mean and variance, if it has them,
// have 3 elements.
struct Method {
  std::string name;
  std::function<Operand(Fixture&, Operand, std::optional<Operand>, std::optional<Operand>)> call;
  Shape affineShape;  // the shape that scale and bias must have for an input of [2, 3, 4, 5]
};

const std::vector<Method> kMethods{
    {"batchNormalization",
     [](Fixture& fixture, Operand input, std::optional<Operand> scale, std::optional<Operand> bias) {
       const DataType type = input.dataType();
       return fixture.builder.batchNormalization(input, fixture.input(type, {3}), fixture.input(type, {3}),
                                                 {.scale = scale, .bias = bias, .label = "norm"});
     },
     {3}},
    {"instanceNormalization",
     [](Fixture& fixture, Operand input, std::optional<Operand> scale, std::optional<Operand> bias) {
       return fixture.builder.instanceNormalization(input, {.scale = scale, .bias = bias, .label = "norm"});
     },
     {3}},
    {"layerNormalization",
     [](Fixture& fixture, Operand input, std::optional<Operand> scale, std::optional<Operand> bias) {
       return fixture.builder.layerNormalization(input, {.scale = scale, .bias = bias, .label = "norm"});
     },
     {3, 4, 5}},
};

TEST(Normalization, ResultHasTheDescriptorOfTheInput) {
  for (const Method& method : kMethods) {
    for (const DataType type : kFloats) {
      Fixture fixture;
      const OperandDescriptor expected{type, {2, 3, 4, 5}};
      const Operand input = fixture.input(type, expected.shape), affine = fixture.input(type, method.affineShape);
      EXPECT_EQ(method.call(fixture, input, {}, {}).descriptor(), expected);
      EXPECT_EQ(method.call(fixture, input, affine, {}).descriptor(), expected);
      EXPECT_EQ(method.call(fixture, input, {}, affine).descriptor(), expected);
      EXPECT_EQ(method.call(fixture, input, affine, affine).descriptor(), expected);
    }
  }
}

TEST(Normalization, RejectsIntegers) {
  for (const Method& method : kMethods) {
    for (std::size_t i = 2; i < kDataTypeCount; ++i) {
      Fixture fixture;
      const auto type = static_cast<DataType>(i);
      const std::string message = " \"norm\": input data type (" + std::string(name(type)) + ") is not one of float32, float16.";
      expectTypeError({method.name + message}, [&] { method.call(fixture, fixture.input(type, {2, 3, 4, 5}), {}, {}); });
    }
  }
}

TEST(Normalization, RejectsScaleAndBiasOfAnotherType) {
  for (const Method& method : kMethods) {
    for (const DataType wrong : {DataType::float16, DataType::int32}) {
      Fixture fixture;
      const Operand input = fixture.input({2, 3, 4, 5}), affine = fixture.input(wrong, method.affineShape);
      const std::string rest = " data type (" + std::string(name(wrong)) + ") is not that of input (float32).";
      expectTypeError({method.name + " \"norm\": scale" + rest}, [&] { method.call(fixture, input, affine, {}); });
      expectTypeError({method.name + " \"norm\": bias" + rest}, [&] { method.call(fixture, input, {}, affine); });
    }
  }
}

TEST(Normalization, RejectsScaleAndBiasOfAnotherShape) {
  for (const Method& method : kMethods) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5});
    for (const std::size_t i : {std::size_t{0}, method.affineShape.size() - 1}) {
      for (const std::uint32_t wrong : {1u, method.affineShape[i] + 1}) {  // a size of 1 is not broadcast
        Shape shape = method.affineShape;
        shape[i] = wrong;
        const std::string rest = " shape (" + toString(shape) + ") is not " + toString(method.affineShape) + ".";
        const Operand affine = fixture.input(shape);
        expectTypeError({method.name + " \"norm\": scale" + rest}, [&] { method.call(fixture, input, affine, {}); });
        expectTypeError({method.name + " \"norm\": bias" + rest}, [&] { method.call(fixture, input, {}, affine); });
      }
    }
  }
}

TEST(Normalization, RejectsScaleAndBiasOfAnotherRank) {
  for (const Method& method : kMethods) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5});
    for (const Shape& shape : {Shape{}, Shape{3, 4}, Shape{1, 3, 4, 5}}) {
      const Operand wrong = fixture.input(shape);
      expectTypeError({method.name + " \"norm\": scale "}, [&] { method.call(fixture, input, wrong, {}); });
      expectTypeError({method.name + " \"norm\": bias "}, [&] { method.call(fixture, input, {}, wrong); });
    }
  }
}

TEST(Normalization, RejectsOperandsOfAnotherBuilder) {
  for (const Method& method : kMethods) {
    Fixture fixture, other;
    const Operand input = fixture.input({2, 3, 4, 5}), foreign = other.input(method.affineShape);
    const std::string rest = " is an operand of another builder.";
    expectTypeError({method.name + " \"norm\": input" + rest}, [&] { method.call(fixture, other.input({2, 3, 4, 5}), {}, {}); });
    expectTypeError({method.name + " \"norm\": scale" + rest}, [&] { method.call(fixture, input, foreign, {}); });
    expectTypeError({method.name + " \"norm\": bias" + rest}, [&] { method.call(fixture, input, {}, foreign); });
  }
}

TEST(Normalization, RejectsEverythingOnceTheGraphIsBuilt) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5}), values = fixture.input({3});
  fixture.builder.build({{"y", fixture.builder.layerNormalization(input)}});
  expectError(ErrorKind::invalidStateError, {"batchNormalization"},
              [&] { fixture.builder.batchNormalization(input, values, values); });
  expectError(ErrorKind::invalidStateError, {"instanceNormalization"}, [&] { fixture.builder.instanceNormalization(input); });
  expectError(ErrorKind::invalidStateError, {"layerNormalization"}, [&] { fixture.builder.layerNormalization(input); });
}

TEST(Normalization, LeavesTheBuilderUsableAfterARejection) {
  Fixture fixture;
  const Operand input = fixture.constant({1, 2}, {4, 6}), bias = fixture.constant({2}, {10, 20});
  expectTypeError({"axes[0] (2)"}, [&] { fixture.builder.layerNormalization(input, {.axes = {2}}); });
  test::expectNear(test::evaluate(fixture, fixture.builder.layerNormalization(input, {.bias = bias, .epsilon = 0})), {9, 21});
}

TEST(Normalization, InferRoundsEpsilonToTheTypeOfTheInput) {
  Fixture fixture;
  ops::LayerNormalization half{fixture.input(DataType::float16, {2, 3}), {}};
  infer(half);
  EXPECT_EQ(half.options.epsilon, 168 * 0x1p-24);  // the float16 number nearest to 1e-5 is subnormal
  ops::InstanceNormalization single{fixture.input({1, 2, 3, 4}), {.epsilon = 0.1}};
  infer(single);
  EXPECT_EQ(single.options.epsilon, 13421773 * 0x1p-27);
  ops::BatchNormalization big{fixture.input(DataType::float16, {1, 2}),
                              fixture.input(DataType::float16, {2}),
                              fixture.input(DataType::float16, {2}),
                              {.epsilon = 1e9}};
  infer(big);
  EXPECT_EQ(big.options.epsilon, std::numeric_limits<double>::infinity());
  infer(big);
  EXPECT_EQ(big.options.epsilon, std::numeric_limits<double>::infinity());
}

TEST(BatchNormalization, TakesEveryAxisOfEveryRankFrom1To8) {
  for (std::uint32_t rank = 1; rank <= 8; ++rank) {
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      Fixture fixture;
      Shape shape(rank, 2);
      shape[axis] = 3;
      const Operand channels = fixture.input({3});
      const Operand output = fixture.builder.batchNormalization(fixture.input(shape), channels, channels,
                                                                {.scale = channels, .bias = channels, .axis = axis});
      EXPECT_EQ(output.shape(), shape);
    }
  }
}

TEST(BatchNormalization, RejectsAScalar) {
  Fixture fixture;
  const Operand values = fixture.input({1});
  expectTypeError({"batchNormalization: input rank (0)"},
                  [&] { fixture.builder.batchNormalization(fixture.input({}), values, values, {.axis = 0}); });
}

TEST(BatchNormalization, RejectsAnAxisBeyondTheRank) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5}), values = fixture.input({3});
  for (const std::uint32_t axis : kHuge) {
    expectTypeError(
        {"batchNormalization \"bn\": axis (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (4)."},
        [&] { fixture.builder.batchNormalization(input, values, values, {.axis = axis, .label = "bn"}); });
  }
}

TEST(BatchNormalization, RejectsTheDefaultAxisForRank1) {
  Fixture fixture;
  const Operand values = fixture.input({3});
  expectTypeError({"axis (1)", "rank of input (1)"}, [&] { fixture.builder.batchNormalization(values, values, values); });
}

TEST(BatchNormalization, RejectsMeanAndVarianceThatDoNotFit) {
  struct Case {
    DataType type;
    Shape shape;
    std::string message;
  };
  const std::vector<Case> cases{
      {DataType::float16, {3}, " data type (float16) is not that of input (float32)."},
      {DataType::int32, {3}, " data type (int32) is not that of input (float32)."},
      {DataType::float32, {}, " rank (0) is not 1."},
      {DataType::float32, {1, 3}, " rank (2) is not 1."},
      {DataType::float32, {2}, " shape ([2]) is not [3]."},
      {DataType::float32, {1}, " shape ([1]) is not [3]."},
  };
  for (const Case& c : cases) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5}), right = fixture.input({3}), wrong = fixture.input(c.type, c.shape);
    expectTypeError({"batchNormalization \"bn\": mean" + c.message},
                    [&] { fixture.builder.batchNormalization(input, wrong, right, {.label = "bn"}); });
    expectTypeError({"batchNormalization \"bn\": variance" + c.message},
                    [&] { fixture.builder.batchNormalization(input, right, wrong, {.label = "bn"}); });
  }
}

TEST(BatchNormalization, ChecksShapesAgainstTheGivenAxis) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5}), right = fixture.input({5}), wrong = fixture.input({3});
  EXPECT_NO_THROW(fixture.builder.batchNormalization(input, right, right, {.scale = right, .bias = right, .axis = 3}));
  expectTypeError({"mean shape ([3]) is not [5]"}, [&] { fixture.builder.batchNormalization(input, wrong, right, {.axis = 3}); });
  expectTypeError({"variance shape ([3]) is not [5]"},
                  [&] { fixture.builder.batchNormalization(input, right, wrong, {.axis = 3}); });
  expectTypeError({"scale shape ([3]) is not [5]"},
                  [&] { fixture.builder.batchNormalization(input, right, right, {.scale = wrong, .axis = 3}); });
  expectTypeError({"bias shape ([3]) is not [5]"},
                  [&] { fixture.builder.batchNormalization(input, right, right, {.bias = wrong, .axis = 3}); });
}

TEST(BatchNormalization, RejectsMeanAndVarianceOfAnotherBuilder) {
  Fixture fixture, other;
  const Operand input = fixture.input({2, 3}), own = fixture.input({3}), foreign = other.input({3});
  expectTypeError({"batchNormalization: mean is an operand of another builder."},
                  [&] { fixture.builder.batchNormalization(input, foreign, own); });
  expectTypeError({"batchNormalization: variance is an operand of another builder."},
                  [&] { fixture.builder.batchNormalization(input, own, foreign); });
}

TEST(InstanceNormalization, TakesRank4Only) {
  for (const std::size_t rank : {0, 1, 2, 3, 5, 8}) {
    Fixture fixture;
    expectTypeError({"instanceNormalization \"in\": input rank (" + std::to_string(rank) + ") is not 4."},
                    [&] { fixture.builder.instanceNormalization(fixture.input(Shape(rank, 2)), {.label = "in"}); });
  }
}

TEST(InstanceNormalization, HasTheChannelsLastInNhwc) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5}), right = fixture.input({5}), wrong = fixture.input({3});
  const InputOperandLayout nhwc = InputOperandLayout::nhwc;
  EXPECT_EQ(fixture.builder.instanceNormalization(input, {.scale = right, .bias = right, .layout = nhwc}).shape(), input.shape());
  expectTypeError({"instanceNormalization: scale shape ([3]) is not [5]."},
                  [&] { fixture.builder.instanceNormalization(input, {.scale = wrong, .layout = nhwc}); });
  expectTypeError({"instanceNormalization: bias shape ([3]) is not [5]."},
                  [&] { fixture.builder.instanceNormalization(input, {.bias = wrong, .layout = nhwc}); });
}

TEST(LayerNormalization, RejectsAnAxisBeyondTheRank) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5});
  for (const std::uint32_t axis : kHuge) {
    expectTypeError({"layerNormalization \"ln\": axes[1] (" + std::to_string(axis) +
                     ") is out of bounds: not less than the rank of input (4)."},
                    [&] {
                      fixture.builder.layerNormalization(input, {.axes = {3, axis}, .label = "ln"});
                    });
  }
  expectTypeError({"axes[0] (0)", "rank of input (0)"},
                  [&] { fixture.builder.layerNormalization(fixture.input({}), {.axes = {0}}); });
}

TEST(LayerNormalization, RejectsAnAxisThatIsGivenTwice) {
  Fixture fixture;
  expectTypeError({"layerNormalization \"ln\": Duplicate axis: axes[0] and axes[1] are both 2."}, [&] {
    fixture.builder.layerNormalization(fixture.input({2, 3, 4}), {.axes = {2, 2}, .label = "ln"});
  });
}

TEST(LayerNormalization, WantsScaleAndBiasInTheOrderOfTheAxes) {
  struct Case {
    OptionalSizes axes;
    Shape right, wrong;
  };
  const std::vector<Case> cases{
      {{}, {3, 4, 5}, {2, 3, 4, 5}},           {{1, 2, 3}, {3, 4, 5}, {5, 3, 4}}, {{3, 1, 2}, {5, 3, 4}, {3, 4, 5}},
      {{0, 3, 1}, {2, 5, 3}, {2, 3, 5}},       {{2, 0}, {4, 2}, {2, 4}},          {{3}, {5}, {1}},
      {std::vector<std::uint32_t>{}, {}, {1}},
  };
  for (const Case& c : cases) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5}), right = fixture.input(c.right), wrong = fixture.input(c.wrong);
    const std::string rest = " shape (" + toString(c.wrong) + ") is not " + toString(c.right) + ".";
    EXPECT_EQ(fixture.builder.layerNormalization(input, {.scale = right, .bias = right, .axes = c.axes}).shape(), input.shape());
    expectTypeError({"layerNormalization: scale" + rest},
                    [&] { fixture.builder.layerNormalization(input, {.scale = wrong, .axes = c.axes}); });
    expectTypeError({"layerNormalization: bias" + rest},
                    [&] { fixture.builder.layerNormalization(input, {.bias = wrong, .axes = c.axes}); });
  }
}

TEST(LayerNormalization, DefaultsToAllAxesButTheFirst) {
  for (std::uint32_t rank = 0; rank <= 8; ++rank) {
    Fixture fixture;
    ops::LayerNormalization op{fixture.input(Shape(rank, 2)), {}};
    const ops::Outputs outputs = infer(op);
    EXPECT_EQ(outputs, (ops::Outputs{{DataType::float32, Shape(rank, 2)}}));
    std::vector<std::uint32_t> expected;
    for (std::uint32_t axis = 1; axis < rank; ++axis) expected.push_back(axis);
    EXPECT_EQ(op.options.axes.value(), expected) << "rank " << rank;
    EXPECT_EQ(infer(op), outputs);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
