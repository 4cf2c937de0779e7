// Tests which operations are replaced by a lookup table, and which must not be replaced.
#include <cmath>
#include <limits>

#include "compiler/passes/passes.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::vector<PassFunction> kPasses{cpu::propagateQuantized, cpu::tabulate};

struct Bytes {
  explicit Bytes(DataType type = DataType::uint8) : numbers(f.input(type, {3, 100})) {}

  Fixture f;
  GraphBuilder& b = f.builder;
  Operand numbers;
  Operand x = dequantized(numbers);

  Operand scale(double value = 0.0625) { return f.constant({1, 1}, {value}); }
  Operand dequantized(const Operand& q, double value = 0.0625, int zero = 7) {
    return b.dequantizeLinear(q, scale(value), f.constant(q.dataType(), {1, 1}, {zero}));
  }
  Operand quantized(const Operand& y, double value = 0.0625, int zero = 7, DataType type = DataType::uint8) {
    return b.quantizeLinear(y, scale(value), f.constant(type, {1, 1}, {zero}));
  }
  Operand requantized(const Operand& y, double value, int zero) { return dequantized(quantized(y, value, zero), value, zero); }
};

template <typename Make>
void expectOperations(const std::string& operations, Make make, DataType type = DataType::uint8) {
  Bytes shown(type);
  EXPECT_EQ(operationsAfter(shown.f, {make(shown)}, kPasses), operations);
  Bytes computed(type);
  expectCpuAgrees(computed.f, {make(computed)}, {.low = -128, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuTabulate, LooksUpFunctionsOfOneByte) {
  for (const DataType type : {DataType::uint8, DataType::int8}) {
    expectOperations(
        "tableLookup", [](Bytes& i) { return i.quantized(i.b.gelu(i.x)); }, type);
    expectOperations(
        "tableLookup", [](Bytes& i) { return i.quantized(i.b.elu(i.x), 0.01, -3, DataType::int8); }, type);
    // Only the scale and the zero point change.
    expectOperations(
        "tableLookup", [](Bytes& i) { return i.quantized(i.x, 0.3, 200); }, type);
    // These results are NaN, infinite or out of range.
    expectOperations(
        "tableLookup", [](Bytes& i) { return i.quantized(i.b.log(i.x)); }, type);
    expectOperations(
        "tableLookup", [](Bytes& i) { return i.quantized(i.b.div(i.x, i.b.abs(i.x)), 0); }, type);
  }
  // This is x * sigmoid(x), as quantization tools write it.
  expectOperations("tableLookup",
                   [](Bytes& i) { return i.quantized(i.b.mul(i.x, i.requantized(i.b.sigmoid(i.x), 1.0 / 255, 0)), 0.05, 3); });
  // The constants are quantized, scalar, or broadcast.
  expectOperations("tableLookup", [](Bytes& i) {
    const Operand two = i.dequantized(i.f.constant(DataType::uint8, {1, 1}, {39}));
    return i.quantized(i.b.pow(i.b.add(i.x, i.f.constant({3, 1}, {1.5})), two));
  });
  expectOperations("tableLookup", [](Bytes& i) { return i.quantized(i.b.prelu(i.x, i.f.constant({}, {0.3}))); });
  expectOperations("tableLookup", [](Bytes& i) {
    return i.quantized(i.b.where(i.b.greater(i.x, i.f.constant({1}, {1})), i.b.sqrt(i.x), i.b.neg(i.x)));
  });
}

// All values are functions of the same 8-bit operand. Each can be looked up, even if other operations use it too.
TEST(CpuTabulate, LooksUpEachFunctionOfTheSameOperand) {
  const auto make = [](Bytes& i) {
    const Operand first = i.quantized(i.b.tanh(i.x), 0.01, 100);
    const Operand second = i.quantized(i.b.exp(i.dequantized(first, 0.01, 100)));
    return std::vector{first, second};
  };
  Bytes shown, computed;
  EXPECT_EQ(operationsAfter(shown.f, make(shown), kPasses), "tableLookup tableLookup");
  expectCpuAgrees(computed.f, make(computed), {.low = 0, .high = 255, .relative = 0, .absolute = 0});
}

TEST(CpuTabulate, RemovesTablesThatMapEachCodeToItself) {
  expectOperations("tableLookup", [](Bytes& i) { return i.quantized(i.b.identity(i.b.abs(i.x))); });
  Bytes same;
  EXPECT_EQ(operationsAfter(same.f, {same.quantized(same.b.neg(same.b.neg(same.x)))}, kPasses), "");
}

TEST(CpuTabulate, DoesNotReplaceFunctionsOfSeveralElements) {
  expectOperations("dequantizeLinear dequantizeLinear add quantizeLinear", [](Bytes& i) {
    return i.quantized(i.b.add(i.x, i.dequantized(i.f.input(DataType::uint8, {3, 100}))));
  });
  // The sum reads elements of the same operand at different positions.
  expectOperations("dequantizeLinear reverse dequantizeLinear add quantizeLinear",
                   [](Bytes& i) { return i.quantized(i.b.add(i.x, i.b.reverse(i.x))); });
  // The elements of the constant, or of the scale, are not all equal.
  expectOperations("dequantizeLinear mul quantizeLinear", [](Bytes& i) {
    return i.quantized(i.b.mul(i.x, i.f.constant({3, 1}, {1, 2, 3})));
  });
  expectOperations("dequantizeLinear quantizeLinear", [](Bytes& i) {
    return i.b.quantizeLinear(i.x, i.f.constant({3, 1}, {1, 2, 3}), i.f.constant(DataType::uint8, {3, 1}, {1, 2, 3}));
  });
  // Elements are repeated by broadcasting.
  expectOperations("dequantizeLinear add quantizeLinear", [](Bytes& i) {
    return i.b.quantizeLinear(i.b.add(i.x, i.f.constant({2, 1, 1}, {1})), i.f.constant({1, 1, 1}, {1}),
                              i.f.constant(DataType::uint8, {1, 1, 1}, {0}));
  });
  // The result is not quantized, or it is quantized to more than 8 bits.
  expectOperations("dequantizeLinear ceil", [](Bytes& i) { return i.b.ceil(i.x); });
  expectOperations("dequantizeLinear ceil quantizeLinear",
                   [](Bytes& i) { return i.quantized(i.b.ceil(i.x), 0.5, 0, DataType::int32); });
}

// The element counts are below, at and above whole vectors.
TEST(CpuTabulate, LooksUpAnyNumberOfBytes) {
  for (const std::uint32_t count : {1U, 2U, 63U, 64U, 65U, 127U, 129U, 1000U, 300001U}) {
    Fixture f;
    const Operand x = f.builder.dequantizeLinear(f.input(DataType::int8, {count}), f.constant({1}, {0.1}),
                                                 f.constant(DataType::int8, {1}, {-5}));
    const Operand y = f.builder.quantizeLinear(f.builder.sin(x), f.constant({1}, {0.01}), f.constant(DataType::int8, {1}, {3}));
    expectCpuAgrees(f, {y}, {.low = -128, .high = 127, .relative = 0, .absolute = 0});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
