// Tests pooling of every kind, layout and type, with windows at and beyond the edges.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr DataType kTypes[] = {DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                               DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};

void expectPools(DataType type, std::uint32_t channels, std::uint32_t height, std::uint32_t width, Pool2dOptions options,
                 CpuCase how = {}) {
  for (const InputOperandLayout layout : {InputOperandLayout::nhwc, InputOperandLayout::nchw}) {
    Fixture f;
    options.layout = layout;
    const Shape shape =
        layout == InputOperandLayout::nhwc ? Shape{2, height, width, channels} : Shape{2, channels, height, width};
    SCOPED_TRACE(toString(OperandDescriptor{type, shape}));
    const Operand x = f.input(type, shape);
    std::vector<Operand> outputs{f.builder.maxPool2d(x, options)};
    if (isFloat(type)) {
      outputs.push_back(f.builder.averagePool2d(x, options));
      outputs.push_back(f.builder.l2Pool2d(x, options));
    }
    how.disable = "chooseLayout";
    expectCpuAgrees(f, outputs, how);
  }
}

TEST(CpuPool, PoolsEveryTypeWithAnyWindow) {
  const Pool2dOptions windows[] = {
      {.windowDimensions = {3, 3}, .padding = {1, 1, 1, 1}, .strides = {2, 2}},
      {.windowDimensions = {2, 2}, .strides = {2, 2}},
      {.windowDimensions = {3, 2}, .padding = {0, 2, 1, 0}, .dilations = {2, 3}},
      {.windowDimensions = {2, 3}, .strides = {3, 2}, .outputShapeRounding = RoundingType::ceil},
      {.windowDimensions = {4, 1}, .padding = {3, 3, 0, 0}, .strides = {1, 4}},
      {.windowDimensions = {1, 1}},
      {},
  };
  for (const DataType type : kTypes) {
    for (const Pool2dOptions& window : windows) {
      for (const std::uint32_t channels : {1U, 23U, 67U}) {
        if (channels == 67 || isFloat(type)) expectPools(type, channels, 7, 9, window, {.low = -9, .high = 9});
      }
    }
  }
}

TEST(CpuPool, PoolsWindowsThatAreOutsideOfTheInput) {
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int8, DataType::uint64}) {
    expectPools(type, 5, 3, 4, {.windowDimensions = {2, 2}, .padding = {4, 3, 5, 2}});
    expectPools(type, 5, 6, 6, {.windowDimensions = {1, 1}, .strides = {5, 5}, .outputShapeRounding = RoundingType::ceil});
  }
}

TEST(CpuPool, KeepsNanAndInfinity) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (std::uint32_t seed = 1; seed < 4; ++seed) {
      const CpuCase how{.low = 0.5, .high = 2, .seed = seed, .specials = true, .relative = 4e-6};
      Fixture f;
      const Operand x = f.input(type, {1, 12, 13, 19});
      const Pool2dOptions options{.windowDimensions = {3, 3}, .padding = {1, 1, 1, 1}, .strides = {2, 2}};
      Pool2dOptions pixels = options;
      pixels.layout = InputOperandLayout::nhwc;
      expectCpuAgrees(f, {f.builder.maxPool2d(x, options), f.builder.maxPool2d(x, pixels), f.builder.maxPool2d(x)}, how);
    }
  }
}

TEST(CpuPool, PoolsWideLines) {
  for (const std::uint32_t width : {16U, 31U, 33U, 97U}) {
    for (const std::uint32_t stride : {1U, 2U, 3U, 5U}) {
      for (const std::uint32_t window : {1U, 2U, 3U, 7U}) {
        const std::uint32_t padding = window / 2;
        const Pool2dOptions options{.windowDimensions = {2, window},
                                    .padding = {0, 1, padding, padding},
                                    .strides = {2, stride},
                                    .dilations = {1, window == 3 ? 2U : 1U}};
        expectPools(DataType::float32, 2, 5, width, options, {.low = -9, .high = 9, .seed = width + stride});
        // Sums that overflow float32, although the averages do not.
        if (window > 1) expectPools(DataType::float32, 1, 4, width, options, {.low = 1e38, .high = 3e38, .seed = width});
      }
    }
    Fixture f;
    const Operand x = f.input({1, 3, 6, width});
    const Pool2dOptions options{.windowDimensions = {2, 2}, .strides = {2, 2}};
    expectCpuAgrees(f, {f.builder.maxPool2d(x, options)}, {.seed = width, .specials = true});
  }
}

// Maxima of large windows are computed along one dimension after the other.
TEST(CpuPool, PoolsLargeWindows) {
  for (const std::uint32_t window : {4U, 5U, 9U, 13U}) {
    for (const std::uint32_t size : {1U, 7U, 20U, 37U}) {
      for (const std::uint32_t stride : {1U, 2U, 3U}) {
        const std::uint32_t before = window / 2, after = window - 1;
        const Pool2dOptions options{.windowDimensions = {window, window},
                                    .padding = {before, after, after, before},
                                    .strides = {1, stride},
                                    .dilations = {1, window == 4 ? 2U : 1U}};
        for (const DataType type : {DataType::float32, DataType::float16, DataType::int8, DataType::int64}) {
          if (window == 4 && size == 1) continue;
          expectPools(type, 19, size + 1, size, options, {.low = -9, .high = 9, .seed = size + stride});
        }
      }
    }
    for (const DataType type : {DataType::float32, DataType::float16}) {
      for (const InputOperandLayout layout : {InputOperandLayout::nhwc, InputOperandLayout::nchw}) {
        Fixture f;
        const Operand x = f.input(type, {1, 21, 22, 23});
        const std::uint32_t padding = window / 2;
        const Pool2dOptions options{
            .windowDimensions = {window, window}, .padding = {padding, padding, padding, padding}, .layout = layout};
        expectCpuAgrees(f, {f.builder.maxPool2d(x, options)}, {.seed = window, .specials = true, .disable = "chooseLayout"});
      }
    }
  }
}

TEST(CpuPool, LeavesOutMaximaOfOneElement) {
  Fixture f;
  const Operand x = f.input({1, 3, 6, 5});
  const Operand y = f.builder.maxPool2d(x, {.windowDimensions = {1, 1}}),
                z = f.builder.maxPool2d(f.builder.abs(x), {.windowDimensions = {1, 1}, .strides = {2, 1}}),
                // The only window lies in the padding.
      u = f.builder.maxPool2d(f.input({1, 3, 1, 1}), {.windowDimensions = {1, 1}, .padding = {1, 1, 1, 1}, .strides = {3, 3}});
  const std::vector<Operand> outputs{f.builder.neg(y), z, u};
  EXPECT_EQ(cpuKernels(f, outputs).size(), 4U);
  Fixture again;
  const Operand input = again.input({1, 3, 6, 5});
  expectCpuAgrees(again, {again.builder.maxPool2d(input, {.windowDimensions = {1, 1}})}, {.specials = true});
}

TEST(CpuPool, PoolsLargeImages) {
  expectPools(DataType::float32, 48, 60, 61, {.windowDimensions = {3, 3}, .padding = {1, 1, 1, 1}, .strides = {2, 2}});
  expectPools(DataType::float32, 40, 70, 50, {});
  expectPools(DataType::float16, 3, 100, 101, {.windowDimensions = {2, 2}, .strides = {2, 2}});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
