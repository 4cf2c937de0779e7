// Tests products of two 8-bit activations, and softmax between them.
#include "cpu/cpu_support.h"
#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

std::size_t kernelsOf(Fixture& f, const std::vector<Operand>& outputs, std::string_view start, std::string disable = {}) {
  std::size_t count = 0;
  for (const std::string& kernel : cpuKernels(f, outputs, std::move(disable))) count += kernel.starts_with(start) ? 1 : 0;
  return count;
}

Operand filled(Fixture& f, DataType type, std::size_t rank, double value) { return f.constant(type, Shape(rank, 1), {value}); }

// One operand of a product.
struct Side {
  Shape shape;  // the stored shape
  DataType type = DataType::uint8;
  double scale = 0.25;
  int zeroPoint = 3;
  std::vector<std::uint32_t> permutation = {};

  Operand make(Fixture& f, const Operand& numbers) const {
    const std::size_t rank = shape.size();
    const Operand x =
        f.builder.dequantizeLinear(numbers, filled(f, DataType::float32, rank, scale), filled(f, type, rank, zeroPoint));
    return permutation.empty() ? x : f.builder.transpose(x, {.permutation = permutation});
  }
  Operand make(Fixture& f) const { return make(f, f.input(type, shape)); }
  std::size_t rank() const { return shape.size(); }
};
struct Case {
  Side a, b;
  DataType type = DataType::uint8;
  int zeroPoint = 120;
  double factor = 1, scale = 2;
  bool isQuantized = true;
  std::vector<std::uint32_t> outputPermutation = {};

  Operand make(Fixture& f) const {
    Operand y = f.builder.matmul(a.make(f), b.make(f));
    const std::size_t rank = y.shape().size();
    if (factor != 1) y = f.builder.mul(y, filled(f, DataType::float32, rank, factor));
    if (isQuantized) y = f.builder.quantizeLinear(y, filled(f, DataType::float32, rank, scale), filled(f, type, rank, zeroPoint));
    return outputPermutation.empty() ? y : f.builder.transpose(y, {.permutation = outputPermutation});
  }
};

