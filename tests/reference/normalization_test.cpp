#include <cmath>
#include <limits>

#include "reference/naive_groups.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::coordinatesOf;
using test::evaluate;
using test::expectNear;
using test::Fixture;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::vector<DataType> kFloats{DataType::float32, DataType::float16};
const OptionalSizes kNoAxes = std::vector<std::uint32_t>{};

std::size_t countOf(const Shape& shape) { return elementCount({DataType::int8, shape}); }
// Returns the allowed distance of float32 and float16 results from the exact results, in units of max(1, |exact|).
double toleranceOf(DataType type) { return type == DataType::float32 ? 1e-6 : 2e-3; }

// Returns small multiples of 1/8, which float16 holds exactly.
std::vector<double> someValues(std::size_t count, std::size_t step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i * step % 37) / 8 - 2);
  return values;
}
Operand constant(Fixture& fixture, DataType type, const Shape& shape, const std::vector<double>& values) {
  return fixture.constant(type, shape, std::vector<Number>(values.begin(), values.end()));
}

struct Affine {
  bool scale, bias;
};
constexpr Affine kAffines[] = {{false, false}, {true, false}, {false, true}, {true, true}};

struct Moments {
  double mean = 0, variance = 0;
};
// Computes the variance as E(x²) - E(x)². The library uses another formula, E((x - E(x))²).
Moments momentsOf(const std::vector<double>& values, const std::vector<std::size_t>& members) {
  double sum = 0, squares = 0;
  for (const std::size_t member : members) {
    sum += values[member];
    squares += values[member] * values[member];
  }
  const double count = static_cast<double>(members.size()), mean = sum / count;
  return {mean, squares / count - mean * mean};
}

TEST(BatchNormalization, NormalizesAlongEveryAxisOfEveryRank) {
  for (const DataType type : kFloats) {
    for (std::uint32_t rank = 1; rank <= 8; ++rank) {
      for (std::uint32_t axis = 0; axis < rank; ++axis) {
        Shape shape(rank, 2);
        shape[axis] = 3;
        const std::vector<double> values = someValues(countOf(shape), 5);
        const std::vector<double> mean{0.5, -1, 0}, variance{4, 0.25, 1}, scale{2, -1, 0.5}, bias{1, 0, -2};
        Fixture fixture;
        const auto channels = [&](const std::vector<double>& items) { return constant(fixture, type, {3}, items); };
        const Operand output =
            fixture.builder.batchNormalization(constant(fixture, type, shape, values), channels(mean), channels(variance),
                                               {.scale = channels(scale), .bias = channels(bias), .axis = axis, .epsilon = 0});
        std::vector<double> expected;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::size_t c = coordinatesOf(i, shape)[axis];
          expected.push_back((values[i] - mean[c]) * scale[c] * std::pow(variance[c], -0.5) + bias[c]);
        }
        SCOPED_TRACE("axis " + std::to_string(axis) + " of " + toString(shape));
        expectNear(evaluate(fixture, output), expected, toleranceOf(type));
      }
    }
  }
}

TEST(BatchNormalization, TakesScaleAs1AndBiasAs0WhereAbsent) {
  for (const Affine affine : kAffines) {
    Fixture fixture;
    const Operand input = fixture.constant({1, 2}, {5, 8});
    const Operand mean = fixture.constant({2}, {1, 2}), two = fixture.constant({2}, {2, 2});
    const Operand scale = fixture.constant({2}, {10, 100}), bias = fixture.constant({2}, {0.5, 0.25});
    BatchNormalizationOptions options{.epsilon = 2};  // variance 2: divides by 2
    if (affine.scale) options.scale = scale;
    if (affine.bias) options.bias = bias;
    expectNear(evaluate(fixture, fixture.builder.batchNormalization(input, mean, two, options)),
               {2 * (affine.scale ? 10 : 1) + (affine.bias ? 0.5 : 0), 3 * (affine.scale ? 100 : 1) + (affine.bias ? 0.25 : 0)});
  }
}

TEST(BatchNormalization, AddsEpsilonToTheVarianceInTheTypeOfTheInput) {
  const auto inverseRootOfEpsilon = [](DataType type, std::optional<double> epsilon) {
    Fixture fixture;
    const Operand zero = fixture.constant(type, {1}, {0}), one = fixture.constant(type, {1}, {1});
    BatchNormalizationOptions options{.axis = 0};
    if (epsilon) options.epsilon = *epsilon;
    return evaluate(fixture, fixture.builder.batchNormalization(one, zero, zero, options))[0];
  };
  EXPECT_NEAR(inverseRootOfEpsilon(DataType::float32, {}), 316.227766, 1e-4);
  EXPECT_EQ(inverseRootOfEpsilon(DataType::float32, 0.0625), 4);
  EXPECT_EQ(inverseRootOfEpsilon(DataType::float16, {}), 316);  // 1e-5 is 168 * 2^-24 in float16; unrounded it would give 316.25
  EXPECT_EQ(inverseRootOfEpsilon(DataType::float32, 0), kInfinity);
  EXPECT_EQ(inverseRootOfEpsilon(DataType::float16, 1e9), 0);  // an infinite epsilon
}

