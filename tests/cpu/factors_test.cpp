// Tests multiplications by very large and very small factors before and after sums and products. Fused or not, results must be
// those of separate operations that each round to float32 once.
#include <cmath>
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

struct Given {
  Shape shape;
  std::vector<Number> values;
};
using Make = std::function<Operand(Fixture&, const std::vector<Operand>&)>;

// Checks that the reference backend computes `expected`, and that the CPU engine does as well, both if the tensors are inputs and
// if all tensors but the first are constants.
void expectValues(const std::vector<Given>& tensors, const Make& make, const std::vector<double>& expected) {
  Fixture reference;
  std::vector<Operand> constants;
  for (const Given& tensor : tensors) constants.push_back(reference.constant(tensor.shape, tensor.values));
  const std::vector<double> actual = evaluate(reference, make(reference, constants));
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i]) continue;
    EXPECT_LE(std::abs(actual[i] - expected[i]), 1e-6 * std::abs(expected[i]))
        << i << ": " << actual[i] << ", not " << expected[i];
  }
  for (const bool areConstants : {false, true}) {
    Fixture f;
    std::vector<Operand> operands;
    CpuCase how{.relative = 2e-6, .absolute = 1e-44};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const auto& [shape, values] = tensors[i];
      if (!areConstants || i == 0) how.inputs["input" + std::to_string(f.inputs)] = values;
      operands.push_back(areConstants && i > 0 ? f.constant(shape, values) : f.input(shape));
    }
    expectCpuAgrees(f, {make(f, operands)}, how);
  }
}

Operand number(Fixture& f, double value) { return f.constant({}, {value}); }

TEST(CpuFactors, AlphaOfGemmIsOfTheSum) {
  struct Case {
    double x, w, alpha, expected;
  };
  for (const Case& c : {Case{3e38, 2, 0, 0},
                        {3e38, 2, 0.5, 3e38},
                        {-3e38, 4, -0.25, 3e38},
                        {3e38, 3e38, 0x1p-133, 9e76 * 0x1p-133},
                        {1e-30, 1e-20, 1e30, 1e-20},
                        {3e38, 2, 2, kInfinity},
                        {kInfinity, 2, 0, kNan},
                        {0, 2, 1e30, 0}}) {
    SCOPED_TRACE(c.x);
    SCOPED_TRACE(c.alpha);
    for (const bool isTransposed : {false, true}) {
      const Make make = [&](Fixture& f, const std::vector<Operand>& x) {
        return f.builder.gemm(x[0], x[1], {.alpha = c.alpha, .bTranspose = isTransposed});
      };
      const std::vector<Number> zeros{c.w, 0, 0, 1};
      expectValues({{{1, 2}, {c.x, 0}}, {{2, 2}, zeros}}, make, {c.expected, std::isfinite(c.x) ? 0 : kNan});
      const Make withC = [&](Fixture& f, const std::vector<Operand>& x) {
        return f.builder.gemm(x[0], x[1], {.c = x[2], .alpha = c.alpha, .beta = 0.5});
      };
      expectValues({{{1, 1}, {c.x}}, {{1, 1}, {c.w}}, {{1}, {1e30}}}, withC,
                   {static_cast<double>(static_cast<float>(c.expected + 5e29))});
    }
  }
}

// Some of many sums exceed the range of their type before they are multiplied by alpha. Repairing these sums must not change the
// others, for any number of threads.
TEST(CpuFactors, AlphaMendsTheSumsThatItMust) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const double alpha : {0.5, -0.001, 1e6}) {
      Fixture f;
      const double large = type == DataType::float16 ? 6e4 : 2e38;
      std::vector<Number> a;
      for (std::size_t i = 0; i < 37 * 65; ++i) a.emplace_back(i % 613 == 5 ? large : std::sin(static_cast<double>(i)) / 1e3);
      std::vector<Number> b;
      for (std::size_t i = 0; i < 65 * 70; ++i) b.emplace_back(i % 401 == 9 ? 3 : std::cos(static_cast<double>(i)) / 1e3);
      const Operand x = f.input(type, {37, 65}), w = f.constant(type, {65, 70}, b);
      const Operand y = f.builder.gemm(x, w, {.alpha = alpha});
      // Large terms cancel and leave only rounding errors, so the tolerance is absolute.
      expectCpuAgrees(f, {f.builder.relu(f.builder.add(y, f.constant(type, {70}, {0.25})))},
                      {.relative = 1e-4, .absolute = 1e-4 * std::abs(alpha), .inputs = {{"input0", a}}});
    }
  }
}

