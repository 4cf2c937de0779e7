// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/quantize_test.cpp tests the values.
#include "ops/quantize.h"

#include "ops/operation.h"
#include "support/bits.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using enum DataType;
using test::expectError;
using test::expectTypeError;
using test::Fixture;

const std::vector<DataType> kFloatTypes{float32, float16};
const std::vector<DataType> kQuantizedTypes{int4, uint4, int8, uint8, int32, uint32};

// Describes one of the two methods. `real` and `integer` are the types of its input and output: in this order for quantizeLinear,
// in the other for dequantizeLinear.
struct Method {
  std::string name;
  Operand (GraphBuilder::*call)(Operand, Operand, Operand, OperatorOptions);
  bool quantizes;

  DataType inputType(DataType real, DataType integer) const { return quantizes ? real : integer; }
  DataType outputType(DataType real, DataType integer) const { return quantizes ? integer : real; }
};
const std::vector<Method> kMethods{{"quantizeLinear", &GraphBuilder::quantizeLinear, true},
                                   {"dequantizeLinear", &GraphBuilder::dequantizeLinear, false}};

struct Arguments {
  OperandDescriptor input, scale, zeroPoint;
};

Arguments arguments(const Method& method, Shape input, Shape scale, Shape zeroPoint, DataType real = float32,
                    DataType integer = int8) {
  return {{method.inputType(real, integer), std::move(input)}, {real, std::move(scale)}, {integer, std::move(zeroPoint)}};
}

Operand call(Fixture& fixture, const Method& method, const Arguments& a) {
  const auto make = [&](const OperandDescriptor& descriptor) { return fixture.input(descriptor.dataType, descriptor.shape); };
  return (fixture.builder.*method.call)(make(a.input), make(a.scale), make(a.zeroPoint), {.label = "q"});
}

// Expects a TypeError that contains `part`, and that the builder accepts valid arguments afterwards.
void expectRejected(const Method& method, const std::string& part, const Arguments& bad) {
  SCOPED_TRACE(part);
  Fixture fixture;
  expectTypeError({method.name + " \"q\": " + part}, [&] { call(fixture, method, bad); });
  EXPECT_NO_THROW(call(fixture, method, arguments(method, {4, 6}, {2, 3}, {2, 3})));
}

std::string notOneOf(const std::string& operand, DataType type) {
  return operand + " data type (" + std::string(name(type)) + ") is not one of ";
}

TEST(Quantize, RejectsInputsOfATypeThatTheMethodDoesNotConvert) {
  for (const DataType type : {int32, uint32, int64, uint64, int8, uint8, int4, uint4}) {
    expectRejected(kMethods[0], notOneOf("input", type), {{type, {4}}, {float32, {1}}, {int8, {1}}});
  }
  for (const DataType type : {float32, float16, int64, uint64}) {
    expectRejected(kMethods[1], notOneOf("input", type), {{type, {4}}, {float32, {1}}, {int8, {1}}});
  }
}

TEST(QuantizeLinear, RejectsAScaleOfAnotherTypeThanTheInput) {
  for (const DataType type : {float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4}) {
    expectRejected(kMethods[0], "scale data type (" + std::string(name(type)) + ") is not that of input (float32).",
                   {{float32, {4}}, {type, {1}}, {int8, {1}}});
  }
}

TEST(QuantizeLinear, RejectsAZeroPointThatIsNotOfAQuantizedType) {
  for (const DataType type : {float32, float16, int64, uint64}) {
    expectRejected(kMethods[0], notOneOf("zeroPoint", type), {{float32, {4}}, {float32, {1}}, {type, {1}}});
  }
}

TEST(DequantizeLinear, RejectsAScaleThatIsNoFloat) {
  for (const DataType type : {int32, uint32, int64, uint64, int8, uint8, int4, uint4}) {
    expectRejected(kMethods[1], notOneOf("scale", type), {{int8, {4}}, {type, {1}}, {int8, {1}}});
  }
}

TEST(DequantizeLinear, RejectsAZeroPointOfAnotherTypeThanTheInput) {
  for (const DataType type : {float32, float16, int32, uint32, int64, uint64, uint8, int4, uint4}) {
    expectRejected(kMethods[1], "zeroPoint data type (" + std::string(name(type)) + ") is not that of input (int8).",
                   {{int8, {4}}, {float32, {1}}, {type, {1}}});
  }
}

TEST(Quantize, RejectsOperandsOfAnotherRankThanTheInput) {
  for (const Method& method : kMethods) {
    expectRejected(method, "scale rank (1) is not that of input (2).", arguments(method, {4, 6}, {6}, {4, 6}));
    expectRejected(method, "scale rank (0) is not that of input (2).", arguments(method, {4, 6}, {}, {}));
    expectRejected(method, "scale rank (3) is not that of input (2).", arguments(method, {4, 6}, {1, 4, 6}, {1, 4, 6}));
    expectRejected(method, "scale rank (1) is not that of input (0).", arguments(method, {}, {1}, {1}));
    expectRejected(method, "zeroPoint rank (1) is not that of input (2).", arguments(method, {4, 6}, {4, 6}, {6}));
    expectRejected(method, "zeroPoint rank (3) is not that of input (2).", arguments(method, {4, 6}, {4, 6}, {1, 4, 6}));
  }
}

