// Tests products of 8-bit integers on AMX tiles: on the processor's tiles if it has them, and on the emulation.
#include "backends/cpu/gemm/gemm_amx_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>
#include <vector>

#include "backends/cpu/runtime/amx_tiles.h"
#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

#if defined(__x86_64__)
namespace webnn::test {
namespace WEBNN_TEST_FILE {

using namespace cpu;

std::vector<Isa> tileIsas() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::amxEmulated, Isa::amxAlways}) {
    if (isSupported(isa) && hasByteDots(isa)) all.push_back(isa);
  }
  return all;
}

TEST(CpuGemmAmxBytes, EmulatedTilesAddFourProductsToEachSum) {
  if (!isSupported(Isa::amxEmulated)) GTEST_SKIP() << "no 512-bit vectors";
  alignas(64) std::array<std::array<std::uint8_t, 64>, 16> a{}, b{};
  alignas(64) std::array<std::array<std::int32_t, 16>, 16> c{};
  // Row 0 of `a` and columns 0 and 1 of `b` have the largest numbers. A sum of two products (2 * 255 * 127) exceeds int16.
  for (std::size_t i = 0; i < 64; ++i) {
    a[0][i] = 255;
    a[1][i] = i == 5 ? 200 : 0;
    for (std::size_t column = 0; column < 16; ++column) {
      const int number = column == 0 ? 127 : column == 1 ? -128 : static_cast<int>(column) - static_cast<int>(i);
      b[i / 4][column * 4 + i % 4] = static_cast<std::uint8_t>(number);
    }
  }
  c[1][2] = 7;
  c[2][3] = std::numeric_limits<std::int32_t>::min();
  EmulatedTiles tiles;
  tiles.configure({});
  tiles.load<3>(c.data(), 64);
  tiles.load<5>(a.data(), 64);
  tiles.load<7>(b.data(), 64);
  tiles.dotBytes<3, 5, 7>();
  tiles.store<3>(c.data(), 64);
  EXPECT_EQ(c[0][0], 64 * 255 * 127);
  EXPECT_EQ(c[0][1], -64 * 255 * 128);
  EXPECT_EQ(c[0][4], 255 * (64 * 4 - 63 * 64 / 2));
  EXPECT_EQ(c[1][2], 7 + 200 * (2 - 5));
  EXPECT_EQ(c[1][9], 200 * (9 - 5));
  EXPECT_EQ(c[2][3], std::numeric_limits<std::int32_t>::min());
}

struct Bytes {
  std::size_t m, n, k;
  std::vector<std::uint8_t> a, b;

  Bytes(std::array<std::size_t, 3> sizes, std::uint32_t seed) : m(sizes[0]), n(sizes[1]), k(sizes[2]), a(m * k), b(k * n) {
    std::mt19937 random(seed);
    for (auto* bytes : {&a, &b}) {
      for (std::uint8_t& byte : *bytes) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() % 2 * 255 : random());
    }
  }

  // Returns the product of `a` as unsigned 8-bit and `b` as signed 8-bit values.
  std::vector<float> expected() const {
    std::vector<float> sums;
    for (std::size_t i = 0; i < m * n; ++i) {
      std::int64_t sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += a[i / n * k + l] * static_cast<std::int8_t>(b[l * n + i % n]);
      sums.push_back(static_cast<float>(sum));
    }
    return sums;
  }

  // Multiplies `a` by `b` in tiles of the largest size that the kernels support.
  std::vector<float> multiply(const QuantizedGemmKernels& kernels) const {
    const std::size_t groups = (k + kernels.group - 1) / kernels.group,
                      read = (groups + kernels.groupStep - 1) / kernels.groupStep * kernels.groupStep * 4;
    std::vector<std::byte> memory(64 + read * (kernels.mostRows + kernels.columns), std::byte{0x55});
    std::byte* b64 = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
    std::byte* a64 = b64 + read * kernels.columns;
    std::vector<float> c(m * n);
    const std::vector<std::int32_t> offsets(kernels.columns);
    const std::vector<float> scales(kernels.columns, 1), biases(kernels.columns);
    const KernelScope scope(kernels);
    for (std::size_t column = 0; column < n; column += kernels.columns) {
      const std::size_t columns = std::min(kernels.columns, n - column);
      kernels.packPanel(
          {.from = b.data() + column, .rowStride = n, .columnStride = 1, .k = k, .columns = columns, .isSigned = true}, b64);
      for (std::size_t row = 0; row < m; row += kernels.mostRows) {
        const std::size_t rows = std::min(kernels.mostRows, m - row);
        for (std::size_t r = 0; r < rows; ++r) kernels.packRow(a.data() + (row + r) * k, k, 0, kernels.packedRows(rows), r, a64);
        QuantizedTile tile{.a = a64, .b = b64, .groups = groups, .rows = rows, .columns = columns};
        tile.offset = offsets.data(), tile.scale = scales.data(), tile.bias = biases.data();
        tile.c = c.data() + row * n + column, tile.ldc = n;
        kernels.tile(tile);
      }
    }
    return c;
  }
};