// Builds alpha * x * (numbers * scale), where `numbers` is an int4 matrix [k, 3] of sevens.
Operand int4Gemm(Fixture& f, const Operand& x, double scale, double alpha) {
  const std::uint32_t k = x.shape()[1];
  const Operand numbers = f.constant(DataType::int4, {k, 3}, {7}), zero = f.constant(DataType::int4, {1, 1}, {0});
  const Operand w = f.builder.dequantizeLinear(numbers, f.constant({1, 1}, {scale}), zero);
  return alpha == 1 ? f.builder.matmul(x, w) : f.builder.gemm(x, w, {.alpha = alpha});
}

TEST(CpuFactors, ScalesOfBlocksAreOfEachNumber) {
  struct Case {
    double x, scale, alpha, expected;
  };
  for (const Case& c : {Case{3e38, 0.01, 1, 8 * 2.1e37},
                        {1e38, 1e-30, 1, 8 * 7e8},
                        {1e-10, 1e38, 1, kInfinity},  // 7e38 is infinite in float32
                        {0, 1e38, 1, kNan},
                        {3e38, 0, 1, 0},
                        {1e-30, 1e30, 1, 56},
                        {1e20, 1e-20, 1e-20, 56e-20},
                        {3e37, 1, 0.125, 2.1e38},
                        {0x1p-133, 1e30, 1e30, 56 * 0x1p-133 * 1e60},
                        {kInfinity, 0.5, 1, kInfinity}}) {
    SCOPED_TRACE(c.x);
    SCOPED_TRACE(c.scale);
    for (const std::uint32_t rows : {1U, 5U}) {
      std::vector<Number> x(rows * 8, c.x);
      std::vector<double> expected(rows * 3, c.expected);
      expectValues(
          {{{rows, 8}, x}}, [&](Fixture& f, const std::vector<Operand>& in) { return int4Gemm(f, in[0], c.scale, c.alpha); },
          expected);
    }
  }
}

// Computes quantize(dequantize(units) * dequantize(1)). In the original graph, the product is rounded to float32 before the
// division.
TEST(CpuFactors, ScalesOfBytesMergeWithinRangeAlone) {
  struct Case {
    double units, aScale, bScale, outputScale, expected;
  };
  for (const Case& c : {Case{40, 0.5, 0.5, 0.25, 40},
                        {2, 1e20, 1e20, 1e38, 255},       // the product is infinite; if it were exact, the result would be 200
                        {40, 1e-23, 1e-23, 0x1p-148, 2},  // the product is three denormal units, not 2.85
                        {255, 1e-30, 1e-30, 1e-38, 0},
                        {1, 1e38, 1e38, 3e38, 255}}) {
    SCOPED_TRACE(c.aScale);
    const auto make = [&](Fixture& f, const std::vector<Operand>& in) {
      GraphBuilder& b = f.builder;
      const auto scale = [&](double value) { return f.constant({1, 1}, {value}); };
      const Operand zero = f.constant(DataType::uint8, {1, 1}, {0});
      const Operand x = b.dequantizeLinear(b.cast(in[0], DataType::uint8), scale(c.aScale), zero);
      const Operand w = b.dequantizeLinear(f.constant(DataType::uint8, {1, 1}, {1}), scale(c.bScale), zero);
      return b.cast(b.quantizeLinear(b.matmul(x, w), scale(c.outputScale), zero), DataType::float32);
    };
    expectValues({{{1, 1}, {c.units}}}, make, {c.expected});
  }
}

// Builds (x - mean) / sqrt(mean of squares + epsilon) over `axes`, or the same without the mean if `isRms`.
Operand normalized(Fixture& f, const Operand& x, const std::vector<std::uint32_t>& axes, double epsilon, bool isRms) {
  GraphBuilder& b = f.builder;
  const ReduceOptions options{.axes = axes, .keepDimensions = true, .label = {}};
  const Operand distance = isRms ? x : b.sub(x, b.reduceMean(x, options));
  return b.div(distance, b.sqrt(b.add(b.reduceMean(b.mul(distance, distance), options), number(f, epsilon))));
}

