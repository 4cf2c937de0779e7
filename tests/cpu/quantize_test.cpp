// Tests quantizeLinear and dequantizeLinear (every type, every layout of scales, bit-identical), and lookup tables.
#include "backends/cpu/simd/bytes/quantize.h"

#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct Layout {
  Shape shape, blocks;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {{}, {}},
      {{1}, {1}},
      {{67}, {1}},
      {{37}, {37}},
      {{3, 45}, {1, 1}},
      {{5, 33}, {5, 1}},
      {{5, 33}, {1, 33}},
      {{4, 36}, {2, 12}},
      {{2, 7, 19}, {1, 7, 1}},
      {{2, 6, 8}, {2, 3, 4}},
      {{2, 3, 2, 3, 2, 1, 2, 3}, {1, 3, 2, 1, 2, 1, 1, 3}},
      {{3, 17000}, {3, 17}},
  };
  return all;
}

constexpr DataType kQuantizedTypes[] = {DataType::int8,   DataType::uint8, DataType::int32,
                                        DataType::uint32, DataType::int4,  DataType::uint4};

std::vector<Number> randomNumbers(std::size_t count, double low, double high, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Number> numbers;
  for (; count > 0; --count) numbers.push_back(std::uniform_real_distribution<double>(low, high)(random));
  return numbers;
}

std::size_t countOf(const Shape& shape) { return elementCount({DataType::float32, shape}); }

// Returns a bound beyond the range of the type, so that random numbers up to this bound also saturate.
double mostOf(DataType type) { return bitsPerElement(type) == 32 ? 5e9 : 300; }

const CpuCase kExact{.relative = 0, .absolute = 0};

void quantizes(DataType real, DataType type, const Layout& layout, double spread, bool specials) {
  SCOPED_TRACE(toString(OperandDescriptor{real, layout.shape}) + " to " + toString(OperandDescriptor{type, layout.blocks}));
  Fixture f;
  const std::size_t blocks = countOf(layout.blocks);
  const Operand x = f.input(real, layout.shape);
  const Operand scale = f.constant(real, layout.blocks, randomNumbers(blocks, 0.25, 2, 5));
  const Operand zeroPoint = f.constant(type, layout.blocks, randomNumbers(blocks, -mostOf(type) / 20, mostOf(type) / 2, 6));
  CpuCase options = kExact;
  options.low = -spread, options.high = spread, options.specials = specials;
  expectCpuAgrees(f, {f.builder.quantizeLinear(x, scale, zeroPoint)}, options);
}

TEST(CpuQuantize, QuantizesEveryTypeAndLayout) {
  for (const Layout& layout : layouts()) {
    for (const DataType real : {DataType::float32, DataType::float16}) {
      for (const DataType type : kQuantizedTypes) {
        quantizes(real, type, layout, bitsPerElement(type) == 4 ? 12 : 200, false);
      }
    }
  }
}

TEST(CpuQuantize, QuantizesSpecialNumbers) {
  for (const DataType real : {DataType::float32, DataType::float16}) {
    for (const DataType type : kQuantizedTypes) {
      quantizes(real, type, {{200}, {1}}, 1e5, true);
      quantizes(real, type, {{10, 37}, {1, 37}}, 6e9, true);
    }
  }
}

// These values are near the limits of 16 bits, because the vector code converts to 16 bits before it converts to bytes.
TEST(CpuQuantize, SaturatesValuesFarOutsideTheRange) {
  for (const DataType type : {DataType::int8, DataType::uint8}) {
    for (const double end : {32768.0, 65536.0}) {
      Fixture f;
      const Operand x = f.input(DataType::float32, {2000});
      const Operand scale = f.constant(DataType::float32, {1}, {1.0}), zeroPoint = f.constant(type, {1}, {120.0});
      CpuCase options = kExact;
      options.low = end - 500, options.high = end + 500;
      expectCpuAgrees(
          f, {f.builder.quantizeLinear(x, scale, zeroPoint), f.builder.quantizeLinear(f.builder.neg(x), scale, zeroPoint)},
          options);
    }
  }
}

TEST(CpuQuantize, RoundsTiesToEven) {
  Fixture f;
  std::vector<Number> halves;
  for (int i = -40; i < 41; ++i) halves.emplace_back(i * 0.25);
  const Operand x = f.input({81});
  const Operand y = f.builder.quantizeLinear(x, f.constant({1}, {0.5}), f.constant(DataType::int8, {1}, {3}));
  CpuCase options = kExact;
  options.inputs["input0"] = halves;
  expectCpuAgrees(f, {y}, options);
}