TEST(CpuGemmAmxBytes, SumsAreThoseOfIntegersAndOfVnni) {
  for (const auto& sizes : std::vector<std::array<std::size_t, 3>>{
           {1, 1, 1}, {2, 3, 63}, {5, 16, 64}, {16, 17, 65}, {17, 31, 127}, {31, 32, 128}, {33, 33, 129}, {40, 70, 500}}) {
    const Bytes bytes(sizes, 1);
    const std::vector<float> expected = bytes.expected();
    for (const Isa isa : tileIsas()) {
      EXPECT_EQ(bytes.multiply(amxQuantizedGemmKernels(isa)), expected) << name(isa) << " " << bytes.m << "x" << bytes.n;
      EXPECT_EQ(bytes.multiply(quantizedGemmKernels(Isa::avx512, true)), expected) << bytes.m << "x" << bytes.n;
    }
  }
}

// A builder with random constants, which also wraps operands in quantizeLinear and dequantizeLinear.
class Quantizer {
 public:
  explicit Quantizer(Context& context) : builder(context) {}

  Operand constant(DataType type, Shape shape, double low, double high) {
    std::vector<Number> numbers(elementCount({type, shape}));
    for (Number& number : numbers) number = std::uniform_real_distribution<double>(low, high)(random_);
    const OperandDescriptor descriptor{type, std::move(shape)};
    return builder.constant(descriptor, pack(descriptor, numbers));
  }
  Operand bytes(DataType type, Shape shape) {
    const double low = type == DataType::int8 ? -128 : 0;
    return constant(type, std::move(shape), low, low + 255);
  }
  // Dequantizes with scales and zero points of shape `blocks`.
  Operand dequantized(const Operand& numbers, const Shape& blocks) {
    return builder.dequantizeLinear(numbers, constant(DataType::float32, blocks, 0.01, 0.02), bytes(numbers.dataType(), blocks));
  }
  Operand quantized(const Operand& numbers, DataType type) {
    const Shape one(numbers.shape().size(), 1);
    return builder.quantizeLinear(numbers, constant(DataType::float32, one, 0.2, 0.3), bytes(type, one));
  }

  GraphBuilder builder;

 private:
  std::mt19937 random_{9};
};

using MakeOperand = std::function<Operand(Quantizer&)>;  // makes an operand from an input "a"

struct Result {
  std::vector<std::byte> bytes;
  std::string kernels;
};
Result resultOf(const std::string& isa, const MakeOperand& make) {
  Context context =
      Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = 2, .backendOptions = {{"isa", isa}}});
  Quantizer quantizer(context);
  const Operand y = make(quantizer);
  const Graph graph = quantizer.builder.build({{"y", y}});
  std::vector<std::byte> input(byteLength(graph.inputs()[0].second)), output(byteLength(y.descriptor()));
  std::mt19937 random(10);
  for (std::byte& byte : input) byte = static_cast<std::byte>(random());
  const std::span<const std::byte> from = input;
  const std::span<std::byte> to = output;
  Result result;
  for (const StepTime& step : graph.state()->executable()->profile({&from, 1}, {&to, 1})) result.kernels += step.kernel + "\n";
  result.bytes = output;
  return result;
}

