// Tests that written graphs are read back equal: every operation, with non-default options, as .webnn, .json and .webnnb.
#include <algorithm>
#include <random>

#include "formats/formats_support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Fixture;

struct Case {
  std::string name;
  std::function<std::vector<Operand>(Fixture&)> make;
};

void PrintTo(const Case& item, std::ostream* stream) { *stream << item.name; }

using Unary = Operand (GraphBuilder::*)(Operand, OperatorOptions);
using Binary = Operand (GraphBuilder::*)(Operand, Operand, OperatorOptions);
using Reduction = Operand (GraphBuilder::*)(Operand, ReduceOptions);

void addUnary(std::vector<Case>& cases) {
  using B = GraphBuilder;
  const std::vector<std::pair<std::string, Unary>> floats{{"abs", &B::abs},
                                                          {"ceil", &B::ceil},
                                                          {"cos", &B::cos},
                                                          {"erf", &B::erf},
                                                          {"exp", &B::exp},
                                                          {"floor", &B::floor},
                                                          {"identity", &B::identity},
                                                          {"log", &B::log},
                                                          {"neg", &B::neg},
                                                          {"reciprocal", &B::reciprocal},
                                                          {"roundEven", &B::roundEven},
                                                          {"sin", &B::sin},
                                                          {"sign", &B::sign},
                                                          {"sqrt", &B::sqrt},
                                                          {"tan", &B::tan},
                                                          {"gelu", &B::gelu},
                                                          {"hardSwish", &B::hardSwish},
                                                          {"relu", &B::relu},
                                                          {"sigmoid", &B::sigmoid},
                                                          {"softplus", &B::softplus},
                                                          {"softsign", &B::softsign},
                                                          {"tanh", &B::tanh},
                                                          {"isNaN", &B::isNaN},
                                                          {"isInfinite", &B::isInfinite}};
  for (const auto& [name, method] : floats) {
    cases.push_back({name, [method = method](Fixture& f) { return std::vector{(f.builder.*method)(f.input({2, 3}), {"l"})}; }});
  }
  cases.push_back(
      {"logicalNot", [](Fixture& f) { return std::vector{f.builder.logicalNot(f.input(DataType::uint8, {2}), {"l"})}; }});
}

void addBinary(std::vector<Case>& cases) {
  using B = GraphBuilder;
  const std::vector<std::pair<std::string, Binary>> floats{{"add", &B::add},
                                                           {"sub", &B::sub},
                                                           {"mul", &B::mul},
                                                           {"div", &B::div},
                                                           {"max", &B::max},
                                                           {"min", &B::min},
                                                           {"pow", &B::pow},
                                                           {"equal", &B::equal},
                                                           {"notEqual", &B::notEqual},
                                                           {"greater", &B::greater},
                                                           {"greaterOrEqual", &B::greaterOrEqual},
                                                           {"lesser", &B::lesser},
                                                           {"lesserOrEqual", &B::lesserOrEqual},
                                                           {"prelu", &B::prelu}};
  for (const auto& [name, method] : floats) {
    cases.push_back({name, [method = method](Fixture& f) {
                       return std::vector{(f.builder.*method)(f.input({2, 3}), f.constant({3}, {1, 2, 0.1}), {"l"})};
                     }});
  }
  const std::vector<std::pair<std::string, Binary>> logical{
      {"logicalAnd", &B::logicalAnd}, {"logicalOr", &B::logicalOr}, {"logicalXor", &B::logicalXor}};
  for (const auto& [name, method] : logical) {
    cases.push_back({name, [method = method](Fixture& f) {
                       return std::vector{(f.builder.*method)(f.input(DataType::uint8, {2}), f.input(DataType::uint8, {1}), {})};
                     }});
  }
  cases.push_back({"matmul", [](Fixture& f) { return std::vector{f.builder.matmul(f.input({4, 2, 3}), f.input({3, 5}))}; }});
  cases.push_back({"gemm", [](Fixture& f) {
                     const GemmOptions options{
                         .c = f.input({5}), .alpha = 0.1, .beta = -0.0, .aTranspose = true, .bTranspose = true, .label = "g"};
                     return std::vector{f.builder.gemm(f.input({3, 2}), f.input({5, 3}), options)};
                   }});
  cases.push_back({"where", [](Fixture& f) {
                     return std::vector{f.builder.where(f.input(DataType::uint8, {2}), f.input({2}), f.input({1}))};
                   }});
}

