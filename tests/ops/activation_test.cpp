// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/activation_test.cpp tests the values.
#include "ops/activation.h"

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

constexpr DataTypeSet kFloats{DataType::float32, DataType::float16};
constexpr DataTypeSet kSigned = kFloats | DataTypeSet{DataType::int64, DataType::int32, DataType::int8};

template <typename Options>
Method withOptions(std::string name, Operand (GraphBuilder::*method)(Operand, Options)) {
  return {std::move(name), {"input"}, kFloats, [method](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
            Options options;
            options.label = std::move(label);
            return (builder.*method)(x[0], std::move(options));
          }};
}

const Method& prelu() {
  static const Method method = test::twoOperands("prelu", {"input", "slope"}, kSigned, &GraphBuilder::prelu);
  return method;
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      oneOperand("gelu", "input", kFloats, &GraphBuilder::gelu),
      oneOperand("hardSwish", "input", kFloats, &GraphBuilder::hardSwish),
      oneOperand("relu", "input", kSigned, &GraphBuilder::relu),
      oneOperand("sigmoid", "input", kFloats, &GraphBuilder::sigmoid),
      oneOperand("softplus", "input", kFloats, &GraphBuilder::softplus),
      oneOperand("softsign", "input", kFloats, &GraphBuilder::softsign),
      oneOperand("tanh", "input", kFloats, &GraphBuilder::tanh),
      withOptions("elu", &GraphBuilder::elu),
      withOptions("leakyRelu", &GraphBuilder::leakyRelu),
      withOptions("hardSigmoid", &GraphBuilder::hardSigmoid),
      withOptions("linear", &GraphBuilder::linear),
      prelu(),
      {"softmax",
       {"input"},
       kFloats,
       [](GraphBuilder& builder, const std::vector<Operand>& x, std::string label) {
         return builder.softmax(x[0], 0, {.label = std::move(label)});
       },
       std::nullopt,
       1},
  };
  return all;
}

TEST(Activation, TakesTheTypesOfItsRowAndRejectsTheOthers) {
  for (const Method& method : methods()) test::checkTypes(method);
}

TEST(Activation, TakesEveryRank) {
  for (const Method& method : methods()) test::checkRanks(method);
}

TEST(Activation, RejectsForeignOperandsAndCallsAfterBuild) {
  for (const Method& method : methods()) test::checkOwnership(method);
}

TEST(Prelu, RejectsASlopeOfAnotherType) { test::checkTypeMismatch(prelu()); }

TEST(Prelu, BroadcastsInBothDirections) { test::checkBroadcasting(prelu()); }

TEST(Softmax, RejectsAnAxisThatTheInputLacks) {
  Fixture f;
  const Operand input = f.input({2, 3});
  for (std::uint32_t axis : {2u, 2147483648u, 4294967295u}) {
    expectTypeError(
        {"softmax \"here\": axis (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (2)."},
        [&] { f.builder.softmax(input, axis, {.label = "here"}); });
  }
  EXPECT_EQ(f.builder.softmax(input, 1).shape(), (Shape{2, 3}));
}

TEST(Softmax, RejectsAScalar) {
  Fixture f;
  expectTypeError({"softmax: input rank (0) is not between 1 and 8."}, [&] { f.builder.softmax(f.input({}), 0); });
}

// Returns the options after validation for an input of this type.
template <typename Op, typename Options>
Options resolved(DataType type, Options options) {
  Fixture f;
  Operation operation(Op{f.input(type, {2}), std::move(options)});
  validate(operation);
  validate(operation);  // a second validation changes nothing
  return std::get<Op>(operation).options;
}

TEST(ActivationOptions, AreCastToTheTypeOfTheInput) {
  const double half = 0x1.998p-4;  // the float16 number nearest to 0.1
  for (const auto& [type, expected] :
       {std::pair(DataType::float32, static_cast<double>(0.1f)), std::pair(DataType::float16, half)}) {
    EXPECT_EQ(resolved<ops::Elu>(type, EluOptions{.alpha = 0.1}).alpha, expected);
    EXPECT_EQ(resolved<ops::LeakyRelu>(type, LeakyReluOptions{.alpha = 0.1}).alpha, expected);
    EXPECT_EQ(resolved<ops::HardSigmoid>(type, HardSigmoidOptions{.alpha = 0.1}).alpha, expected);
    EXPECT_EQ(resolved<ops::HardSigmoid>(type, HardSigmoidOptions{.beta = 0.1}).beta, expected);
    EXPECT_EQ(resolved<ops::Linear>(type, LinearOptions{.alpha = 0.1}).alpha, expected);
    EXPECT_EQ(resolved<ops::Linear>(type, LinearOptions{.beta = 0.1}).beta, expected);
  }
  EXPECT_EQ(resolved<ops::Elu>(DataType::float16, EluOptions{.alpha = 1e6}).alpha, std::numeric_limits<double>::infinity());
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
