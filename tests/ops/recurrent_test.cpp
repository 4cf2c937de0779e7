// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/recurrent_test.cpp tests the values.
#include "ops/recurrent.h"

#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using enum RecurrentNetworkActivation;
using enum RecurrentNetworkDirection;
using test::expectError;
using test::expectTypeError;
using test::Fixture;

std::vector<Operand> call(Fixture& fixture, const ops::Gru& op) {
  return fixture.builder.gru(op.input, op.weight, op.recurrentWeight, op.steps, op.hiddenSize, op.options);
}
std::vector<Operand> call(Fixture& fixture, const ops::GruCell& op) {
  return {fixture.builder.gruCell(op.input, op.weight, op.recurrentWeight, op.hiddenState, op.hiddenSize, op.options)};
}
std::vector<Operand> call(Fixture& fixture, const ops::Lstm& op) {
  return fixture.builder.lstm(op.input, op.weight, op.recurrentWeight, op.steps, op.hiddenSize, op.options);
}
std::vector<Operand> call(Fixture& fixture, const ops::LstmCell& op) {
  return fixture.builder.lstmCell(op.input, op.weight, op.recurrentWeight, op.hiddenState, op.cellState, op.hiddenSize,
                                  op.options);
}

// Returns valid arguments with all optional operands and the label "net": 5 steps, batch size 3, input size 7, hidden size 4. No
// two sizes are equal: 12 rows for a GRU, 16 for an LSTM, 12 peepholes.
ops::Gru make(Fixture& f, const ops::Gru*, DataType type = DataType::float32, std::uint32_t directions = 1) {
  return {f.input(type, {5, 3, 7}),
          f.input(type, {directions, 12, 7}),
          f.input(type, {directions, 12, 4}),
          5,
          4,
          {.bias = f.input(type, {directions, 12}),
           .recurrentBias = f.input(type, {directions, 12}),
           .initialHiddenState = f.input(type, {directions, 3, 4}),
           .direction = directions == 2 ? both : forward,
           .label = "net"}};
}
ops::GruCell make(Fixture& f, const ops::GruCell*, DataType type = DataType::float32) {
  return {f.input(type, {3, 7}),
          f.input(type, {12, 7}),
          f.input(type, {12, 4}),
          f.input(type, {3, 4}),
          4,
          {.bias = f.input(type, {12}), .recurrentBias = f.input(type, {12}), .label = "net"}};
}
ops::Lstm make(Fixture& f, const ops::Lstm*, DataType type = DataType::float32, std::uint32_t directions = 1) {
  return {f.input(type, {5, 3, 7}),
          f.input(type, {directions, 16, 7}),
          f.input(type, {directions, 16, 4}),
          5,
          4,
          {.bias = f.input(type, {directions, 16}),
           .recurrentBias = f.input(type, {directions, 16}),
           .peepholeWeight = f.input(type, {directions, 12}),
           .initialHiddenState = f.input(type, {directions, 3, 4}),
           .initialCellState = f.input(type, {directions, 3, 4}),
           .direction = directions == 2 ? both : forward,
           .label = "net"}};
}
ops::LstmCell make(Fixture& f, const ops::LstmCell*, DataType type = DataType::float32) {
  return {
      f.input(type, {3, 7}),
      f.input(type, {16, 7}),
      f.input(type, {16, 4}),
      f.input(type, {3, 4}),
      f.input(type, {3, 4}),
      4,
      {.bias = f.input(type, {16}), .recurrentBias = f.input(type, {16}), .peepholeWeight = f.input(type, {12}), .label = "net"}};
}
template <typename Op, typename... More>
Op valid(Fixture& fixture, More... more) {
  return make(fixture, static_cast<const Op*>(nullptr), more...);
}