TEST(CpuFactors, NormalizationsThatAreWrittenOutKeepTheirSquares) {
  struct Case {
    double size, epsilon, expected;  // for x = {size, -size, ...}
  };
  const double squared = 0x1p-149 * std::nearbyint(1e-42 / 0x1p-149);
  for (const Case& c : {Case{1, 0, 1},
                        {1e25, 1e-5, 0},  // the squares are infinite
                        {3e19, 0, 0},
                        {1e18, 0, 1},
                        {1e-25, 0, kInfinity},  // the squares are 0
                        {1e-25, 0x1p-133, 1e-25 / std::sqrt(0x1p-133)},
                        {1e-21, 0, 1e-21 / std::sqrt(squared)},  // the squares are denormals
                        {0, 0, kNan}}) {
    SCOPED_TRACE(c.size);
    for (const std::vector<std::uint32_t>& axes : std::vector<std::vector<std::uint32_t>>{{3}, {2, 3}, {1, 2}, {1, 2, 3}}) {
      std::vector<Number> x;
      std::vector<double> expected;
      for (int i = 0; i < 16; ++i) {
        const int sign = ((i >> 1) + i) % 2 == 0 ? 1 : -1;  // in each group that is normalized, half of the values are negative
        x.emplace_back(sign * c.size);
        expected.push_back(sign * c.expected * 2);
      }
      const bool isImage = axes.size() == 2;
      const Shape scale = !isImage ? Shape{1} : axes[0] == 2 ? Shape{2, 1, 1} : Shape{2};
      expectValues(
          {{{2, 2, 2, 2}, x}, {isImage ? scale : Shape{}, std::vector<Number>(isImage ? 2 : 1, 2.0)}},
          [&](Fixture& f, const std::vector<Operand>& in) {
            return f.builder.mul(normalized(f, in[0], axes, c.epsilon, false), in[1]);
          },
          expected);
      if (axes.size() > 1) continue;
      expectValues(
          {{{2, 2, 2, 2}, x}, {{2}, {2, 2}}},
          [&](Fixture& f, const std::vector<Operand>& in) {
            return f.builder.mul(normalized(f, in[0], {3}, c.epsilon, true), in[1]);
          },
          expected);
    }
  }
}

TEST(CpuFactors, OperationsOfNormalizationStayInRange) {
  expectValues({{{1, 2}, {1e25, -1e25}}},
               [](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.layerNormalization(in[0], {.axes = {{1}}, .label = {}});
               },
               {1, -1});
}

TEST(CpuFactors, ActivationsThatAreWrittenOutAreInfiniteWhereTheirProductsAre) {
  const Given x{{4}, {3e38, 1, -1, 1e38}};
  const auto gelu = [](double value) { return 0.5 * value * std::erfc(-value / std::sqrt(2.0)); };
  const auto curve = [](Fixture& f, const Operand& in) {
    return f.builder.add(f.builder.erf(f.builder.div(in, number(f, std::sqrt(2.0)))), number(f, 1));
  };
  expectValues({x},
               [&](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.mul(f.builder.mul(in[0], curve(f, in[0])), number(f, 0.5));
               },
               {kInfinity, gelu(1), gelu(-1), 1e38});
  expectValues({x},
               [&](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.mul(f.builder.mul(in[0], number(f, 0.5)), curve(f, in[0]));
               },
               {3e38, gelu(1), gelu(-1), 1e38});
  const auto clamped = [](Fixture& f, const Operand& in) {
    return f.builder.clamp(f.builder.add(in, number(f, 3)), {.minValue = 0.0, .maxValue = 6.0, .label = {}});
  };
  expectValues({x},
               [&](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.div(f.builder.mul(in[0], clamped(f, in[0])), number(f, 6));
               },
               {kInfinity, 4.0 / 6, -2.0 / 6, kInfinity});
  expectValues({x},
               [&](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.mul(in[0], f.builder.div(clamped(f, in[0]), number(f, 6)));
               },
               {3e38, 4.0 / 6, -2.0 / 6, 1e38});
  // The product with 1e-36 underflows to 0 for the first number. The two factors must therefore not be merged into 0.5.
  expectValues({{{2}, {1e-10, 3}}},
               [&](Fixture& f, const std::vector<Operand>& in) {
                 return f.builder.mul(f.builder.mul(f.builder.mul(in[0], number(f, 1e-36)), curve(f, in[0])), number(f, 0.5e36));
               },
               {0, gelu(3)});
}