// Scales are powers of two and sums are below 2^24, so results are bit-identical to the original graph's.
void expectProduct(const Case& c) {
  SCOPED_TRACE(toString(OperandDescriptor{c.a.type, c.a.shape}) + " x " + toString(OperandDescriptor{c.b.type, c.b.shape}));
  Fixture shown;
  const std::vector<std::string> kernels = cpuKernels(shown, {c.make(shown)});
  EXPECT_TRUE(kernels.size() == 1 && kernels[0].starts_with("quantized gemm")) << kernels.size() << " " << kernels[0];
  Fixture f;
  expectCpuAgrees(f, {c.make(f)}, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuQuantizedBatchGemm, TakesEverySize) {
  for (const std::uint32_t m : {1U, 2U, 3U, 5U, 14U, 15U, 33U}) {
    for (const std::uint32_t n : {1U, 7U, 16U, 33U, 70U}) {
      for (const std::uint32_t k : {1U, 3U, 4U, 30U, 65U}) {
        expectProduct({.a = {{2, m, k}}, .b = {{2, k, n}}, .scale = 8});
        // A transpose of a single row or column becomes a reshape. If the result were not quantized, this reshape of floats would
        // remain.
        expectProduct({.a = {{m, k}}, .b = {{n, k}, DataType::int8, 0.5, -7, {1, 0}}, .isQuantized = n == 1 || k == 1});
      }
    }
  }
}

TEST(CpuQuantizedBatchGemm, TakesEveryTypeAndZeroPoint) {
  for (const DataType aType : {DataType::uint8, DataType::int8}) {
    for (const DataType bType : {DataType::uint8, DataType::int8}) {
      for (const DataType type : {DataType::uint8, DataType::int8}) {
        for (const int zero : {0, 1, 127, 255}) {
          const auto of = [](DataType t, int z) { return t == DataType::int8 ? z - 128 : z; };
          Case c{.a = {{3, 19, 37}, aType, 0.5, of(aType, zero)}, .b = {{3, 37, 41}, bType, 0.125, of(bType, 255 - zero)}};
          c.type = type, c.zeroPoint = of(type, 91), c.scale = 64, c.factor = 0.5;
          expectProduct(c);
          c.isQuantized = false;
          expectProduct(c);
        }
      }
    }
  }
}

TEST(CpuQuantizedBatchGemm, AbsorbsTransposesAndBroadcasts) {
  const Side rows{{2, 9, 3, 20}, DataType::uint8, 0.25, 100, {0, 2, 1, 3}};
  expectProduct({.a = rows, .b = {{2, 11, 3, 20}, DataType::uint8, 0.25, 90, {0, 2, 3, 1}}, .scale = 16});
  expectProduct({.a = rows, .b = {{2, 3, 20, 33}, DataType::int8}, .outputPermutation = {0, 2, 1, 3}});
  expectProduct({.a = {{2, 3, 20, 9}, DataType::int8, 0.25, 5, {0, 1, 3, 2}}, .b = {{1, 3, 20, 33}, DataType::int8}});
  expectProduct({.a = rows, .b = {{20, 33}, DataType::int8}});
  expectProduct({.a = {{1, 20}}, .b = {{2, 5, 20, 3}, DataType::int8, 1, 2}, .outputPermutation = {1, 0, 2, 3}});
  expectProduct({.a = {{20, 6}, DataType::int8, 1, -128, {1, 0}}, .b = {{4, 20}, DataType::int8, 1, 127, {1, 0}}, .scale = 256});
}

// If neither the rows nor the columns of a matrix are contiguous, the operand is transposed first: as 8-bit values if possible,
// otherwise as floats. A transpose of the result also remains, unless it keeps the last dimension last.
TEST(CpuQuantizedBatchGemm, LeavesTransposesThatTakeRowsApart) {
  Case c{.a = {{4, 5, 3}, DataType::uint8, 0.25, 3, {2, 0, 1}}, .b = {{3, 5, 6}}, .isQuantized = false};
  const Case apart{.a = {{4, 5, 3}}, .b = {{4, 3, 6}}, .outputPermutation = {2, 0, 1}};
  const auto expect = [](const Case& product, std::size_t count) {
    Fixture shown;
    EXPECT_EQ(kernelsOf(shown, {product.make(shown)}, "quantized gemm"), count);
    Fixture f;
    expectCpuAgrees(f, {product.make(f)}, {.low = 0, .high = 255, .relative = 0, .absolute = 0});
  };
  expect(c, 0);
  c.isQuantized = true;
  expect(c, 1);
  expect(apart, 1);
}

TEST(CpuQuantizedBatchGemm, CutsLargeProductsIntoChunks) {
  expectProduct({.a = {{2, 100, 600}, DataType::uint8, 0.25, 128}, .b = {{2, 600, 700}, DataType::int8, 0.25, 1}, .scale = 128});
}

// The sums must be exact; sums in floats would be off by whole units. Sums of more than 33,025 products could exceed 32 bits,
// so they are computed in floats.
TEST(CpuQuantizedBatchGemm, SumsExactly) {
  constexpr std::uint32_t kMost = 33025;
  for (const std::uint32_t k : {kMost, kMost + 1}) {
    Fixture f;
    const Side a{{1, k}, DataType::uint8, 1, 0}, b{{k, 1}, DataType::int8, 1, -128};
    const Operand y = f.builder.matmul(a.make(f), b.make(f));
    EXPECT_EQ(kernelsOf(f, {y}, "quantized gemm"), k == kMost ? 1U : 0U);
    if (k != kMost) continue;
    Fixture g;
    const Operand x = g.builder.matmul(a.make(g), b.make(g));
    CpuCase options{.relative = 0, .absolute = 0};
    options.inputs = {{"input0", std::vector<Number>(k, 255)}, {"input1", std::vector<Number>(k, 127)}};
    expectCpuAgrees(g, {x}, options);
  }
}

// Builds attention as exporters write it if every value is quantized.
struct AttentionOf {
  Fixture f;
  bool isMasked = false;
  DataType type = DataType::uint8;

  Operand requantized(const Operand& x, double scale, int zeroPoint) {
    const std::size_t rank = x.shape().size();
    const Operand s = filled(f, DataType::float32, rank, scale), z = filled(f, type, rank, zeroPoint);
    return f.builder.dequantizeLinear(f.builder.quantizeLinear(x, s, z), s, z);
  }
  Operand heads(std::uint32_t length) {
    const Operand x = f.builder.dequantizeLinear(f.input(type, {1, length, 24}), filled(f, DataType::float32, 3, 0.0625),
                                                 filled(f, type, 3, 100));
    return f.builder.transpose(f.builder.reshape(x, {1, length, 3, 8}), {.permutation = {{0, 2, 1, 3}}});
  }
  Operand make() {
    const Operand k = f.builder.transpose(heads(13), {.permutation = {{0, 1, 3, 2}}});
    Operand scores = requantized(f.builder.matmul(heads(19), k), 0.125, 90);
    if (isMasked) scores = requantized(f.builder.add(scores, f.input({1, 1, 19, 13})), 0.125, 90);
    const Operand weights = requantized(f.builder.softmax(scores, 3), 0.00390625, 0);
    const Operand y = f.builder.transpose(f.builder.matmul(weights, heads(13)), {.permutation = {{0, 2, 1, 3}}});
    return requantized(f.builder.reshape(y, {1, 19, 24}), 0.125, 7);
  }
};

TEST(CpuQuantizedBatchGemm, RunsAttentionOnBytes) {
  for (const bool isMasked : {false, true}) {
    AttentionOf shown{.f = {}, .isMasked = isMasked};
    const std::vector<Operand> outputs{shown.make()};
    EXPECT_EQ(kernelsOf(shown.f, outputs, "quantized gemm"), 2U);
    AttentionOf again{.f = {}, .isMasked = isMasked};
    EXPECT_EQ(kernelsOf(again.f, {again.make()}, "softmax uint8 uint8 57x13"), 1U);
    AttentionOf off{.f = {}, .isMasked = isMasked};
    EXPECT_EQ(kernelsOf(off.f, {off.make()}, "quantized gemm", "fuseQuantizedProducts"), 0U);
    AttentionOf attention{.f = {}, .isMasked = isMasked};
    // A difference in softmax's rounding changes a weight by one unit, which is less than a unit of the result.
    expectCpuAgrees(attention.f, {attention.make()}, {.low = 0, .high = 255, .relative = 0, .absolute = 0.125});
  }
}

// Attention is not computed on 8-bit values if its scores or weights are floats.
TEST(CpuQuantizedBatchGemm, LeavesAttentionOfFloats) {
  AttentionOf a;
  const Operand k = a.f.builder.transpose(a.heads(13), {.permutation = {{0, 1, 3, 2}}});
  const Operand weights = a.f.builder.softmax(a.f.builder.matmul(a.heads(19), k), 3);
  EXPECT_EQ(kernelsOf(a.f, {a.f.builder.matmul(weights, a.heads(13))}, "attention"), 1U);
}

TEST(CpuQuantizedBatchGemm, QuantizesSoftmaxOfFloats) {
  for (const DataType type : {DataType::uint8, DataType::int8}) {
    const auto make = [&](Fixture& f) {
      return f.builder.quantizeLinear(f.builder.softmax(f.input({5, 33}), 1), filled(f, DataType::float32, 2, 0.00390625),
                                      filled(f, type, 2, type == DataType::int8 ? -128 : 0));
    };
    Fixture shown;
    EXPECT_EQ(kernelsOf(shown, {make(shown)}, "softmax f32"), 1U);
    Fixture f;
    expectCpuAgrees(f, {make(f)}, {.low = -9, .high = 9, .integers = 1});
    Fixture g;
    expectCpuAgrees(g, {make(g)}, {.low = -9, .high = 9, .specials = true, .integers = 1});
  }
}

// Operands are refused if their scale is negative or very small, or if they have several scales. A negative factor is not
// fused.
TEST(CpuQuantizedBatchGemm, RefusesOtherQuantizations) {
  const auto count = [](auto make) {
    Fixture f;
    return kernelsOf(f, {make(f)}, "quantized gemm");
  };
  EXPECT_EQ(count([](Fixture& f) { return Case{.a = {{4, 8}, DataType::uint8, -0.5}, .b = {{8, 4}}}.make(f); }), 0U);
  EXPECT_EQ(count([](Fixture& f) { return Case{.a = {{4, 8}, DataType::uint8, 0x1p-60}, .b = {{8, 4}}}.make(f); }), 0U);
  EXPECT_EQ(count([](Fixture& f) { return Case{.a = {{4, 8}}, .b = {{8, 4}}, .factor = -2}.make(f); }), 1U);
  EXPECT_EQ(count([](Fixture& f) {
              const Operand b = f.builder.dequantizeLinear(f.input(DataType::uint8, {8, 4}), f.constant({1, 4}, {1, 2, 3, 4}),
                                                           f.constant(DataType::uint8, {1, 4}, {0}));
              return f.builder.matmul(Side{{4, 8}}.make(f), b);
            }),
            0U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