// Lists the operand fields of an operation, so that a test can replace each.
struct OperandFields {
  std::vector<std::pair<std::string, Operand*>> found;
  void argument(std::string_view name, Operand& operand) { found.emplace_back(name, &operand); }
  void option(std::string_view name, std::optional<Operand>& operand) { found.emplace_back(name, &operand.value()); }
  template <typename Field>
  void argument(std::string_view, Field&) {}
  template <typename Field>
  void option(std::string_view, Field&) {}
};
template <typename Op>
std::vector<std::pair<std::string, Operand*>> operandsOf(Op& op) {
  OperandFields fields;
  Op::visitFields(op, fields);
  return fields.found;
}

// Applies `change` to valid arguments. Expects a TypeError about "net" that contains `part`, and that the builder accepts valid
// arguments afterwards.
template <typename Op>
void expectRejected(const std::string& part, const std::function<void(Fixture&, Op&)>& change) {
  SCOPED_TRACE(part);
  Fixture fixture;
  const Op good = valid<Op>(fixture);
  Op bad = good;
  change(fixture, bad);
  expectTypeError({std::string(rowOf(bad).name) + " \"net\": " + part}, [&] { call(fixture, bad); });
  EXPECT_NO_THROW(call(fixture, good));
}

// Makes the same check once per operand. `replace` changes the operand and returns the expected text.
template <typename Op>
void expectEachOperandRejected(const std::function<std::string(Fixture&, const std::string& name, Operand&)>& replace) {
  Fixture scratch;
  Op op = valid<Op>(scratch);
  const std::size_t count = operandsOf(op).size();
  for (std::size_t i = 0; i < count; ++i) {
    Fixture fixture;
    const Op good = valid<Op>(fixture);
    Op bad = good;
    const auto [name, operand] = operandsOf(bad)[i];
    const std::string part = replace(fixture, name, *operand);
    SCOPED_TRACE(part);
    expectTypeError({std::string(rowOf(bad).name) + " \"net\": ", part}, [&] { call(fixture, bad); });
    EXPECT_NO_THROW(call(fixture, good));
  }
}

template <typename Op>
class Recurrent : public testing::Test {};
using AllOps = testing::Types<ops::Gru, ops::GruCell, ops::Lstm, ops::LstmCell>;
TYPED_TEST_SUITE(Recurrent, AllOps);

template <typename Op>
class RecurrentSequence : public testing::Test {};
using SequenceOps = testing::Types<ops::Gru, ops::Lstm>;
TYPED_TEST_SUITE(RecurrentSequence, SequenceOps);

template <typename Op>
constexpr bool kIsLstm = std::is_same_v<Op, ops::Lstm> || std::is_same_v<Op, ops::LstmCell>;
template <typename Op>
constexpr bool kIsSequence = std::is_same_v<Op, ops::Gru> || std::is_same_v<Op, ops::Lstm>;

TYPED_TEST(Recurrent, RejectsEachOperandOfAnIntegerType) {
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int8, DataType::uint8,
                        DataType::int4, DataType::uint4}) {
    expectEachOperandRejected<TypeParam>([&](Fixture& fixture, const std::string& operandName, Operand& operand) {
      operand = fixture.input(type, operand.shape());
      return operandName + " data type (" + std::string(name(type)) + ") is not ";
    });
  }
}

TYPED_TEST(Recurrent, RejectsOperandsOfTwoFloatTypes) {
  expectEachOperandRejected<TypeParam>([](Fixture& fixture, const std::string& name, Operand& operand) -> std::string {
    operand = fixture.input(DataType::float16, operand.shape());
    return name == "input" ? "weight data type (float32) is not that of input (float16)."
                           : name + " data type (float16) is not that of input (float32).";
  });
}

TYPED_TEST(Recurrent, RejectsEachOperandOfAnotherRank) {
  for (const bool more : {false, true}) {
    expectEachOperandRejected<TypeParam>([more](Fixture& fixture, const std::string& name, Operand& operand) {
      const std::size_t rank = operand.rank();
      Shape shape = operand.shape();
      shape.resize(more ? rank + 1 : rank - 1, 1);
      operand = fixture.input(shape);
      return name + " rank (" + std::to_string(shape.size()) + ") is not " + std::to_string(rank) + ".";
    });
  }
}

