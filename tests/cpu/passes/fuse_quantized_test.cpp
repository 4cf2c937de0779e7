// Tests which operations are fused into a quantized GEMM, and which must not be fused.
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

std::size_t quantizedGemms(Fixture& f, const std::vector<Operand>& outputs, std::string disable = {}) {
  std::size_t count = 0;
  for (const std::string& kernel : cpuKernels(f, outputs, std::move(disable)))
    count += kernel.find("quantized gemm") == 0 ? 1 : 0;
  return count;
}

// The factors of a matmul: dequantized matrices with one scale each.
struct Parts {
  Fixture f;
  Operand scale = f.constant({1, 1}, {0.05}), zeroPoint = f.constant(DataType::uint8, {1, 1}, {100});
  Operand a = f.builder.dequantizeLinear(f.input(DataType::uint8, {6, 8}), scale, zeroPoint);
  Operand b = matrix(f.constant(DataType::int8, {8, 6}, {-3}));

  Operand matrix(const Operand& numbers) {
    return f.builder.dequantizeLinear(numbers, f.constant({1, 1}, {0.1}), f.constant(DataType::int8, {1, 1}, {0}));
  }
  Operand quantized(const Operand& y) { return f.builder.quantizeLinear(y, scale, zeroPoint); }
  void agrees(const std::vector<Operand>& outputs) {
    expectCpuAgrees(f, outputs, {.low = 0, .high = 255, .relative = 1e-5, .absolute = 1e-4, .integers = 1});
  }
};

TEST(CpuFuseQuantized, RunsLayersOnBytes) {
  const auto layers = [](Parts& p) {
    Operand x = p.a;
    for (int i = 0; i < 3; ++i) {
      const Operand y = p.quantized(
          p.f.builder.relu(p.f.builder.matmul(x, i == 1 ? p.matrix(p.f.constant(DataType::int8, {6, 6}, {2})) : p.b)));
      if (i == 2) return y;
      x = p.f.builder.dequantizeLinear(y, p.scale, p.zeroPoint);
      if (i == 1)
        x = p.f.builder.matmul(x, p.matrix(p.f.constant(DataType::int8, {6, 8}, {1}))),
        x = p.f.builder.dequantizeLinear(p.quantized(x), p.scale, p.zeroPoint);
    }
    return x;
  };
  Parts shown;
  EXPECT_EQ(cpuKernels(shown.f, {layers(shown)}).size(), 4U);
  Parts p;
  p.agrees({layers(p)});
}

TEST(CpuFuseQuantized, CanBeSwitchedOff) {
  Parts p;
  EXPECT_EQ(quantizedGemms(p.f, {p.f.builder.matmul(p.a, p.b)}, "fuseQuantized"), 0U);
}

TEST(CpuFuseQuantized, LooksThroughConstants) {
  const auto make = [](Parts& p) {
    const Operand numbers = p.f.builder.reshape(p.f.constant(DataType::int8, {48}, {5}), {6, 8});
    const Operand scale = p.f.builder.expand(p.f.builder.reshape(p.f.constant({6}, {1, 2, 3, 4, 5, 6}), {6, 1}), {6, 1});
    const Operand zeroPoint = p.f.builder.expand(p.f.constant(DataType::int8, {1, 1}, {1}), {6, 1});
    return p.quantized(p.f.builder.matmul(p.a, p.f.builder.transpose(p.f.builder.dequantizeLinear(numbers, scale, zeroPoint))));
  };
  Parts shown;
  EXPECT_EQ(cpuKernels(shown.f, {make(shown)}).size(), 1U);
  Parts p;
  p.agrees({make(p)});
}

TEST(CpuFuseQuantized, KeepsResultsThatOtherNodesRead) {
  Parts p;
  const Operand y = p.f.builder.matmul(p.a, p.b), q = p.quantized(y);
  p.agrees({y, q});
  Parts both;
  const Operand gemm = both.f.builder.matmul(both.a, both.b);
  EXPECT_EQ(quantizedGemms(both.f, {gemm, both.f.builder.relu(gemm), both.quantized(gemm)}), 1U);
}

TEST(CpuFuseQuantized, LeavesMatricesThatAreNotConstant) {
  Parts p;
  const Operand y = p.f.builder.matmul(p.a, p.matrix(p.f.input(DataType::int8, {8, 6})));
  EXPECT_EQ(quantizedGemms(p.f, {y}, "fuseQuantizedProducts"), 0U);
}

