#include "onnx/export/export_cases.h"

#include <cmath>
#include <limits>
#include <map>

#include "base/text.h"
#include "webnn/enums.h"

namespace webnn::test {

namespace {

using B = GraphBuilder;
using Unary = Operand (B::*)(Operand, OperatorOptions);
using Binary = Operand (B::*)(Operand, Operand, OperatorOptions);
using Reduction = Operand (B::*)(Operand, ReduceOptions);
using Outputs = std::vector<Operand>;
using ops::kAny;
using ops::kAnyAndInt4s;
using ops::kFloats;
using ops::kSigned;
using ops::kUint8;
using ops::kWide;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Number> integersOf(DataType type) {
  const Number lowest = cast(-kInfinity, type), highest = cast(kInfinity, type);
  std::vector<Number> values{lowest, highest};
  for (const int value : {0, 1, -1, 2, -2, 3, 5, -7, 7}) {
    if (cast(value, type) == Number(value)) values.emplace_back(value);
  }
  if (bitsPerElement(type) == 64) {
    for (const std::int64_t value : {0x80000000L, 0xFFFFFFFFL, 0x1FFFFFFFFL}) values.emplace_back(value);
    values.emplace_back(std::int64_t{1} << 53 | 1);
    values.emplace_back(std::numeric_limits<std::int64_t>::max());
    values.emplace_back(std::numeric_limits<std::int64_t>::max() - 6);
  }
  return values;
}

std::vector<Number> floatsOf(DataType type) {
  std::vector<Number> values{0.0, -0.0, 1.0,   -1.0, 0.5,   -0.5,  1.5,   2.5,       -2.5,       0.1,
                             3.0, -3.7, 100.0, -9.0, 127.5, 255.9, 60000, kInfinity, -kInfinity, kNaN};
  if (type == DataType::float32) {
    for (const double value : {0x1p31 - 128, 0x1p31, -0x1p31, 0x1p32 - 256, 0x1p32, 0x1p63, 0x1p64, -0x1p63, 1e30, -1e30})
      values.emplace_back(value);
  }
  return values;
}

std::uint32_t countOfSpecials(DataType type) { return static_cast<std::uint32_t>(specialValues(type).size()); }

void addUnary(std::vector<ExportCase>& cases) {
  struct Row {
    std::string name;
    Unary method;
    ops::DataTypeSet types;
    Values values = Values::special;
  };
  const std::vector<Row> rows{
      {"abs", &B::abs, kSigned},
      {"ceil", &B::ceil, kFloats},
      {"cos", &B::cos, kFloats, Values::plain},
      {"erf", &B::erf, kFloats},
      {"exp", &B::exp, kFloats},
      {"floor", &B::floor, kFloats},
      {"identity", &B::identity, kAnyAndInt4s},
      {"log", &B::log, kFloats},
      {"neg", &B::neg, kSigned},
      {"reciprocal", &B::reciprocal, kFloats},
      {"roundEven", &B::roundEven, kFloats},
      {"sin", &B::sin, kFloats, Values::plain},
      {"sign", &B::sign, kSigned},
      {"sqrt", &B::sqrt, kFloats},
      {"tan", &B::tan, kFloats, Values::plain},
      {"logicalNot", &B::logicalNot, kUint8},
      {"isNaN", &B::isNaN, kAny},
      {"isInfinite", &B::isInfinite, kAny},
      {"gelu", &B::gelu, kFloats, Values::plain},
      {"hardSwish", &B::hardSwish, kFloats},
      {"relu", &B::relu, kSigned},
      {"sigmoid", &B::sigmoid, kFloats},
      {"softplus", &B::softplus, kFloats},
      {"softsign", &B::softsign, kFloats},
      {"tanh", &B::tanh, kFloats},
  };
  for (const Row& row : rows) {
    cases.push_back({row.name, row.types, row.values, [method = row.method](Fixture& f, DataType type) {
                       return Outputs{(f.builder.*method)(f.input(type, {countOfSpecials(type)}), {"the label"})};
                     }});
  }
}

// Adds element-wise operations with several operands. Most binary operations combine each special value with each special value.
void addBinary(std::vector<ExportCase>& cases) {
  const std::vector<std::pair<std::string, Binary>> rows{{"add", &B::add},
                                                         {"sub", &B::sub},
                                                         {"mul", &B::mul},
                                                         {"div", &B::div},
                                                         {"max", &B::max},
                                                         {"min", &B::min},
                                                         {"pow", &B::pow},
                                                         {"equal", &B::equal},
                                                         {"notEqual", &B::notEqual},
                                                         {"greater", &B::greater},
                                                         {"lesser", &B::lesser},
                                                         {"greaterOrEqual", &B::greaterOrEqual},
                                                         {"lesserOrEqual", &B::lesserOrEqual},
                                                         {"logicalAnd", &B::logicalAnd},
                                                         {"logicalOr", &B::logicalOr},
                                                         {"logicalXor", &B::logicalXor}};
  for (const auto& [name, method] : rows) {
    const bool isLogical = name.starts_with("logical");
    cases.push_back({name, isLogical ? kUint8 : kAny, Values::special, [method = method](Fixture& f, DataType type) {
                       const std::uint32_t n = countOfSpecials(type);
                       return Outputs{(f.builder.*method)(f.input(type, {n, 1}), f.input(type, {n}), {})};
                     }});
    if (name != "div" && name != "pow") continue;
    for (const int value : {0, 1, 3, 6, -1}) {
      const auto make = [method = method, value](Fixture& f, DataType type) {
        return Outputs{(f.builder.*method)(f.input(type, {countOfSpecials(type)}), f.constant(type, {}, {value}), {})};
      };
      cases.push_back({formatText("{}ByConstant{}", name, value), value < 0 ? kSigned : kAny, Values::special, make});
    }
  }
  cases.push_back({"powByConstants", kAny, Values::plain, [](Fixture& f, DataType type) {
                     return Outputs{f.builder.pow(f.input(type, {5}), f.constant(type, {5}, {0, 1, 2, 5, 3}))};
                   }});
  cases.push_back({"comparisonsOfComparisons", kAny, Values::special, [](Fixture& f, DataType type) {
                     const Operand a = f.input(type, {4}), b = f.input(type, {4});
                     const Operand less = f.builder.lesser(a, b), equal = f.builder.equal(a, b);
                     return Outputs{f.builder.logicalOr(less, equal), less, f.builder.add(less, equal)};
                   }});
  cases.push_back({"where", kAnyAndInt4s, Values::special, [](Fixture& f, DataType type) {
                     const Operand condition = f.input(DataType::uint8, {3, 1});
                     return Outputs{f.builder.where(condition, f.input(type, {2, 1, 5}), f.input(type, {5}))};
                   }});
}

void addParameterized(std::vector<ExportCase>& cases) {
  for (std::size_t t = 0; t < kDataTypeCount; ++t) {
    const auto to = static_cast<DataType>(t);
    cases.push_back({"castTo_" + std::string(name(to)), kAnyAndInt4s, Values::special, [to](Fixture& f, DataType type) {
                       return Outputs{f.builder.cast(f.input(type, {countOfSpecials(type)}), to)};
                     }});
  }
  const auto add = [&](std::string name, ops::DataTypeSet types, auto make) {
    cases.push_back({std::move(name), types, Values::special, [make](Fixture& f, DataType type) {
                       return Outputs{make(f.builder, f.input(type, {countOfSpecials(type)}))};
                     }});
  };
  add("clamp", kAny, [](B& b, const Operand& x) { return b.clamp(x, {.minValue = 1, .maxValue = 6}); });
  add("clampBelow", kAny, [](B& b, const Operand& x) { return b.clamp(x, {.minValue = -2.25}); });
  add("clampAbove", kAny, [](B& b, const Operand& x) { return b.clamp(x, {.maxValue = 2.75}); });
  add("clampNothing", kAny, [](B& b, const Operand& x) { return b.clamp(x, {}); });
  add("clampToHuge", kAny, [](B& b, const Operand& x) { return b.clamp(x, {.minValue = 2, .maxValue = INT64_MAX - 7}); });
  add("elu", kFloats, [](B& b, const Operand& x) { return b.elu(x, {.alpha = 1.5}); });
  add("eluNegative", kFloats, [](B& b, const Operand& x) { return b.elu(x, {.alpha = -0.5}); });
  add("leakyRelu", kFloats, [](B& b, const Operand& x) { return b.leakyRelu(x, {.alpha = 0.25}); });
  add("leakyReluSteep", kFloats, [](B& b, const Operand& x) { return b.leakyRelu(x, {.alpha = -3}); });
  add("hardSigmoid", kFloats, [](B& b, const Operand& x) { return b.hardSigmoid(x, {.alpha = 0.3, .beta = 0.4}); });
  add("hardSigmoidFalling", kFloats, [](B& b, const Operand& x) { return b.hardSigmoid(x, {.alpha = -1, .beta = 0}); });
  add("linear", kFloats, [](B& b, const Operand& x) { return b.linear(x, {.alpha = 2, .beta = -1.5}); });
  add("linearShift", kFloats, [](B& b, const Operand& x) { return b.linear(x, {.beta = 3}); });
  add("linearNothing", kFloats, [](B& b, const Operand& x) { return b.linear(x, {}); });
  add("linearZero", kFloats, [](B& b, const Operand& x) { return b.linear(x, {.alpha = 0}); });
  const auto prelu = [&](std::string name, Shape slope) {
    cases.push_back({std::move(name), kSigned, Values::plain, [slope](Fixture& f, DataType type) {
                       return Outputs{f.builder.prelu(f.input(type, {2, 3}), f.input(type, slope))};
                     }});
  };
  prelu("prelu", {3});
  prelu("preluScalar", {});
  prelu("preluBroadcastsInput", {4, 1, 3});
  for (const std::uint32_t axis : {0u, 1u, 2u}) {
    cases.push_back({"softmax" + std::to_string(axis), kFloats, Values::plain, [axis](Fixture& f, DataType type) {
                       return Outputs{f.builder.softmax(f.input(type, {2, 3, 4}), axis)};
                     }});
  }
}

void addProducts(std::vector<ExportCase>& cases) {
  const auto matmul = [&](std::string name, Shape a, Shape b) {
    cases.push_back({std::move(name), kFloats, Values::plain, [a, b](Fixture& f, DataType type) {
                       return Outputs{f.builder.matmul(f.input(type, a), f.input(type, b))};
                     }});
  };
  matmul("matmul", {2, 3}, {3, 4});
  matmul("matmulBroadcast", {2, 1, 3, 4}, {5, 4, 2});
  const auto gemm = [&](std::string name, GemmOptions options, std::optional<Shape> c, Values values = Values::plain) {
    cases.push_back({std::move(name), kFloats, values, [options, c](Fixture& f, DataType type) mutable {
                       if (c) options.c = f.input(type, *c);
                       return Outputs{f.builder.gemm(f.input(type, options.aTranspose ? Shape{3, 2} : Shape{2, 3}),
                                                     f.input(type, options.bTranspose ? Shape{4, 3} : Shape{3, 4}), options)};
                     }});
  };
  gemm("gemm", {}, std::nullopt);
  gemm("gemmScalar", {.alpha = 0.5, .beta = 2, .aTranspose = true}, Shape{});
  gemm("gemmRow", {.alpha = -1, .bTranspose = true}, Shape{4});
  gemm("gemmColumn", {.beta = 0.25, .aTranspose = true, .bTranspose = true}, Shape{2, 1});
  gemm("gemmOne", {}, Shape{1});
  gemm("gemmFull", {}, Shape{2, 4});
  gemm("gemmZeroAlpha", {.alpha = 0, .aTranspose = true}, Shape{4}, Values::special);
  gemm("gemmZeroBeta", {.beta = 0, .bTranspose = true}, Shape{4}, Values::special);
  gemm("gemmZeroAlphaAlone", {.alpha = 0}, std::nullopt, Values::special);
  gemm("gemmZeroBetaAlone", {.beta = 0}, std::nullopt);
}

void addNormalizations(std::vector<ExportCase>& cases) {
  for (std::uint32_t axis = 0; axis < 4; ++axis) {
    for (const int parameters : {0, 1, 2, 3}) {
      const auto make = [=](Fixture& f, DataType type) {
        const Shape shape{2, 3, 4, 5}, size{shape[axis]};
        BatchNormalizationOptions options{.axis = axis, .epsilon = 0.125};
        if (parameters & 1) options.scale = f.input(type, size);
        if (parameters & 2) options.bias = f.input(type, size);
        return Outputs{f.builder.batchNormalization(f.input(type, shape), f.input(type, size), f.input(type, size), options)};
      };
      cases.push_back({formatText("batchNormalization{}With{}", axis, parameters), kFloats, Values::positive, make});
    }
  }
  cases.push_back({"batchNormalizationOfRank1", kFloats, Values::positive, [](Fixture& f, DataType type) {
                     const Operand x = f.input(type, {5}), mean = f.input(type, {5}), variance = f.input(type, {5});
                     return Outputs{f.builder.batchNormalization(x, mean, variance, {.axis = 0})};
                   }});
  cases.push_back({"batchNormalizationOfRank2", kFloats, Values::positive, [](Fixture& f, DataType type) {
                     return Outputs{f.builder.batchNormalization(f.input(type, {2, 5}), f.input(type, {5}), f.input(type, {5}))};
                   }});
  for (const auto layout : {InputOperandLayout::nchw, InputOperandLayout::nhwc}) {
    for (const int parameters : {0, 1, 2, 3}) {
      const auto make = [=](Fixture& f, DataType type) {
        InstanceNormalizationOptions options{.epsilon = 0.01, .layout = layout};
        if (parameters & 1) options.scale = f.input(type, {3});
        if (parameters & 2) options.bias = f.input(type, {3});
        const Shape shape = layout == InputOperandLayout::nchw ? Shape{2, 3, 4, 5} : Shape{2, 4, 5, 3};
        return Outputs{f.builder.instanceNormalization(f.input(type, shape), options)};
      };
      cases.push_back({formatText("instanceNormalization_{}With{}", name(layout), parameters), kFloats, Values::plain, make});
    }
  }
  const auto layer = [&](std::string name, OptionalSizes axes, Shape affine, int parameters = 3) {
    cases.push_back({"layerNormalization" + name, kFloats, Values::plain, [=](Fixture& f, DataType type) {
                       LayerNormalizationOptions options{.axes = axes, .epsilon = 0.01};
                       if (parameters & 1) options.scale = f.input(type, affine);
                       if (parameters & 2) options.bias = f.input(type, affine);
                       return Outputs{f.builder.layerNormalization(f.input(type, {2, 3, 4, 5}), options)};
                     }});
  };
  layer("", {}, {3, 4, 5});
  layer("Plain", {}, {}, 0);
  layer("BiasOnly", {3}, {5}, 2);
  layer("Last", {3}, {5});
  layer("AllUnordered", {2, 0, 3, 1}, {4, 2, 5, 3});
  layer("TrailingUnordered", {3, 1, 2}, {5, 3, 4});
  layer("Leading", {0}, {2});
  layer("Apart", {3, 0}, {5, 2});
  layer("ApartPlain", {1, 3}, {}, 0);
  layer("None", std::vector<std::uint32_t>{}, {});
  layer("NonePlain", std::vector<std::uint32_t>{}, {}, 0);
}

void addReductions(std::vector<ExportCase>& cases) {
  struct Row {
    std::string name;
    Reduction method;
    ops::DataTypeSet types;
  };
  const std::vector<Row> rows{{"reduceL1", &B::reduceL1, kWide},           {"reduceL2", &B::reduceL2, kFloats},
                              {"reduceLogSum", &B::reduceLogSum, kFloats}, {"reduceLogSumExp", &B::reduceLogSumExp, kFloats},
                              {"reduceMax", &B::reduceMax, kAny},          {"reduceMean", &B::reduceMean, kFloats},
                              {"reduceMin", &B::reduceMin, kAny},          {"reduceProduct", &B::reduceProduct, kWide},
                              {"reduceSum", &B::reduceSum, kWide},         {"reduceSumSquare", &B::reduceSumSquare, kWide}};
  for (const Row& row : rows) {
    const Values values = row.name == "reduceLogSum" ? Values::positive : Values::plain;
    cases.push_back({row.name, row.types, values, [method = row.method](Fixture& f, DataType type) {
                       const Operand x = f.input(type, {2, 3, 1, 2});
                       return Outputs{(f.builder.*method)(x, {.axes = {1}, .keepDimensions = true, .label = "r"}),
                                      (f.builder.*method)(x, {.axes = std::vector<std::uint32_t>{}}),
                                      (f.builder.*method)(x, {}),
                                      (f.builder.*method)(x, {.axes = {2}}),
                                      (f.builder.*method)(x, {.axes = {3, 0}}),
                                      (f.builder.*method)(x, {.keepDimensions = true}),
                                      (f.builder.*method)(f.input(type, {}), {})};
                     }});
    if (row.types == kFloats) continue;
    cases.push_back({row.name + "OfSpecials", row.types, Values::ordered, [method = row.method](Fixture& f, DataType type) {
                       return Outputs{(f.builder.*method)(f.input(type, {2, countOfSpecials(type)}), {.axes = {1}}),
                                      (f.builder.*method)(f.input(type, {6, 2}), {.axes = {1}})};
                     }});
  }
  cases.push_back({"reduceLogSumExpOfInfinities", kFloats, Values::plain, [](Fixture& f, DataType type) {
                     const std::vector<Number> values{-kInfinity, -kInfinity, kInfinity, 1, 1, -kInfinity, 1000, 1000};
                     return Outputs{f.builder.reduceLogSumExp(f.constant(type, {4, 2}, values), {.axes = {1}}),
                                    f.builder.relu(f.input(type, {1}))};
                   }});
  cases.push_back(
      {"argMinMax", kAny, Values::plain, [](Fixture& f, DataType type) {
         const Operand x = f.input(type, {3, 4, 5});
         const ArgMinMaxOptions wide{.keepDimensions = true, .outputDataType = DataType::int64};
         return Outputs{f.builder.argMin(x, 1), f.builder.argMax(x, 2, wide), f.builder.argMax(x, 0, {.keepDimensions = true})};
       }});
  cases.push_back({"argMinMaxOfSpecials", kAny, Values::ordered, [](Fixture& f, DataType type) {
                     const Operand x = f.input(type, {2, countOfSpecials(type)});
                     return Outputs{f.builder.argMin(x, 1), f.builder.argMax(x, 1)};
                   }});
  const ops::DataTypeSet wideIntegers{DataType::int32, DataType::uint32, DataType::int64, DataType::uint64};
  cases.push_back({"cumulativeSumOfSpecials", wideIntegers, Values::special, [](Fixture& f, DataType type) {
                     return Outputs{f.builder.cumulativeSum(f.input(type, {countOfSpecials(type)}), 0)};
                   }});
  for (const bool exclusive : {false, true}) {
    for (const bool reversed : {false, true}) {
      const auto make = [=](Fixture& f, DataType type) {
        const CumulativeSumOptions options{.exclusive = exclusive, .reversed = reversed};
        const Operand x = f.input(type, {2, 3, 4});
        return Outputs{f.builder.cumulativeSum(x, 1, options), f.builder.cumulativeSum(x, 2, options)};
      };
      cases.push_back({formatText("cumulativeSum{}{}", exclusive, reversed), kWide, Values::plain, make});
    }
  }
}

}  // namespace

const std::vector<Number>& specialValues(DataType type) {
  static std::map<DataType, std::vector<Number>> all;
  std::vector<Number>& values = all[type];
  if (values.empty()) values = isFloat(type) ? floatsOf(type) : integersOf(type);
  return values;
}

std::vector<Number> inputValues(const OperandDescriptor& descriptor, Values values, std::size_t index) {
  std::vector<Number> result(elementCount(descriptor));
  const std::vector<Number>& specials = specialValues(descriptor.dataType);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (values == Values::special || values == Values::ordered) {
      result[i] = specials[(i + index) % specials.size()];
      if (values == Values::ordered && std::isnan(result[i].toDouble())) result[i] = 0;
    } else {
      const auto step = static_cast<int>((i * 7 + index * 5) % 23);
      const int number = values == Values::positive ? step + 1 : step - 11;
      result[i] = isFloat(descriptor.dataType) ? Number(number / 4.0) : cast(number, descriptor.dataType);
    }
  }
  return result;
}

const std::vector<ExportCase>& exportCases() {
  static const std::vector<ExportCase> cases = [] {
    std::vector<ExportCase> result;
    for (const auto add : {addUnary, addBinary, addParameterized, addProducts, addNormalizations, addReductions, addMovingCases,
                           addQuantizedCases}) {
      add(result);
    }
    return result;
  }();
  return cases;
}

}  // namespace webnn::test
