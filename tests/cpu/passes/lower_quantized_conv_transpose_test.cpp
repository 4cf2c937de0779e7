// Tests 8-bit transposed convolutions.
#include "cpu/cpu_support.h"
#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Case {
  Shape input = {2, 6, 5, 7}, filter = {6, 4, 3, 3};
  ConvTranspose2dOptions options = {};
  DataType type = DataType::uint8, filterType = DataType::int8;
  bool isPerChannel = true, hasBias = true, isQuantized = true;
  double scale = 16;

  Operand constant(Fixture& f, DataType of, double value) const { return f.constant(of, {1, 1, 1, 1}, {value}); }
  // Scales are powers of two and sums are below 2^24, so results are bit-identical to the original graph's.
  Operand make(Fixture& f) const {
    Dice dice(7);
    const Operand x = f.builder.dequantizeLinear(f.input(type, input), constant(f, DataType::float32, 0.5), constant(f, type, 5));
    std::size_t axis = 1;
    if (options.filterLayout == ConvTranspose2dFilterOperandLayout::hwoi) axis = 2;
    if (options.filterLayout == ConvTranspose2dFilterOperandLayout::ohwi) axis = 0;
    Shape blocks(4, 1);
    if (isPerChannel) blocks[axis] = filter[axis];
    std::vector<Number> scales, zeros;
    for (std::uint32_t i = 0; i < blocks[axis]; ++i) {
      scales.emplace_back(dice.of({0.25, 0.5, 1.0}));
      zeros.emplace_back(dice.from(0, 3));
    }
    const int lowest = Dice::lowest(filterType);
    const Operand w =
        f.builder.dequantizeLinear(f.constant(filterType, filter, dice.numbers(countOf(filter), lowest, lowest + 255)),
                                   f.constant(DataType::float32, blocks, scales), f.constant(filterType, blocks, zeros));
    ConvTranspose2dOptions all = options;
    const std::uint32_t outputs = filter[axis] * options.groups;
    if (hasBias) {
      all.bias = f.builder.dequantizeLinear(f.constant(DataType::int32, {outputs}, dice.numbers(outputs, -900, 900)),
                                            f.constant({outputs}, {0.125}), f.constant(DataType::int32, {outputs}, {0}));
    }
    const Operand y = f.builder.relu(f.builder.convTranspose2d(x, w, all));
    return isQuantized ? f.builder.quantizeLinear(y, constant(f, DataType::float32, scale), constant(f, type, 9)) : y;
  }
};

bool isLowered(const Case& c) {
  Fixture f;
  for (const std::string& kernel : cpuKernels(f, {c.make(f)})) {
    if (kernel.starts_with("quantized convolution")) return true;
  }
  return false;
}

void expectLowered(const Case& c) {
  SCOPED_TRACE(toString(OperandDescriptor{c.type, c.input}) + " " + toString(OperandDescriptor{c.filterType, c.filter}));
  EXPECT_TRUE(isLowered(c));
  Fixture f;
  expectCpuAgrees(f, {c.make(f)}, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuLowerQuantizedConvTranspose, TakesEveryStrideAndPadding) {
  for (const std::uint32_t stride : {1U, 2U, 3U}) {
    for (const std::uint32_t size : {2U, 3U, 4U, 5U}) {
      for (const std::uint32_t padding : {0U, 1U, size - 1}) {
        Case c{.filter = {6, 4, size, 3}};
        c.options.strides = {stride, 1};
        c.options.padding = {padding, padding / 2, 1, 0};
        expectLowered(c);
        c.options.strides = {1, stride};
        c.options.outputPadding = {0, stride - 1};
        expectLowered(c);
      }
    }
  }
}

TEST(CpuLowerQuantizedConvTranspose, TakesEveryTypeAndLayout) {
  for (const DataType type : {DataType::uint8, DataType::int8}) {
    for (const DataType filterType : {DataType::uint8, DataType::int8}) {
      for (const bool isPerChannel : {false, true}) {
        Case c{.type = type, .filterType = filterType, .isPerChannel = isPerChannel, .hasBias = isPerChannel};
        c.options.strides = {2, 2};
        c.options.padding = {1, 1, 1, 1};
        expectLowered(c);
        c.options.inputLayout = InputOperandLayout::nhwc;
        c.input = {2, 5, 7, 6};
        c.options.filterLayout = ConvTranspose2dFilterOperandLayout::hwoi;
        c.filter = {3, 3, 4, 6};
        expectLowered(c);
        c.options.filterLayout = ConvTranspose2dFilterOperandLayout::ohwi;
        c.filter = {4, 3, 3, 6};
        expectLowered(c);
      }
    }
  }
}

TEST(CpuLowerQuantizedConvTranspose, TakesGroupsDilationsAndSizes) {
  Case c{.filter = {6, 2, 2, 3}};
  c.options.groups = 3;
  c.options.strides = {2, 2};
  expectLowered(c);
  c.options.dilations = {2, 2};
  c.options.strides = {1, 1};
  expectLowered(c);
  Case sizes{.filter = {6, 1, 3, 3}, .hasBias = true};
  sizes.options.strides = {2, 2};
  sizes.options.outputSizes = {12, 15};
  expectLowered(sizes);
  expectLowered({.input = {1, 6, 1, 1}, .filter = {6, 1, 1, 1}});
  Case wide{.input = {1, 6, 1, 1}, .filter = {6, 3, 5, 5}};
  wide.options.padding = {2, 2, 2, 2};
  expectLowered(wide);
}

// Convolutions stay as they are if the replacement would need much more work, or if their results are not quantized.
TEST(CpuLowerQuantizedConvTranspose, LeavesOthers) {
  Case c{.filter = {6, 4, 1, 1}};
  c.options.strides = {3, 3};
  EXPECT_FALSE(isLowered(c));
  Case dilated{.filter = {6, 4, 2, 2}};
  dilated.options.dilations = {9, 1};
  EXPECT_FALSE(isLowered(dilated));
  EXPECT_FALSE(isLowered({.isQuantized = false}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
