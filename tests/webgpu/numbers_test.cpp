// Tests operations, and chains of operations, against values that the test computes: extreme numbers, 64-bit integers, reductions
// of many elements.
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "random/choices.h"
#include "support/support.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

template <typename T>
constexpr DataType typeOf() {
  if constexpr (std::is_same_v<T, float>) return DataType::float32;
  if constexpr (std::is_same_v<T, std::int32_t>) return DataType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DataType::int64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return DataType::uint64;
  return DataType::uint8;
}

// An input of a graph with its values.
struct Value {
  template <typename T>
  Value(Shape shape, const std::vector<T>& values) : descriptor{typeOf<T>(), std::move(shape)}, bytes(values.size() * sizeof(T)) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
};

using Make = std::function<Operand(GraphBuilder&, const std::vector<Operand>&)>;

// Returns the result that the backend computes. The inputs are not constants.
template <typename T>
std::vector<T> computed(Context& context, const std::vector<Value>& inputs, const Make& make, const CallOptions& options = {}) {
  GraphBuilder builder(context);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    operands.push_back(builder.input("x" + std::to_string(i), inputs[i].descriptor));
  const Operand y = make(builder, operands);
  const Graph graph = builder.build({{"y", y}});
  std::vector<NamedTensor> from;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const OperandDescriptor& descriptor = inputs[i].descriptor;
    const Tensor tensor = context.createTensor({descriptor.dataType, descriptor.shape, false, true});
    context.writeTensor(tensor, inputs[i].bytes);
    from.emplace_back("x" + std::to_string(i), tensor);
  }
  const Tensor to = context.createTensor({y.dataType(), y.shape(), true, false});
  context.dispatch(graph, from, {{"y", to}}, options);
  return context.read<T>(to);
}
template <typename T>
std::vector<T> computed(const std::vector<Value>& inputs, const Make& make) {
  Context context = test::makeWebGpuContext();
  return computed<T>(context, inputs, make);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(WebGpuNumbers, BringsSumsBackIntoRangeByAlpha) {
  WEBNN_REQUIRE_WEBGPU();
  for (const std::uint32_t n : {2u, 40u}) {  // one invocation for each element, and tiles
    const auto product = [&](float factor, double alpha) {
      const Value x({n, n}, std::vector<float>(std::size_t{n} * n, factor));
      const auto y = computed<float>({x, x}, [&](GraphBuilder& builder, const std::vector<Operand>& in) {
        return builder.gemm(in[0], in[1], {.alpha = alpha});
      });
      return y[y.size() / 2] / static_cast<float>(n);
    };
    EXPECT_FLOAT_EQ(product(0x1p70F, 0x1p-60), 0x1p80F) << n;
    EXPECT_FLOAT_EQ(product(-0x1p100F, -0x1p-100), -0x1p100F) << n;
    EXPECT_EQ(product(0x1p100F, 0), 0) << n;
    EXPECT_FLOAT_EQ(product(0x1p-80F, 0x1p100), 0x1p-60F) << n;
    EXPECT_EQ(product(0x1p70F, 1), kInfinity) << n;
    // Terms that overflow and cancel.
    std::vector<float> a(std::size_t{n} * n, 0x1p70F);
    for (std::size_t i = 1; i < a.size(); i += 2) a[i] = -a[i];
    const auto y =
        computed<float>({{{n, n}, a}, {{n, n}, std::vector<float>(a.size(), 0x1p60F)}},
                        [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.matmul(in[0], in[1]); });
    EXPECT_EQ(y, std::vector<float>(y.size())) << n;
    EXPECT_TRUE(std::isnan(product(kInfinity, 0))) << n;
  }
}

using Reduction = Operand (GraphBuilder::*)(Operand, ReduceOptions);

float reduced(Reduction reduction, const std::vector<float>& values) {
  const Value x({static_cast<std::uint32_t>(values.size())}, values);
  return computed<float>(
      {x}, [&](GraphBuilder& builder, const std::vector<Operand>& in) { return (builder.*reduction)(in[0], {}); })[0];
}

TEST(WebGpuNumbers, ReducesNumbersWhosePartialResultsAreOutOfRange) {
  WEBNN_REQUIRE_WEBGPU();
  const float large = 0x1p127F;
  for (const std::size_t pairs : {1u, 50u, 20000u}) {  // one invocation, a workgroup, several workgroups
    const auto repeated = [&](float a, float b) {
      std::vector<float> values;
      for (std::size_t i = 0; i < pairs; ++i) values.insert(values.end(), {a, b});
      return values;
    };
    const auto count = static_cast<float>(2 * pairs);
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceMean, repeated(large, large)), large) << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceSum, repeated(large, -large)), 0) << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceL2, repeated(0x1p100F, -0x1p100F)), 0x1p100F * std::sqrt(count)) << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceL2, repeated(0x1p-100F, 0x1p-100F)), 0x1p-100F * std::sqrt(count)) << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceLogSum, repeated(large, large)), std::log(count) + 127 * std::log(2.0F))
        << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceLogSumExp, repeated(1000, 1000)), 1000 + std::log(count)) << pairs;
    EXPECT_EQ(reduced(&GraphBuilder::reduceLogSumExp, repeated(-kInfinity, -kInfinity)), -kInfinity) << pairs;
    EXPECT_FLOAT_EQ(reduced(&GraphBuilder::reduceProduct, repeated(0x1p100F, 0x1p-100F)), 1) << pairs;
    EXPECT_EQ(reduced(&GraphBuilder::reduceSum, repeated(large, kInfinity)), kInfinity) << pairs;
    EXPECT_TRUE(std::isnan(reduced(&GraphBuilder::reduceMax, repeated(1, NAN)))) << pairs;
  }
}