TEST(BatchNormalization, FollowsNaNAndInfinities) {
  Fixture fixture;
  const Operand input = fixture.constant({1, 6}, {kNaN, kInfinity, -kInfinity, 1, 1, 3});
  const Operand mean = fixture.constant({6}, {0, 0, kInfinity, kNaN, 1, 1});
  const Operand variance = fixture.constant({6}, {1, 1, 1, 1, 0, -1});
  expectNear(evaluate(fixture, fixture.builder.batchNormalization(input, mean, variance, {.epsilon = 0})),
             {kNaN, kInfinity, -kInfinity, kNaN, kNaN, kNaN});
}

TEST(InstanceNormalization, NormalizesEachPlaneInBothLayouts) {
  for (const DataType type : kFloats) {
    for (const InputOperandLayout layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
      for (const Affine affine : kAffines) {
        const bool nchw = layout == InputOperandLayout::nchw;
        const Shape shape = nchw ? Shape{2, 3, 4, 5} : Shape{2, 4, 5, 3};
        const std::vector<double> values = someValues(120, 7), scale{2, -1, 0.5}, bias{1, 0.25, -2};
        Fixture fixture;
        InstanceNormalizationOptions options{.epsilon = 0.125, .layout = layout};
        if (affine.scale) options.scale = constant(fixture, type, {3}, scale);
        if (affine.bias) options.bias = constant(fixture, type, {3}, bias);
        const Operand output = fixture.builder.instanceNormalization(constant(fixture, type, shape, values), options);
        std::vector<double> expected(120);
        const std::vector<std::uint32_t> plane = nchw ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2};
        for (const auto& [key, members] : test::naiveGroups(shape, plane)) {
          const Moments moments = momentsOf(values, members);
          const std::size_t c = key[nchw ? 1 : 3];
          for (const std::size_t i : members) {
            const double normal = (values[i] - moments.mean) * std::pow(moments.variance + 0.125, -0.5);
            expected[i] = (affine.scale ? scale[c] : 1) * normal + (affine.bias ? bias[c] : 0);
          }
        }
        expectNear(evaluate(fixture, output), expected, toleranceOf(type));
      }
    }
  }
}

TEST(InstanceNormalization, OfOnePixelIsTheBias) {
  Fixture fixture;
  const Operand input = fixture.constant({1, 2, 1, 1}, {5, -7}), bias = fixture.constant({2}, {3, 4});
  EXPECT_EQ(evaluate(fixture, fixture.builder.instanceNormalization(input, {.bias = bias})), (std::vector<double>{3, 4}));
}

TEST(InstanceNormalization, KeepsInfinitiesAndNaNInTheirPlane) {
  Fixture fixture;
  const Operand input = fixture.constant({1, 3, 1, 2}, {1, 3, kInfinity, 0, 0, kNaN});
  expectNear(evaluate(fixture, fixture.builder.instanceNormalization(input, {.epsilon = 0})), {-1, 1, kNaN, kNaN, kNaN, kNaN});
}

// Returns the flat index into scale and bias for an element: its coordinates along `axes`, in the order of `axes`, row-major.
std::size_t affineIndex(const std::vector<std::size_t>& coordinates, const Shape& shape, const std::vector<std::uint32_t>& axes) {
  std::size_t index = 0;
  for (const std::uint32_t axis : axes) index = index * shape[axis] + coordinates[axis];
  return index;
}

