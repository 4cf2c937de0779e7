#include "ops/reduce.h"

#include <algorithm>
#include <limits>

#include "support/bits.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

constexpr std::uint32_t kHuge[] = {4, 2147483647u, 2147483648u, std::numeric_limits<std::uint32_t>::max()};

// The types that the specification's tables permit for reductions.
const std::vector<DataType> kFloats{DataType::float32, DataType::float16};
const std::vector<DataType> kSixTypes{DataType::float32, DataType::float16, DataType::int32,
                                      DataType::uint32,  DataType::int64,   DataType::uint64};
const std::vector<DataType> kEightTypes{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                        DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};

struct Reduction {
  std::string name;
  Operand (GraphBuilder::*method)(Operand, ReduceOptions);
  const std::vector<DataType>& types;
};

const std::vector<Reduction> kReductions{
    {"reduceL1", &GraphBuilder::reduceL1, kSixTypes},       {"reduceL2", &GraphBuilder::reduceL2, kFloats},
    {"reduceLogSum", &GraphBuilder::reduceLogSum, kFloats}, {"reduceLogSumExp", &GraphBuilder::reduceLogSumExp, kFloats},
    {"reduceMax", &GraphBuilder::reduceMax, kEightTypes},   {"reduceMean", &GraphBuilder::reduceMean, kFloats},
    {"reduceMin", &GraphBuilder::reduceMin, kEightTypes},   {"reduceProduct", &GraphBuilder::reduceProduct, kSixTypes},
    {"reduceSum", &GraphBuilder::reduceSum, kSixTypes},     {"reduceSumSquare", &GraphBuilder::reduceSumSquare, kSixTypes},
};

struct ArgMethod {
  std::string name;
  Operand (GraphBuilder::*method)(Operand, std::uint32_t, ArgMinMaxOptions);
};

const std::vector<ArgMethod> kArgMethods{{"argMin", &GraphBuilder::argMin}, {"argMax", &GraphBuilder::argMax}};

// Calls `call(type)` for all ten types. The listed types must be accepted; the others must throw a TypeError.
void expectTypes(const std::string& name, const std::vector<DataType>& types, const std::function<void(DataType)>& call) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    SCOPED_TRACE(name + " of " + std::string(webnn::name(type)));
    if (std::ranges::find(types, type) != types.end()) {
      EXPECT_NO_THROW(call(type));
    } else {
      expectTypeError({name + ": input data type (" + std::string(webnn::name(type)) + ")"}, [&] { call(type); });
    }
  }
}

TEST(Reduce, TakesTheTypesOfItsTableAndKeepsThem) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    expectTypes(reduction.name, reduction.types, [&](DataType type) {
      const Operand output = (fixture.builder.*reduction.method)(fixture.input(type, {2, 3}), {});
      EXPECT_EQ(output.descriptor(), (OperandDescriptor{type, {}}));
    });
  }
}

TEST(Reduce, RemovesTheAxesOrKeepsThemAsOnes) {
  WEBNN_NEEDS_LARGE_TENSORS();
  struct Case {
    Shape input;
    OptionalSizes axes;
    Shape removed, kept;
  };
  const std::vector<Case> cases{
      {{2, 3, 4, 5}, {}, {}, {1, 1, 1, 1}},
      {{2, 3, 4, 5}, std::vector<std::uint32_t>{}, {2, 3, 4, 5}, {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {0}, {3, 4, 5}, {1, 3, 4, 5}},
      {{2, 3, 4, 5}, {3}, {2, 3, 4}, {2, 3, 4, 1}},
      {{2, 3, 4, 5}, {1, 3}, {2, 4}, {2, 1, 4, 1}},
      {{2, 3, 4, 5}, {3, 1}, {2, 4}, {2, 1, 4, 1}},
      {{2, 3, 4, 5}, {2, 0, 3, 1}, {}, {1, 1, 1, 1}},
      {{}, {}, {}, {}},
      {{}, std::vector<std::uint32_t>{}, {}, {}},
      {{7}, {0}, {}, {1}},
      {{1, 2, 3, 4, 5, 6, 7, 8}, {7, 0}, {2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 1}},
      {{2147483647u}, {}, {}, {1}},
  };
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    for (const Case& c : cases) {
      SCOPED_TRACE(reduction.name + toString(c.input));
      const Operand input = fixture.input(c.input);
      EXPECT_EQ((fixture.builder.*reduction.method)(input, {.axes = c.axes}).shape(), c.removed);
      EXPECT_EQ((fixture.builder.*reduction.method)(input, {.axes = c.axes, .keepDimensions = true}).shape(), c.kept);
    }
  }
}

