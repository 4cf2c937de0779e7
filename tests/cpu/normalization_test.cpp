// Tests batch, instance and layer normalization on the CPU engine.
#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr DataType kFloatTypes[] = {DataType::float32, DataType::float16};

// Returns random numbers in [low, high).
std::vector<Number> numbers(std::size_t count, double low, double high, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Number> values;
  for (std::size_t i = 0; i < count; ++i) values.emplace_back(std::uniform_real_distribution<double>(low, high)(random));
  return values;
}

Operand parameter(Fixture& f, DataType type, const Shape& shape, bool isConstant, double low, double high, std::uint32_t seed) {
  if (!isConstant) return f.input(type, shape);
  return f.constant(type, shape, numbers(elementCount({type, shape}), low, high, seed));
}

// Expects the reference's results without the pass `recognise`, which replaces some normalizations by rowNormalization.
// make(fixture) returns the output of a graph.
template <typename Make>
void expectAgreesUnrecognised(Make make, CpuCase options = {}) {
  options.disable = "recognise";
  Fixture f;
  expectCpuAgrees(f, {make(f)}, options);
}

TEST(CpuNormalization, BatchNormalizationTakesAnyAxisAndParameters) {
  const std::vector<std::pair<Shape, std::uint32_t>> cases{{{5}, 0},           {{3, 37}, 1},      {{2, 19, 7, 9}, 1},
                                                           {{2, 5, 6, 67}, 3}, {{1, 3, 1, 1}, 1}, {{2, 3, 2, 5, 3}, 2},
                                                           {{1, 2, 16500}, 1}, {{2, 16500}, 1}};
  for (const DataType type : kFloatTypes) {
    for (const auto& [shape, axis] : cases) {
      for (const bool isConstant : {true, false}) {
        for (const bool hasScale : {true, false}) {
          const auto make = [&, shape = shape, axis = axis](Fixture& f) {
            const Operand x = f.input(type, shape);
            const auto parameterOf = [&](std::uint32_t seed) {
              return parameter(f, type, {shape[axis]}, isConstant, 0.25, 2, seed);
            };
            const Operand mean = parameterOf(1), variance = parameterOf(2);
            BatchNormalizationOptions options{.axis = axis, .epsilon = 0.01, .label = {}};
            if (hasScale) options.scale = parameterOf(3);
            if (hasScale) options.bias = parameterOf(4);
            return f.builder.batchNormalization(x, mean, variance, options);
          };
          expectAgreesUnrecognised(make, {.low = 0.25, .high = 2, .seed = axis + 7});
        }
      }
    }
  }
}

// The compiler frees constants that it has computed, unless a step keeps them. Here, the step reads the constant in every run.
TEST(CpuNormalization, BatchNormalizationTakesComputedConstantsBesideInputs) {
  for (const DataType type : kFloatTypes) {
    for (std::uint32_t folded = 0; folded < 4; ++folded) {
      Fixture f;
      const auto parameterOf = [&](std::uint32_t which) {
        if (which != folded) return f.input(type, {300});
        return f.builder.exp(f.constant(type, {300}, numbers(300, 0.25, 2, which)));
      };
      const Operand x = f.input(type, {2, 300, 3}), mean = parameterOf(0), variance = parameterOf(1);
      const BatchNormalizationOptions options{.scale = parameterOf(2), .bias = parameterOf(3), .epsilon = 0.01, .label = {}};
      expectCpuAgrees(f, {f.builder.batchNormalization(x, mean, variance, options)}, {.low = 0.25, .high = 2, .seed = folded});
    }
  }
}

TEST(CpuNormalization, BatchNormalizationPropagatesNonFiniteValues) {
  const auto make = [](Fixture& f) {
    const Operand x = f.input({3, 40, 5});
    const Operand mean = f.constant({40}, numbers(40, -1, 1, 1)), variance = f.constant({40}, numbers(40, 0.5, 2, 2));
    return f.builder.batchNormalization(x, mean, variance);
  };
  expectAgreesUnrecognised(make, {.specials = true});
}

TEST(CpuNormalization, InstanceNormalizationTakesBothLayouts) {
  const std::vector<Shape> shapes{{1, 1, 1, 1},  {2, 3, 1, 1},  {2, 1, 1, 3},   {2, 3, 5, 7},
                                  {1, 5, 9, 67}, {2, 33, 2, 3}, {1, 2, 70, 130}};
  for (const DataType type : kFloatTypes) {
    for (const Shape& shape : shapes) {
      for (const InputOperandLayout layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
        for (const int parameters : {0, 1, 2}) {  // 0: no parameters, 1: constants, 2: inputs
          const auto make = [&](Fixture& f) {
            const Operand x = f.input(type, shape);
            const Shape channels{shape[layout == InputOperandLayout::nchw ? 1 : 3]};
            InstanceNormalizationOptions options{.epsilon = 0.01, .layout = layout, .label = {}};
            if (parameters > 0) {
              options.scale = parameter(f, type, channels, parameters == 1, -2, 2, 5);
              options.bias = parameter(f, type, channels, parameters == 1, -2, 2, 6);
            }
            return f.builder.instanceNormalization(x, options);
          };
          expectAgreesUnrecognised(make, {.relative = 4e-6, .absolute = 3e-6});
        }
      }
    }
  }
}