TYPED_TEST(Recurrent, RejectsEachOperandOfAnotherBuilder) {
  Fixture other;
  expectEachOperandRejected<TypeParam>([&](Fixture&, const std::string& name, Operand& operand) {
    operand = other.input(operand.shape());
    return name + " is an operand of another builder.";
  });
}

TYPED_TEST(Recurrent, RejectsEachOperandWithAnotherSizeInAnyDimension) {
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    expectEachOperandRejected<TypeParam>([&](Fixture& fixture, const std::string& name, Operand& operand) -> std::string {
      const Shape right = operand.shape();
      const std::size_t changed = std::min(dimension, right.size() - 1);
      Shape wrong = right;
      ++wrong[changed];
      operand = fixture.input(wrong);
      if (name != "input") return name + " shape " + toString(wrong) + " is not " + toString(right) + ".";
      // The sizes of the input are compared with those of other operands and with `steps`, so the message begins with one of
      // these.
      if (changed == right.size() - 1) return "weight shape ";
      if (changed == right.size() - 2) return kIsSequence<TypeParam> ? "initialHiddenState shape " : "hiddenState shape ";
      return "steps (5) is not the first dimension of input (6).";
    });
  }
}

TYPED_TEST(Recurrent, RejectsAHiddenSizeOfWhichBothBiasesAreNoValidDimension) {
  const std::uint64_t factor = kIsLstm<TypeParam> ? 8 : 6;
  const std::uint64_t smallestTooLarge = (std::uint64_t{1} << 31) / factor + (factor == 6 ? 1 : 0);
  for (const std::uint64_t size : {std::uint64_t{0}, smallestTooLarge, std::uint64_t{1} << 31, (std::uint64_t{1} << 32) - 1}) {
    const std::string part =
        "hiddenSize * " + std::to_string(factor) + " (" + std::to_string(size * factor) + ") is not between 1 and 2147483647.";
    expectRejected<TypeParam>(part, [&](Fixture&, TypeParam& op) { op.hiddenSize = static_cast<std::uint32_t>(size); });
  }
}

TYPED_TEST(Recurrent, ComparesTheWeightsWithTheLargestHiddenSizeExactly) {
  const std::uint32_t size = kIsLstm<TypeParam> ? 268435455 : 357913941;
  const std::string part = std::string("weight shape ") + (kIsSequence<TypeParam> ? "[1, " : "[") +
                           (kIsLstm<TypeParam> ? "16, 7] is not " : "12, 7] is not ") + (kIsSequence<TypeParam> ? "[1, " : "[") +
                           (kIsLstm<TypeParam> ? "1073741820, 7]." : "1073741823, 7].");
  expectRejected<TypeParam>(part, [&](Fixture&, TypeParam& op) { op.hiddenSize = size; });
}

TYPED_TEST(Recurrent, RejectsAnotherNumberOfActivations) {
  const std::size_t expected = kIsLstm<TypeParam> ? 3 : 2;
  for (const std::size_t count : {std::size_t{0}, expected - 1, expected + 1}) {
    const std::string part = "activations size (" + std::to_string(count) + ") is not " + std::to_string(expected) + ".";
    expectRejected<TypeParam>(
        part, [&](Fixture&, TypeParam& op) { op.options.activations = std::vector<RecurrentNetworkActivation>(count, relu); });
  }
}

TYPED_TEST(Recurrent, NamesTheMethodAloneWithoutALabel) {
  Fixture fixture;
  TypeParam op = valid<TypeParam>(fixture);
  op.options.label.clear();
  op.hiddenSize = 0;
  expectTypeError({std::string(rowOf(op).name) + ": hiddenSize"}, [&] { call(fixture, op); });
}