TEST(WebGpuNumbers, SumsLongLinesPrecisely) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<float> values(300000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F + static_cast<float>(i % 7);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(reduced(&GraphBuilder::reduceSum, values), sum, sum * 1e-6);
  const Value x({static_cast<std::uint32_t>(values.size())}, values);
  for (const bool reversed : {false, true}) {
    const auto sums = computed<float>({x}, [&](GraphBuilder& builder, const std::vector<Operand>& in) {
      return builder.cumulativeSum(in[0], 0, {.exclusive = true, .reversed = reversed});
    });
    double expected = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t at = reversed ? values.size() - 1 - i : i;
      ASSERT_NEAR(sums[at], expected, 1e-6 + expected * 1e-5) << at;
      expected += values[at];
    }
  }
}

TEST(WebGpuNumbers, ReducesColumnsAndSeveralAxes) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<std::int32_t> values(30 * 100 * 7);
  std::iota(values.begin(), values.end(), -5000);
  const Value x({30, 100, 7}, values);
  const auto sums = computed<std::int32_t>({x}, [](GraphBuilder& builder, const std::vector<Operand>& in) {
    return builder.reduceSum(in[0], {.axes = Shape{2, 0}});
  });
  ASSERT_EQ(sums.size(), 100u);
  for (std::int32_t j = 0; j < 100; ++j) {
    std::int32_t expected = 0;
    for (std::int32_t i = 0; i < 30; ++i) {
      for (std::int32_t k = 0; k < 7; ++k) expected += values[static_cast<std::size_t>((i * 100 + j) * 7 + k)];
    }
    EXPECT_EQ(sums[static_cast<std::size_t>(j)], expected) << j;
  }
}

TEST(WebGpuNumbers, FindsTheFirstExtremeAndTheFirstNaN) {
  WEBNN_REQUIRE_WEBGPU();
  const auto place = [](const std::vector<float>& values) {
    const Value x({static_cast<std::uint32_t>(values.size())}, values);
    return computed<std::int64_t>({x}, [](GraphBuilder& builder, const std::vector<Operand>& in) {
      return builder.argMax(in[0], 0, {.outputDataType = DataType::int64});
    })[0];
  };
  EXPECT_EQ(place({1, 3, 3, 2}), 1);
  EXPECT_EQ(place({1, NAN, 3, NAN}), 1);
  EXPECT_EQ(place({-kInfinity, -kInfinity}), 0);
  std::vector<float> many(5000, 1);
  many[3333] = many[4444] = 2;
  EXPECT_EQ(place(many), 3333);
}