void addReductions(std::vector<Case>& cases) {
  using B = GraphBuilder;
  const std::vector<std::pair<std::string, Reduction>> reductions{
      {"reduceL1", &B::reduceL1},         {"reduceL2", &B::reduceL2},
      {"reduceLogSum", &B::reduceLogSum}, {"reduceLogSumExp", &B::reduceLogSumExp},
      {"reduceMax", &B::reduceMax},       {"reduceMean", &B::reduceMean},
      {"reduceMin", &B::reduceMin},       {"reduceProduct", &B::reduceProduct},
      {"reduceSum", &B::reduceSum},       {"reduceSumSquare", &B::reduceSumSquare}};
  for (const auto& [name, method] : reductions) {
    cases.push_back({name, [method = method](Fixture& f) {
                       const Operand x = f.input({2, 3, 4});
                       return std::vector{(f.builder.*method)(x, {.axes = {1}, .keepDimensions = true, .label = "r"}),
                                          (f.builder.*method)(x, {.axes = std::vector<std::uint32_t>{}}),
                                          (f.builder.*method)(x, {})};
                     }});
  }
  cases.push_back(
      {"argMin", [](Fixture& f) {
         return std::vector{f.builder.argMin(f.input({2, 3}), 1, {.keepDimensions = true, .outputDataType = DataType::int64})};
       }});
  cases.push_back({"argMax", [](Fixture& f) { return std::vector{f.builder.argMax(f.input({2, 3}), 0)}; }});
  cases.push_back({"cumulativeSum", [](Fixture& f) {
                     return std::vector{f.builder.cumulativeSum(f.input({2, 3}), 1, {.exclusive = true, .reversed = true})};
                   }});
}

void addParameterized(std::vector<Case>& cases) {
  cases.push_back({"cast", [](Fixture& f) { return std::vector{f.builder.cast(f.input({2}), DataType::int4)}; }});
  cases.push_back({"clamp", [](Fixture& f) {
                     const double infinity = std::numeric_limits<double>::infinity();
                     return std::vector{
                         f.builder.clamp(f.input({2}), {.minValue = 0.1, .maxValue = infinity}),
                         f.builder.clamp(f.input(DataType::int64, {2}), {.minValue = std::int64_t{-9007199254740993}}),
                         f.builder.clamp(f.input(DataType::uint64, {2}), {.maxValue = std::uint64_t{18446744073709551615u}})};
                   }});
  cases.push_back({"elu", [](Fixture& f) { return std::vector{f.builder.elu(f.input({2}), {.alpha = 1e-300})}; }});
  cases.push_back({"leakyRelu", [](Fixture& f) { return std::vector{f.builder.leakyRelu(f.input({2}), {.alpha = 1.0 / 3})}; }});
  cases.push_back(
      {"hardSigmoid", [](Fixture& f) { return std::vector{f.builder.hardSigmoid(f.input({2}), {.alpha = 2, .beta = -1})}; }});
  cases.push_back({"linear", [](Fixture& f) { return std::vector{f.builder.linear(f.input({2}), {.alpha = 2, .beta = -0.0})}; }});
  cases.push_back({"softmax", [](Fixture& f) { return std::vector{f.builder.softmax(f.input({2, 3}), 0)}; }});
  cases.push_back({"dequantizeLinear", [](Fixture& f) {
                     return std::vector{f.builder.dequantizeLinear(f.input(DataType::int4, {4}), f.constant({2}, {0.5, 0.25}),
                                                                   f.constant(DataType::int4, {2}, {-3, 7}))};
                   }});
  cases.push_back({"quantizeLinear", [](Fixture& f) {
                     return std::vector{
                         f.builder.quantizeLinear(f.input({4}), f.constant({1}, {0.1}), f.constant(DataType::uint8, {1}, {128}))};
                   }});
}