TYPED_TEST(Recurrent, CannotBeAddedAfterBuild) {
  Fixture fixture;
  const TypeParam op = valid<TypeParam>(fixture);
  fixture.builder.build({{"output", call(fixture, op)[0]}});
  expectError(ErrorKind::invalidStateError, {std::string(rowOf(op).name)}, [&] { call(fixture, op); });
}

TYPED_TEST(Recurrent, ResolvesTheActivationsAndIsIdempotent) {
  Fixture fixture;
  Operation operation = valid<TypeParam>(fixture);
  const ops::Outputs outputs = validate(operation);
  const std::vector<RecurrentNetworkActivation> expected =
      kIsLstm<TypeParam> ? std::vector{sigmoid, tanh, tanh} : std::vector{sigmoid, tanh};
  EXPECT_EQ(std::get<TypeParam>(operation).options.activations, expected);
  EXPECT_EQ(validate(operation), outputs);
  EXPECT_EQ(std::get<TypeParam>(operation).options.activations, expected);
}

TYPED_TEST(Recurrent, KeepsGivenActivations) {
  Fixture fixture;
  TypeParam op = valid<TypeParam>(fixture);
  const std::vector<RecurrentNetworkActivation> given =
      kIsLstm<TypeParam> ? std::vector{relu, sigmoid, relu} : std::vector{relu, sigmoid};
  op.options.activations = given;
  Operation operation = op;
  validate(operation);
  EXPECT_EQ(std::get<TypeParam>(operation).options.activations, given);
}

TYPED_TEST(Recurrent, NeedsNoOptions) {
  Fixture fixture;
  TypeParam op = valid<TypeParam>(fixture);
  op.options = {};
  EXPECT_EQ(call(fixture, op).size(), kIsLstm<TypeParam> ? 2u : 1u);
}

TYPED_TEST(RecurrentSequence, RejectsStepsThatAreNotTheFirstDimensionOfTheInput) {
  expectRejected<TypeParam>("steps (0) is 0.", [](Fixture&, TypeParam& op) { op.steps = 0; });
  for (const std::uint32_t steps : {1u, 4u, 6u, 0x80000000u, 0xFFFFFFFFu}) {
    expectRejected<TypeParam>("steps (" + std::to_string(steps) + ") is not the first dimension of input (5).",
                              [&](Fixture&, TypeParam& op) { op.steps = steps; });
  }
}

TYPED_TEST(RecurrentSequence, RejectsOneDirectionOfWeightsForBoth) {
  expectRejected<TypeParam>("weight shape [1, ", [](Fixture&, TypeParam& op) { op.options.direction = both; });
}

TYPED_TEST(RecurrentSequence, RejectsTwoDirectionsOfWeightsForOne) {
  for (const RecurrentNetworkDirection direction : {forward, backward}) {
    expectRejected<TypeParam>("weight shape [2, ", [&](Fixture& fixture, TypeParam& op) {
      op = valid<TypeParam>(fixture, DataType::float32, 2u);
      op.options.direction = direction;
    });
  }
}

TYPED_TEST(RecurrentSequence, RejectsEachOperandOfOneDirectionForBoth) {
  Fixture scratch;
  TypeParam two = valid<TypeParam>(scratch, DataType::float32, 2u);
  for (std::size_t i = 1; i < operandsOf(two).size(); ++i) {  // 0 is the input
    Fixture fixture;
    TypeParam op = valid<TypeParam>(fixture, DataType::float32, 2u);
    const auto [name, operand] = operandsOf(op)[i];
    Shape shape = operand->shape();
    shape[0] = 1;
    *operand = fixture.input(shape);
    expectTypeError({name + " shape [1, ", "] is not [2, "}, [&] { call(fixture, op); });
  }
}

