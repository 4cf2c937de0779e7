// Tests binary operations and where on the CPU engine: every type, broadcasting, special values.
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::vector<DataType> kIntegers{DataType::int8,   DataType::uint8, DataType::int32,
                                      DataType::uint32, DataType::int64, DataType::uint64};
const std::vector<DataType> kFloats{DataType::float32, DataType::float16};

using Method = Operand (GraphBuilder::*)(Operand, Operand, OperatorOptions);

const std::vector<Method> kArithmetic{&GraphBuilder::add, &GraphBuilder::sub, &GraphBuilder::mul,
                                      &GraphBuilder::div, &GraphBuilder::max, &GraphBuilder::min};
const std::vector<Method> kComparisons{&GraphBuilder::equal,          &GraphBuilder::notEqual, &GraphBuilder::greater,
                                       &GraphBuilder::greaterOrEqual, &GraphBuilder::lesser,   &GraphBuilder::lesserOrEqual};
const std::vector<Method> kLogic{&GraphBuilder::logicalAnd, &GraphBuilder::logicalOr, &GraphBuilder::logicalXor};

struct Shapes {
  Shape a, b;
};
const std::vector<Shapes> kShapes{
    {{}, {}},
    {{67}, {67}},
    {{3, 21}, {21}},
    {{3, 1}, {7}},
    {{5, 130}, {5, 1}},
    {{2, 3, 4, 5}, {3, 1, 5}},
    {{2, 3, 1, 5}, {4, 1}},
    {{2, 1, 3, 1, 2, 1, 2, 3}, {1, 2, 1, 3, 1, 2, 1, 3}},
    {{2, 2500}, {2500}},
    {{}, {3, 1100}},
};

void expectAll(const std::vector<Method>& methods, DataType type, const Shapes& shapes, const CpuCase& options) {
  Fixture f;
  const Operand a = f.input(type, shapes.a), b = f.input(type, shapes.b);
  std::vector<Operand> outputs;
  for (const Method method : methods) {
    outputs.push_back((f.builder.*method)(a, b, {}));
    outputs.push_back((f.builder.*method)(b, a, {}));
  }
  expectCpuAgrees(f, outputs, options);
}

TEST(CpuElementwiseBinary, FloatsAgreeWhateverTheShapes) {
  for (const DataType type : kFloats) {
    for (const Shapes& shapes : kShapes) {
      expectAll(kArithmetic, type, shapes, {.low = -3, .high = 3});
      expectAll(kComparisons, type, shapes, {.low = -1, .high = 1, .specials = true});
    }
  }
}

TEST(CpuElementwiseBinary, FloatsAgreeOnSpecialValues) {
  for (const DataType type : kFloats) expectAll(kArithmetic, type, {{23, 41}, {23, 41}}, {.specials = true});
}

TEST(CpuElementwiseBinary, PowersAgree) {
  for (const DataType type : kFloats) {
    expectAll({&GraphBuilder::pow}, type, {{3, 41}, {41}}, {.low = 0.2, .high = 5});
    expectAll({&GraphBuilder::pow}, type, {{33, 41}, {33, 41}}, {.specials = true});
  }
}

TEST(CpuElementwiseBinary, IntegersAgreeAndWrap) {
  for (const DataType type : kIntegers) {
    const bool isSigned = type == DataType::int8 || type == DataType::int32 || type == DataType::int64;
    const double high = type == DataType::int8 ? 127 : type == DataType::uint8 ? 255 : 2.1e9;
    for (const Shapes& shapes : kShapes) {
      expectAll(kArithmetic, type, shapes, {.low = isSigned ? -high : 0, .high = high});
      expectAll(kComparisons, type, shapes, {.low = isSigned ? -2.0 : 0, .high = 2});
    }
    // The range includes divisions by 0 and, for signed types, by -1.
    expectAll(kArithmetic, type, {{9, 50}, {9, 50}}, {.low = isSigned ? -3.0 : 0, .high = 3});
    expectAll({&GraphBuilder::pow}, type, {{9, 50}, {50}}, {.low = isSigned ? -9.0 : 0, .high = 9});
  }
}

TEST(CpuElementwiseBinary, TheLeastIntegerDividedByMinusOneIsItself) {
  for (const DataType type : {DataType::int8, DataType::int32, DataType::int64}) {
    const Number least = type == DataType::int8    ? Number(-128)
                         : type == DataType::int32 ? Number(std::numeric_limits<std::int32_t>::min())
                                                   : Number(std::numeric_limits<std::int64_t>::min());
    Fixture f;
    const Operand a = f.constant(type, {2}, {least, 7}), b = f.constant(type, {2}, {-1, 0}), x = f.input(type, {2});
    expectCpuAgrees(f, {f.builder.div(f.builder.add(a, f.builder.mul(x, f.constant(type, {}, {0}))), b)});
  }
}

TEST(CpuElementwiseBinary, LogicAgrees) {
  for (const Shapes& shapes : kShapes) expectAll(kLogic, DataType::uint8, shapes, {.low = 0, .high = 2});
}

TEST(CpuElementwiseBinary, LogicOfComparisonsAgrees) {
  Fixture f;
  const Operand a = f.input({5, 33}), b = f.input({33}), c = f.input(DataType::uint8, {5, 1});
  const Operand less = f.builder.lesser(a, b);
  expectCpuAgrees(f,
                  {f.builder.logicalAnd(less, c), f.builder.logicalOr(f.builder.greater(a, b), c), f.builder.logicalNot(less),
                   f.builder.logicalXor(f.builder.isNaN(a), less), f.builder.where(f.builder.logicalNot(less), a, b)},
                  {.low = 0, .high = 2, .specials = true});
}

TEST(CpuElementwiseBinary, WhereSelectsOfEveryType) {
  std::vector<DataType> types = kIntegers;
  types.insert(types.end(), kFloats.begin(), kFloats.end());
  for (const DataType type : types) {
    for (const auto& [condition, trues, falses] : std::vector<std::array<Shape, 3>>{{Shape{3, 35}, Shape{3, 35}, Shape{3, 35}},
                                                                                    {Shape{35}, Shape{3, 1}, Shape{}},
                                                                                    {Shape{2, 1, 5}, Shape{4, 1}, Shape{5}}}) {
      Fixture f;
      const Operand c = f.input(DataType::uint8, condition), t = f.input(type, trues), e = f.input(type, falses);
      expectCpuAgrees(f, {f.builder.where(c, t, e)}, {.low = 0, .high = 2, .specials = true});
    }
  }
}

TEST(CpuElementwiseBinary, UniformConstantsAreImmediates) {
  for (const DataType type : kFloats) {
    for (const double value : {0.0, -0.0, 1.0, -2.5, 4.0, 0.1, std::numeric_limits<double>::infinity()}) {
      Fixture f;
      const Operand x = f.input(type, {7, 19}), c = f.constant(type, {19}, {value});
      std::vector<Operand> outputs;
      for (const Method method : kArithmetic) {
        outputs.push_back((f.builder.*method)(x, c, {}));
        outputs.push_back((f.builder.*method)(c, x, {}));
      }
      expectCpuAgrees(f, outputs, {.specials = true});
    }
  }
}

TEST(CpuElementwiseBinary, SquaresAndReciprocalsArePowers) {
  for (const double power : {2.0, -1.0, 0.5, 3.0}) {
    Fixture f;
    const Operand x = f.input({7, 19});
    expectCpuAgrees(f, {f.builder.pow(x, f.constant({}, {power}))}, {.specials = true});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
