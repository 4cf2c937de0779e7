// Tests products of quantized matrices, and of floats and quantized matrices, against the reference backend.
#include <algorithm>
#include <limits>
#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

std::vector<Number> randomNumbers(std::size_t count, double low, double high, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Number> numbers;
  for (; count > 0; --count) numbers.push_back(std::uniform_real_distribution<double>(low, high)(random));
  return numbers;
}

std::size_t countOf(const Shape& shape) { return elementCount({DataType::float32, shape}); }

// A matmul or gemm with all operations that may surround it.
struct Case {
  Shape a;  // k is the last dimension
  std::uint32_t n = 1;
  DataType aType = DataType::uint8, bType = DataType::int8;
  bool perColumn = false, asymmetric = false, transposed = false, gemm = false;
  bool fromFloats = false, bias = false, relu = false;
  enum { floats, bytes, dequantized } result = bytes;
  std::size_t largeEvery = 1;  // of so many weights, one may have any value; the others are within a quarter of the range
};

Operand scalarLike(Fixture& f, DataType type, std::size_t rank, double value) {
  return f.constant(type, Shape(rank, 1), {value});
}

Operand makeRows(Fixture& f, const Case& c) {
  const Operand scale = scalarLike(f, DataType::float32, c.a.size(), 0.02);
  const Operand zeroPoint = scalarLike(f, c.aType, c.a.size(), c.aType == DataType::uint8 ? 117 : -9);
  Operand numbers = c.fromFloats ? f.builder.quantizeLinear(f.input(c.a), scale, zeroPoint) : f.input(c.aType, c.a);
  return f.builder.dequantizeLinear(numbers, scale, zeroPoint);
}

Operand makeMatrix(Fixture& f, const Case& c) {
  const std::uint32_t k = c.a.back();
  const Shape stored = c.transposed ? Shape{c.n, k} : Shape{k, c.n};
  const Shape blocks = !c.perColumn ? Shape{1, 1} : c.transposed ? Shape{c.n, 1} : Shape{1, c.n};
  const bool isSigned = c.bType == DataType::int8 || c.bType == DataType::int4;
  const double most = bitsPerElement(c.bType) == 4 ? 16 : 256, low = isSigned ? -most / 2 : 0;
  const double zero = low + most / 2, spread = c.asymmetric ? most / 3 : 0;
  std::vector<Number> weights = randomNumbers(countOf(stored), low, low + most - 1, 3);
  const std::vector<Number> small = randomNumbers(countOf(stored), zero - most / 8, zero + most / 8, 3);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i % c.largeEvery != 0) weights[i] = small[i];
  }
  return f.builder.dequantizeLinear(f.constant(c.bType, stored, weights),
                                    f.constant(DataType::float32, blocks, randomNumbers(countOf(blocks), 0.001, 0.01, 4)),
                                    f.constant(c.bType, blocks, randomNumbers(countOf(blocks), zero - spread, zero + spread, 5)));
}

Operand makeGemm(Fixture& f, const Case& c) {
  const Operand a = makeRows(f, c);
  Operand b = makeMatrix(f, c);
  Operand y;
  if (c.gemm) {
    GemmOptions options{.bTranspose = c.transposed};
    options.alpha = 0.5F;
    if (c.bias) options.c = f.constant({c.n}, randomNumbers(c.n, -1, 1, 6)), options.beta = 2;
    y = f.builder.gemm(a, b, options);
  } else {
    if (c.transposed) b = f.builder.transpose(b);
    y = f.builder.matmul(a, b);
    if (c.bias) y = f.builder.add(y, f.constant({c.n}, randomNumbers(c.n, -1, 1, 6)));
  }
  if (c.relu) y = f.builder.relu(y);
  if (c.result == Case::floats) return y;
  const std::size_t rank = y.shape().size();
  const Operand scale = scalarLike(f, DataType::float32, rank, 0.013), zeroPoint = scalarLike(f, c.aType, rank, 40);
  const Operand q = f.builder.quantizeLinear(y, scale, zeroPoint);
  return c.result == Case::bytes ? q : f.builder.dequantizeLinear(q, scale, zeroPoint);
}

std::string onlyKernel(const Case& c, std::string isa = {}) {
  Fixture f;
  const std::vector<std::string> kernels = cpuKernels(f, {makeGemm(f, c)}, {}, std::move(isa));
  return kernels.size() == 1 ? kernels[0] : std::to_string(kernels.size()) + " kernels";
}

