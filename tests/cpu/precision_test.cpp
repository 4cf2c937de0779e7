// Tests precision=bfloat16: which steps round their factors, and the difference from double precision.
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "backends/cpu/gemm/packed_b.h"
#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Doubles = std::vector<double>;

// Rounds `x` to bfloat16, ties to even.
double rounded(double x) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int unit = std::max(exponent - 8, -133);
  const double result = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  return std::abs(result) >= 0x1p128 ? std::copysign(INFINITY, x) : result;
}

// A product of two arrays. `make` builds the product from operands for the two arrays, and adds the other operands that it needs.
struct ProductCase {
  std::string name;
  OperandDescriptor a, b;
  std::size_t sums = 1;  // number of products per sum
  bool isConstantB = true;
  bool isRounded = true;  // whether its factors are rounded with precision=bfloat16
  std::function<Operand(GraphBuilder&, const Operand& a, const Operand& b)> make;
};

std::vector<std::string> isas() {
  std::vector<std::string> names = cpuIsas();
  if (cpu::mayUse(cpu::bestIsa(), cpu::CpuFeature::avx512Bf16)) names.emplace_back("avx512,-bf16");
  return names;
}

Context contextOf(const std::string& isa, unsigned threads, const char* memory) {
  ContextOptions options{.backend = "cpu", .execution = Execution::callerThread, .threads = threads};
  options.backendOptions = {{"precision", "bfloat16"}, {"isa", isa}, {"memory", memory}};
  return Context::create(std::move(options));
}

// The values that a case computes in a context, and the kernels that compute them.
struct Result {
  Doubles numbers;
  std::string kernels;
};
Result resultOf(const ProductCase& product, const Context& context, const Doubles& a, const Doubles& b) {
  const auto numbers = [](const Doubles& from) { return std::vector<Number>(from.begin(), from.end()); };
  GraphBuilder builder(context);
  const std::vector<std::byte> packedA = pack(product.a, numbers(a)), packedB = pack(product.b, numbers(b));
  const Operand inputA = builder.input("a", product.a);
  const Operand inputB = product.isConstantB ? builder.constant(product.b, packedB) : builder.input("b", product.b);
  const Graph graph = builder.build({{"y", product.make(builder, inputA, inputB)}});
  std::vector<std::span<const std::byte>> from{packedA};
  if (!product.isConstantB) from.emplace_back(packedB);
  const OperandDescriptor output = graph.outputs()[0].second;
  std::vector<std::byte> bytes(byteLength(output));
  const std::vector<std::span<std::byte>> to{bytes};
  Result result;
  graph.state()->executable()->run(from, to);
  for (const Number& number : unpack(output, bytes)) result.numbers.push_back(number.toDouble());
  if (context.backend() != "cpu") return result;
  for (const StepTime& step : graph.state()->executable()->profile(from, to)) result.kernels += step.kernel + "\n";
  return result;
}

Doubles mapped(const Doubles& from, double (*f)(double)) {
  Doubles to(from.size());
  std::ranges::transform(from, to.begin(), f);
  return to;
}

Doubles randomNumbers(const OperandDescriptor& of, std::uint32_t seed) {
  std::mt19937 random(seed);
  Doubles numbers(elementCount(of));
  for (double& number : numbers) {
    const double x = std::uniform_real_distribution<double>(-1, 1)(random);
    number = of.dataType == DataType::float16 ? static_cast<double>(Half(x)) : double{static_cast<float>(x)};
  }
  return numbers;
}

// The error bound of docs/explanation/cpu.md for sums with rounded factors, and the bound for float32 sums, both relative to the
// sum of the magnitudes of the products.
constexpr double kRounding = 0x1p-7 + 0x1p-16;
double accumulationOf(std::size_t sums) { return static_cast<double>(sums + 4) * 0x1p-23; }

void expectWithin(const std::string& where, const Doubles& actual, const Doubles& expected, const Doubles& magnitudes,
                  double relative, DataType type, double absolute = 0) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i] || (std::isnan(expected[i]) && std::isnan(actual[i]))) continue;
    ASSERT_TRUE(std::isfinite(expected[i])) << where << " [" << i << "]: " << actual[i] << " instead of " << expected[i];
    const double half = type == DataType::float16 ? std::abs(expected[i]) * 0x1p-10 + 0x1p-24 : 0;
    ASSERT_LE(std::abs(actual[i] - expected[i]), relative * magnitudes[i] * (1 + 0x1p-10) + half + absolute)
        << where << " [" << i << "]: " << actual[i] << " instead of " << expected[i];
  }
}