void checkLayerNormalization(DataType type, const Shape& shape, const std::vector<std::uint32_t>& axes, Affine affine) {
  Shape affineShape;
  for (const std::uint32_t axis : axes) affineShape.push_back(shape[axis]);
  const std::vector<double> values = someValues(countOf(shape), 11), scale = someValues(countOf(affineShape), 3),
                            bias = someValues(countOf(affineShape), 5);
  Fixture fixture;
  LayerNormalizationOptions options{.axes = axes, .epsilon = 0.125};
  if (affine.scale) options.scale = constant(fixture, type, affineShape, scale);
  if (affine.bias) options.bias = constant(fixture, type, affineShape, bias);
  const Operand output = fixture.builder.layerNormalization(constant(fixture, type, shape, values), options);
  std::vector<double> expected(values.size());
  for (const auto& [key, members] : test::naiveGroups(shape, axes)) {
    const Moments moments = momentsOf(values, members);
    for (const std::size_t i : members) {
      const std::size_t k = affineIndex(coordinatesOf(i, shape), shape, axes);
      const double normal = (values[i] - moments.mean) * std::pow(moments.variance + 0.125, -0.5);
      expected[i] = (affine.scale ? scale[k] : 1) * normal + (affine.bias ? bias[k] : 0);
    }
  }
  SCOPED_TRACE("axes " + toString(axes) + " of " + toString(shape));
  expectNear(evaluate(fixture, output), expected, toleranceOf(type));
}

TEST(LayerNormalization, NormalizesOverAllSubsetsOfTheAxes) {
  for (const auto& axes : test::allSubsets(4)) {
    for (const Affine affine : kAffines) checkLayerNormalization(DataType::float32, {2, 3, 4, 5}, axes, affine);
    checkLayerNormalization(DataType::float16, {2, 3, 4, 5}, axes, {true, true});
  }
}

TEST(LayerNormalization, TakesNonConsecutiveAxesInAnyOrder) {
  const std::vector<std::vector<std::uint32_t>> orders{{3, 1}, {3, 1, 2}, {0, 3, 1}, {2, 0}, {3, 2, 1, 0}, {1, 3, 0, 2}};
  for (const auto& axes : orders) {
    for (const Affine affine : kAffines) checkLayerNormalization(DataType::float32, {2, 3, 4, 5}, axes, affine);
  }
}

TEST(LayerNormalization, TakesEveryRankFrom0To8) {
  for (std::uint32_t rank = 0; rank <= 8; ++rank) {
    Shape shape(rank, 2);
    if (rank > 0) shape[rank - 1] = 3;
    std::vector<std::uint32_t> backwards;
    for (std::uint32_t axis = rank; axis-- > rank / 2;) backwards.push_back(axis);
    checkLayerNormalization(DataType::float32, shape, backwards, {true, true});
  }
}

TEST(LayerNormalization, WithoutAxesNormalizesEachItemOfTheFirstDimension) {
  Fixture fixture;
  const Operand input = fixture.constant({2, 2, 1}, {1, 3, 10, 30});
  expectNear(evaluate(fixture, fixture.builder.layerNormalization(input, {.epsilon = 0})), {-1, 1, -1, 1});
}

TEST(LayerNormalization, ReducesNothingForEmptyAxesAScalarAndRank1) {
  Fixture fixture;
  const Operand scale = fixture.constant({}, {7}), bias = fixture.constant({}, {5});
  const Operand scalar = fixture.constant({}, {3}), list = fixture.constant({2}, {3, kInfinity});
  GraphBuilder& builder = fixture.builder;
  const auto results = evaluate(fixture, std::vector<Operand>{
                                             builder.layerNormalization(scalar, {.scale = scale, .bias = bias}),
                                             builder.layerNormalization(list, {.scale = scale, .bias = bias}),
                                             builder.layerNormalization(list, {.scale = scale, .bias = bias, .axes = kNoAxes}),
                                             builder.layerNormalization(scalar, {.axes = kNoAxes, .epsilon = 0}),
                                         });
  EXPECT_EQ(results, (std::vector<std::vector<Number>>{{5}, {5, kNaN}, {5, kNaN}, {kNaN}}));  // the last is 0 / sqrt(0 + 0)
}

TEST(LayerNormalization, DoesNotOverflowOrCancelInTheTypeOfTheInput) {
  Fixture half;
  const Operand large = half.constant(DataType::float16, {1, 2}, {60000, -60000});
  EXPECT_EQ(evaluate(half, half.builder.layerNormalization(large)), (std::vector<double>{1, -1}));
  Fixture single;
  // The mean is 16777214 + 1 / 3, the variance 14 / 9. Even in double, the mean of the squares minus the squared mean would be
  // 1.53.
  const Operand far = single.constant({1, 3}, {16777213, 16777214, 16777216});
  const double root = std::sqrt(14.0);
  expectNear(evaluate(single, single.builder.layerNormalization(far, {.epsilon = 0})), {-4 / root, -1 / root, 5 / root});
}

TEST(LayerNormalization, OfEqualValuesIsTheBias) {
  Fixture fixture;
  const Operand input = fixture.constant({1, 7}, {0.1}), bias = fixture.constant({7}, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(evaluate(fixture, fixture.builder.layerNormalization(input, {.bias = bias, .axes = {1}})),
            (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