TEST(Reduce, RejectsAnAxisBeyondTheRank) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5});
    for (const std::uint32_t axis : kHuge) {
      const std::string message =
          " \"total\": axes[1] (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (4).";
      expectTypeError({reduction.name + message}, [&] {
        (fixture.builder.*reduction.method)(input, {.axes = {0, axis}, .label = "total"});
      });
    }
  }
}

TEST(Reduce, RejectsAnyAxisOfAScalar) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    expectTypeError({reduction.name, "axes[0] (0)", "rank of input (0)"},
                    [&] { (fixture.builder.*reduction.method)(fixture.input({}), {.axes = {0}}); });
  }
}

TEST(Reduce, RejectsAnAxisThatIsGivenTwice) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5});
    expectTypeError({reduction.name + " \"total\": Duplicate axis: axes[0] and axes[2] are both 3."}, [&] {
      (fixture.builder.*reduction.method)(input, {.axes = {3, 1, 3}, .label = "total"});
    });
    expectTypeError({reduction.name + ": ", "Duplicate axis: axes[0] and axes[4] are both 0."}, [&] {
      (fixture.builder.*reduction.method)(input, {.axes = {0, 1, 2, 3, 0}, .keepDimensions = true});
    });
  }
}

TEST(Reduce, RejectsAnOperandOfAnotherBuilder) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture, other;
    expectTypeError({reduction.name + " \"r\": input is an operand of another builder."},
                    [&] { (fixture.builder.*reduction.method)(other.input({2}), {.label = "r"}); });
  }
}

TEST(Reduce, RejectsEverythingOnceTheGraphIsBuilt) {
  for (const Reduction& reduction : kReductions) {
    Fixture fixture;
    const Operand input = fixture.input({2});
    fixture.builder.build({{"y", (fixture.builder.*reduction.method)(input, {})}});
    expectError(ErrorKind::invalidStateError, {reduction.name}, [&] { (fixture.builder.*reduction.method)(input, {}); });
  }
}

TEST(Reduce, LeavesTheBuilderUsableAfterARejection) {
  Fixture fixture;
  const Operand input = fixture.constant({2}, {3, 4});
  expectTypeError({"axes[0] (1)"}, [&] { fixture.builder.reduceSum(input, {.axes = {1}}); });
  test::expectNear(test::evaluate(fixture, fixture.builder.reduceSum(input)), {7});
}

TEST(Reduce, InferFillsInTheAxesOnce) {
  Fixture fixture;
  ops::Reduce op{ops::ReduceKind::reduceMean, fixture.input({2, 3}), {}};
  const ops::Outputs outputs = infer(op);
  EXPECT_EQ(op.options.axes.value(), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(infer(op), outputs);
  EXPECT_EQ(op.options.axes.value(), (std::vector<std::uint32_t>{0, 1}));
}

TEST(ArgMinMax, TakesEveryTypeOfTheSpecificationAndGivesInt32) {
  for (const ArgMethod& arg : kArgMethods) {
    Fixture fixture;
    expectTypes(arg.name, kEightTypes, [&](DataType type) {
      const Operand output = (fixture.builder.*arg.method)(fixture.input(type, {2, 3}), 1, {});
      EXPECT_EQ(output.descriptor(), (OperandDescriptor{DataType::int32, {2}}));
    });
  }
}

TEST(ArgMinMax, GivesInt32OrInt64AndNoOtherType) {
  for (const ArgMethod& arg : kArgMethods) {
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(i);
      Fixture fixture;
      const auto call = [&] {
        return (fixture.builder.*arg.method)(fixture.input({2, 3}), 0, {.outputDataType = type, .label = "best"});
      };
      if (type == DataType::int32 || type == DataType::int64) {
        EXPECT_EQ(call().descriptor(), (OperandDescriptor{type, {3}}));
      } else {
        const std::string message = " \"best\": output data type (" + std::string(name(type)) + ") is not one of int32, int64.";
        expectTypeError({arg.name + message}, call);
      }
    }
  }
}