// Rows with different scales are multiplied as floats.
TEST(CpuFuseQuantized, LeavesScalesOfRows) {
  const auto product = [](Parts& p) {
    const Operand scales = p.f.constant({6, 1}, {1, 2, 3, 4, 5, 6}), zeros = p.f.constant(DataType::uint8, {6, 1}, {100});
    const Operand a = p.f.builder.dequantizeLinear(p.f.input(DataType::uint8, {6, 8}), scales, zeros);
    return p.f.builder.matmul(a, p.b);
  };
  Parts shown, p;
  const std::vector<std::string> kernels = cpuKernels(shown.f, {product(shown)});
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ(kernels.back().find("quantized gemm float32 int8 6x6x8"), 0U) << kernels.back();
  p.agrees({product(p)});
}

// Infinite scales must not be merged: a sum of products with infinity is not infinity times the sum.
TEST(CpuFuseQuantized, LeavesScalesThatAreNotFinite) {
  for (const double scale : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (const DataType type : {DataType::int8, DataType::uint4}) {
      Fixture f;
      const Operand b = f.builder.dequantizeLinear(f.constant(type, {8, 2}, {2}), f.constant({1, 2}, {scale, 0.1}),
                                                   f.constant(type, {1, 2}, {1}));
      expectCpuAgrees(f, {f.builder.matmul(f.input(DataType::float32, {3, 8}), b)}, {.low = 0.5, .high = 2});
    }
  }
}

// Two biases must not be merged if their sum overflows, because the original graph adds the first bias to the product before the
// second one.
TEST(CpuFuseQuantized, LeavesBiasesWhoseSumLeavesTheRange) {
  Fixture f;
  const Operand a = f.builder.dequantizeLinear(f.input(DataType::uint8, {3, 64}), f.constant({1, 1}, {7e14}),
                                               f.constant(DataType::uint8, {1, 1}, {0}));
  const Operand b = f.builder.dequantizeLinear(f.constant(DataType::int8, {64, 4}, {-127}), f.constant({1, 1}, {1e14}),
                                               f.constant(DataType::int8, {1, 1}, {0}));
  // c + c overflows float32, but (product + c) + c does not, because the product is about -1e35
  const Operand c = f.constant({4}, {1.7016e38});
  expectCpuAgrees(f, {f.builder.add(f.builder.gemm(a, b, {.c = c}), c)}, {.low = 200, .high = 255, .relative = 1e-6});
}

TEST(CpuFuseQuantized, LeavesBiasesOfRows) {
  Parts p;
  const Operand y = p.f.builder.add(p.f.builder.matmul(p.a, p.b), p.f.constant({6, 1}, {1, 2, 3, 4, 5, 6}));
  p.agrees({p.quantized(y)});
}

TEST(CpuFuseQuantized, RequantizesWithOtherScales) {
  Parts p;
  const Operand q = p.quantized(p.f.builder.matmul(p.a, p.b));
  const Operand y = p.f.builder.dequantizeLinear(q, p.f.constant({1, 1}, {0.25}), p.f.constant(DataType::uint8, {1, 1}, {7}));
  expectCpuAgrees(p.f, {y}, {.low = 0, .high = 255, .relative = 0, .absolute = 0.25001});
}

// Dividing by a negative scale reverses the sign of relu's results.
TEST(CpuFuseQuantized, QuantizesWithNegativeScales) {
  for (const bool isBack : {false, true}) {
    Parts p;
    const Operand scale = p.f.constant({1, 1}, {-0.05});
    Operand y = p.f.builder.quantizeLinear(p.f.builder.relu(p.f.builder.matmul(p.a, p.b)), scale, p.zeroPoint);
    if (isBack) y = p.f.builder.dequantizeLinear(y, scale, p.zeroPoint);
    expectCpuAgrees(p.f, {y}, {.low = 0, .high = 255, .relative = 0, .absolute = 0.0501, .integers = 1});
  }
}

// Operations with equal fields must not be merged if their types or shapes differ.
TEST(CpuFuseQuantized, KeepsProductsOfOtherTypesAndShapes) {
  Parts types;
  const Operand q = types.quantized(types.f.builder.matmul(types.a, types.b));
  const Operand other = types.quantized(types.f.builder.matmul(types.a, types.b));
  types.agrees({q, types.f.builder.dequantizeLinear(other, types.scale, types.zeroPoint)});
  Parts shapes;
  const Operand b =
      shapes.f.builder.dequantizeLinear(shapes.f.constant(DataType::int8, {1, 8, 6}, {-3}), shapes.f.constant({1, 1, 1}, {0.1}),
                                        shapes.f.constant(DataType::int8, {1, 1, 1}, {0}));
  shapes.agrees({shapes.f.builder.matmul(shapes.a, shapes.b), shapes.f.builder.matmul(shapes.a, b)});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