TEST(WebGpuNumbers, ComputesWith64Bits) {
  WEBNN_REQUIRE_WEBGPU();
  using Binary = Operand (GraphBuilder::*)(Operand, Operand, OperatorOptions);
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min(), kHighest = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> some{0, 1, -1, 7, -7, 4294967296, -4294967297, 6700417000001, kLowest, kHighest};
  std::vector<std::int64_t> a, b;
  for (const std::int64_t x : some) {
    for (const std::int64_t y : some) a.push_back(x), b.push_back(y);
  }
  const auto size = static_cast<std::uint32_t>(a.size());
  const auto wrapped = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const auto check = [&](const char* name, Binary op, const std::function<std::int64_t(std::int64_t, std::int64_t)>& expected) {
    const auto results =
        computed<std::int64_t>({{Shape{size}, a}, {Shape{size}, b}}, [&](GraphBuilder& builder, const std::vector<Operand>& in) {
          return builder.cast((builder.*op)(in[0], in[1], {}), DataType::int64);
        });
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(results[i], expected(a[i], b[i])) << name << ' ' << a[i] << ' ' << b[i];
  };
  const auto u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  check("add", &GraphBuilder::add, [&](std::int64_t x, std::int64_t y) { return wrapped(u(x) + u(y)); });
  check("sub", &GraphBuilder::sub, [&](std::int64_t x, std::int64_t y) { return wrapped(u(x) - u(y)); });
  check("mul", &GraphBuilder::mul, [&](std::int64_t x, std::int64_t y) { return wrapped(u(x) * u(y)); });
  check("div", &GraphBuilder::div, [&](std::int64_t x, std::int64_t y) {
    return y == 0 ? 0 : y == -1 ? wrapped(0 - u(x)) : x / y;
  });
  check("max", &GraphBuilder::max, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
  check("min", &GraphBuilder::min, [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
  check("lesser", &GraphBuilder::lesser, [](std::int64_t x, std::int64_t y) -> std::int64_t { return x < y; });
  check("greaterOrEqual", &GraphBuilder::greaterOrEqual, [](std::int64_t x, std::int64_t y) -> std::int64_t { return x >= y; });
  check("equal", &GraphBuilder::equal, [](std::int64_t x, std::int64_t y) -> std::int64_t { return x == y; });
}

TEST(WebGpuNumbers, DividesUnsigned64Bits) {
  WEBNN_REQUIRE_WEBGPU();
  const std::vector<std::uint64_t> some{1, 3, 10, 4294967295, 4294967296, 0x8000000000000001, ~0ULL, 12345678901234567890ULL};
  std::vector<std::uint64_t> a, b;
  for (const std::uint64_t x : some) {
    for (const std::uint64_t y : some) a.push_back(x), b.push_back(y);
  }
  const Shape shape{static_cast<std::uint32_t>(a.size())};
  const auto results = computed<std::uint64_t>(
      {{shape, a}, {shape, b}}, [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.div(in[0], in[1]); });
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(results[i], a[i] / b[i]) << a[i] << ' ' << b[i];
}

TEST(WebGpuNumbers, ScattersTheLastOfSeveralUpdates) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<std::uint8_t> input(10, 0), updates(1000);
  std::vector<std::int64_t> indices(1000);
  std::vector<std::uint8_t> expected = input;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    updates[i] = static_cast<std::uint8_t>(1 + i % 251);
    indices[i] = static_cast<std::int64_t>(i * 7 % 9) - 10;  // -10 to -2, counted from the end; nothing goes to the last element
    expected[static_cast<std::size_t>(indices[i] + 10)] = updates[i];
  }
  const auto elements = computed<std::uint8_t>(
      {{Shape{10}, input}, {Shape{1000}, indices}, {Shape{1000}, updates}},
      [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.scatterElements(in[0], in[1], in[2]); });
  EXPECT_EQ(elements, expected);
  const auto slices = computed<std::uint8_t>(
      {{Shape{10}, input}, {Shape{1000, 1}, indices}, {Shape{1000}, updates}},
      [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.scatterND(in[0], in[1], in[2]); });
  EXPECT_EQ(slices, expected);
}

TEST(WebGpuNumbers, NormalizesLargeSmallAndEqualNumbers) {
  WEBNN_REQUIRE_WEBGPU();
  const std::vector<float> rows{0x1p127F,  -0x1p127F,  0x1p127F,  -0x1p127F,   //
                                0x1p-100F, -0x1p-100F, 0x1p-100F, -0x1p-100F,  //
                                1e6F + 1,  1e6F,       1e6F + 1,  1e6F};
  const auto normalized = [&](double epsilon, const std::vector<float>& values) {
    return computed<float>({{Shape{static_cast<std::uint32_t>(values.size() / 4), 4}, values}},
                           [&](GraphBuilder& builder, const std::vector<Operand>& in) {
                             return builder.layerNormalization(in[0], {.axes = Shape{1}, .epsilon = epsilon});
                           });
  };
  const auto results = normalized(0, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(results[i], i % 2 == 0 ? 1 : -1, 1e-6) << i;
  EXPECT_EQ(normalized(1e-5, {1e6F / 3, 1e6F / 3, 1e6F / 3, 1e6F / 3}), (std::vector<float>(4)));
}

// Compilers of drivers replace a * x + b * x by (a + b) * x, whose sum may overflow.
TEST(WebGpuNumbers, NormalizesAndResamplesDifferencesThatOverflow) {
  WEBNN_REQUIRE_WEBGPU();
  const float large = 0x1.8p127F;
  const auto batch = computed<float>({{{2, 1}, std::vector<float>{large, -large}},
                                      {Shape{1}, std::vector<float>{-large}},
                                      {Shape{1}, std::vector<float>{0x1p100F}}},
                                     [](GraphBuilder& builder, const std::vector<Operand>& in) {
                                       return builder.batchNormalization(in[0], in[1], in[2], {.epsilon = 0});
                                     });
  EXPECT_FLOAT_EQ(batch[0], large * 0x1p-49F);
  EXPECT_EQ(batch[1], 0);
  const auto layer = computed<float>(
      {{{1, 2}, std::vector<float>{large, -large}}},
      [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.layerNormalization(in[0], {.epsilon = 0}); });
  EXPECT_FLOAT_EQ(layer[0], 1);
  EXPECT_FLOAT_EQ(layer[1], -1);
  const auto resampled = computed<float>(
      {{{1, 1, 1, 2}, std::vector<float>{large, -large}}}, [](GraphBuilder& builder, const std::vector<Operand>& in) {
        return builder.resample2d(in[0], {.mode = InterpolationMode::linear, .sizes = std::vector<std::uint32_t>{1, 4}});
      });
  EXPECT_EQ(resampled, (std::vector<float>{large, large / 2, -large / 2, -large}));
}

// The product has more than 2^31 multiplications (kMostWork), so that it is divided into several dispatches.
TEST(WebGpuNumbers, DividesLongDispatches) {
  WEBNN_REQUIRE_WEBGPU();
  constexpr std::uint32_t kSize = 1300;
  std::vector<float> a(std::size_t{kSize} * kSize), b(a.size());
  for (std::uint32_t i = 0; i < kSize; ++i) {
    for (std::uint32_t j = 0; j < kSize; ++j) {
      a[std::size_t{i} * kSize + j] = static_cast<float>(i % 5);
      b[std::size_t{i} * kSize + j] = static_cast<float>(j % 3);
    }
  }
  const std::vector<Value> inputs{{{kSize, kSize}, a}, {{kSize, kSize}, b}};
  const Make product = [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.matmul(in[0], in[1]); };
  Context context = test::makeWebGpuContext();
  const auto results = computed<float>(context, inputs, product);
  for (std::uint32_t i = 0; i < kSize; ++i) {
    for (std::uint32_t j = 0; j < kSize; ++j) {
      ASSERT_EQ(results[std::size_t{i} * kSize + j], static_cast<float>(i % 5 * (j % 3) * kSize)) << i << ' ' << j;
    }
  }
  test::expectError(ErrorKind::timeoutError, {},
                    [&] { computed<float>(context, inputs, product, {.timeout = std::chrono::milliseconds(1)}); });
}

// Drivers' compilers simplify float expressions as if there were no rounding, infinity or NaN, unless kernels prevent it.
TEST(WebGpuNumbers, RoundsEachOperationOfAChain) {
  WEBNN_REQUIRE_WEBGPU();
  const std::vector<float> values{
      0,     1,      -0.3F,     1.5F,       0.49999997F, 3e38F, -3e38F,
      1e30F, 1e-30F, kInfinity, -kInfinity, 123456.789F, 1e10F, std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> a, b;
  for (const float x : values) {
    for (const float y : values) a.push_back(x), b.push_back(y);
  }
  const Shape shape{static_cast<std::uint32_t>(a.size())};
  const auto expectEach = [&](const char* name, const Make& make, float (*wanted)(float, float)) {
    const auto results = computed<float>({{shape, a}, {shape, b}}, make);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float expected = wanted(a[i], b[i]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(results[i])) << name << " of " << a[i] << " and " << b[i] << ": " << results[i];
      } else if (std::abs(expected) >= std::numeric_limits<float>::min() || expected == 0) {
        EXPECT_EQ(results[i], expected) << name << " of " << a[i] << " and " << b[i];
      }
    }
  };
  const auto linear = [](double alpha, double beta) { return LinearOptions{.alpha = alpha, .beta = beta}; };
  expectEach(
      "(a + b) - b", [](GraphBuilder& g, const std::vector<Operand>& in) { return g.sub(g.add(in[0], in[1]), in[1]); },
      [](float x, float y) {
        const volatile float sum = x + y;
        return sum - y;
      });
  expectEach(
      "(a - b) + b", [](GraphBuilder& g, const std::vector<Operand>& in) { return g.add(g.sub(in[0], in[1]), in[1]); },
      [](float x, float y) {
        const volatile float difference = x - y;
        return difference + y;
      });
  expectEach(
      "a * b + a * a",
      [](GraphBuilder& g, const std::vector<Operand>& in) { return g.add(g.mul(in[0], in[1]), g.mul(in[0], in[0])); },
      [](float x, float y) {
        const volatile float first = x * y, second = x * x;
        return first + second;
      });
  expectEach(
      "a * 1e30 * 1e30",
      [&](GraphBuilder& g, const std::vector<Operand>& in) {
        return g.linear(g.linear(g.add(in[0], g.sub(in[1], in[1])), linear(1e30F, 0)), linear(1e30F, 0));
      },
      [](float x, float y) {
        const volatile float zero = y - y, sum = x + zero, product = sum * 1e30F;
        return product * 1e30F;
      });
  expectEach(
      "(a + 1.5 * 2^23) - 1.5 * 2^23, with a product in between",
      [&](GraphBuilder& g, const std::vector<Operand>& in) {
        return g.mul(g.linear(g.linear(in[0], linear(1, 12582912)), linear(1, -12582912)), in[1]);
      },
      [](float x, float y) {
        const volatile float sum = x + 12582912.0F, rounded = sum - 12582912.0F;
        return rounded * y;
      });
}

TEST(WebGpuNumbers, KeepsTheDigitsOfSmallSoftplus) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<float> x;
  for (int i = -1800; i < 1800; ++i) x.push_back(static_cast<float>(i) / 97);
  const Shape shape{static_cast<std::uint32_t>(x.size())};
  const auto y = computed<float>({{shape, x}},
                                 [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.softplus(in[0]); });
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::log1p(std::exp(static_cast<double>(x[i])));
    EXPECT_NEAR(y[i] / expected, 1, 18 * 0x1p-24) << x[i];
  }
}