TEST(ArgMinMax, RemovesTheAxisOrKeepsItAsOne) {
  for (const ArgMethod& arg : kArgMethods) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4});
    const std::vector<Shape> removed{{3, 4}, {2, 4}, {2, 3}}, kept{{1, 3, 4}, {2, 1, 4}, {2, 3, 1}};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ((fixture.builder.*arg.method)(input, axis, {}).shape(), removed[axis]);
      EXPECT_EQ((fixture.builder.*arg.method)(input, axis, {.keepDimensions = true}).shape(), kept[axis]);
    }
    EXPECT_EQ((fixture.builder.*arg.method)(fixture.input(DataType::int8, {2147483647u}), 0, {}).shape(), Shape{});
    const Operand rank8 = fixture.input({1, 2, 1, 1, 1, 1, 1, 3});
    EXPECT_EQ((fixture.builder.*arg.method)(rank8, 1, {}).shape(), (Shape{1, 1, 1, 1, 1, 1, 3}));
  }
}

TEST(ArgMinMax, RejectsAnAxisBeyondTheRank) {
  for (const ArgMethod& arg : kArgMethods) {
    Fixture fixture;
    const Operand input = fixture.input({2, 3, 4, 5});
    for (const std::uint32_t axis : kHuge) {
      expectTypeError(
          {arg.name + " \"best\": axis (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (4)."},
          [&] { (fixture.builder.*arg.method)(input, axis, {.label = "best"}); });
    }
  }
}

TEST(ArgMinMax, RejectsAScalar) {
  for (const ArgMethod& arg : kArgMethods) {
    Fixture fixture;
    expectTypeError({arg.name + ": input rank (0)"}, [&] { (fixture.builder.*arg.method)(fixture.input({}), 0, {}); });
  }
}

TEST(ArgMinMax, RejectsAnOperandOfAnotherBuilderAndEverythingOnceTheGraphIsBuilt) {
  for (const ArgMethod& arg : kArgMethods) {
    Fixture fixture, other;
    const Operand input = fixture.input({2});
    expectTypeError({arg.name + " \"a\": input is an operand of another builder."},
                    [&] { (fixture.builder.*arg.method)(other.input({2}), 0, {.label = "a"}); });
    fixture.builder.build({{"y", (fixture.builder.*arg.method)(input, 0, {})}});
    expectError(ErrorKind::invalidStateError, {arg.name}, [&] { (fixture.builder.*arg.method)(input, 0, {}); });
  }
}

TEST(CumulativeSum, TakesTheTypesOfItsTableAndKeepsDescriptors) {
  Fixture fixture;
  expectTypes("cumulativeSum", kSixTypes, [&](DataType type) {
    const Operand output = fixture.builder.cumulativeSum(fixture.input(type, {2, 3}), 1, {.exclusive = true, .reversed = true});
    EXPECT_EQ(output.descriptor(), (OperandDescriptor{type, {2, 3}}));
  });
  EXPECT_EQ(fixture.builder.cumulativeSum(fixture.input(Shape(8, 2)), 7).shape(), Shape(8, 2));
}

TEST(CumulativeSum, RejectsAnAxisBeyondTheRank) {
  Fixture fixture;
  const Operand input = fixture.input({2, 3, 4, 5});
  for (const std::uint32_t axis : kHuge) {
    expectTypeError(
        {"cumulativeSum \"run\": axis (" + std::to_string(axis) + ") is out of bounds: not less than the rank of input (4)."},
        [&] { fixture.builder.cumulativeSum(input, axis, {.label = "run"}); });
  }
}

TEST(CumulativeSum, RejectsAScalar) {
  Fixture fixture;
  expectTypeError({"cumulativeSum: input rank (0)"}, [&] { fixture.builder.cumulativeSum(fixture.input({}), 0); });
}

TEST(CumulativeSum, RejectsAnOperandOfAnotherBuilderAndEverythingOnceTheGraphIsBuilt) {
  Fixture fixture, other;
  const Operand input = fixture.input({2});
  expectTypeError({"cumulativeSum \"c\": input is an operand of another builder."},
                  [&] { fixture.builder.cumulativeSum(other.input({2}), 0, {.label = "c"}); });
  fixture.builder.build({{"y", fixture.builder.cumulativeSum(input, 0)}});
  expectError(ErrorKind::invalidStateError, {"cumulativeSum"}, [&] { fixture.builder.cumulativeSum(input, 0); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
