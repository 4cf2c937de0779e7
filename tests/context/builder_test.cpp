// Tests GraphBuilder: input(), constant(), build(), labels, and operands that operations reject. tests/ops tests the operations.
// https://www.w3.org/TR/webnn/#api-mlgraphbuilder
#include "context/graph_state.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

TEST(Input, RejectsEmptyAndRepeatedNamesAndBadDescriptors) {
  Fixture f;
  f.builder.input("x", {DataType::float32, {2}});
  expectTypeError({"input", "empty"}, [&] { f.builder.input("", {DataType::float32, {2}}); });
  expectTypeError({"input", "\"x\"", "taken"}, [&] { f.builder.input("x", {DataType::int8, {}}); });
  expectTypeError({"input", "dimension 1 (0)"}, [&] { f.builder.input("y", {DataType::float32, {2, 0}}); });
  expectTypeError({"input", "rank (9)"}, [&] { f.builder.input("y", {DataType::float32, Shape(9, 1)}); });
  EXPECT_EQ(f.builder.input("y", {DataType::float32, {}}).rank(), 0u);  // the rejected calls did not use up the name
}

TEST(Constant, RejectsBytesThatDoNotFit) {
  Fixture f;
  const std::vector<std::byte> bytes(7);
  expectTypeError({"constant", "(7)", "float32[2]", "(8)"}, [&] { f.builder.constant({DataType::float32, {2}}, bytes); });
  expectTypeError({"constant", "dimension 0 (0)"}, [&] {
    f.builder.constant({DataType::float32, {0}}, std::span<const std::byte>());
  });
}

// Tests that a constant rejects elements of other types, because their bits would be reinterpreted. Every constant also accepts
// std::byte, and a float16 constant accepts its bits as std::uint16_t.
TEST(Constant, TakesElementsOfItsTypeOnly) {
  Fixture f;
  expectTypeError({"constant", "std::int32_t", "float32"}, [&] { f.builder.constant({DataType::float32, {2}}, {1, 2}); });
  expectTypeError({"constant", "float", "int32"}, [&] { f.builder.constant({DataType::int32, {2}}, {1.0F, 2.0F}); });
  expectTypeError({"constant", "std::uint8_t", "int8"}, [&] {
    f.builder.constant({DataType::int8, {1}}, std::initializer_list<std::uint8_t>{1});
  });
  f.builder.constant({DataType::int64, {1}}, {1LL});
  f.builder.constant({DataType::float16, {1}}, {Half(1.5)});
  f.builder.constant({DataType::float16, {1}}, std::initializer_list<std::uint16_t>{0x3C00});
  f.builder.constant({DataType::uint4, {2}}, {std::byte{0x21}});
}

TEST(Write, TakesElementsOfTheTensorsTypeOnly) {
  Context context = test::makeContext();
  const Tensor tensor = context.createTensor({DataType::int32, {1}, true, true});
  expectTypeError({"write", "float", "int32"}, [&] { context.write(tensor, std::vector<float>{1}); });
  context.write(tensor, std::vector<std::int32_t>{7});
  EXPECT_EQ(context.read<std::int32_t>(tensor), std::vector<std::int32_t>{7});
  EXPECT_EQ(context.read<std::byte>(tensor), (std::vector<std::byte>{std::byte{7}, {}, {}, {}}));
}

TEST(Constant, OfAScalarCastsToEveryType) {
  struct Row {
    DataType type;
    Number value, expected;
  };
  const Row rows[] = {
      {DataType::float32, 0.1, static_cast<double>(0.1f)},
      {DataType::float16, 1e6, std::numeric_limits<double>::infinity()},
      {DataType::int32, -2.5, -2},
      {DataType::uint32, -1, 0},
      {DataType::int64, std::int64_t{-9007199254740993}, std::int64_t{-9007199254740993}},
      {DataType::uint64, std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max()},
      {DataType::int8, 200, 127},
      {DataType::uint8, 3.5, 4},
      {DataType::int4, -9, -8},
      {DataType::uint4, 99, 15},
  };
  for (const Row& row : rows) {
    Fixture f;
    const Operand constant = f.builder.constant(row.type, row.value);
    EXPECT_EQ(constant.rank(), 0u);
    EXPECT_EQ(test::evaluate(f, std::vector{f.builder.identity(constant)})[0][0], row.expected) << name(row.type);
  }
}

TEST(Constant, OfATensorChecksTheTensor) {
  Fixture f;
  Context other = test::makeContext();
  const std::vector<float> one{1};
  const auto bytes = std::as_bytes(std::span(one));
  Tensor tensor = f.context.createConstantTensor({DataType::float32, {1}}, bytes);
  expectTypeError({"constant", "another context"}, [&] {
    f.builder.constant(other.createConstantTensor({DataType::float32, {1}}, bytes));
  });
  expectTypeError({"constant", "not a constant tensor"}, [&] { f.builder.constant(f.context.createTensor({.shape = {1}})); });
  const Operand y = f.builder.identity(f.builder.constant(tensor));
  tensor.destroy();  // the graph still has the bytes
  expectTypeError({"constant", "destroyed"}, [&] { f.builder.constant(tensor); });
  EXPECT_EQ(test::evaluate(f, y), std::vector<double>{1});
}

TEST(Constant, OfExternalBytesKeepsThemAliveAndCopiesNothing) {
  Fixture f;
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{5});
  const std::weak_ptr<std::vector<float>> watched = owner;
  const Operand x = f.builder.constant({DataType::float32, {1}}, ExternalBytes{std::as_bytes(std::span(*owner)), owner});
  EXPECT_EQ(static_cast<const void*>(x.record().bytes.data()), owner->data());
  owner.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(test::evaluate(f, f.builder.identity(x)), std::vector<double>{5});
}