void expectGemm(const Case& c) {
  SCOPED_TRACE(toString(OperandDescriptor{c.aType, c.a}) + " x " + std::to_string(c.n) + " " + std::string(name(c.bType)));
  EXPECT_EQ(onlyKernel(c).find("quantized gemm"), 0U) << onlyKernel(c);
  Fixture f;
  // A kernel that rounds a tie differently changes the result by 1, which is 0.013 after dequantization.
  CpuCase options{.relative = 1e-5, .absolute = c.result == Case::dequantized ? 0.01301 : 2e-4, .integers = 1};
  if (!c.fromFloats) options.low = -128, options.high = 255;
  expectCpuAgrees(f, {makeGemm(f, c)}, options);
}

TEST(CpuQuantizedGemm, TakesEverySize) {
  for (const std::uint32_t m : {1U, 2U, 3U, 5U, 14U, 15U, 31U}) {
    for (const std::uint32_t n : {1U, 7U, 16U, 33U, 70U}) {
      for (const std::uint32_t k : {1U, 3U, 4U, 30U, 65U})
        expectGemm({.a = {m, k}, .n = n, .bias = true, .result = Case::floats});
    }
  }
}

TEST(CpuQuantizedGemm, TakesEveryTypeAndZeroPoint) {
  for (const DataType aType : {DataType::uint8, DataType::int8}) {
    for (const DataType bType : {DataType::uint8, DataType::int8, DataType::int4, DataType::uint4}) {
      for (const bool perColumn : {false, true}) {
        for (const bool asymmetric : {false, true}) {
          expectGemm({.a = {19, 37}, .n = 41, .aType = aType, .bType = bType, .perColumn = perColumn, .asymmetric = asymmetric});
        }
      }
    }
  }
}

TEST(CpuQuantizedGemm, AbsorbsNeighbouringOperations) {
  for (const bool fromFloats : {false, true}) {
    for (const bool relu : {false, true}) {
      for (const auto result : {Case::floats, Case::bytes, Case::dequantized}) {
        for (const DataType aType : {DataType::uint8, DataType::int8}) {
          Case c{.a = {9, 50}, .n = 35, .aType = aType, .perColumn = true, .fromFloats = fromFloats, .bias = true, .relu = relu};
          c.result = result;
          expectGemm(c);
          c.gemm = true;
          expectGemm(c);
        }
      }
    }
  }
}

TEST(CpuQuantizedGemm, TakesTransposedMatricesAndBatches) {
  expectGemm({.a = {9, 50}, .n = 35, .perColumn = true, .asymmetric = true, .transposed = true});
  expectGemm({.a = {9, 50}, .n = 35, .perColumn = true, .transposed = true, .gemm = true});
  expectGemm({.a = {2, 3, 9, 50}, .n = 35, .fromFloats = true, .result = Case::floats});
}

TEST(CpuQuantizedGemm, CutsLargeProductsIntoChunks) {
  expectGemm({.a = {300, 520}, .n = 300, .perColumn = true, .asymmetric = true, .fromFloats = true, .bias = true});
}

// The sums must be exact; sums in floats would be off by whole units.
TEST(CpuQuantizedGemm, SumsExactly) {
  Fixture f;
  const std::uint32_t k = 4096;
  const Operand one = f.constant({1, 1}, {1});
  const Operand a = f.builder.dequantizeLinear(f.input(DataType::uint8, {3, k}), one, scalarLike(f, DataType::uint8, 2, 0));
  const Operand b = f.builder.dequantizeLinear(f.constant(DataType::int8, {k, 2}, randomNumbers(k * 2, 100, 127, 1)), one,
                                               scalarLike(f, DataType::int8, 2, -128));
  const Operand y = f.builder.matmul(a, b);
  expectCpuAgrees(f, {y}, {.low = 200, .high = 255, .relative = 6e-8, .absolute = 0});
}