void check(const ProductCase& product, const Doubles& a, const Doubles& b, double absolute = 0) {
  SCOPED_TRACE(product.name);
  const Context reference = makeContext();
  const auto magnitude = [](double x) { return std::abs(x); };
  Doubles exact = resultOf(product, reference, a, b).numbers;
  const Doubles ofRounded = resultOf(product, reference, mapped(a, rounded), mapped(b, rounded)).numbers;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(ofRounded[i])) exact[i] = ofRounded[i];
  }
  const Doubles magnitudes = resultOf(product, reference, mapped(a, magnitude), mapped(b, magnitude)).numbers;
  for (const std::string& isa : isas()) {
    const Result alone = resultOf(product, contextOf(isa, 1, "apart"), a, b);
    const Result shared = resultOf(product, contextOf(isa, 2, "watched"), a, b);
    ASSERT_EQ(std::memcmp(alone.numbers.data(), shared.numbers.data(), alone.numbers.size() * sizeof(double)), 0) << isa;
    // The kernel's name shows whether factors are rounded. Winograd's kernels, which not all instruction sets use, never round
    // them.
    const bool isRounded = alone.kernels.find(" bf16") != std::string::npos;
    const bool isWinograd = alone.kernels.find("winograd") != std::string::npos;
    EXPECT_EQ(isRounded, product.isRounded && !isWinograd) << alone.kernels;
    const std::string where = isa + ": " + alone.kernels;
    const double sums = accumulationOf(product.sums) * (isWinograd ? 64 : 1);
    expectWithin(where, alone.numbers, isRounded ? ofRounded : exact, magnitudes, sums, product.a.dataType, absolute);
    expectWithin(where, alone.numbers, exact, magnitudes, kRounding + sums, product.a.dataType, absolute);
  }
}
void check(const ProductCase& product, std::uint32_t seed) {
  check(product, randomNumbers(product.a, seed), randomNumbers(product.b, seed + 1));
}

ProductCase matmulCase(DataType type, Shape a, Shape b, bool isConstant) {
  const std::size_t k = a.back();
  const bool isRounded = b.back() > 16;
  std::string name = "matmul " + toString(OperandDescriptor{type, a}) + " by " + toString(OperandDescriptor{type, b});
  return {std::move(name),
          {type, std::move(a)},
          {type, std::move(b)},
          k,
          isConstant,
          isRounded,
          [](GraphBuilder& builder, const Operand& x, const Operand& y) { return builder.matmul(x, y); }};
}

// Matrix products round their factors to bfloat16, except products with at most 16 columns.
TEST(CpuPrecision, ProductsOfMatricesRoundTheirFactors) {
  std::uint32_t seed = 1;
  for (const std::uint32_t k : {1U, 2U, 3U, 16U, 31U, 64U, 383U, 385U, 771U, 3000U}) {
    for (const std::uint32_t m : {1U, 2U, 5U, 14U, 15U, 33U}) {
      const std::uint32_t n = std::vector<std::uint32_t>{1, 16, 17, 32, 33, 50, 97}[seed % 7];
      check(matmulCase(DataType::float32, {m, k}, {k, n}, seed % 2 == 0), seed);
      ++seed;
    }
  }
}

TEST(CpuPrecision, BatchesAndHalvesToo) {
  check(matmulCase(DataType::float32, {3, 2, 9, 40}, {2, 40, 19}, true), 1);
  check(matmulCase(DataType::float32, {3, 2, 9, 41}, {3, 1, 41, 33}, false), 2);
  check(matmulCase(DataType::float32, {1, 7, 13}, {5, 13, 3}, false), 3);
  for (const bool isConstant : {true, false}) {
    check(matmulCase(DataType::float16, {17, 65}, {65, 40}, isConstant), 4);
    check(matmulCase(DataType::float16, {2, 1, 30}, {2, 30, 7}, isConstant), 5);
  }
}

TEST(CpuPrecision, TransposesFactorsAndAddendsOfGemm) {
  std::uint32_t seed = 100;
  for (const bool aTranspose : {false, true}) {
    for (const bool bTranspose : {false, true}) {
      const std::uint32_t m = 21, n = 45, k = 67;
      ProductCase product{"gemm",
                          {DataType::float32, aTranspose ? Shape{k, m} : Shape{m, k}},
                          {DataType::float32, bTranspose ? Shape{n, k} : Shape{k, n}},
                          k,
                          bTranspose,
                          true,
                          [&](GraphBuilder& builder, const Operand& a, const Operand& b) {
                            return builder.gemm(a, b, {.alpha = 0.75, .aTranspose = aTranspose, .bTranspose = bTranspose});
                          }};
      check(product, ++seed);
    }
  }
}