// If a shift is much larger than the number to which it is added, the number is lost. Such a sum must not be recognized as
// affine.
TEST(CpuFactors, ShiftsThatSwallowANumberAreNoLine) {
  const auto scores = [](Fixture& f, const std::vector<Operand>& in) {
    const Operand product = f.builder.matmul(in[0], in[1]);
    const Operand shifted = f.builder.sub(f.builder.add(product, number(f, 1e30)), number(f, 1e30));
    return f.builder.matmul(f.builder.softmax(shifted, 1), in[2]);
  };
  expectValues({{{1, 1}, {1}}, {{1, 2}, {1, 5}}, {{2, 1}, {0, 1}}}, scores, {0.5});
}

TEST(CpuFactors, AttentionIsOfScoresAsWritten) {
  struct Case {
    // The query `q` attends to the keys `k` and 3 * `k`, which have the values 0 and 1. `after` multiplies the scores.
    double q, k, qFactor, kFactor, after, expected;
  };
  const auto softmax = [](double difference) { return 1 / (1 + std::exp(-difference)); };
  for (const Case& c : {Case{1e20, 1e19, 1e-3, 1, 1, 1},  // scores are infinite without qFactor
                        {1e20, 1e19, 1e-3, 1e-2, 1, 1},
                        {1e20, 1e19, 1, 1, 1e-30, kNan},  // NaN, as in the original graph
                        {3e37, 1, 100, 1, 1e-30, kNan},   // the queries are infinite
                        {1e-30, 1e-20, 1e30, 1e20, 1, softmax(2)},
                        {1, 1, 1e38, 1, 1e-38, softmax(2)},
                        {1, 1, 1, 1, 3, softmax(6)}}) {
    for (const std::uint32_t rows : {1U, 20U}) {
      for (const bool isMasked : {false, true}) {
        SCOPED_TRACE(c.q);
        SCOPED_TRACE(c.qFactor);
        const std::vector<Number> q(rows * 8, c.q);
        std::vector<Number> k(16, c.k / 8);
        for (std::size_t i = 8; i < 16; ++i) k[i] = 3 * c.k / 8;
        std::vector<Given> tensors{{{rows, 8}, q}, {{2, 8}, k}, {{2, 1}, {0, 1}}};
        if (isMasked) tensors.push_back({{1, 2}, {0, 0}});
        expectValues(
            tensors,
            [&](Fixture& f, const std::vector<Operand>& in) {
              GraphBuilder& b = f.builder;
              const auto times = [&](const Operand& x, double factor) { return factor == 1 ? x : b.mul(x, number(f, factor)); };
              Operand scores = b.matmul(times(in[0], c.qFactor), b.transpose(times(in[1], c.kFactor)));
              scores = times(scores, c.after);
              if (isMasked) scores = b.add(scores, in[3]);
              return b.matmul(b.softmax(scores, 1), in[2]);
            },
            std::vector<double>(rows, c.expected));
      }
    }
  }
}

// If the factor of the queries were applied after the product, a score would be -infinity, and adding the mask could not correct
// it.
TEST(CpuFactors, MasksAreAddedToScoresAsWritten) {
  for (const std::uint32_t rows : {1U, 20U}) {
    const std::vector<Given> tensors{
        {{rows, 1}, std::vector<Number>(rows, -1e20)}, {{1, 2}, {1, 3e19}}, {{2, 1}, {0, 1}}, {{2}, {0, 1e38}}};
    const Make make = [](Fixture& f, const std::vector<Operand>& in) {
      const Operand scores = f.builder.matmul(f.builder.mul(in[0], number(f, 1e-3)), in[1]);
      return f.builder.matmul(f.builder.softmax(f.builder.add(scores, in[3]), 1), in[2]);
    };
    expectValues(tensors, make, std::vector<double>(rows, 1));
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
