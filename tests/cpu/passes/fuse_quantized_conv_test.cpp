// Tests which operations are fused into 8-bit convolutions, which values stay in 8 bits, and which must not be fused.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/passes/passes.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::vector<PassFunction> kPropagate{cpu::propagateQuantized, cpu::eliminateDeadCode};
const std::vector<PassFunction> kFuse{cpu::propagateQuantized, cpu::chooseLayout, cpu::propagateQuantized,
                                      cpu::fuseQuantizedConv};

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

// An 8-bit image, and helpers to build graphs with it.
struct Images {
  Fixture f;
  Operand image = f.input(DataType::uint8, {1, 4, 6, 6});
  Operand x = dequantized(image);

  Operand scale(double value = 0.5) { return f.constant({1, 1, 1, 1}, {value}); }
  Operand zeroPoint(int value = 100) { return f.constant(DataType::uint8, {1, 1, 1, 1}, {value}); }
  Operand dequantized(const Operand& numbers) { return f.builder.dequantizeLinear(numbers, scale(), zeroPoint()); }
  Operand quantized(const Operand& numbers) { return f.builder.quantizeLinear(numbers, scale(), zeroPoint()); }
  Operand filter(const Operand& scales) {
    Shape shape = scales.shape();
    return f.builder.dequantizeLinear(f.constant(DataType::int8, {4, 4, 3, 3}, {3}), scales,
                                      f.constant(DataType::int8, shape, {0}));
  }
  Operand convolution(const Operand& from) { return f.builder.conv2d(from, filter(scale()), {.padding = {{1, 1, 1, 1}}}); }
  std::string after(const std::vector<Operand>& outputs, const std::vector<PassFunction>& passes) {
    return operationsAfter(f, outputs, passes);
  }
};