struct ConvCase {
  std::uint32_t inputs, outputs, height, width, side;
  Conv2dOptions options = {};
  bool isRounded = true, isConstant = true;
};

// Depthwise convolutions, and convolutions with at most 16 outputs per group, do not round their factors.
TEST(CpuPrecision, ConvolutionsDoButDepthwiseOnes) {
  std::uint32_t seed = 200;
  for (const ConvCase& c :
       {ConvCase{7, 19, 9, 11, 1}, ConvCase{64, 33, 6, 5, 1}, ConvCase{5, 40, 12, 9, 3, {.padding = {1, 1, 1, 1}}},
        ConvCase{3, 32, 21, 22, 3, {.padding = {0, 1, 0, 1}, .strides = {2, 2}}},
        ConvCase{13, 21, 11, 10, 3, {.padding = {2, 2, 2, 2}, .dilations = {2, 2}}},
        ConvCase{9, 17, 10, 7, 5, {.padding = {2, 2, 2, 2}}, true, false}, ConvCase{129, 8, 5, 5, 3, {}, false},
        ConvCase{12, 60, 8, 8, 3, {.padding = {1, 1, 1, 1}, .groups = 3}}, ConvCase{32, 32, 12, 12, 3, {.padding = {1, 1, 1, 1}}},
        ConvCase{12, 12, 8, 8, 3, {.padding = {1, 1, 1, 1}, .groups = 12}, false}}) {
    for (const auto layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
      Conv2dOptions options = c.options;
      options.inputLayout = layout;
      const Shape image =
          layout == InputOperandLayout::nchw ? Shape{2, c.inputs, c.height, c.width} : Shape{2, c.height, c.width, c.inputs};
      const Shape filter{c.outputs, c.inputs / options.groups, c.side, c.side};
      check({"conv2d " + toString(OperandDescriptor{DataType::float32, filter}),
             {DataType::float32, image},
             {DataType::float32, filter},
             c.inputs / options.groups * c.side * c.side,
             c.isConstant,
             c.isRounded,
             [&](GraphBuilder& builder, const Operand& a, const Operand& b) { return builder.conv2d(a, b, options); }},
            seed += 2);
    }
  }
}

// Sums are those of the rounded factors. Rounding makes the greatest numbers infinite and changes neither NaN nor infinities.
TEST(CpuPrecision, FactorsThatAreNotFiniteOrBecomeInfinite) {
  const ProductCase product = matmulCase(DataType::float32, {17, 35}, {35, 40}, true);
  const double greatest = double{std::numeric_limits<float>::max()};
  for (const double special : {double{INFINITY}, double{-INFINITY}, double{NAN}, greatest, -greatest, 0x1.FFp127, 0x1.FEFFFEp127,
                               0x1.01p0, 0x1.03p0, 0x1.010002p0, 0.0, -0.0}) {
    SCOPED_TRACE(special);
    Doubles a = randomNumbers(product.a, 7), b = mapped(randomNumbers(product.b, 8), [](double x) { return x / 8; });
    a[35 * 3 + 4] = a[35 * 9] = special;
    check(product, a, b);
    Doubles a2 = mapped(randomNumbers(product.a, 9), [](double x) { return x / 8; }), b2 = randomNumbers(product.b, 10);
    b2[40 * 3 + 4] = b2[40 * 34 + 39] = special;
    check(product, a2, b2);
  }
}

// A weight that becomes infinite when it is rounded must not give NaN at the padding, because padding is not multiplied.
TEST(CpuPrecision, WeightsThatBecomeInfiniteDoNotMeetPadding) {
  for (const bool isConstant : {true, false}) {
    const OperandDescriptor image{DataType::float32, {1, 4, 6, 6}}, filter{DataType::float32, {20, 4, 3, 3}};
    const ProductCase product{
        "conv2d", image, filter, 36, isConstant, false, [](GraphBuilder& builder, const Operand& a, const Operand& b) {
          return builder.conv2d(a, b, {.padding = {1, 1, 1, 1}});
        }};
    Doubles a = mapped(randomNumbers(image, 1), [](double x) { return x / 64; }), b = randomNumbers(filter, 2);
    b[0] = 3.4e38;
    const Doubles expected = resultOf(product, makeContext(), a, b).numbers;
    for (const std::string& isa : isas()) {
      const Doubles actual = resultOf(product, contextOf(isa, 1, "planned"), a, b).numbers;
      for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_FALSE(std::isnan(actual[i])) << isa << " [" << i << "]";
      // For the results in the first row, that weight lies over padding.
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(actual[i], expected[i], 0.05) << isa;
    }
  }
}

