// Tests element-wise operators and activations of ONNX: types, versions and values that are missing in ONNX's own tests.
#include <cmath>
#include <limits>

#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

std::int64_t number(Type type) { return type; }

TEST(OnnxElementwise, PowersHaveTheTypeOfTheirBase) {
  expectCases({
      {"int32 ^ float", {"Pow"}, {inputOf(kInt32, {3}, {2, 9, -3}), inputOf(kFloat, {3}, {10, 0.5, 3})}, {{1024, 3, -27}}},
      {"int64 ^ 3.0 is exact",
       {"Pow"},
       {inputOf(kInt64, {2}, {123457, -5}), constantOf(kFloat, {1}, {3})},
       {{1881686019724993.0, -125}}},
      {"int32 ^ -1.0", {"Pow"}, {inputOf(kInt32, {3}, {2, 1, -1}), constantOf(kFloat, {}, {-1})}, {{0, 1, -1}}},
      {"int64 ^ int32 is exact", {"Pow"}, {inputOf(kInt64, {1}, {3}), inputOf(kInt32, {}, {33})}, {{5559060566555523.0}}, 13},
      {"float16 ^ int64", {"Pow"}, {inputOf(kFloat16, {2}, {1.5, 2}), inputOf(kInt64, {2}, {2, -3})}, {{2.25, 0.125}}, 12},
      {"float16 ^ float with an exponent that float16 rounds",
       {"Pow"},
       {inputOf(kFloat16, {1}, {1}), inputOf(kFloat, {1}, {70000})},
       {{1}},
       15},
  });
}

TEST(OnnxElementwise, RemaindersAreExactAndHaveTheRightSign) {
  const std::vector<Attribute> fmod{{"fmod", 1}};
  expectCases({
      {"floored", {"Mod"}, {inputOf(kInt32, {4}, {7, -7, 7, -7}), inputOf(kInt32, {4}, {3, 3, -3, -3})}, {{1, 2, -2, -1}}},
      {"truncated",
       {"Mod", {}, {}, fmod},
       {inputOf(kInt32, {4}, {7, -7, 7, -7}), inputOf(kInt32, {4}, {3, 3, -3, -3})},
       {{1, -1, 1, -1}}},
      {"least by -1", {"Mod"}, {inputOf(kInt32, {1}, {-2147483648.0}), inputOf(kInt32, {1}, {-1})}, {{0}}},
      // 16777213 = 1398101 * 12 + 1. The remainder of 1e6 / float(0.1) must also be as exact as with doubles.
      {"great quotients",
       {"Mod", {}, {}, fmod},
       {inputOf(kFloat, {3}, {16777213, 1e6, -1e6}), inputOf(kFloat, {3}, {12, 0.1, 0.1})},
       {{1, std::fmod(1e6, double{0.1f}), -std::fmod(1e6, double{0.1f})}}},
      // The quotient 1 / 0.1f is below 10, but rounds to 10.
      {"a quotient that rounds up",
       {"Mod", {}, {}, fmod},
       {inputOf(kFloat, {1}, {1}), inputOf(kFloat, {1}, {double{0.1f}})},
       {{std::fmod(1.0, double{0.1f})}},
       21,
       1e-9},
      {"infinite divisors",
       {"Mod", {}, {}, fmod},
       {inputOf(kFloat, {3}, {5, -5, kInfinity}), inputOf(kFloat, {}, {kInfinity})},
       {{5, -5, kNaN}}},
      {"infinite divisors, floored",
       {"Mod"},
       {inputOf(kFloat, {2}, {5, -5}), inputOf(kFloat, {}, {kInfinity})},
       {{5, kInfinity}},
       28},
      {"float16", {"Mod"}, {inputOf(kFloat16, {2}, {-7.5, 7.5}), inputOf(kFloat16, {}, {2})}, {{0.5, 1.5}}, 28},
  });
}