// make(images) returns an output. Expects `operations` after the passes, and the values of the reference backend.
template <typename Make>
void expectOperations(const std::vector<PassFunction>& passes, const std::string& operations, Make make) {
  Images shown;
  EXPECT_EQ(shown.after({make(shown)}, passes), operations);
  Images computed;
  expectCpuAgrees(computed.f, {make(computed)}, {.low = 0, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuPropagateQuantized, MovesBytes) {
  const auto expectMoved = [](const std::string& operation, auto move) {
    expectOperations(kPropagate, operation, [&](Images& i) { return i.quantized(move(i)); });
    expectOperations(kPropagate, operation + " dequantizeLinear add",
                     [&](Images& i) { return i.f.builder.add(move(i), i.f.constant({1}, {0.5})); });
  };
  expectMoved("transpose", [](Images& i) { return i.f.builder.transpose(i.x); });
  expectMoved("reshape", [](Images& i) { return i.f.builder.reshape(i.x, {1, 6, 4, 6}); });
  expectMoved("slice", [](Images& i) { return i.f.builder.slice(i.x, {0, 1, 2, 0}, {1, 2, 3, 6}); });
  expectMoved("pad", [](Images& i) { return i.f.builder.pad(i.x, {0, 0, 1, 0}, {0, 2, 0, 0}); });
  expectMoved("pad", [](Images& i) { return i.f.builder.pad(i.x, {0, 0, 1, 0}, {0, 2, 0, 0}, {.value = -1.5}); });
  expectMoved("reduceMax", [](Images& i) { return i.f.builder.reduceMax(i.x, {.axes = {{2, 3}}, .keepDimensions = true}); });
  expectMoved("reduceMin", [](Images& i) { return i.f.builder.reduceMin(i.x, {.axes = {{1}}, .keepDimensions = true}); });
  expectMoved("resample2d", [](Images& i) { return i.f.builder.resample2d(i.x, {.scales = {{2, 2}}}); });
  expectMoved("maxPool2d", [](Images& i) {
    return i.f.builder.maxPool2d(i.x, {.windowDimensions = {{3, 3}}, .padding = {{1, 1, 1, 1}}, .strides = {{2, 2}}});
  });
  expectMoved("concat", [](Images& i) { return i.f.builder.concat({i.x, i.dequantized(i.image)}, 2); });
}

// If all inputs of a concatenation are dequantized, and only quantizeLinear reads its result, the inputs are quantized instead,
// unless they already have its scale.
TEST(CpuPropagateQuantized, JoinsBytesOfOtherScales) {
  const auto parts = [](Images& i) {
    return std::vector{i.x, i.f.builder.dequantizeLinear(i.image, i.scale(0.25), i.zeroPoint())};
  };
  expectOperations(kPropagate, "dequantizeLinear quantizeLinear concat",
                   [&](Images& i) { return i.quantized(i.f.builder.concat(parts(i), 1)); });
  // These scales have one element per channel, but all elements are equal.
  expectOperations(kPropagate, "dequantizeLinear quantizeLinear concat", [&](Images& i) {
    return i.f.builder.quantizeLinear(i.f.builder.concat(parts(i), 1), i.f.constant({1, 8, 1, 1}, {0.5}),
                                      i.f.constant(DataType::uint8, {1, 8, 1, 1}, {100}));
  });
  expectOperations(kPropagate, "dequantizeLinear dequantizeLinear concat relu quantizeLinear",
                   [&](Images& i) { return i.quantized(i.f.builder.relu(i.f.builder.concat(parts(i), 1))); });
  expectOperations(kPropagate, "dequantizeLinear concat quantizeLinear", [&](Images& i) {
    return i.quantized(i.f.builder.concat({i.x, i.f.input({1, 1, 6, 6})}, 1));
  });
  const auto joined = [&](Images& i) { return i.f.builder.concat(parts(i), 1); };
  Images shown;
  const Operand both = joined(shown);
  EXPECT_EQ(shown.after({shown.quantized(both), both}, kPropagate), "dequantizeLinear dequantizeLinear concat quantizeLinear");
}

// The input is quantized before the pad, and the padding value when the graph is compiled.
TEST(CpuPropagateQuantized, PadsBytesWithAnyNumber) {
  for (const double value : {0.25, 0.75, 100.0, -50.5, -0.0, kInfinity, kNaN}) {
    const auto padded = [&](Images& i) { return i.f.builder.pad(i.x, {0, 0, 1, 0}, {0, 2, 0, 0}, {.value = value}); };
    expectOperations(kPropagate, "pad", [&](Images& i) { return i.quantized(padded(i)); });
    expectOperations(kPropagate, "dequantizeLinear quantizeLinear pad",
                     [&](Images& i) { return i.f.builder.quantizeLinear(padded(i), i.scale(0.25), i.zeroPoint(3)); });
  }
}

// No operation reads the transpose as 8-bit values. It stays a transpose of floats, because the product may absorb it.
TEST(CpuPropagateQuantized, DoesNotMoveIfNoUserReads8BitValues) {
  expectOperations(kPropagate, "dequantizeLinear transpose matmul", [](Images& i) {
    return i.f.builder.matmul(i.f.builder.transpose(i.x, {.permutation = {0, 1, 3, 2}}), i.f.constant({6, 4}, {2}));
  });
}

TEST(CpuPropagateQuantized, DoesNotQuantizeInexactPaddingValues) {
  // Quantizing these padding values is not exact: fractions of the scale, values outside the type, -0, infinity and NaN.
  for (const double value : {0.25, 100.0, -50.5, -0.0, kInfinity, kNaN}) {
    expectOperations(kPropagate, "dequantizeLinear pad sqrt quantizeLinear", [&](Images& i) {
      return i.quantized(i.f.builder.sqrt(i.f.builder.pad(i.x, {0, 0, 1, 0}, {0, 2, 0, 0}, {.value = value})));
    });
  }
  expectOperations(kPropagate, "dequantizeLinear resample2d quantizeLinear", [](Images& i) {
    return i.quantized(i.f.builder.resample2d(i.x, {.mode = InterpolationMode::linear, .scales = {{2, 2}}}));
  });
  // A window that contains only padding has no maximum, so its result is -infinity.
  expectOperations(kPropagate, "dequantizeLinear maxPool2d quantizeLinear", [](Images& i) {
    return i.quantized(i.f.builder.maxPool2d(i.x, {.windowDimensions = {{1, 1}}, .padding = {{1, 1, 1, 1}}}));
  });
  expectOperations(kPropagate, "dequantizeLinear quantizeLinear",
                   [](Images& i) { return i.f.builder.quantizeLinear(i.x, i.scale(0.25), i.zeroPoint()); });
}

TEST(CpuFuseQuantizedConv, AbsorbsNeighbouringOperations) {
  expectOperations(kFuse, "transpose quantizedConvolution transpose", [](Images& i) { return i.quantized(i.convolution(i.x)); });
  expectOperations(kFuse, "transpose quantizedConvolution transpose",
                   [](Images& i) { return i.f.builder.relu(i.convolution(i.x)); });
  expectOperations(kFuse, "transpose quantizedConvolution transpose", [](Images& i) {
    const Operand y = i.dequantized(i.quantized(i.convolution(i.x)));
    return i.quantized(i.f.builder.relu(i.f.builder.add(i.x, y)));
  });
}

// Users that support 8-bit values read the 8-bit values; other users read the dequantized values.
TEST(CpuFuseQuantizedConv, KeepsDequantizedValuesForOtherUsers) {
  const auto make = [](Images& i) {
    const Operand y = i.convolution(i.x);
    return i.f.builder.add(y, i.f.builder.sin(i.x));
  };
  expectOperations(kFuse, "dequantizeLinear transpose quantizedConvolution sin transpose add transpose", make);
  expectOperations(kFuse, "transpose quantizedConvolution quantizedConvolution transpose", [](Images& i) {
    const Operand y = i.dequantized(i.quantized(i.convolution(i.x)));
    const Operand z = i.dequantized(i.quantized(i.convolution(y)));
    return i.quantized(i.f.builder.add(z, y));
  });
}

// There must be no float values and no transposes between the first and the last convolution.
TEST(CpuFuseQuantizedConv, RunsLayersOnBytes) {
  Images i;
  Operand y = i.x;
  for (int layer = 0; layer < 3; ++layer) {
    const Operand z = i.dequantized(i.quantized(i.convolution(y)));
    y = layer == 1 ? i.dequantized(i.quantized(i.f.builder.add(z, y))) : z;
    if (layer == 0) y = i.f.builder.maxPool2d(y, {.windowDimensions = {{2, 2}}});
  }
  const std::vector<std::string> kernels = cpuKernels(i.f, {i.quantized(y)});
  ASSERT_EQ(kernels.size(), 6U);
  EXPECT_TRUE(kernels[0].starts_with("transpose") && kernels[5].starts_with("transpose"));
  for (const std::size_t at : {1U, 3U, 4U}) EXPECT_TRUE(kernels[at].starts_with("quantized convolution")) << kernels[at];
}

TEST(CpuFuseQuantizedConv, ReadsTheBytesOfMatrixProducts) {
  Images i;
  const Operand matrix = i.f.builder.dequantizeLinear(i.f.constant(DataType::int8, {6, 6}, {3}), i.f.constant({1, 1}, {0.5}),
                                                      i.f.constant(DataType::int8, {1, 1}, {0}));
  const Operand product = i.dequantized(i.quantized(i.f.builder.matmul(i.x, matrix)));
  const std::vector<std::string> kernels = cpuKernels(i.f, {i.quantized(i.convolution(product))});
  const auto count = [&](std::string_view start) {
    return std::ranges::count_if(kernels, [&](const std::string& kernel) { return kernel.starts_with(start); });
  };
  EXPECT_EQ(count("quantized gemm"), 1);
  EXPECT_EQ(count("quantized convolution"), 1);
  EXPECT_EQ(count("convolution"), 0);
}

TEST(CpuFuseQuantizedConv, CanBeSwitchedOff) {
  Images i;
  for (const std::string& kernel : cpuKernels(i.f, {i.convolution(i.x)}, "fuseQuantizedConv"))
    EXPECT_FALSE(kernel.starts_with("quantized convolution"));
}

template <typename Make>
void expectLeft(Make make, double relative = 1e-5) {
  Images shown;
  EXPECT_EQ(shown.after({make(shown)}, kFuse).find("quantizedConvolution"), std::string::npos);
  Images computed;
  expectCpuAgrees(computed.f, {make(computed)}, {.low = 0, .high = 255, .relative = relative, .absolute = 1e-2});
}

TEST(CpuFuseQuantizedConv, LeavesOtherQuantizations) {
  const auto withScale = [](double scale) {
    return [=](Images& i) { return i.f.builder.conv2d(i.x, i.filter(i.scale(scale))); };
  };
  expectLeft(withScale(0));
  expectLeft(withScale(-1));
  expectLeft(withScale(std::numeric_limits<double>::infinity()));
  // Convolutions are left alone if scales vary along the summed axis or in blocks of outputs, or are not constant.
  expectLeft([](Images& i) { return i.f.builder.conv2d(i.x, i.filter(i.f.constant({1, 4, 1, 1}, {1, 2, 3, 4}))); });
  expectLeft([](Images& i) { return i.f.builder.conv2d(i.x, i.filter(i.f.constant({2, 1, 1, 1}, {1, 2}))); });
  expectLeft([](Images& i) {
    return i.f.builder.conv2d(i.f.builder.dequantizeLinear(i.image, i.f.input({1, 1, 1, 1}), i.zeroPoint()), i.filter(i.scale()));
  });
  expectLeft([](Images& i) {
    const Operand scales = i.f.constant({1, 4, 1, 1}, {1, 2, 3, 4}), zeros = i.f.constant(DataType::uint8, {1, 4, 1, 1}, {0});
    return i.f.builder.conv2d(i.f.builder.dequantizeLinear(i.image, scales, zeros), i.filter(i.scale()));
  });
}

TEST(CpuFuseQuantizedConv, LeavesFiltersAndBiasesThatAreNotConstant) {
  expectLeft([](Images& i) {
    const Operand filter = i.f.builder.dequantizeLinear(i.f.input(DataType::uint8, {4, 4, 1, 1}), i.scale(), i.zeroPoint());
    return i.f.builder.conv2d(i.x, filter);
  });
  expectLeft([](Images& i) { return i.f.builder.conv2d(i.x, i.filter(i.scale()), {.bias = i.f.input({4})}); });
}

// The convolution must not be fused, because sums of 40,000 products of 8-bit numbers may exceed 32 bits.
TEST(CpuFuseQuantizedConv, LeavesLongSums) {
  Images i;
  const Operand x = i.dequantized(i.f.input(DataType::uint8, {1, 40000, 1, 1}));
  const Operand filter = i.f.builder.dequantizeLinear(i.f.constant(DataType::int8, {1, 40000, 1, 1}, {3}), i.scale(),
                                                      i.f.constant(DataType::int8, {1, 1, 1, 1}, {0}));
  EXPECT_EQ(i.after({i.f.builder.conv2d(x, filter)}, kFuse).find("quantizedConvolution"), std::string::npos);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