TYPED_TEST(RecurrentSequence, RejectsASequenceOfTooManyElementsButNotItsLastStateAlone) {
  constexpr std::uint32_t kGates = kIsLstm<TypeParam> ? 4 : 3;
  Fixture fixture;
  TypeParam op;
  op.input = fixture.input({1024, 512, 1});
  op.weight = fixture.input({1, kGates * 4096, 1});
  op.recurrentWeight = fixture.input({1, kGates * 4096, 4096});
  op.steps = 1024;
  op.hiddenSize = 4096;
  op.options.label = "net";
  EXPECT_NO_THROW(call(fixture, op));
  op.options.returnSequence = true;  // the sequence has 2^31 elements
  expectTypeError({"\"net\": output: "}, [&] { call(fixture, op); });
}

TYPED_TEST(Recurrent, RejectsAStateOfTooManyElements) {
  constexpr std::uint32_t kGates = kIsLstm<TypeParam> ? 4 : 3;
  Fixture fixture;
  TypeParam op = valid<TypeParam>(fixture);
  if constexpr (kIsSequence<TypeParam>) {
    op.input = fixture.input({1, 1u << 19, 1});
    op.weight = fixture.input({1, kGates * 4096, 1});
    op.recurrentWeight = fixture.input({1, kGates * 4096, 4096});
    op.steps = 1;
    op.hiddenSize = 4096;
    op.options = {.label = "net"};
    expectTypeError({"\"net\": output: "}, [&] { call(fixture, op); });
  } else {  // the hidden state has the same shape as the output, so it cannot be created
    expectTypeError({"input: "}, [&] { fixture.input({1u << 19, 4096}); });
  }
}

TYPED_TEST(RecurrentSequence, ReturnsTheLastStatesAndOnRequestTheSequence) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const RecurrentNetworkDirection direction : {forward, backward, both}) {
      for (const bool returnSequence : {false, true}) {
        Fixture fixture;
        const std::uint32_t directions = direction == both ? 2 : 1;
        TypeParam op = valid<TypeParam>(fixture, type, directions);
        op.options.direction = direction;
        op.options.returnSequence = returnSequence;
        std::vector<OperandDescriptor> expected(kIsLstm<TypeParam> ? 2 : 1, {type, {directions, 3, 4}});
        if (returnSequence) expected.push_back({type, {5, directions, 3, 4}});
        std::vector<OperandDescriptor> actual;
        for (const Operand& output : call(fixture, op)) actual.push_back(output.descriptor());
        EXPECT_EQ(actual, expected);
      }
    }
  }
}

TEST(GruCell, ReturnsTheHiddenState) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Fixture fixture;
    const std::vector<Operand> outputs = call(fixture, valid<ops::GruCell>(fixture, type));
    EXPECT_EQ(outputs.at(0).descriptor(), (OperandDescriptor{type, {3, 4}}));
  }
}

TEST(LstmCell, ReturnsTheHiddenStateAndTheCellState) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Fixture fixture;
    const std::vector<Operand> outputs = call(fixture, valid<ops::LstmCell>(fixture, type));
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(outputs[0].descriptor(), (OperandDescriptor{type, {3, 4}}));
    EXPECT_EQ(outputs[1].descriptor(), (OperandDescriptor{type, {3, 4}}));
  }
}

TEST(Gru, HasTheDefaultsOfTheSpecification) {
  const GruOptions options;
  EXPECT_TRUE(options.resetAfter);
  EXPECT_FALSE(options.returnSequence);
  EXPECT_EQ(options.direction, forward);
  EXPECT_EQ(options.layout, GruWeightLayout::zrn);
  const GruCellOptions cell;
  EXPECT_TRUE(cell.resetAfter);
  EXPECT_EQ(cell.layout, GruWeightLayout::zrn);
}

TEST(Lstm, HasTheDefaultsOfTheSpecification) {
  const LstmOptions options;
  EXPECT_FALSE(options.returnSequence);
  EXPECT_EQ(options.direction, forward);
  EXPECT_EQ(options.layout, LstmWeightLayout::iofg);
  EXPECT_EQ(LstmCellOptions{}.layout, LstmWeightLayout::iofg);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