TEST(OnnxElementwise, BitsAreThoseOfTwosComplements) {
  const std::vector<Attribute> left{{"direction", "LEFT"}}, right{{"direction", "RIGHT"}};
  expectCases({
      {"and", {"BitwiseAnd"}, {inputOf(kInt8, {3}, {-1, 0x55, -128}), inputOf(kInt8, {}, {0x6C})}, {{0x6C, 0x44, 0}}},
      {"or", {"BitwiseOr"}, {inputOf(kInt32, {2}, {-2, 0x1000}), inputOf(kInt32, {2}, {1, 0x0FFF})}, {{-1, 0x1FFF}}},
      {"xor",
       {"BitwiseXor"},
       {inputOf(kUint32, {2, 1}, {0xFFFFFFFF, 6}), inputOf(kUint32, {2}, {3, 5})},
       {{0xFFFFFFFC, 0xFFFFFFFA, 5, 3}}},
      {"not", {"BitwiseNot"}, {inputOf(kUint8, {2}, {0, 0xA5})}, {{0xFF, 0x5A}}},
      {"not, signed", {"BitwiseNot"}, {inputOf(kInt64, {2}, {0, -5})}, {{-1, 4}}},
      {"left",
       {"BitShift", {}, {}, left},
       {inputOf(kUint8, {4}, {1, 255, 3, 1}), inputOf(kUint8, {4}, {7, 4, 8, 200})},
       {{128, 240, 0, 0}},
       11},
      {"left, signed",
       {"BitShift", {}, {}, left},
       {inputOf(kInt8, {3}, {1, -1, 5}), inputOf(kInt8, {3}, {7, 1, -1})},
       {{-128, -2, 0}},
       28},
      {"right",
       {"BitShift", {}, {}, right},
       {inputOf(kUint32, {3}, {0x80000000, 7, 7}), inputOf(kUint32, {3}, {31, 1, 32})},
       {{1, 3, 0}},
       11},
      {"right, signed",
       {"BitShift", {}, {}, right},
       {inputOf(kInt32, {4}, {-8, -1, -8, 8}), inputOf(kInt32, {4}, {1, 31, 40, -1})},
       {{-4, -1, -1, 0}},
       28},
  });
}

// Compares with std::fmod, which is exact, for dividends and divisors of many magnitudes with quotients below 2^100.
TEST(OnnxElementwise, RemaindersOfFloatsAreExactForGreatQuotients) {
  std::vector<double> a, b, expected;
  std::uint32_t state = 1;
  const auto number = [&](int least, int most) {
    state = state * 1664525 + 1013904223;
    const int exponent = least + static_cast<int>(state >> 8) % (most - least + 1);
    state = state * 1664525 + 1013904223;
    const float value = std::ldexp(static_cast<float>((state >> 9) | 1U << 23), exponent - 23);
    return double{state & 256 ? -value : value};
  };
  for (int i = 0; i < 500; ++i) {
    a.push_back(number(-60, 100));
    const int exponent = std::ilogb(a.back());
    b.push_back(number(std::max(exponent - 99, -80), std::min(exponent + 2, 100)));
    expected.push_back(std::fmod(a.back(), b.back()));
  }
  a.insert(a.end(), {1e30, 3e38});
  b.insert(b.end(), {7, 1e-3});
  expected.insert(expected.end(), {std::fmod(double{1e30F}, 7), kNaN});  // 3e38 / 1e-3 is infinite in float32
  a.insert(a.end(), {-8, -7183.1875, -0.0, 8});
  b.insert(b.end(), {2, -1.1875, 3, -2});
  expected.insert(expected.end(), {-0.0, -0.0, -0.0, 0.0});
  const auto count = static_cast<std::int64_t>(a.size());
  const std::vector<double> values =
      run(modelOf({"Mod", {}, {}, {{"fmod", 1}}}, {inputOf(kFloat, {count}, a), inputOf(kFloat, {count}, b)}))[0].values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool isEqual = values[i] == expected[i] && std::signbit(values[i]) == std::signbit(expected[i]);
    EXPECT_TRUE(isEqual || (std::isnan(values[i]) && std::isnan(expected[i])))
        << a[i] << " mod " << b[i] << " is " << values[i] << ", not " << expected[i];
  }
}

struct Function {
  const char* opType;
  double (*expected)(double);
  std::vector<double> arguments;
};