// Factors and products below 2^-126 (denormals) may be treated as zero.
TEST(CpuPrecision, DenormalsMayCountAsZero) {
  const ProductCase product = matmulCase(DataType::float32, {15, 50}, {50, 33}, true);
  const Doubles a = mapped(randomNumbers(product.a, 11), [](double x) { return double{static_cast<float>(x * 0x1p-125)}; });
  check(product, a, randomNumbers(product.b, 12), 2 * 50 * 0x1p-126);
  const Doubles tiny = mapped(randomNumbers(product.a, 13), [](double x) { return double{static_cast<float>(x * 0x1p-70)}; });
  const Doubles small = mapped(randomNumbers(product.b, 14), [](double x) { return double{static_cast<float>(x * 0x1p-60)}; });
  check(product, tiny, small, 2 * 50 * 0x1p-126);
}

TEST(CpuPrecision, PackedWeightsTakeHalfTheMemory) {
  for (const std::string& name : cpuIsas()) {
    const cpu::Isa isa = cpu::withoutTiles(cpu::chooseIsa(name));
    for (const std::size_t k : {2, 64, 1000}) {
      for (const std::size_t n : {1, 33, 500}) {
        const std::size_t floats = cpu::PackedB(isa, k, n).bytes();
        EXPECT_EQ(cpu::PackedB(isa, k, n, cpu::PackedNumbers::bf16).bytes(), floats / 2) << name;
      }
    }
  }
}

TEST(CpuPrecision, IsFloat32UnlessAskedFor) {
  const ProductCase product = matmulCase(DataType::float32, {5, 64}, {64, 40}, true);
  const Doubles a = randomNumbers(product.a, 1), b = randomNumbers(product.b, 2);
  const auto result = [&](std::map<std::string, std::string> options) {
    return resultOf(
        product, Context::create({.backend = "cpu", .execution = Execution::callerThread, .backendOptions = std::move(options)}),
        a, b);
  };
  const Result plain = result({}), named = result({{"precision", "float32"}}), less = result({{"precision", "bfloat16"}});
  EXPECT_EQ(plain.numbers, named.numbers);
  EXPECT_NE(plain.numbers, less.numbers);
  EXPECT_EQ(less.numbers, result({{"precision", "bf16"}}).numbers);
  EXPECT_EQ(plain.kernels.find("bf16"), std::string::npos) << plain.kernels;
  EXPECT_NE(less.kernels.find("gemm f32 5x40x64 "), std::string::npos) << less.kernels;
  EXPECT_NE(less.kernels.find(" bf16"), std::string::npos) << less.kernels;
  expectTypeError({"precision (\"half\")", "not one of float32, bfloat16"}, [&] { result({{"precision", "half"}}); });
}

// The graphs of one context share packed weights. Contexts of different precisions pack the same constant differently.
TEST(CpuPrecision, ContextsOfBothPrecisionsDoNotShareWeights) {
  Fixture f;
  const Operand x = f.input({9, 300});
  std::vector<Number> weights;
  for (const double number : randomNumbers({DataType::float32, {300, 200}}, 5)) weights.emplace_back(number);
  const Graph graph = f.builder.build({{"y", f.builder.matmul(x, f.constant({300, 200}, weights))}});
  const std::vector<std::byte> input = pack(graph.inputs()[0].second, std::vector<Number>(2700, 0.1));
  const auto run = [&](const Graph& compiled) {
    std::vector<std::byte> output(9 * 200 * sizeof(float));
    const std::vector<std::span<const std::byte>> from{input};
    const std::vector<std::span<std::byte>> to{output};
    compiled.state()->executable()->run(from, to);
    return output;
  };
  const auto contextWith = [](const char* precision) {
    return Context::create(
        {.backend = "cpu", .execution = Execution::callerThread, .backendOptions = {{"precision", precision}}});
  };
  Context exact = contextWith("float32"), less = contextWith("bfloat16");
  const Graph first = exact.compile(graph), second = less.compile(graph), third = exact.compile(graph);
  EXPECT_NE(run(first), run(second));
  EXPECT_EQ(run(first), run(third));
  EXPECT_EQ(run(second), run(less.compile(graph)));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