// x86 processors without VNNI add two products of bytes in 16 bits. If few pairs of weights are so large that such a sum
// saturates, the excess of these pairs is multiplied separately. Here, large pairs are in random places, and all of `a` is near
// its maximum.
TEST(CpuQuantizedGemm, SumsExactlyIfFewWeightsAreLarge) {
  for (const std::uint32_t k : {2U, 3U, 5U, 64U, 67U, 640U}) {
    for (const std::uint32_t n : {1U, 16U, 37U}) {
      for (const bool transposed : {false, true}) {
        for (const DataType type : {DataType::int8, DataType::uint8}) {
          SCOPED_TRACE(std::to_string(k) + " x " + std::to_string(n) + (transposed ? " transposed " : " ") +
                       std::string(name(type)));
          Fixture f;
          const double middle = type == DataType::int8 ? 0 : 128;
          std::vector<Number> weights = randomNumbers(std::size_t{k} * n, middle - 63, middle + 63, k + n);
          std::mt19937 random(k * n);
          for (std::size_t large = 0; large <= weights.size() / 400; ++large) {
            const std::size_t column = random() % n, pair = random() % (k / 2) * 2, step = transposed ? 1 : n;
            const std::size_t first = transposed ? column * k + pair : pair * n + column;
            const bool isNegative = random() % 2 == 0;
            for (const std::size_t at : {first, first + step}) {
              weights[at] = middle + (isNegative ? -128 : 127);
            }
          }
          const Operand one = f.constant({1, 1}, {1});
          const Operand a =
              f.builder.dequantizeLinear(f.input(DataType::uint8, {13, k}), one, scalarLike(f, DataType::uint8, 2, 3));
          Operand b = f.builder.dequantizeLinear(f.constant(type, transposed ? Shape{n, k} : Shape{k, n}, weights), one,
                                                 scalarLike(f, type, 2, middle + 5));
          if (transposed) b = f.builder.transpose(b);
          expectCpuAgrees(f, {f.builder.matmul(a, b)}, {.low = 240, .high = 255, .relative = 6e-8, .absolute = 0});
        }
      }
    }
  }
}