void dequantizes(DataType real, DataType type, const Layout& layout, bool isConstant) {
  SCOPED_TRACE(toString(OperandDescriptor{type, layout.shape}) + " to " + toString(OperandDescriptor{real, layout.blocks}));
  Fixture f;
  const std::size_t blocks = countOf(layout.blocks);
  const double most = mostOf(type);
  const Operand x = isConstant ? f.constant(type, layout.shape, randomNumbers(countOf(layout.shape), -most, most, 4))
                               : f.input(type, layout.shape);
  const Operand scale =
      isConstant ? f.input(real, layout.blocks) : f.constant(real, layout.blocks, randomNumbers(blocks, -1e-6, 1e-5, 5));
  const Operand zeroPoint = f.constant(type, layout.blocks, randomNumbers(blocks, -most, most, 6));
  // Casts the results to float32 and compares them without a tolerance, so that float16 results are compared exactly, too.
  CpuCase options = kExact;
  options.low = isConstant ? 1e-6 : -most, options.high = isConstant ? 0.3 : most;
  expectCpuAgrees(f, {f.builder.cast(f.builder.dequantizeLinear(x, scale, zeroPoint), DataType::float32)}, options);
}

TEST(CpuQuantize, DequantizesEveryTypeAndLayout) {
  for (const Layout& layout : layouts()) {
    for (const DataType real : {DataType::float32, DataType::float16}) {
      for (const DataType type : kQuantizedTypes) dequantizes(real, type, layout, false);
    }
  }
}

TEST(CpuQuantize, DequantizesConstants) {
  for (const DataType real : {DataType::float32, DataType::float16}) {
    for (const DataType type : kQuantizedTypes) {
      dequantizes(real, type, {{5, 33}, {5, 1}}, true);
      dequantizes(real, type, {{3, 21}, {1, 1}}, true);
    }
  }
}

TEST(CpuQuantize, TakesScalesThatAreInputs) {
  Fixture f;
  const Operand x = f.input({6, 50}), scale = f.input({6, 1}), zeroPoint = f.input(DataType::int4, {6, 1});
  const Operand y = f.builder.quantizeLinear(x, scale, zeroPoint);
  CpuCase options = kExact;
  options.low = -9, options.high = 9, options.specials = true;
  expectCpuAgrees(f, {y, f.builder.dequantizeLinear(y, scale, zeroPoint)}, options);
}

// If a cast to a float follows quantizeLinear, the fused program quantizes, but its result is a float.
TEST(CpuQuantize, ResultsAreCastToFloats) {
  for (const DataType type : {DataType::int8, DataType::uint8}) {
    for (const DataType target : {DataType::float32, DataType::float16}) {
      for (int form = 0; form < 4; ++form) {
        SCOPED_TRACE(toString(OperandDescriptor{type, {}}) + " to " + toString(OperandDescriptor{target, {}}));
        Fixture f;
        GraphBuilder& b = f.builder;
        const Operand x = f.input({6, 50});
        const Operand given = form == 0   ? x
                              : form == 1 ? b.relu(x)
                              : form == 2 ? b.add(x, f.input({6, 50}))
                                          : b.add(x, f.input({50}));
        const Operand codes = b.quantizeLinear(given, f.constant({1, 1}, {0.0125}), f.constant(type, {1, 1}, {3}));
        expectCpuAgrees(f, {b.cast(codes, target)}, kExact);
      }
    }
  }
}

TEST(CpuQuantize, RunsOnVectors) {
  Fixture f;
  const Operand y =
      f.builder.quantizeLinear(f.input({2, 40}), f.constant({1, 1}, {0.5}), f.constant(DataType::uint8, {1, 1}, {3}));
  const std::vector<std::string> kernels = cpuKernels(f, {y});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].find("quantize uint8 80"), 0U) << kernels[0];
}

// Looks up bytes in a random table. The results overwrite the bytes, as they may in the engine.
TEST(CpuQuantize, LooksUpEveryCode) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> table(256), codes(1500);
  for (std::uint8_t& entry : table) entry = static_cast<std::uint8_t>(random());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i < 256 ? i : random());
  for (const std::string& name : byteIsas()) {
    const cpu::Isa isa = cpu::chooseIsa(name);
    const cpu::QuantizeKernels& kernels = cpu::quantizeKernels(isa);
    for (const auto lookUp : {kernels.lookUp, cpu::mayUse(isa, cpu::CpuFeature::avx512Vbmi) ? kernels.lookUpVbmi : nullptr}) {
      if (!lookUp) continue;
      for (const std::size_t count : {0U, 1U, 15U, 64U, 255U, 256U, 257U, 320U, 511U, 1499U}) {
        SCOPED_TRACE(name + ", " + std::to_string(count) + " codes");
        std::vector<std::uint8_t> found(codes.begin() + 1, codes.end()), expected = found;
        for (std::size_t i = 0; i < count; ++i) expected[i] = table[found[i]];
        lookUp(table.data(), found.data(), count, found.data());
        EXPECT_EQ(found, expected);
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
