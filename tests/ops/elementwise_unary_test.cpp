// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/elementwise_unary_test.cpp tests the values.
#include "ops/elementwise_unary.h"

#include <cmath>
#include <limits>

#include "ops/method_checks.h"
#include "ops/operation.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using ops::DataTypeSet;
using test::expectTypeError;
using test::Fixture;
using test::Method;
using test::oneOperand;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DataTypeSet kFloats{DataType::float32, DataType::float16};
constexpr DataTypeSet kSigned = kFloats | DataTypeSet{DataType::int64, DataType::int32, DataType::int8};
constexpr DataTypeSet kEightTypes = kSigned | DataTypeSet{DataType::uint64, DataType::uint32, DataType::uint8};
constexpr DataTypeSet kTenTypes = kEightTypes | DataTypeSet{DataType::int4, DataType::uint4};

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      oneOperand("abs", "input", kSigned, &GraphBuilder::abs),
      oneOperand("ceil", "input", kFloats, &GraphBuilder::ceil),
      oneOperand("cos", "input", kFloats, &GraphBuilder::cos),
      oneOperand("erf", "input", kFloats, &GraphBuilder::erf),
      oneOperand("exp", "input", kFloats, &GraphBuilder::exp),
      oneOperand("floor", "input", kFloats, &GraphBuilder::floor),
      oneOperand("identity", "input", kTenTypes, &GraphBuilder::identity),
      oneOperand("log", "input", kFloats, &GraphBuilder::log),
      oneOperand("neg", "input", kSigned, &GraphBuilder::neg),
      oneOperand("reciprocal", "input", kFloats, &GraphBuilder::reciprocal),
      oneOperand("roundEven", "input", kFloats, &GraphBuilder::roundEven),
      oneOperand("sin", "input", kFloats, &GraphBuilder::sin),
      oneOperand("sign", "input", kSigned, &GraphBuilder::sign),
      oneOperand("sqrt", "input", kFloats, &GraphBuilder::sqrt),
      oneOperand("tan", "input", kFloats, &GraphBuilder::tan),
      oneOperand("logicalNot", "a", {DataType::uint8}, &GraphBuilder::logicalNot, DataType::uint8),
      oneOperand("isNaN", "a", kEightTypes, &GraphBuilder::isNaN, DataType::uint8),
      oneOperand("isInfinite", "a", kEightTypes, &GraphBuilder::isInfinite, DataType::uint8),
      {"clamp",
       {"input"},
       kEightTypes,
       [](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
         return builder.clamp(x[0], {.minValue = 1, .maxValue = 2, .label = std::move(label)});
       }},
      {"cast",
       {"input"},
       kTenTypes,
       [](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
         return builder.cast(x[0], DataType::int64, {.label = std::move(label)});
       },
       DataType::int64},
  };
  return all;
}

TEST(Unary, TakesTheTypesOfItsRowAndRejectsTheOthers) {
  for (const Method& method : methods()) test::checkTypes(method);
}

TEST(Unary, TakesEveryRank) {
  for (const Method& method : methods()) test::checkRanks(method);
}

TEST(Unary, RejectsForeignOperandsAndCallsAfterBuild) {
  for (const Method& method : methods()) test::checkOwnership(method);
}

TEST(Cast, TakesEveryTypeToEveryType) {
  Fixture f;
  for (DataType from : test::kAllTypes) {
    for (DataType to : test::kAllTypes) {
      EXPECT_EQ(f.builder.cast(f.input(from, {3, 1}), to).descriptor(), (OperandDescriptor{to, {3, 1}}));
    }
  }
}

// Returns clamp's options after validation for a scalar of this type.
ClampOptions resolved(DataType type, ClampOptions options) {
  Fixture f;
  Operation operation(ops::Clamp{f.input(type, {}), std::move(options)});
  validate(operation);
  const ClampOptions once = std::get<ops::Clamp>(operation).options;
  validate(operation);
  EXPECT_EQ(std::get<ops::Clamp>(operation).options.minValue, once.minValue);
  EXPECT_EQ(std::get<ops::Clamp>(operation).options.maxValue, once.maxValue);
  return once;
}

