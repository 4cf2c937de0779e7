// Tests operations on 4-bit operands, which are unpacked to one byte per element.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// The range covers all sixteen 4-bit values, and values beyond them.
const CpuCase kAll{.low = -9, .high = 16};

TEST(CpuRepackNibbles, MovesElements) {
  for (const DataType type : {DataType::int4, DataType::uint4}) {
    Fixture f;
    const Operand x = f.input(type, {3, 5}), other = f.input(type, {3, 4}), c = f.constant(type, {3, 5}, {-3});
    const Operand indices = f.constant(DataType::int32, {2}, {2, 0});
    const auto halves = f.builder.split(other, 2U, {.axis = 1});
    expectCpuAgrees(
        f,
        {f.builder.transpose(x), f.builder.slice(x, {1, 1}, {2, 3}), f.builder.concat({x, other, c}, 1), halves[0], halves[1],
         f.builder.gather(x, indices), f.builder.reshape(x, {15}), f.builder.tile(x, {2, 3}), f.builder.reverse(x),
         f.builder.expand(f.builder.slice(x, {0, 0}, {3, 1}), {3, 7}), f.builder.triangular(x), f.builder.identity(x)},
        kAll);
  }
}

TEST(CpuRepackNibbles, ScattersAndChooses) {
  Fixture f;
  const Operand x = f.input(DataType::int4, {4, 3}), updates = f.input(DataType::int4, {1, 3}),
                condition = f.input(DataType::uint8, {4, 3});
  const Operand indices = f.constant(DataType::int32, {1, 3}, {2, 0, 3});
  expectCpuAgrees(f,
                  {f.builder.scatterElements(x, indices, updates), f.builder.gatherElements(x, indices),
                   f.builder.where(condition, x, f.constant(DataType::int4, {1}, {-7}))},
                  kAll);
}

TEST(CpuRepackNibbles, SaturatesPaddingValuesTo4Bits) {
  for (const DataType type : {DataType::int4, DataType::uint4}) {
    for (const int value : {-100, -1, 5, 100}) {
      Fixture f;
      expectCpuAgrees(f, {f.builder.pad(f.input(type, {3, 3}), {1, 0}, {0, 2}, {.value = value})}, kAll);
    }
  }
}

TEST(CpuRepackNibbles, SaturatesFloatsAndWrapsIntegers) {
  for (const DataType type : {DataType::int4, DataType::uint4}) {
    for (const DataType from : {DataType::float32, DataType::float16, DataType::int32, DataType::uint8, DataType::int8,
                                DataType::int64, DataType::int4, DataType::uint4}) {
      SCOPED_TRACE(name(from));
      Fixture f;
      const Operand y = f.builder.cast(f.input(from, {41}), type);
      // The result of the cast is an output, which is packed, and is also read by another operation.
      expectCpuAgrees(f, {y, f.builder.cast(y, DataType::int32)}, {.low = -40, .high = 200, .specials = true});
    }
  }
}

TEST(CpuRepackNibbles, QuantizesToFourBits) {
  for (const DataType type : {DataType::int4, DataType::uint4}) {
    Fixture f;
    const Operand x = f.input({7, 9}), scale = f.constant({1, 1}, {0.1}), zeroPoint = f.constant(type, {1, 1}, {3});
    const Operand q = f.builder.quantizeLinear(x, scale, zeroPoint);
    expectCpuAgrees(f, {q, f.builder.transpose(q), f.builder.dequantizeLinear(q, scale, zeroPoint)}, {.specials = true});
  }
}

TEST(CpuRepackNibbles, ComputesConstantsBeforehand) {
  Fixture f;
  const Operand c = f.constant(DataType::uint4, {2, 3}, {1, 2, 3, 13, 14, 15});
  const Operand scale = f.input({3, 2}), zeroPoint = f.builder.expand(f.constant(DataType::uint4, {1, 1}, {8}), {3, 2});
  const Operand y = f.builder.dequantizeLinear(f.builder.transpose(c), scale, zeroPoint);
  expectCpuAgrees(f, {y, f.builder.transpose(c)});
  Fixture shown;
  const Operand transposed = shown.builder.transpose(shown.constant(DataType::uint4, {2, 3}, {1}));
  const std::vector<std::string> kernels = cpuKernels(shown, {transposed});
  EXPECT_EQ(kernels, std::vector<std::string>{"copy"});
}

TEST(CpuRepackNibbles, RepacksNothingBetweenOperations) {
  Fixture f;
  const Operand x = f.input(DataType::int4, {4, 6});
  std::size_t repacks = 0;
  for (const std::string& kernel : cpuKernels(f, {f.builder.transpose(f.builder.reverse(f.builder.tile(x, {2, 1})))})) {
    repacks += kernel == "pack" || kernel == "unpack" ? 1 : 0;
  }
  EXPECT_EQ(repacks, 2U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