TEST(Quantize, RejectsScaleAndZeroPointOfDifferentShapes) {
  for (const Method& method : kMethods) {
    // Each of the two shapes would be allowed by itself: it can be broadcast by blocks.
    expectRejected(method, "scale shape [2, 3] is not that of zeroPoint [1, 3].", arguments(method, {4, 6}, {2, 3}, {1, 3}));
    expectRejected(method, "scale shape [1, 1] is not that of zeroPoint [4, 6].", arguments(method, {4, 6}, {1, 1}, {4, 6}));
  }
}

TEST(Quantize, RejectsBlocksThatDoNotDivideTheInput) {
  WEBNN_NEEDS_LARGE_TENSORS();
  for (const Method& method : kMethods) {
    for (const auto& [scale, input] : std::vector<std::pair<Shape, Shape>>{{{4, 5}, {9, 3}},  // the example of the specification
                                                                           {{3}, {4}},
                                                                           {{8}, {4}},  // larger than the input
                                                                           {{2, 4}, {4, 6}},
                                                                           {{3, 3}, {4, 6}},
                                                                           {{0x7FFFFFFF}, {0x7FFFFFFE}}}) {
      expectRejected(method,
                     "scale shape " + toString(scale) + " is not blockwise broadcastable to input shape " + toString(input) + ".",
                     arguments(method, input, scale, scale));
    }
  }
}

TEST(Quantize, RejectsOperandsOfAnotherBuilder) {
  const std::vector<std::string> names{"input", "scale", "zeroPoint"};
  for (const Method& method : kMethods) {
    const Arguments good = arguments(method, {4, 6}, {2, 3}, {2, 3});
    for (std::size_t foreign = 0; foreign < 3; ++foreign) {
      Fixture fixture, other;
      const auto make = [&](std::size_t i, const OperandDescriptor& descriptor) {
        return (i == foreign ? other : fixture).input(descriptor.dataType, descriptor.shape);
      };
      expectTypeError({method.name + " \"q\": " + names[foreign] + " is an operand of another builder."}, [&] {
        (fixture.builder.*method.call)(make(0, good.input), make(1, good.scale), make(2, good.zeroPoint), {.label = "q"});
      });
      EXPECT_NO_THROW(call(fixture, method, good));
    }
  }
}

TEST(Quantize, CannotBeAddedAfterBuild) {
  for (const Method& method : kMethods) {
    Fixture fixture;
    const Operand input = fixture.input(method.inputType(float32, int8), {}), scale = fixture.input({}),
                  zeroPoint = fixture.input(int8, {});
    fixture.builder.build({{"output", (fixture.builder.*method.call)(input, scale, zeroPoint, {})}});
    expectError(ErrorKind::invalidStateError, {method.name},
                [&] { (fixture.builder.*method.call)(input, scale, zeroPoint, {.label = "q"}); });
  }
}

TEST(Quantize, NamesTheMethodAloneWithoutALabel) {
  Fixture fixture;
  expectTypeError({"quantizeLinear: scale shape [3] is not blockwise"},
                  [&] { fixture.builder.quantizeLinear(fixture.input({4}), fixture.input({3}), fixture.input(int8, {3})); });
}

TEST(Quantize, GivesTheInputsShapeAndTheTypeOfScaleOrZeroPoint) {
  for (const Method& method : kMethods) {
    for (const DataType real : kFloatTypes) {
      for (const DataType integer : kQuantizedTypes) {
        Fixture fixture;
        const Operand output = call(fixture, method, arguments(method, {4, 6}, {2, 3}, {2, 3}, real, integer));
        EXPECT_EQ(output.descriptor(), (OperandDescriptor{method.outputType(real, integer), {4, 6}}));
      }
    }
  }
}

TEST(Quantize, TakesBlocksOfAnySizeAtEveryRank) {
  for (const Method& method : kMethods) {
    for (std::uint32_t rank = 0; rank <= kMaxRank; ++rank) {
      for (const std::uint32_t blocks : {1u, 2u, 3u, 6u}) {
        Fixture fixture;
        const Shape input(rank, 6), scale(rank, blocks);
        EXPECT_EQ(call(fixture, method, arguments(method, input, scale, scale)).shape(), input);
      }
    }
  }
}

TEST(Quantize, ValidatesTheSameTwice) {
  Fixture fixture;
  Operation operation =
      ops::DequantizeLinear{fixture.input(uint4, {16, 10}), fixture.input(float16, {4, 5}), fixture.input(uint4, {4, 5}), {}};
  const ops::Outputs outputs = validate(operation);
  EXPECT_EQ(outputs, (ops::Outputs{{float16, {16, 10}}}));
  EXPECT_EQ(validate(operation), outputs);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