TEST(Clamp, ResolvesAbsentBoundsToTheEndsOfTheType) {
  struct Row {
    DataType type;
    Number min, max;
  };
  const Row rows[] = {
      {DataType::float32, -kInfinity, kInfinity},
      {DataType::float16, -kInfinity, kInfinity},
      {DataType::int32, -2147483648LL, 2147483647},
      {DataType::uint32, 0, 4294967295u},
      {DataType::int64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
      {DataType::uint64, 0, std::numeric_limits<std::uint64_t>::max()},
      {DataType::int8, -128, 127},
      {DataType::uint8, 0, 255},
  };
  for (const Row& row : rows) {
    const ClampOptions options = resolved(row.type, {});
    EXPECT_EQ(options.minValue, row.min) << name(row.type);
    EXPECT_EQ(options.maxValue, row.max) << name(row.type);
  }
}

TEST(Clamp, CastsItsBoundsToTheType) {
  EXPECT_EQ(resolved(DataType::float32, {.minValue = 0.1}).minValue, Number(static_cast<double>(0.1f)));
  EXPECT_EQ(resolved(DataType::float16, {.maxValue = 70000}).maxValue, Number(kInfinity));
  EXPECT_EQ(resolved(DataType::int8, {.minValue = 2.5}).minValue, Number(2));
  EXPECT_EQ(resolved(DataType::uint8, {.minValue = -7}).minValue, Number(0));
  EXPECT_EQ(resolved(DataType::int64, {.maxValue = 9007199254740993}).maxValue, Number(9007199254740993));
  EXPECT_EQ(resolved(DataType::int32, {.minValue = std::nan("")}).minValue, Number(0));
}

TEST(Clamp, RejectsAMinimumAboveTheMaximum) {
  struct Row {
    DataType type;
    Number min, max;
    std::string text;
  };
  const Row rows[] = {
      {DataType::float32, 1.5, -1, "minValue (1.5) is greater than maxValue (-1)."},
      {DataType::float16, 3, 2, "minValue (3) is greater than maxValue (2)."},
      {DataType::int8, 0, -1, "minValue (0) is greater than maxValue (-1)."},
      {DataType::int64, 9007199254740993, 9007199254740992,
       "minValue (9007199254740993) is greater than maxValue (9007199254740992)."},
      {DataType::uint64, std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max() - 1,
       "minValue (18446744073709551615) is greater than maxValue (18446744073709551614)."},
      {DataType::float32, kInfinity, -kInfinity, "minValue (inf) is greater than maxValue (-inf)."},
  };
  for (const Row& row : rows) {
    Fixture f;
    const Operand input = f.input(row.type, {2});
    expectTypeError({"clamp \"here\": " + row.text},
                    [&] { f.builder.clamp(input, {.minValue = row.min, .maxValue = row.max, .label = "here"}); });
    f.builder.build({{"y", f.builder.clamp(input)}});
  }
  // An infinite maximum is also compared. Without a label, the message names only the operation.
  Fixture f;
  expectTypeError({"clamp: minValue (1) is greater than maxValue (-inf)."},
                  [&] { f.builder.clamp(f.input({2}), {.minValue = 1, .maxValue = -kInfinity}); });
}

TEST(Clamp, ComparesItsBoundsAfterTheCast) {
  Fixture f;
  const auto accepts = [&](DataType type, Number min, Number max) {
    EXPECT_NO_THROW(f.builder.clamp(f.input(type, {2}), {.minValue = min, .maxValue = max})) << name(type);
  };
  accepts(DataType::uint8, -1, -2);                // both 0
  accepts(DataType::int8, 300, 200);               // both 127
  accepts(DataType::int32, 1.4, 0.6);              // both 1
  accepts(DataType::float32, 16777217, 16777216);  // both 2^24
  accepts(DataType::float16, 1e6, 7e4);            // both infinite
  accepts(DataType::float32, 2, 2);
  accepts(DataType::float32, std::nan(""), 1);  // NaN is not greater
  accepts(DataType::float32, 1, std::nan(""));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