// Every pair of weights at a boundary of the types or of 16-bit sums, each in its own column, times the largest bytes.
TEST(CpuQuantizedGemm, SumsPairsAtEveryBoundary) {
  constexpr int kBoundaries[] = {-128, -127, -126, -65, -64, -63, -2, -1, 0, 1, 2, 62, 63, 64, 65, 66, 126, 127};
  constexpr std::uint32_t k = 2048, n = std::size(kBoundaries) * std::size(kBoundaries);
  std::vector<Number> weights(std::size_t{k} * n, 0);
  std::size_t column = 0;
  for (const int first : kBoundaries) {
    for (const int second : kBoundaries) {
      const std::size_t row = column * 37 % (k / 2) * 2;
      weights[row * n + column] = first, weights[(row + 1) * n + column] = second;
      ++column;
    }
  }
  Fixture f;
  const Operand one = f.constant({1, 1}, {1});
  const Operand a = f.builder.dequantizeLinear(f.input(DataType::uint8, {6, k}), one, scalarLike(f, DataType::uint8, 2, 0));
  const Operand b =
      f.builder.dequantizeLinear(f.constant(DataType::int8, {k, n}, weights), one, scalarLike(f, DataType::int8, 2, 0));
  expectCpuAgrees(f, {f.builder.matmul(a, b)}, {.low = 254, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuQuantizedGemm, MultipliesFewLargeWeightsInEveryTile) {
  for (const std::uint32_t m : {1U, 2U, 4U, 6U, 7U, 12U, 31U}) {
    for (const std::uint32_t n : {1U, 15U, 32U, 70U}) {
      for (const std::uint32_t k : {129U, 512U}) {
        for (const bool transposed : {false, true}) {
          expectGemm({.a = {m, k}, .n = n, .asymmetric = true, .transposed = transposed, .bias = true, .largeEvery = 97});
        }
      }
    }
  }
  expectGemm({.a = {300, 520}, .n = 300, .bType = DataType::uint8, .fromFloats = true, .bias = true, .largeEvery = 97});
}

#if defined(__x86_64__)
TEST(CpuQuantizedGemm, BoundsPairsOnlyIfFewAreLarge) {
  EXPECT_EQ(onlyKernel({.a = {9, 512}, .n = 35, .largeEvery = 97}, "sse4"), "quantized gemm uint8 int8 9x35x512 sse4 bounded");
  EXPECT_EQ(onlyKernel({.a = {9, 512}, .n = 35}, "sse4"), "quantized gemm uint8 int8 9x35x512 sse4");
}
#endif

// Dynamically quantized models compute the scale and the zero point of the left factor in each run.
TEST(CpuQuantizedGemm, TakesScalesAndZeroPointsOfTheRun) {
  const auto expect = [](const Case& c, bool hasScale, bool hasZeroPoint) {
    SCOPED_TRACE(toString(OperandDescriptor{c.aType, c.a}) + " x " + std::to_string(c.n) + " " + std::string(name(c.bType)));
    const auto make = [&](Fixture& f) {
      const Shape ones(c.a.size(), 1);
      // a positive number below 0.03
      const Operand scale = hasScale ? f.builder.linear(f.builder.abs(f.input(ones)), {.alpha = 1e-4, .beta = 1e-3, .label = {}})
                                     : scalarLike(f, DataType::float32, c.a.size(), 0.02);
      const Operand zeroPoint = hasZeroPoint ? f.input(c.aType, ones) : scalarLike(f, c.aType, c.a.size(), 7);
      const Operand a = f.builder.dequantizeLinear(f.input(c.aType, c.a), scale, zeroPoint);
      return f.builder.matmul(a, makeMatrix(f, c));
    };
    Fixture planned;
    const std::vector<std::string> kernels = cpuKernels(planned, {make(planned)});
    EXPECT_TRUE(std::ranges::any_of(kernels, [](const std::string& kernel) { return kernel.starts_with("quantized gemm"); }));
    Fixture f;
    expectCpuAgrees(f, {make(f)}, {.low = -128, .high = 255, .relative = 1e-5, .absolute = 2e-4});
  };
  for (const DataType aType : {DataType::uint8, DataType::int8}) {
    for (const DataType bType : {DataType::uint8, DataType::int8, DataType::int4}) {
      for (const bool perColumn : {false, true}) {
        for (const bool hasScale : {false, true}) {
          expect({.a = {19, 37}, .n = 41, .aType = aType, .bType = bType, .perColumn = perColumn, .asymmetric = perColumn},
                 hasScale, true);
          expect({.a = {1, 130}, .n = 7, .aType = aType, .bType = bType, .perColumn = perColumn}, hasScale, true);
        }
      }
    }
  }
  expect({.a = {9, 50}, .n = 35}, true, false);
  expect({.a = {2, 3, 9, 50}, .n = 35, .perColumn = true}, true, true);
  expect({.a = {300, 520}, .n = 300, .perColumn = true, .asymmetric = true}, true, true);
}

TEST(CpuQuantizedGemm, KeepsResultsWithOtherUsers) {
  Fixture f;
  const Case c{.a = {4, 8}, .n = 6};
  const Operand a = makeRows(f, c), y = f.builder.matmul(a, makeMatrix(f, c));
  const Operand z = f.builder.relu(y);
  expectCpuAgrees(f, {y, z, a}, {.low = 0, .high = 255, .relative = 1e-5, .absolute = 1e-4});
}

// A product of float32 rows and a matrix of 4 or 8 bits [k, n], or [n, k] if transposed, with `blocks` scales along k.
struct WeightCase {
  Shape a;
  std::uint32_t n = 1, blocks = 1;
  DataType type = DataType::uint4;
  bool asymmetric = false, transposed = false, perColumn = true, surrounded = false;
};

Operand makeWeightGemm(Fixture& f, const WeightCase& c) {
  const std::uint32_t k = c.a.back(), scaled = c.perColumn ? c.n : 1;
  const Shape stored = c.transposed ? Shape{c.n, k} : Shape{k, c.n};
  const Shape blocks = c.transposed ? Shape{scaled, c.blocks} : Shape{c.blocks, scaled};
  const bool isNibble = c.type == DataType::int4 || c.type == DataType::uint4;
  const double half = isNibble ? 8 : 128, middle = c.type == DataType::uint4 || c.type == DataType::uint8 ? half : 0;
  const double spread = c.asymmetric ? half / 2 : 0, scale = 0.8 / half;
  Operand b =
      f.builder.dequantizeLinear(f.constant(c.type, stored, randomNumbers(countOf(stored), middle - half, middle + half - 1, 3)),
                                 f.constant(DataType::float32, blocks, randomNumbers(countOf(blocks), scale / 10, scale, 4)),
                                 f.constant(c.type, blocks, randomNumbers(countOf(blocks), middle - spread, middle + spread, 5)));
  if (c.transposed) b = f.builder.transpose(b);
  const Operand y = f.builder.matmul(f.input(c.a), b);
  return c.surrounded ? f.builder.relu(f.builder.add(y, f.constant({c.n}, randomNumbers(c.n, -1, 1, 6)))) : y;
}

void expectWeightGemm(const WeightCase& c) {
  SCOPED_TRACE(toString(c.a) + " x " + std::to_string(c.n) + " in blocks " + std::to_string(c.blocks) + " of " +
               std::string(name(c.type)));
  Fixture shown;
  const std::vector<std::string> kernels = cpuKernels(shown, {makeWeightGemm(shown, c)});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].find("quantized gemm float32"), 0U) << kernels[0];
  Fixture f;
  expectCpuAgrees(f, {makeWeightGemm(f, c)}, {.relative = 4e-6, .absolute = 2e-5});
}

