// Tests unary operations, casts and clamp on the CPU engine.
#include <algorithm>
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::vector<DataType> kIntegers{DataType::int8,   DataType::uint8, DataType::int32,
                                      DataType::uint32, DataType::int64, DataType::uint64};
const std::vector<DataType> kFloats{DataType::float32, DataType::float16};
const std::vector<Shape> kShapes{{}, {1}, {5, 7}, {3, 1031}, {2, 1, 3, 1, 2, 1, 2, 3}};

using Method = Operand (GraphBuilder::*)(Operand, OperatorOptions);

const std::vector<Method> kFloatMethods{
    &GraphBuilder::abs,       &GraphBuilder::ceil,      &GraphBuilder::cos,  &GraphBuilder::erf,  &GraphBuilder::exp,
    &GraphBuilder::floor,     &GraphBuilder::identity,  &GraphBuilder::log,  &GraphBuilder::neg,  &GraphBuilder::reciprocal,
    &GraphBuilder::roundEven, &GraphBuilder::sin,       &GraphBuilder::sign, &GraphBuilder::sqrt, &GraphBuilder::tan,
    &GraphBuilder::isNaN,     &GraphBuilder::isInfinite};

void expectAll(const std::vector<Method>& methods, DataType type, const Shape& shape, const CpuCase& options) {
  Fixture f;
  const Operand x = f.input(type, shape);
  std::vector<Operand> outputs;
  for (const Method method : methods) outputs.push_back((f.builder.*method)(x, {}));
  expectCpuAgrees(f, outputs, options);
}

TEST(CpuElementwiseUnary, FloatsAgree) {
  for (const DataType type : kFloats) {
    for (const Shape& shape : kShapes) expectAll(kFloatMethods, type, shape, {.low = -4, .high = 4});
    expectAll(kFloatMethods, type, {300}, {.specials = true});
  }
}

TEST(CpuElementwiseUnary, LargeAnglesAgree) {
  expectAll({&GraphBuilder::sin, &GraphBuilder::cos}, DataType::float32, {500}, {.low = -3e6, .high = 3e6});
  expectAll({&GraphBuilder::sin, &GraphBuilder::cos}, DataType::float32, {500}, {.low = -1e30, .high = 1e30});
}

TEST(CpuElementwiseUnary, IntegersAgree) {
  for (const DataType type : {DataType::int8, DataType::int32, DataType::int64}) {
    for (const Shape& shape : kShapes) {
      expectAll({&GraphBuilder::abs, &GraphBuilder::neg, &GraphBuilder::sign, &GraphBuilder::identity}, type, shape,
                {.low = -128, .high = 127});
    }
  }
  for (const DataType type : kIntegers) {
    expectAll({&GraphBuilder::isNaN, &GraphBuilder::isInfinite}, type, {37}, {.low = 0, .high = 100});
  }
  expectAll({&GraphBuilder::logicalNot}, DataType::uint8, {3, 37}, {.low = 0, .high = 2});
}

TEST(CpuElementwiseUnary, EveryTypeIsCastToEveryOther) {
  std::vector<DataType> types = kIntegers;
  types.insert(types.end(), kFloats.begin(), kFloats.end());
  for (const DataType from : types) {
    const bool isSigned = isFloat(from) || from == DataType::int8 || from == DataType::int32 || from == DataType::int64;
    const double high = from == DataType::int8 ? 127 : from == DataType::uint8 ? 255 : from == DataType::float16 ? 60000 : 2e9;
    for (const Shape& shape : kShapes) {
      for (const double range : {high, 300.0, 3.0}) {
        Fixture f;
        const Operand x = f.input(from, shape);
        std::vector<Operand> outputs;
        for (const DataType to : types) outputs.push_back(f.builder.cast(x, to));
        expectCpuAgrees(f, outputs,
                        {.low = isSigned ? -std::min(range, high) : 0, .high = std::min(range, high), .specials = true});
      }
    }
  }
}

TEST(CpuElementwiseUnary, FloatsAreCastToTheEndsOfIntegers) {
  std::vector<Number> values;
  for (const double end : {127.0, 128.0, 255.0, 256.0, 2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0,
                           9223372036854775807.0, 18446744073709551615.0}) {
    for (const double x : {end, -end, end - 0.5, end * (1 + 1e-7), -end * (1 + 1e-7), end * (1 - 1e-7)}) values.emplace_back(x);
  }
  Fixture f;
  const Operand x = f.input({static_cast<std::uint32_t>(values.size())});
  std::vector<Operand> outputs;
  for (const DataType to : kIntegers) outputs.push_back(f.builder.cast(x, to));
  CpuCase options;
  options.inputs["input0"] = values;
  expectCpuAgrees(f, outputs, options);
}

TEST(CpuElementwiseUnary, ClampAgrees) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const DataType type : kFloats) {
    for (const auto& [low, high] : std::vector<std::pair<double, double>>{
             {-1, 1}, {0, 6}, {-0.0, 0.0}, {-infinity, 0.5}, {-0.25, infinity}, {infinity, infinity}}) {
      Fixture f;
      const Operand x = f.input(type, {3, 77});
      expectCpuAgrees(f, {f.builder.clamp(x, {.minValue = low, .maxValue = high})}, {.specials = true});
    }
  }
  for (const DataType type : kIntegers) {
    Fixture f;
    const Operand x = f.input(type, {3, 77});
    const bool isSigned = type == DataType::int8 || type == DataType::int32 || type == DataType::int64;
    const std::vector<Operand> outputs{f.builder.clamp(x, {.minValue = 10, .maxValue = 50}), f.builder.clamp(x, {.maxValue = 20}),
                                       f.builder.clamp(x, {.minValue = isSigned ? -7 : 7}), f.builder.clamp(x, {})};
    expectCpuAgrees(f, outputs, {.low = isSigned ? -100.0 : 0, .high = 100});
  }
}

TEST(CpuElementwiseUnary, ClampOf64BitsKeepsEveryBit) {
  Fixture f;
  const Operand x = f.input(DataType::uint64, {64});
  expectCpuAgrees(f,
                  {f.builder.clamp(x, {.maxValue = Number(std::numeric_limits<std::uint64_t>::max() - 1)}),
                   f.builder.clamp(x, {.minValue = Number((std::uint64_t{1} << 53) + 1)})},
                  {.low = 0, .high = 1e9});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
