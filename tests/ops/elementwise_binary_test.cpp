// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/elementwise_binary_test.cpp tests the values.
#include "ops/method_checks.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using ops::kAny;
using ops::kUint8;
using test::expectTypeError;
using test::Fixture;
using test::Method;
using test::twoOperands;

const std::vector<Method>& methods() {
  static const std::vector<std::string> ab{"a", "b"};
  static const std::vector<Method> all{
      twoOperands("add", ab, kAny, &GraphBuilder::add),
      twoOperands("sub", ab, kAny, &GraphBuilder::sub),
      twoOperands("mul", ab, kAny, &GraphBuilder::mul),
      twoOperands("div", ab, kAny, &GraphBuilder::div),
      twoOperands("max", ab, kAny, &GraphBuilder::max),
      twoOperands("min", ab, kAny, &GraphBuilder::min),
      twoOperands("pow", ab, kAny, &GraphBuilder::pow),
      twoOperands("equal", ab, kAny, &GraphBuilder::equal, DataType::uint8),
      twoOperands("notEqual", ab, kAny, &GraphBuilder::notEqual, DataType::uint8),
      twoOperands("greater", ab, kAny, &GraphBuilder::greater, DataType::uint8),
      twoOperands("greaterOrEqual", ab, kAny, &GraphBuilder::greaterOrEqual, DataType::uint8),
      twoOperands("lesser", ab, kAny, &GraphBuilder::lesser, DataType::uint8),
      twoOperands("lesserOrEqual", ab, kAny, &GraphBuilder::lesserOrEqual, DataType::uint8),
      twoOperands("logicalAnd", ab, kUint8, &GraphBuilder::logicalAnd, DataType::uint8),
      twoOperands("logicalOr", ab, kUint8, &GraphBuilder::logicalOr, DataType::uint8),
      twoOperands("logicalXor", ab, kUint8, &GraphBuilder::logicalXor, DataType::uint8),
  };
  return all;
}

TEST(Binary, TakesTheTypesOfItsRowAndRejectsTheOthers) {
  for (const Method& method : methods()) test::checkTypes(method);
}

TEST(Binary, RejectsOperandsOfDifferentTypes) {
  for (const Method& method : methods()) test::checkTypeMismatch(method);
}

TEST(Binary, TakesEveryRank) {
  for (const Method& method : methods()) test::checkRanks(method);
}

TEST(Binary, RejectsForeignOperandsAndCallsAfterBuild) {
  for (const Method& method : methods()) test::checkOwnership(method);
}

TEST(Binary, BroadcastsInBothDirections) {
  for (const Method& method : methods()) test::checkBroadcasting(method);
}

TEST(Where, TakesEveryTypeAndUint8Conditions) {
  Fixture f;
  const Operand condition = f.input(DataType::uint8, {2});
  for (DataType type : test::kAllTypes) {
    EXPECT_EQ(f.builder.where(condition, f.input(type, {2}), f.input(type, {2})).descriptor(), (OperandDescriptor{type, {2}}));
    if (type == DataType::uint8) continue;
    expectTypeError({"where \"here\": condition data type (" + std::string(name(type)) + ") is not one of uint8."},
                    [&] { f.builder.where(f.input(type, {2}), f.input({2}), f.input({2}), {.label = "here"}); });
  }
}

TEST(Where, RejectsValuesOfDifferentTypes) {
  Fixture f;
  expectTypeError({"where: falseValue data type (int8) is not that of trueValue (int32)."}, [&] {
    f.builder.where(f.input(DataType::uint8, {2}), f.input(DataType::int32, {2}), f.input(DataType::int8, {2}));
  });
}

TEST(Where, BroadcastsAllThreeOperands) {
  struct Row {
    Shape condition, trueValue, falseValue, output;
  };
  const Row rows[] = {
      {{}, {}, {}, {}},
      {{2, 1, 1}, {3, 1}, {4}, {2, 3, 4}},
      {{4}, {1}, {}, {4}},
      {{}, {2, 1}, {1, 2}, {2, 2}},
      {{1, 1, 1, 1, 1, 1, 1, 1}, {2}, {}, {1, 1, 1, 1, 1, 1, 1, 2}},
  };
  Fixture f;
  for (const Row& row : rows) {
    const Operand output =
        f.builder.where(f.input(DataType::uint8, row.condition), f.input(row.trueValue), f.input(row.falseValue));
    EXPECT_EQ(output.descriptor(), (OperandDescriptor{DataType::float32, row.output})) << toString(row.output);
  }
}

TEST(Where, RejectsShapesThatDoNotBroadcast) {
  Fixture f;
  const auto where = [&](Shape condition, Shape trueValue, Shape falseValue) {
    f.builder.where(f.input(DataType::uint8, condition), f.input(trueValue), f.input(falseValue), {.label = "here"});
  };
  expectTypeError({"where \"here\": Incompatible shapes: trueValue shape [2] and falseValue shape [3] are not bidirectionally "
                   "broadcastable."},
                  [&] { where({2}, {2}, {3}); });
  expectTypeError({"where \"here\": Incompatible shapes: condition shape [3] and trueValue and falseValue shape [4, 2] are not "
                   "bidirectionally broadcastable."},
                  [&] {
                    where({3}, {2}, {4, 1});
                  });
  expectTypeError({"where \"here\"", "the number of elements of"}, [&] { where({65536, 1, 1}, {256, 1}, {256}); });
}

TEST(Where, RejectsForeignOperandsAndCallsAfterBuild) {
  Fixture f, other;
  const Operand condition = f.input(DataType::uint8, {2}), value = f.input({2}), foreign = other.input({2});
  expectTypeError({"where: condition is an operand of another builder."},
                  [&] { f.builder.where(other.input(DataType::uint8, {2}), value, value); });
  expectTypeError({"where: trueValue is an operand of another builder."}, [&] { f.builder.where(condition, foreign, value); });
  expectTypeError({"where: falseValue is an operand of another builder."}, [&] { f.builder.where(condition, value, foreign); });
  f.builder.build({{"y", f.builder.where(condition, value, value)}});
  test::expectError(ErrorKind::invalidStateError, {"where", "already built"}, [&] { f.builder.where(condition, value, value); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