TEST(CpuQuantizedGemm, UnpacksMatricesOfEverySize) {
  for (const std::uint32_t m : {1U, 2U, 3U, 4U, 5U, 7U, 9U, 11U, 12U, 30U, 64U}) {
    for (const std::uint32_t n : {1U, 17U, 32U, 75U}) {
      for (const std::uint32_t k : {1U, 7U, 8U, 61U, 515U}) {
        expectWeightGemm({.a = {m, k}, .n = n, .asymmetric = n == 75});
        expectWeightGemm({.a = {m, k}, .n = n, .type = DataType::uint8, .asymmetric = n == 17, .transposed = k != 7});
      }
    }
  }
}

TEST(CpuQuantizedGemm, UnpacksMatricesInBlocks) {
  for (const DataType type : {DataType::int4, DataType::uint4, DataType::int8, DataType::uint8}) {
    for (const bool asymmetric : {false, true}) {
      for (const bool transposed : {false, true}) {
        for (const std::uint32_t m : {1U, 4U, 40U}) {
          WeightCase c{.a = {m, 96}, .n = 50, .blocks = 3, .type = type, .asymmetric = asymmetric, .transposed = transposed};
          expectWeightGemm(c);
          c.perColumn = false, c.surrounded = true;
          expectWeightGemm(c);
        }
      }
    }
  }
}

// The zero point is subtracted from each element before the multiplication. Therefore infinity times 0 is NaN, and a large number
// times 0 leaves no rounding error.
TEST(CpuQuantizedGemm, PropagatesNonFiniteValuesWithZeroPoints) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const DataType type : {DataType::int4, DataType::uint4, DataType::int8, DataType::uint8}) {
    for (const std::uint32_t blocks : {1U, 4U}) {
      for (const std::uint32_t m : {6U, 33U}) {
        Fixture f;
        const WeightCase c{.a = {m, 32}, .n = 35, .blocks = blocks, .type = type, .asymmetric = true, .surrounded = blocks == 1};
        std::vector<Number> rows = randomNumbers(m * 32, -2, 2, 7);
        rows[32 + 3] = kInfinity;
        rows[2 * 32 + 31] = -kInfinity;
        rows[3 * 32 + 8] = std::numeric_limits<double>::quiet_NaN();
        rows[4 * 32 + 9] = 1e37;
        expectCpuAgrees(f, {makeWeightGemm(f, c)}, {.relative = 1e-5, .absolute = 2e-5, .inputs = {{"input0", rows}}});
      }
    }
  }
}

// Kernels for few rows read the packed matrix, and others unpack it. Blocks of 24 elements do not divide the unpacked depth.
TEST(CpuQuantizedGemm, MultipliesFewAndManyRows) {
  for (const std::uint32_t m : {5U, 6U, 8U, 13U, 15U, 16U, 17U, 29U, 150U}) {
    for (const std::uint32_t n : {15U, 16U, 305U}) {
      expectWeightGemm({.a = {m, 408}, .n = n, .blocks = 17, .asymmetric = n % 2 == 1, .surrounded = n == 15});
      expectWeightGemm({.a = {m, 771}, .n = n, .type = DataType::int4, .asymmetric = n == 16, .transposed = true});
      expectWeightGemm(
          {.a = {m, 420}, .n = n, .blocks = 35, .type = DataType::int8, .asymmetric = n == 16, .surrounded = n == 16});
    }
  }
}

TEST(CpuQuantizedGemm, MakesFloatsOfOddBlocks) {
  Fixture f;
  expectCpuAgrees(f, {makeWeightGemm(f, {.a = {5, 60}, .n = 9, .blocks = 5})}, {.relative = 4e-6, .absolute = 1e-5});
  Fixture bytes;
  const WeightCase odd{.a = {5, 60}, .n = 9, .blocks = 10, .type = DataType::int8};
  expectCpuAgrees(bytes, {makeWeightGemm(bytes, odd)}, {.relative = 4e-6, .absolute = 1e-5});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