TEST(WebGpuNumbers, DequantizesDifferencesBeyondInt32) {
  WEBNN_REQUIRE_WEBGPU();
  const std::vector<std::int32_t> x{1316500941, -2147483647 - 1, 2147483647, 7, -5};
  const std::vector<std::int32_t> zero{-2147483647 - 1, 2147483647, -2147483647 - 1, 7, -2147483647};
  const auto y = computed<float>(
      {{{5}, x}, {{5}, std::vector<float>{1, 1, 1, kInfinity, 1}}, {{5}, zero}},
      [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.dequantizeLinear(in[0], in[1], in[2]); });
  for (const std::size_t i : {0u, 1u, 2u, 4u}) EXPECT_EQ(y[i], static_cast<float>(std::int64_t{x[i]} - zero[i])) << i;
  EXPECT_TRUE(std::isnan(y[3]));
  const std::vector<std::int32_t> same{1, 2, 3};
  const auto z = computed<float>(
      {{{3}, same}, {{3}, std::vector<float>(3, kInfinity)}},
      [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.dequantizeLinear(in[0], in[1], in[0]); });
  for (const float value : z) EXPECT_TRUE(std::isnan(value)) << value;
}

// The conformance tests allow 32 ULP for pow and 18 ULP for gelu.
TEST(WebGpuNumbers, ComputesPowersAndTailsOfGeluInUlps) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<float> a, b, x;
  for (int i = 1; i < 400; ++i) {
    const float base = std::exp(static_cast<float>(i - 200) / 23);
    for (const float size : {0.3F, 7.7F, 40.0F, 69.0F, 86.0F}) {
      if (i == 200) continue;
      a.push_back(base);
      b.push_back(size / std::log(base) * (i % 2 == 0 ? 1.0F : -1.0F));
    }
    x.push_back(-static_cast<float>(i) / 31);
  }
  a.insert(a.end(), {0.35504273F, 0x1p-130F, 2, 9, 0});
  b.insert(b.end(), {69.0F, -0.7F, 0.5F, 0.5F, 1.5F});
  a.push_back(0.70741373F);
  b.push_back(-58);
  const auto y = computed<float>({{{static_cast<std::uint32_t>(a.size())}, a}, {{static_cast<std::uint32_t>(b.size())}, b}},
                                 [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.pow(in[0], in[1]); });
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0 && a[i] < std::numeric_limits<float>::min()) continue;  // GPUs may read denormal numbers as 0
    const double expected = std::pow(static_cast<double>(a[i]), static_cast<double>(b[i]));
    EXPECT_NEAR(y[i], expected, 32 * 0x1p-24 * expected) << a[i] << " to the power of " << b[i];
  }
  const auto z = computed<float>({{{static_cast<std::uint32_t>(x.size())}, x}},
                                 [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.gelu(in[0]); });
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x[i], expected = 0.5 * value * std::erfc(-value * std::sqrt(0.5));
    EXPECT_NEAR(z[i], expected, 18 * 0x1p-24 * std::abs(expected)) << value;
  }
}

