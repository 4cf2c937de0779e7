// Tests activations and softmax on the CPU engine.
#include <cmath>
#include <limits>

#include "backends/cpu/simd/softmax.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::vector<DataType> kFloats{DataType::float32, DataType::float16};

using Method = Operand (GraphBuilder::*)(Operand, OperatorOptions);
const std::vector<Method> kMethods{&GraphBuilder::gelu,     &GraphBuilder::hardSwish, &GraphBuilder::relu, &GraphBuilder::sigmoid,
                                   &GraphBuilder::softplus, &GraphBuilder::softsign,  &GraphBuilder::tanh};

TEST(CpuActivation, FloatsAgree) {
  for (const DataType type : kFloats) {
    for (const bool specials : {false, true}) {
      for (const Shape& shape : std::vector<Shape>{{}, {7}, {3, 5, 67}, {2100}}) {
        Fixture f;
        const Operand x = f.input(type, shape);
        std::vector<Operand> outputs;
        for (const Method method : kMethods) outputs.push_back((f.builder.*method)(x, {}));
        outputs.push_back(f.builder.elu(x, {.alpha = 0.7}));
        outputs.push_back(f.builder.elu(x));
        outputs.push_back(f.builder.leakyRelu(x, {.alpha = 0.2}));
        outputs.push_back(f.builder.leakyRelu(x, {.alpha = -1.5}));
        outputs.push_back(f.builder.hardSigmoid(x, {.alpha = 0.3, .beta = 0.4}));
        outputs.push_back(f.builder.linear(x, {.alpha = -2.5, .beta = 0.3}));
        expectCpuAgrees(f, outputs, {.low = -6, .high = 6, .specials = specials});
      }
    }
  }
}

TEST(CpuActivation, PreluAgreesOfEveryTypeAndShape) {
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int8, DataType::int32, DataType::int64}) {
    for (const auto& [input, slope] : std::vector<std::pair<Shape, Shape>>{
             {{3, 5, 19}, {19}}, {{3, 5, 19}, {5, 1}}, {{3, 1, 19}, {5, 1}}, {{}, {4}}, {{40}, {40}}}) {
      Fixture f;
      const Operand x = f.input(type, input), s = f.input(type, slope);
      expectCpuAgrees(f, {f.builder.prelu(x, s)}, {.low = -90, .high = 90, .specials = true});
    }
  }
}

TEST(CpuActivation, ReluOfIntegersAgrees) {
  for (const DataType type : {DataType::int8, DataType::int32, DataType::int64}) {
    Fixture f;
    const Operand x = f.input(type, {3, 21});
    expectCpuAgrees(f, {f.builder.relu(x)}, {.low = -100, .high = 100});
  }
}

TEST(CpuActivation, SoftmaxAgreesAlongEveryAxis) {
  for (const DataType type : kFloats) {
    for (const Shape& shape : std::vector<Shape>{{1},
                                                 {9},
                                                 {5, 3},
                                                 {3, 67},
                                                 {4, 1, 130},
                                                 {2, 70, 300},
                                                 {2, 3, 2, 5, 7},
                                                 {2, 5000},
                                                 {3, 20, 2},
                                                 {3, 41, 4},
                                                 {2, 19, 15},
                                                 {2, 7, 16}}) {
      for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
        Fixture f;
        const Operand x = f.input(type, shape), y = f.builder.softmax(x, axis);
        expectCpuAgrees(f, {y}, {.low = -8, .high = 8, .relative = 4e-6, .absolute = 1e-9});
      }
    }
  }
}

TEST(CpuActivation, SoftmaxTreatsSpecialValuesAsTheReference) {
  for (const DataType type : kFloats) {
    for (std::uint32_t seed = 1; seed < 6; ++seed) {
      Fixture f;
      const Operand x = f.input(type, {40, 3});
      expectCpuAgrees(f, {f.builder.softmax(x, 1), f.builder.softmax(x, 0)}, {.seed = seed, .specials = true});
    }
  }
}

// A masked element (-infinity) contributes exactly 0 to the result.
TEST(CpuActivation, SoftmaxOfMinusInfinityIsZero) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Fixture f;
  const Operand x = f.constant({2, 5}, {1, -infinity, 2, -infinity, 0.5, -infinity, -infinity, -infinity, -infinity, -infinity});
  const Operand y = f.builder.softmax(f.builder.add(f.input({}), x), 1);
  expectCpuAgrees(f, {y}, {.relative = 2e-6, .absolute = 0});
}

// Multiplying denormals takes many times as long as multiplying normal numbers. Masks of -100 are common, and their exponentials
// are denormals.
TEST(CpuActivation, SoftmaxRoundsExponentialsBelowTheNormalNumbersToZero) {
  for (const cpu::Isa isa : {cpu::Isa::sse4, cpu::Isa::avx2, cpu::Isa::avx512, cpu::Isa::neon}) {
    if (!cpu::isSupported(isa)) continue;
    std::vector<float> x(45), y(45);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i == 40 ? 1.0F : i % 2 == 0 ? -99.0F : -85.0F;
    cpu::softmaxKernels(isa).row(x.data(), y.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = i == 40 ? 1.0 : i % 2 == 0 ? 0.0 : std::exp(-86.0);
      ASSERT_NEAR(y[i], expected, 4e-7 * expected) << name(isa) << ", element " << i;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