// Checks that every instruction set of byteIsas() gives the same bytes as SSE4. On a processor with 512-bit vectors and without
// AMX, they include the AMX emulation.
void expectSameBytes(const MakeOperand& make) {
  const std::vector<std::byte> expected = resultOf("sse4", make).bytes;
  for (const std::string& isa : byteIsas()) {
    const Result result = resultOf(isa, make);
    EXPECT_EQ(result.bytes, expected) << result.kernels;
    const bool usesVnni = (isa == "avx2" || isa == "avx512") && hasByteDots(chooseIsa(isa));
    if (usesVnni || isa.ends_with(",-vnni")) {
      EXPECT_EQ(result.kernels.find(" vnni") != std::string::npos, usesVnni) << result.kernels;
    }
    if (isa == "amx-emulated" && hasByteDots(Isa::amxEmulated)) {
      EXPECT_NE(result.kernels.find("amx-emulated\n"), std::string::npos) << result.kernels;
    }
  }
}

TEST(CpuGemmAmxBytes, ProductsHaveTheSameBytesOnEveryInstructionSet) {
  for (const DataType aType : {DataType::uint8, DataType::int8}) {
    for (const DataType bType : {DataType::uint8, DataType::int8}) {
      for (const auto& [m, n, k] : {std::array{1U, 1U, 1U}, {5U, 17U, 33U}, {33U, 65U, 200U}, {70U, 31U, 63U}}) {
        SCOPED_TRACE(testing::Message() << webnn::name(aType) << " " << webnn::name(bType) << " " << m << "x" << n << "x" << k);
        expectSameBytes([&, m = m, n = n, k = k](Quantizer& q) {
          const Operand a = q.dequantized(q.builder.input("a", {aType, {m, k}}), {1, 1});
          return q.quantized(q.builder.matmul(a, q.dequantized(q.bytes(bType, {k, n}), {1, n})), aType);
        });
      }
    }
  }
}

TEST(CpuGemmAmxBytes, ConvolutionsHaveTheSameBytesOnEveryInstructionSet) {
  struct Size {
    std::uint32_t side, channels, outputs, filter, groups = 1;
  };
  for (const DataType xType : {DataType::uint8, DataType::int8}) {
    for (const DataType wType : {DataType::uint8, DataType::int8}) {
      for (const Size& s : {Size{1, 1, 1, 1}, {6, 64, 40, 1}, {9, 20, 33, 1}, {7, 3, 17, 3}, {8, 32, 70, 3}, {6, 24, 16, 3, 2}}) {
        SCOPED_TRACE(testing::Message() << webnn::name(xType) << " " << webnn::name(wType) << " " << s.channels << " to "
                                        << s.outputs << " by " << s.filter);
        expectSameBytes([&](Quantizer& q) {
          const std::uint32_t pad = s.filter / 2, depth = s.channels / s.groups;
          const Operand x = q.dequantized(q.builder.input("a", {xType, {1, s.side, s.side, s.channels}}), {1, 1, 1, 1});
          const Operand w = q.dequantized(q.bytes(wType, {s.outputs, s.filter, s.filter, depth}), {s.outputs, 1, 1, 1});
          const Conv2dOptions options{.padding = {{pad, pad, pad, pad}},
                                      .groups = s.groups,
                                      .inputLayout = InputOperandLayout::nhwc,
                                      .filterLayout = Conv2dFilterOperandLayout::ohwi};
          return q.quantized(q.builder.conv2d(x, w, options), xType);
        });
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
#endif