TEST(WebGpuNumbers, ConcatenatesMoreInputsThanADispatchReads) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<Value> inputs;
  std::vector<std::uint8_t> expected;
  constexpr std::uint32_t kInputs = 70;
  for (std::uint32_t row = 0; row < 2; ++row) {
    for (std::uint32_t i = 0; i < kInputs; ++i) {
      for (std::uint32_t k = 0; k <= i % 3; ++k) expected.push_back(static_cast<std::uint8_t>(i + 100 * row + 50 * k));
    }
  }
  for (std::uint32_t i = 0; i < kInputs; ++i) {
    std::vector<std::uint8_t> values;
    for (std::uint32_t row = 0; row < 2; ++row) {
      for (std::uint32_t k = 0; k <= i % 3; ++k) values.push_back(static_cast<std::uint8_t>(i + 100 * row + 50 * k));
    }
    inputs.emplace_back(Shape{2, i % 3 + 1}, values);
  }
  EXPECT_EQ(
      computed<std::uint8_t>(inputs, [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.concat(in, 1); }),
      expected);
}

// Mesa's software adapter ends the loops of an invocation after 65535 iterations.
TEST(WebGpuNumbers, AddsUpMoreProductsThanASoftwareAdapterHasIterations) {
  WEBNN_REQUIRE_WEBGPU();
  constexpr std::uint32_t kDepth = 70003;
  const auto product = [](std::uint32_t rows, std::uint32_t columns) {
    const std::vector<float> a(std::size_t{rows} * kDepth, 1), b(std::size_t{columns} * kDepth, 1);
    return computed<float>({{{rows, kDepth}, a}, {{kDepth, columns}, b}},
                           [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.matmul(in[0], in[1]); });
  };
  EXPECT_EQ(product(1, 2), std::vector<float>(2, kDepth));
  EXPECT_EQ(product(24, 24), std::vector<float>(576, kDepth));
  // Products that overflow are computed again.
  constexpr std::uint32_t kSize = 64, kLong = 3000;
  const std::vector<float> large(std::size_t{kSize} * kLong, 0x1p70F);
  std::vector<float> other(large.size(), 0x1p60F);
  for (std::size_t i = kSize; i < other.size(); i += std::size_t{2} * kSize)
    std::fill_n(other.begin() + static_cast<std::ptrdiff_t>(i), kSize, -0x1p60F);
  EXPECT_EQ(computed<float>({{{kSize, kLong}, large}, {{kLong, kSize}, other}},
                            [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.matmul(in[0], in[1]); }),
            std::vector<float>(std::size_t{kSize} * kSize));
  const std::vector<float> image(std::size_t{2048} * 49, 1);
  EXPECT_EQ(computed<float>({{{1, 2048, 7, 7}, image}, {{1, 2048, 7, 7}, image}},
                            [](GraphBuilder& builder, const std::vector<Operand>& in) { return builder.conv2d(in[0], in[1]); }),
            std::vector<float>{2048 * 49});
}