void addMovements(std::vector<Case>& cases) {
  cases.push_back({"concat", [](Fixture& f) {
                     return std::vector{f.builder.concat({f.input({2, 3}), f.input({2, 1}), f.input({2, 2})}, 1)};
                   }});
  cases.push_back({"expand", [](Fixture& f) { return std::vector{f.builder.expand(f.input({3}), {2, 3})}; }});
  cases.push_back({"pad", [](Fixture& f) {
                     return std::vector{f.builder.pad(f.input({2, 3}), {1, 0}, {0, 2}, {.value = -0.1}),
                                        f.builder.pad(f.input({2, 3}), {1, 0}, {0, 2}, {.mode = PaddingMode::reflection})};
                   }});
  cases.push_back({"reshape", [](Fixture& f) {
                     return std::vector{f.builder.reshape(f.input({2, 3}), {6}), f.builder.reshape(f.input({1}), {})};
                   }});
  cases.push_back({"reverse", [](Fixture& f) { return std::vector{f.builder.reverse(f.input({2, 3}), {.axes = {1}})}; }});
  cases.push_back({"slice", [](Fixture& f) {
                     return std::vector{f.builder.slice(f.input({6, 3}), {1, 0}, {5, 2}, {.strides = {2, 1}})};
                   }});
  cases.push_back({"split", [](Fixture& f) {
                     std::vector<Operand> parts = f.builder.split(f.input({4, 3}), 2u);
                     for (const Operand& part : f.builder.split(f.input({2, 3}), std::vector<std::uint32_t>{1, 2}, {.axis = 1}))
                       parts.push_back(part);
                     return parts;
                   }});
  cases.push_back({"tile", [](Fixture& f) { return std::vector{f.builder.tile(f.input({2, 3}), {2, 1})}; }});
  cases.push_back({"transpose", [](Fixture& f) {
                     return std::vector{f.builder.transpose(f.input({2, 3, 4}), {.permutation = {1, 0, 2}}),
                                        f.builder.transpose(f.input({2, 3}))};
                   }});
  cases.push_back({"triangular", [](Fixture& f) {
                     return std::vector{f.builder.triangular(f.input({3, 3}), {.upper = false, .diagonal = -2})};
                   }});
  const auto indices = [](Fixture& f, Shape shape) { return f.input(DataType::int32, std::move(shape)); };
  cases.push_back({"gather", [=](Fixture& f) {
                     return std::vector{f.builder.gather(f.input({2, 3}), indices(f, {4}), {.axis = 1})};
                   }});
  cases.push_back({"gatherElements", [=](Fixture& f) {
                     return std::vector{f.builder.gatherElements(f.input({2, 3}), indices(f, {2, 4}), {.axis = 1})};
                   }});
  cases.push_back({"gatherND", [=](Fixture& f) { return std::vector{f.builder.gatherND(f.input({2, 3}), indices(f, {4, 1}))}; }});
  cases.push_back(
      {"scatterElements", [=](Fixture& f) {
         return std::vector{f.builder.scatterElements(f.input({2, 3}), indices(f, {2, 1}), f.input({2, 1}), {.axis = 1})};
       }});
  cases.push_back({"scatterND", [=](Fixture& f) {
                     return std::vector{f.builder.scatterND(f.input({4}), indices(f, {2, 1}), f.input({2}))};
                   }});
}

void addSpatial(std::vector<Case>& cases) {
  cases.push_back({"conv2d", [](Fixture& f) {
                     const Conv2dOptions options{.padding = {1, 2, 3, 4},
                                                 .strides = {2, 1},
                                                 .dilations = {1, 2},
                                                 .groups = 2,
                                                 .inputLayout = InputOperandLayout::nhwc,
                                                 .filterLayout = Conv2dFilterOperandLayout::hwio,
                                                 .bias = f.constant({4}, {1, 2, 3, 4}),
                                                 .label = "stem"};
                     return std::vector{f.builder.conv2d(f.input({1, 9, 9, 2}), f.input({3, 3, 1, 4}), options),
                                        f.builder.conv2d(f.input({1, 2, 9, 9}), f.input({4, 2, 3, 3}))};
                   }});
  cases.push_back({"convTranspose2d", [](Fixture& f) {
                     const ConvTranspose2dOptions options{.padding = {1, 0, 0, 1},
                                                          .strides = {2, 3},
                                                          .outputPadding = {1, 2},
                                                          .filterLayout = ConvTranspose2dFilterOperandLayout::ohwi,
                                                          .bias = f.input({4})};
                     return std::vector{f.builder.convTranspose2d(f.input({1, 2, 5, 5}), f.input({4, 3, 3, 2}), options),
                                        f.builder.convTranspose2d(f.input({1, 2, 5, 5}), f.input({2, 4, 3, 3}),
                                                                  {.strides = {2, 2}, .outputSizes = {12, 11}})};
                   }});
  for (const auto& [name, method] : std::vector<std::pair<std::string, Operand (GraphBuilder::*)(Operand, Pool2dOptions)>>{
           {"averagePool2d", &GraphBuilder::averagePool2d},
           {"l2Pool2d", &GraphBuilder::l2Pool2d},
           {"maxPool2d", &GraphBuilder::maxPool2d}}) {
    cases.push_back({name, [method = method](Fixture& f) {
                       const Pool2dOptions options{.windowDimensions = {3, 2},
                                                   .padding = {1, 0, 0, 1},
                                                   .strides = {2, 2},
                                                   .dilations = {1, 2},
                                                   .layout = InputOperandLayout::nhwc,
                                                   .outputShapeRounding = RoundingType::ceil};
                       return std::vector{
                           (f.builder.*method)(f.input({1, 8, 8, 2}), options), (f.builder.*method)(f.input({1, 2, 8, 8}), {}),
                           (f.builder.*method)(f.input({1, 2, 8, 8}),
                                               {.windowDimensions = {3, 3}, .strides = {2, 2}, .outputSizes = {4, 4}})};
                     }});
  }
  cases.push_back({"resample2d", [](Fixture& f) {
                     return std::vector{
                         f.builder.resample2d(f.input({1, 2, 4, 4}), {.mode = InterpolationMode::linear, .scales = {1.1f, 2.0f}}),
                         f.builder.resample2d(f.input({1, 2, 4, 4}), {.sizes = {7, 9}, .axes = {1, 2}})};
                   }});
}