TEST(OnnxElementwise, FunctionsThatWebnnLacksKeepTheirDigitsNearZeroAndFarAway) {
  const std::vector<double> everywhere{-1e30, -89.2, -3, -0.4, -1e-6, 1e-25, 1e-6, 0.1, 0.41,
                                       0.42,  0.6,   1,  2.4,  2.5,   40,    89.2, 1e9, 3e30};
  const std::vector<double> unit{-1, -0.9999, -0.51, -0.49, -1e-6, 0, 1e-25, 1e-3, 0.5, 0.75, 0.9999999, 1};
  const std::vector<Function> functions{
      {"Sinh", std::sinh, {-89.2, -2, -1e-6, 1e-25, 0.3, 20, 89.2}},
      {"Cosh", std::cosh, {-89.2, -2, 0, 0.3, 20, 89.2}},
      {"Asinh", std::asinh, everywhere},
      {"Acosh", std::acosh, {1, 1.0000001, 1.001, 1.5, 10, 1e9, 1e10, 3e38}},
      {"Atanh", std::atanh, {-0.9999, -0.5, -1e-6, 1e-25, 1e-3, 0.75, 0.9999}},
      {"Asin", std::asin, unit},
      {"Acos", std::acos, unit},
      {"Atan", std::atan, everywhere},
  };
  for (const Function& function : functions) {
    SCOPED_TRACE(function.opType);
    const auto count = static_cast<std::int64_t>(function.arguments.size());
    const std::vector<double> values = run(modelOf({function.opType}, {inputOf(kFloat, {count}, function.arguments)}))[0].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = function.expected(static_cast<double>(static_cast<float>(function.arguments[i])));
      EXPECT_NEAR(values[i], expected, 1e-6 * std::abs(expected)) << function.arguments[i];
    }
  }
}

TEST(OnnxElementwise, FunctionsThatWebnnLacksHaveTheirPolesAndGaps) {
  expectCases({
      {"outside", {"Acos"}, {inputOf(kFloat, {3}, {1.5, -1.5, kNaN})}, {{kNaN, kNaN, kNaN}}},
      {"infinite", {"Atan"}, {inputOf(kFloat, {2}, {kInfinity, -kInfinity})}, {{1.5707963267948966, -1.5707963267948966}}},
      {"poles", {"Atanh"}, {inputOf(kFloat, {3}, {1, -1, 1.01})}, {{kInfinity, -kInfinity, kNaN}}},
      {"overflow", {"Sinh"}, {inputOf(kFloat, {2}, {90, -90})}, {{kInfinity, -kInfinity}}},
      {"below 1", {"Acosh"}, {inputOf(kFloat, {2}, {0.5, kInfinity})}, {{kNaN, kInfinity}}},
      {"far below 1", {"Acosh"}, {inputOf(kFloat, {3}, {-1.5, -1e5, -1e19})}, {{kNaN, kNaN, kNaN}}},
      {"float16", {"Asin"}, {inputOf(kFloat16, {1}, {0.5})}, {{0.5235987755982989}}, 21, 5e-4},
  });
}

TEST(OnnxElementwise, OddFunctionsThatWebnnLacksKeepTheSignOfZero) {
  for (const char* opType : {"Sinh", "Asinh", "Atanh", "Asin", "Atan"}) {
    const std::vector<double> values = run(modelOf({opType}, {inputOf(kFloat, {2}, {-0.0, 0.0})}))[0].values;
    EXPECT_TRUE(values[0] == 0 && std::signbit(values[0])) << opType;
    EXPECT_TRUE(values[1] == 0 && !std::signbit(values[1])) << opType;
  }
}

// The sign of NaN is NaN, as in NumPy. ONNX Runtime 1.32 agrees for float32, and gives 0 for float16.
TEST(OnnxElementwise, SignsOfNaNAreNaN) {
  expectCases({
      {"floats", {"Sign"}, {inputOf(kFloat, {4}, {-kInfinity, kNaN, 0, 3})}, {{-1, kNaN, 0, 1}}, 13},
      {"halves", {"Sign"}, {inputOf(kFloat16, {3}, {kNaN, -2, 3})}, {{kNaN, -1, 1}}, 13},
      {"integers", {"Sign"}, {inputOf(kInt32, {3}, {-9, 0, 9})}, {{-1, 0, 1}}, 13},
  });
}