TEST(WebGpuNumbers, RefusesWindowsThatItCannotSearch) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  const auto pooled = [&](std::uint32_t window) {
    return computed<float>(
        context, {{{1, 1, 1, 1}, std::vector<float>{3}}}, [&](GraphBuilder& builder, const std::vector<Operand>& in) {
          const std::uint32_t padding = window - 1;
          return builder.maxPool2d(
              in[0], {.windowDimensions = std::vector<std::uint32_t>{window, window}, .padding = {padding, 0, padding, 0}});
        });
  };
  test::expectError(ErrorKind::notSupportedError, {"70000 x 70000", "2147483648"}, [&] { pooled(70000); });
  EXPECT_EQ(pooled(2000), std::vector<float>{3});
  try {
    EXPECT_EQ(pooled(5000), std::vector<float>{3});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::notSupportedError) << error.what();
  }
}

// Compares random chains of operations that IEEE 754 defines exactly with the same chains in floats on the host.
TEST(WebGpuNumbers, ComputesRandomChainsExactly) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  const float values[] = {0, -0.0F, 1, -3, 0.1F, 7.25F, 1e30F, -3e38F, 1e-30F, 16777216, 12582912, kInfinity, -kInfinity};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    random::Choices choices(seed);
    std::vector<float> a, b;
    for (int i = 0; i < 61; ++i) {
      a.push_back(values[choices.below(std::size(values))]);
      b.push_back(values[choices.below(std::size(values))]);
    }
    struct Step {
      std::uint32_t kind, left, right;
      float number;
    };
    std::vector<Step> steps{{choices.below(3), 0, 1, 0}};
    for (std::uint32_t i = 2; i < 8; ++i) steps.push_back({choices.below(6), i, choices.below(i + 1), values[choices.below(11)]});
    const Shape shape{static_cast<std::uint32_t>(a.size())};
    const auto results = computed<float>(context, {{shape, a}, {shape, b}}, [&](GraphBuilder& g, const std::vector<Operand>& in) {
      std::vector<Operand> all = in;
      for (const Step& step : steps) {
        const Operand &x = all[step.left], &y = all[step.right];
        switch (step.kind) {
          case 0: all.push_back(g.add(x, y)); break;
          case 1: all.push_back(g.sub(x, y)); break;
          case 2: all.push_back(g.mul(x, y)); break;
          case 3: all.push_back(g.neg(x)); break;
          case 4: all.push_back(g.linear(x, {.alpha = step.number, .beta = 0})); break;
          default: all.push_back(g.linear(x, {.alpha = 1, .beta = step.number})); break;
        }
      }
      return all.back();
    });
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::vector<float> all{a[i], b[i]};
      bool isDenormal = false;  // GPUs may write denormal numbers as 0
      for (const Step& step : steps) {
        const float x = all[step.left], y = all[step.right];
        const volatile float result = step.kind == 0   ? x + y
                                      : step.kind == 1 ? x - y
                                      : step.kind == 2 ? x * y
                                      : step.kind == 3 ? -x
                                      : step.kind == 4 ? x * step.number
                                                       : x + step.number;
        const float stored = result;
        all.push_back(stored);
        isDenormal = isDenormal || std::fpclassify(all.back()) == FP_SUBNORMAL;
      }
      if (isDenormal) continue;
      if (std::isnan(all.back())) {
        EXPECT_TRUE(std::isnan(results[i])) << "seed " << seed << ", element " << i << ": " << results[i];
      } else {
        EXPECT_EQ(results[i], all.back()) << "seed " << seed << ", element " << i;
      }
    }
  }
}

TEST(WebGpuNumbers, MultipliesInfinityBySlopeZero) {
  WEBNN_REQUIRE_WEBGPU();
  const auto y =
      computed<float>({{{3}, std::vector<float>{-kInfinity, -2, 3}}},
                      [](GraphBuilder& g, const std::vector<Operand>& in) { return g.leakyRelu(in[0], {.alpha = 0}); });
  EXPECT_TRUE(std::isnan(y[0])) << y[0];
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 3);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