void addNormalizations(std::vector<Case>& cases) {
  cases.push_back({"batchNormalization", [](Fixture& f) {
                     const BatchNormalizationOptions options{
                         .scale = f.constant({3}, {1}), .bias = f.constant({3}, {2}), .axis = 0, .epsilon = 1e-3};
                     return std::vector{f.builder.batchNormalization(f.input({3, 2}), f.input({3}), f.input({3}), options)};
                   }});
  cases.push_back({"instanceNormalization", [](Fixture& f) {
                     return std::vector{f.builder.instanceNormalization(
                         f.input({1, 4, 4, 3}), {.bias = f.input({3}), .layout = InputOperandLayout::nhwc})};
                   }});
  cases.push_back({"layerNormalization", [](Fixture& f) {
                     return std::vector{f.builder.layerNormalization(f.input({2, 3, 4}),
                                                                     {.scale = f.input({4, 2}), .axes = {2, 0}, .epsilon = 0})};
                   }});
}

void addRecurrent(std::vector<Case>& cases) {
  using A = RecurrentNetworkActivation;
  cases.push_back({"gru", [](Fixture& f) {
                     const GruOptions options{.bias = f.input({2, 12}),
                                              .recurrentBias = f.input({2, 12}),
                                              .initialHiddenState = f.input({2, 1, 4}),
                                              .resetAfter = false,
                                              .returnSequence = true,
                                              .direction = RecurrentNetworkDirection::both,
                                              .layout = GruWeightLayout::rzn,
                                              .activations = {A::tanh, A::relu},
                                              .label = "gru"};
                     return f.builder.gru(f.input({3, 1, 5}), f.input({2, 12, 5}), f.input({2, 12, 4}), 3, 4, options);
                   }});
  cases.push_back({"gruCell", [](Fixture& f) {
                     return std::vector{f.builder.gruCell(f.input({1, 5}), f.input({12, 5}), f.input({12, 4}), f.input({1, 4}), 4,
                                                          {.recurrentBias = f.input({12}), .resetAfter = false})};
                   }});
  cases.push_back({"lstm", [](Fixture& f) {
                     const LstmOptions options{.bias = f.input({1, 16}),
                                               .recurrentBias = f.input({1, 16}),
                                               .peepholeWeight = f.input({1, 12}),
                                               .initialHiddenState = f.input({1, 1, 4}),
                                               .initialCellState = f.input({1, 1, 4}),
                                               .returnSequence = true,
                                               .direction = RecurrentNetworkDirection::backward,
                                               .layout = LstmWeightLayout::ifgo,
                                               .activations = {A::relu, A::sigmoid, A::tanh}};
                     return f.builder.lstm(f.input({3, 1, 5}), f.input({1, 16, 5}), f.input({1, 16, 4}), 3, 4, options);
                   }});
  cases.push_back({"lstmCell", [](Fixture& f) {
                     return f.builder.lstmCell(f.input({1, 5}), f.input({16, 5}), f.input({16, 4}), f.input({1, 4}),
                                               f.input({1, 4}), 4, {.peepholeWeight = f.input({12})});
                   }});
}

const std::vector<Case>& allCases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> result;
    for (auto add :
         {addUnary, addBinary, addReductions, addParameterized, addMovements, addSpatial, addNormalizations, addRecurrent})
      add(result);
    return result;
  }();
  return cases;
}