TEST(Build, RejectsBadOutputsAndStaysUsable) {
  Fixture f, other;
  const Operand x = f.input({2});
  const Operand y = f.builder.identity(x);
  expectTypeError({"build", "no outputs"}, [&] { f.builder.build({}); });
  expectTypeError({"build", "empty"}, [&] { f.builder.build({{"", y}}); });
  expectTypeError({"build", "\"y\"", "twice"}, [&] { f.builder.build({{"y", y}, {"y", y}}); });
  expectTypeError({"build", "\"x\"", "an input"}, [&] { f.builder.build({{"x", x}}); });
  expectTypeError({"build", "\"c\"", "a constant"}, [&] { f.builder.build({{"c", f.builder.constant(DataType::int8, 1)}}); });
  expectTypeError({"build", "\"z\"", "not an operand of this builder"}, [&] {
    f.builder.build({{"z", other.builder.identity(other.input({1}))}});
  });
  expectTypeError({"build", "\"z\"", "not an operand of this builder"}, [&] { f.builder.build({{"z", Operand()}}); });
  EXPECT_EQ(f.builder.build({{"y", y}}).outputs().size(), 1u);
}

TEST(Build, HappensOnce) {
  Fixture f;
  const Operand x = f.input({2}), y = f.builder.identity(x);
  f.builder.build({{"y", y}});
  const auto rejects = [&](std::string method, const std::function<void()>& call) {
    expectError(ErrorKind::invalidStateError, {method, "already built"}, call);
  };
  rejects("build", [&] { f.builder.build({{"y", y}}); });
  rejects("input", [&] { f.builder.input("z", {DataType::float32, {1}}); });
  rejects("constant", [&] { f.builder.constant(DataType::float32, 1); });
  rejects("constant", [&] { f.builder.constant<float>({DataType::float32, {1}}, {1}); });
  rejects("relu", [&] { f.builder.relu(x); });
  rejects("constant", [&] {
    f.builder.constant(f.context.createConstantTensor({DataType::int8, {1}}, std::vector<std::byte>(1)));
  });
}

TEST(Build, OnALostContextIsAnInvalidStateError) {
  Fixture f;
  const Operand y = f.builder.identity(f.input({2}));
  f.context.destroy();
  expectError(ErrorKind::invalidStateError, {"build", "lost"}, [&] { f.builder.build({{"y", y}}); });
  expectError(ErrorKind::invalidStateError, {"input", "lost"}, [&] { f.builder.input("z", {DataType::float32, {1}}); });
}

TEST(Build, DropsUnusedInputsConstantsAndOperations) {
  Fixture f;
  const Operand x = f.input({2});
  f.builder.relu(f.input({3}));
  f.constant({1}, {7});
  const Graph graph = f.builder.build({{"y", f.builder.identity(x)}});
  ASSERT_EQ(graph.inputs().size(), 1u);
  EXPECT_EQ(graph.inputs()[0].first, "input0");
  EXPECT_EQ(graph.state()->definition->nodes.size(), 1u);
  EXPECT_TRUE(graph.state()->definition->constants.empty());
}

TEST(Build, KeepsTheOrderOfInputsAndOutputs) {
  Fixture f;
  const Operand b = f.builder.input("b", {DataType::float32, {1}}), a = f.builder.input("a", {DataType::float32, {2}});
  const Graph graph = f.builder.build({{"z", f.builder.identity(a)}, {"y", f.builder.identity(b)}});
  EXPECT_EQ(graph.inputs(), (std::vector<NamedDescriptor>{{"b", {DataType::float32, {1}}}, {"a", {DataType::float32, {2}}}}));
  EXPECT_EQ(graph.outputs(), (std::vector<NamedDescriptor>{{"z", {DataType::float32, {2}}}, {"y", {DataType::float32, {1}}}}));
}

TEST(Build, TakesAnIntermediateAsOutputAndOneOperandUnderTwoNames) {
  Fixture f;
  const Operand middle = f.builder.neg(f.constant({2}, {1, -2}));
  const Operand last = f.builder.abs(middle);
  const auto values = test::evaluate(f, std::vector{middle, last, middle});
  EXPECT_EQ(values[0], (std::vector<Number>{-1.0, 2.0}));
  EXPECT_EQ(values[1], (std::vector<Number>{1.0, 2.0}));
  EXPECT_EQ(values[2], values[0]);
}

TEST(Operations, RejectNullAndForeignOperandsWithTheLabel) {
  Fixture f, other;
  expectTypeError({"relu \"act\": input is no operand"}, [&] { f.builder.relu(Operand(), {.label = "act"}); });
  const Operand foreign = other.input({1});
  expectTypeError({"add: b is an operand of another builder"}, [&] { f.builder.add(f.input({1}), foreign); });
  expectTypeError({"gemm: c is an operand of another builder"}, [&] {
    f.builder.gemm(f.input({1, 1}), f.input({1, 1}), {.c = foreign});
  });
  expectTypeError({"concat: inputs is an operand of another builder"}, [&] { f.builder.concat({f.input({1}), foreign}, 0); });
}

TEST(Labels, AreSanitizedInMessages) {
  Fixture f;
  expectTypeError({"softmax \"a\\u{202E}b\\u{000A}\":"}, [&] { f.builder.softmax(f.input({1}), 9, {.label = "a\u202Eb\n"}); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