TEST(CpuNormalization, LayerNormalizationTakesAnyAxesInAnyOrder) {
  const std::vector<std::pair<Shape, std::vector<std::uint32_t>>> cases{{{7}, {}},
                                                                        {{}, {}},
                                                                        {{7}, {0}},
                                                                        {{3, 65}, {1}},
                                                                        {{3, 5, 33}, {1, 2}},
                                                                        {{3, 5, 33}, {2, 1}},
                                                                        {{3, 5, 33}, {1}},
                                                                        {{6, 70}, {0}},
                                                                        {{3, 5, 7}, {0, 2}},
                                                                        {{3, 5, 7}, {2, 0}},
                                                                        {{2, 3, 4, 5}, {1, 3}},
                                                                        {{2, 3, 4, 5}, {2, 0}},
                                                                        {{2, 3, 4, 5}, {0, 1, 2, 3}},
                                                                        {{2, 3, 4, 5}, {3, 1, 0, 2}},
                                                                        {{1, 200, 3}, {1}},
                                                                        {{2, 1, 9000}, {2, 1}},
                                                                        {{2, 2, 2, 2, 2, 2, 2, 3}, {6, 2, 4}}};
  for (const DataType type : kFloatTypes) {
    for (const auto& [shape, axes] : cases) {
      Shape sizes;
      for (const std::uint32_t axis : axes) sizes.push_back(shape[axis]);
      for (const int parameters : {0, 1, 2, 3, 4}) {  // 0: no parameters, 1: constants, 2: inputs, 3: scale only, 4: bias only
        const auto make = [&, shape = shape, axes = axes](Fixture& f) {
          const Operand x = f.input(type, shape);
          LayerNormalizationOptions options{.epsilon = 0.01, .label = {}};
          options.axes = axes;
          if (parameters > 0 && parameters != 4) options.scale = parameter(f, type, sizes, parameters != 2, -2, 2, 5);
          if (parameters > 0 && parameters != 3) options.bias = parameter(f, type, sizes, parameters != 2, -2, 2, 6);
          return f.builder.layerNormalization(x, options);
        };
        expectAgreesUnrecognised(make, {.relative = 4e-6, .absolute = 3e-6});
      }
    }
  }
}

TEST(CpuNormalization, StatisticsAreExactFarFromZero) {
  for (const std::vector<std::uint32_t>& axes : {std::vector<std::uint32_t>{1}, std::vector<std::uint32_t>{0}}) {
    Fixture f;
    const Operand x = f.input({300, 259});
    LayerNormalizationOptions options{.label = {}};
    options.axes = axes;
    expectCpuAgrees(f, {f.builder.layerNormalization(x, options)},
                    {.low = 10000, .high = 10001, .relative = 4e-6, .absolute = 4e-6});
  }
}

// For some elements, the product with the scale overflows float32, but the sum with the bias does not.
TEST(CpuNormalization, ScaleAndBiasNearTheGreatestNumberDoNotOverflow) {
  for (const InputOperandLayout layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
    Fixture f;
    const Operand huge = f.constant({4}, std::vector<Number>(4, 3e38));
    expectCpuAgrees(f, {f.builder.instanceNormalization(f.input({3, 4, 4, 4}), {.scale = huge, .bias = huge, .layout = layout})});
  }
  for (const std::uint32_t axis : {0U, 1U}) {  // 0: normalizes each column; 1: each row
    Fixture f;
    const Operand huge = f.constant({24}, std::vector<Number>(24, 3e38));
    LayerNormalizationOptions options{.scale = huge, .bias = huge, .label = {}};
    options.axes = std::vector<std::uint32_t>{axis};
    expectCpuAgrees(f, {f.builder.layerNormalization(f.input({24, 24}), options)}, {.relative = 4e-6, .absolute = 1e33});
  }
}

TEST(CpuNormalization, OneInfinityOrNanMakesItsGroupNan) {
  Fixture f;
  const Operand x = f.input({8, 21});
  LayerNormalizationOptions columns{.label = {}};
  columns.axes = std::vector<std::uint32_t>{0};
  std::vector<Number> values = numbers(8 * 21, -1, 1, 3);
  values[5] = std::numeric_limits<double>::infinity();
  values[3 * 21 + 20] = std::numeric_limits<double>::quiet_NaN();
  values[4 * 21] = -std::numeric_limits<double>::infinity();
  expectCpuAgrees(f, {f.builder.layerNormalization(x), f.builder.layerNormalization(x, columns)},
                  {.relative = 4e-6, .absolute = 3e-6, .inputs = {{"input0", values}}, .disable = "recognise"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