Graph build(Fixture& fixture, const std::vector<Operand>& outputs) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("out" + std::to_string(outputs.size() - i), outputs[i]);
  return fixture.builder.build(std::move(named));
}

TEST(RoundTrip, HasACaseForEveryOperation) {
  std::vector<std::string> tested, expected;
  for (const Case& item : allCases()) tested.push_back(item.name);
  for (const Operation& operation : allOperations()) expected.emplace_back(name(operation));
  std::ranges::sort(tested);
  EXPECT_EQ(tested, expected);
}

class RoundTripOf : public testing::TestWithParam<Case> {};

TEST_P(RoundTripOf, ReadsBackEqual) {
  Fixture fixture;
  test::expectRoundTrip(build(fixture, GetParam().make(fixture)));
}

INSTANTIATE_TEST_SUITE_P(Operations, RoundTripOf, testing::ValuesIn(allCases()),
                         [](const auto& test) { return test.param.name; });

TEST(RoundTrip, OfAllOperationsInRandomOrderWithNamesOfAnyCharacters) {
  const std::vector<std::string> names{"plain",      "a b", "true", "\"",    "\\", "operand_7", "π\n\t", "%x",
                                       "a::b.c/d$e", "1",   "out3", "plain", "",   "null",      "#",     "-1"};
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    std::vector<Case> cases = allCases();
    std::ranges::shuffle(cases, random);
    Fixture fixture;
    std::vector<Operand> outputs;
    for (const Case& item : cases) {
      for (const Operand& operand : item.make(fixture)) {
        fixture.builder.setName(operand, names[random() % names.size()] + (random() % 2 ? std::to_string(random() % 40) : ""));
        outputs.push_back(operand);
      }
    }
    fixture.builder.setGraphName(names[seed * 3]);
    std::ranges::shuffle(outputs, random);
    test::expectRoundTrip(build(fixture, outputs));
  }
}

TEST(RoundTrip, KeepsOrderAndNamesOfInputsAndOutputs) {
  Fixture fixture;
  const Operand z = fixture.builder.input("z", {DataType::float32, {2}}),
                a = fixture.builder.input("a", {DataType::float32, {2}});
  const Operand sum = fixture.builder.add(z, a), top = fixture.builder.relu(sum);
  fixture.builder.setName(top, "top");
  const Graph graph = fixture.builder.build({{"y", top}, {"b", sum}, {"again", top}});
  test::expectRoundTrip(graph);
  const auto document = formats::documentOf(definitionOf(graph));
  for (const std::string& text : {formats::writeText(document), formats::writeGraphJson(document)}) {
    const Graph back = test::buildText(text);
    EXPECT_EQ(back.inputs(), (std::vector<NamedDescriptor>{{"z", {DataType::float32, {2}}}, {"a", {DataType::float32, {2}}}}));
    ASSERT_EQ(back.outputs().size(), 3u);
    EXPECT_EQ(back.outputs()[0].first, "y");
    EXPECT_EQ(back.outputs()[2].first, "again");
  }
}

TEST(RoundTrip, NamesAnUnnamedResultAfterItsOutput) {
  Fixture fixture;
  const Graph graph = fixture.builder.build({{"scores", fixture.builder.relu(fixture.input({2}))}});
  const std::string text = formats::writeText(formats::documentOf(definitionOf(graph)));
  EXPECT_NE(text.find("scores = relu(input0);"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    scores;\n"), std::string::npos) << text;
}

TEST(RoundTrip, TellsGraphsApart) {
  const std::string start = "webnn_graph \"g\" v2 { inputs { x: f32[2, 2]; } consts { c: f32[2, 2] @scalar(1); } nodes { ";
  const std::vector<std::string> rest{"y = elu(x, alpha=2); } outputs { y; } }",     "y = elu(x); } outputs { y; } }",
                                      "y = elu(x); } outputs { z = y; } }",          "z = elu(x); } outputs { y = z; } }",
                                      "y = elu(x, label=\"l\"); } outputs { y; } }", "y = elu(c); } outputs { y; } }",
                                      "y = gemm(x, c); } outputs { y; } }",          "y = gemm(c, x); } outputs { y; } }",
                                      "y = gemm(x, x, c=c); } outputs { y; } }"};
  for (const std::string& a : rest) {
    for (const std::string& b : rest) {
      EXPECT_EQ(definitionOf(test::buildText(start + a)) == definitionOf(test::buildText(start + b)), a == b) << a << b;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