// Before version 11 of Clip, the default bounds are the lowest and the largest float.
TEST(OnnxElementwise, OldClipsKeepNoInfinities) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const Given x = inputOf(kFloat, {4}, {kInfinity, -kInfinity, kNaN, 1});
  for (const std::int64_t version : {6, 7, 10}) {
    const Imported y = run(modelOf({"Clip"}, {x}, version))[0];
    EXPECT_EQ(y.values[0], kLargest);
    EXPECT_EQ(y.values[1], -kLargest);
    EXPECT_TRUE(std::isnan(y.values[2]));
  }
  EXPECT_EQ(run(modelOf({"Clip", {}, {}, {{"min", 0.f}}}, {x}, 10))[0].values[0], kLargest);
  EXPECT_EQ(run(modelOf({"Clip"}, {x}, 11))[0].values[0], kInfinity);
}

TEST(OnnxElementwise, ClipTakesItsBoundsFromAttributesOrInputs) {
  const Given x = inputOf(kFloat, {4}, {-5, 0, 5, kNaN});
  expectCases({
      {"attributes", {"Clip", {}, {}, {{"min", -1.f}, {"max", 2.f}}}, {x}, {{-1, 0, 2, kNaN}}, 7},
      {"one attribute", {"Clip", {}, {}, {{"max", 2.f}}}, {x}, {{-5, 0, 2, kNaN}}, 10},
      {"no bounds", {"Clip"}, {x}, {{-5, 0, 5, kNaN}}, 11},
      {"one constant", {"Clip"}, {x, {}, constantOf(kFloat, {}, {1})}, {{-5, 0, 1, kNaN}}, 11},
      {"values", {"Clip"}, {x, inputOf(kFloat, {}, {-2}), inputOf(kFloat, {1}, {1})}, {{-2, 0, 1, kNaN}}, 13},
      {"crossed constants", {"Clip"}, {x, constantOf(kFloat, {}, {3}), constantOf(kFloat, {}, {1})}, {{1, 1, 1, kNaN}}, 13},
      {"crossed values",
       {"Clip"},
       {inputOf(kInt32, {2}, {-9, 9}), inputOf(kInt32, {}, {3}), inputOf(kInt32, {}, {1})},
       {{1, 1}},
       12},
      {"64 bits",
       {"Clip"},
       {inputOf(kInt64, {1}, {9007199254740992.0}), {}, constantOf(kInt64, {}, {9007199254740990.0})},
       {{9007199254740990.0}},
       12},
  });
}

TEST(OnnxElementwise, CastsOfConstantsKnowTypesThatWebnnLacks) {
  const auto to = [](Type type) { return Node{"Cast", {}, {}, {{"to", number(type)}}}; };
  expectCases({
      {"double", to(kFloat), {constantOf(kDouble, {2}, {0.5, 1e300})}, {{0.5, kInfinity}}},
      {"double to integers", to(kInt64), {constantOf(kDouble, {2}, {-2.9, 9007199254740993.0})}, {{-2, 9007199254740992.0}}},
      {"double to bool", to(kBool), {constantOf(kDouble, {3}, {0, -0.1, kNaN})}, {{0, 1, 1}}},
      {"int16", to(kFloat), {constantOf(kInt16, {2}, {-32768, 5})}, {{-32768, 5}}},
      {"uint16 wraps", to(kUint8), {constantOf(kUint16, {2}, {300, 40})}, {{44, 40}}},
      {"bfloat16", to(kFloat), {constantOf(kBfloat16, {2}, {0x3FC0, 0xC2C8})}, {{1.5, -100}}},
      {"to bool", to(kBool), {inputOf(kFloat, {4}, {0, -0.0, 0.25, kNaN})}, {{0, 0, 1, 1}}},
      {"integers wrap", to(kInt8), {inputOf(kInt32, {2}, {300, -129})}, {{44, 127}}},
      {"like", {"CastLike"}, {inputOf(kFloat, {1}, {2.75}), inputOf(kInt32, {}, {0})}, {{2}}},
      {"bits", {"BitCast", {}, {}, {{"to", number(kUint32)}}}, {inputOf(kInt32, {1}, {-1})}, {{4294967295.0}}, 26},
  });
}

TEST(OnnxElementwise, ConstantsPassThroughTypesThatWebnnLacks) {
  Runnable runnable;
  runnable.model.graph.nodes = {{"Cast", {"c"}, {"d"}, {{"to", number(kDouble)}}},
                                {"Cast", {"d"}, {"b"}, {{"to", number(kBfloat16)}}},
                                {"Cast", {"b"}, {"y"}, {{"to", number(kFloat)}}}};
  runnable.model.graph.initializers = {tensor("c", {3}, std::vector<float>{1.0f, 1.0078125f, 1.01171875f})};
  runnable.model.graph.outputs = {{"y"}};
  expectNear(run(runnable)[0].values, {1, 1.0078125, 1.015625});  // rounded half to even
}

TEST(OnnxElementwise, SoftmaxFlattensUpToVersion12) {
  const Given x = inputOf(kFloat, {2, 1, 2}, {0, std::log(3.0), 1, 1});
  const double log4 = std::log(4.0), log2 = std::log(2.0), log3 = std::log(3.0);
  expectCases({
      {"old", {"Softmax", {}, {}, {{"axis", 0}}}, {inputOf(kFloat, {2, 2}, {0, 0, 0, 0})}, {{0.25, 0.25, 0.25, 0.25}}, 11},
      {"old default", {"Softmax"}, {x}, {{0.25, 0.75, 0.5, 0.5}}, 12},
      {"new default", {"Softmax"}, {x}, {{0.25, 0.75, 0.5, 0.5}}, 13},
      {"new", {"Softmax", {}, {}, {{"axis", 1}}}, {x}, {{1, 1, 1, 1}}, 13},
      {"log", {"LogSoftmax"}, {x}, {{-log4, log3 - log4, -log2, -log2}}, 13},
      {"log of great numbers", {"LogSoftmax"}, {inputOf(kFloat, {1, 2}, {1e4, 1e4})}, {{-log2, -log2}}, 9},
      {"hardmax", {"Hardmax", {}, {}, {{"axis", 0}}}, {inputOf(kFloat, {2, 2}, {1, 3, 3, 3})}, {{0, 1, 0, 0}}, 11},
      {"hardmax along an axis", {"Hardmax", {}, {}, {{"axis", 0}}}, {inputOf(kFloat, {2, 2}, {1, 3, 3, 3})}, {{0, 1, 1, 0}}, 13},
  });
}

TEST(OnnxElementwise, ActivationsFollowTheirFormulas) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const Given x = inputOf(kFloat, {3}, {-2, 0.5, 3});
  const auto tanhGelu = [](double v) { return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))); };
  expectCases({
      {"celu of a negative alpha", {"Celu", {}, {}, {{"alpha", -2.f}}}, {x}, {{-2 * (std::exp(1) - 1), 0.5, 3}}, 12},
      {"shrink of integers",
       {"Shrink", {}, {}, {{"lambd", 1.5f}, {"bias", 1.f}}},
       {inputOf(kInt32, {4}, {-2, -1, 1, 5})},
       {{-1, 0, 0, 4}}},
      {"relu of unsigned integers", {"PRelu"}, {inputOf(kUint32, {2}, {1, 7}), inputOf(kUint32, {}, {9})}, {{1, 7}}, 16},
      {"abs of unsigned integers", {"Abs"}, {inputOf(kUint8, {2}, {0, 200})}, {{0, 200}}},
      {"sign of unsigned integers", {"Sign"}, {inputOf(kUint64, {2}, {0, 200})}, {{0, 1}}},
      {"swish", {"Swish", {}, {}, {{"alpha", 2.f}}}, {x}, {{-2 * sigmoid(-4), 0.5 * sigmoid(1), 3 * sigmoid(6)}}, 24},
      {"gelu by tanh", {"Gelu", {}, {}, {{"approximate", "tanh"}}}, {x}, {{tanhGelu(-2), tanhGelu(0.5), tanhGelu(3)}}, 20},
      {"quick gelu",
       {"QuickGelu", {}, {}, {}, "com.microsoft"},
       {x},
       {{-2 * sigmoid(-3.404), 0.5 * sigmoid(0.851), 3 * sigmoid(5.106)}}},
      {"fast gelu with a bias",
       {"FastGelu", {}, {}, {}, "com.microsoft"},
       {x, inputOf(kFloat, {3}, {1, 0, -1})},
       {{tanhGelu(-1), tanhGelu(0.5), tanhGelu(2)}}},
      {"split gelu",
       {"BiasSplitGelu", {}, {}, {}, "com.microsoft"},
       {inputOf(kFloat, {1, 1, 4}, {1, 2, 0, 10}), inputOf(kFloat, {4}, {1, 0, 0, 0})},
       {{0, 20}}},
      {"not infinite",
       {"IsInf", {}, {}, {{"detect_positive", 0}, {"detect_negative", 0}}},
       {inputOf(kFloat, {2}, {kInfinity, 1})},
       {{0, 0}}},
      {"below", {"IsInf", {}, {}, {{"detect_positive", 0}}}, {inputOf(kFloat, {3}, {kInfinity, -kInfinity, -1})}, {{0, 1, 0}}},
      {"mean of broadcast inputs",
       {"Mean"},
       {inputOf(kFloat, {2, 1}, {1, 2}), inputOf(kFloat, {2}, {3, 5}), inputOf(kFloat, {}, {2})},
       {{2, 8. / 3, 7. / 3, 3}},
       8},
      {"one input", {"Max"}, {inputOf(kInt8, {1}, {-3})}, {{-3}}, 12},
  });
}

TEST(OnnxElementwise, DropoutKeepsEverything) {
  const Given x = inputOf(kFloat, {2}, {1, -2});
  expectCases({
      {"attribute", {"Dropout", {}, {}, {{"ratio", 0.75f}}}, {x}, {{1, -2}, {1, 1}}, 7},
      {"input", {"Dropout"}, {x, constantOf(kFloat, {}, {0.75})}, {{1, -2}, {1, 1}}, 13},
      {"training that drops nothing",
       {"Dropout"},
       {x, constantOf(kFloat, {}, {0}), constantOf(kBool, {}, {1})},
       {{1, -2}, {1, 1}},
       12},
  });
}

TEST(OnnxElementwise, NamesUnsupportedFeatures) {
  const Given x = inputOf(kFloat, {2}, {1, -2});
  expectUnsupported({
      {{"Cast", {}, {}, {{"to", number(kDouble)}}}, {x}, {"WebNN has no type double"}},
      {{"Cast", {}, {}, {{"to", 99}}}, {x}, {"WebNN has no type unknown type"}},
      {{"Sin"}, {constantOf(kDouble, {1}, {1})}, {"(Sin, opset 21)", "WebNN has no type double"}},
      {{"BitCast", {}, {}, {{"to", number(kInt32)}}}, {x}, {"cannot read the bits of float32 as int32"}, 26},
      {{"BitCast", {}, {}, {{"to", number(kInt8)}}}, {inputOf(kInt32, {1}, {1})}, {"int32 and int8 differ in size"}, 26},
      {{"Gelu", {}, {}, {{"approximate", "cubic"}}}, {x}, {"approximate \"cubic\""}},
      {{"Dropout"}, {x, constantOf(kFloat, {}, {0.5}), constantOf(kBool, {}, {1})}, {"training mode", "no random numbers"}, 13},
      {{"BitShift", {}, {}, {{"direction", "UP"}}}, {inputOf(kUint8, {1}, {1}), inputOf(kUint8, {1}, {1})}, {"direction \"UP\""}},
      {{"Add"}, {x, inputOf(kInt32, {2}, {1, 2})}, {"(Add, opset 21)"}},
      {{"Add"}, {x}, {"its input 1 is absent"}},
  });
}

TEST(OnnxElementwise, ValuesThatTrainingDependsOnAreAskedFor) {
  const Runnable runnable = modelOf({"Dropout"}, {inputOf(kFloat, {2}, {1, 2}), {}, inputOf(kBool, {}, {0})}, 13);
  Context context = makeContext();
  try {
    import(context, runnable.model);
    FAIL() << "imported";
  } catch (const formats::onnx::ValuesNeeded& needed) {
    EXPECT_EQ(needed.inputs(), std::vector<std::string>{"x2"});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
