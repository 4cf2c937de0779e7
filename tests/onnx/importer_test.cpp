// Tests the import apart from operators: names, dimensions, values, folding, functions, unsupported operators, limits.
#include <gtest/gtest.h>

#include <algorithm>

#include "context/graph_state.h"
#include "onnx/imported.h"
#include "webnn/formats.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

webnn::Graph importWith(Context& context, const Model& model, const LoadOptions& options) {
  return formats::onnx::importModel(context, bytesOf(modelBytes(model)), {}, options);
}

std::vector<std::string> operationsOf(const webnn::Graph& graph) {
  std::vector<std::string> names;
  for (const webnn::Node& node : graph.state()->definition->nodes) names.emplace_back(name(node.operation));
  return names;
}

// Returns a model of y = -x with the given dimensions.
Model negation(std::vector<Dimension> dimensions) {
  Model model;
  model.graph.nodes = {{"Neg", {"x"}, {"y"}, {}, "", "minus"}};
  model.graph.inputs = {{"x", kFloat, dimensions}};
  model.graph.outputs = {{"y"}};
  return model;
}

// Returns the model of y = Reshape(x, shape), where `shape` is an input of the graph.
Model reshapeToInput() {
  Model model;
  model.graph.nodes = {{"Reshape", {"x", "shape"}, {"y"}}};
  model.graph.inputs = {{"x", kFloat, {{4}}}, {"shape", kInt64, {{2}}}};
  model.graph.outputs = {{"y"}};
  return model;
}

std::vector<std::byte> packedInts(const Ints& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// The importer reads most Constant nodes itself, without an operator's handler.
TEST(OnnxImporter, NamesConstantNodesInErrors) {
  const auto messageOf = [](const Node& constant, bool isTwice) {
    Model model = negation({{2}});
    model.graph.nodes = {constant, {"Add", {"x", "c"}, {"y"}, {}, "", "sum"}};
    if (isTwice) model.graph.nodes.insert(model.graph.nodes.begin(), constant);
    Context context = test::makeContext("cpu");
    try {
      importWith(context, model, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto constantOf = [](std::vector<std::int64_t> dims, std::vector<std::string> outputs) {
    return Node{"Constant", {}, std::move(outputs), {{"value", tensor("", std::move(dims), Floats{1, 2})}}, "", "two"};
  };
  EXPECT_EQ(messageOf(constantOf({2}, {"c"}), false), "");
  const std::string wrongSize = messageOf(constantOf({3}, {"c"}), false);
  EXPECT_NE(wrongSize.find("node \"two\" (Constant, opset"), std::string::npos) << wrongSize;
  EXPECT_NE(wrongSize.find("bytes of raw data are not the 12 of its shape"), std::string::npos) << wrongSize;
  const std::string secondOutput = messageOf(constantOf({2}, {"c", "d"}), false);
  EXPECT_NE(secondOutput.find("node \"two\" (Constant, opset"), std::string::npos) << secondOutput;
  EXPECT_NE(secondOutput.find("its output 1 (\"d\")"), std::string::npos) << secondOutput;
  const std::string twice = messageOf(constantOf({2}, {"c"}), true);
  EXPECT_NE(twice.find("the value \"c\" is defined twice"), std::string::npos) << twice;
}

TEST(OnnxImporter, TakesNamesOfNodesForLabelsAndKeepsThoseOfValues) {
  Model model = negation({2});
  model.graph.name = "net";
  model.graph.nodes.push_back({"Abs", {"y"}, {"z"}, {}, "", "positive"});
  model.graph.outputs = {{"z"}};
  Context context = makeContext();
  const webnn::Graph graph = import(context, model);
  const GraphDefinition& definition = *graph.state()->definition;
  EXPECT_EQ(definition.name, "net");
  ASSERT_EQ(definition.nodes.size(), 2u);
  EXPECT_EQ(label(definition.nodes[0].operation), "minus");
  EXPECT_EQ(label(definition.nodes[1].operation), "positive");
  EXPECT_EQ(definition.nodes[0].outputs[0].record().name, "y");
  EXPECT_EQ(graph.inputs()[0].first, "x");
  EXPECT_EQ(graph.outputs()[0].first, "z");
}

TEST(OnnxImporter, FixesDimensionsByTheirNameOrPlace) {
  Context context = makeContext();
  const webnn::Graph graph = importWith(context, negation({"batch", Dimension(), 3}), {.dimensions = {{"batch", 2}, {"x.1", 5}}});
  EXPECT_EQ(graph.outputs()[0].second.shape, (Shape{2, 5, 3}));
}

TEST(OnnxImporter, NamesEveryDimensionIfOneIsMissingOrWrong) {
  Context context = makeContext();
  expectTypeError({"\"batch\" has no size", "\"batch\", \"x.1\""}, [&] {
    importWith(context, negation({"batch", Dimension()}), {.dimensions = {{"x.1", 5}}});
  });
  expectTypeError({"\"bacth\" is not in the model", "\"batch\""}, [&] {
    importWith(context, negation({"batch"}), {.dimensions = {{"bacth", 5}, {"batch", 1}}});
  });
  expectTypeError({"\"batch\" is 0"}, [&] { importWith(context, negation({"batch"}), {.dimensions = {{"batch", 0}}}); });
  expectTypeError({"\"n\"", "no dynamic dimensions"}, [&] { importWith(context, negation({2}), {.dimensions = {{"n", 5}}}); });
}

TEST(OnnxImporter, FixesDimensionsOfInputsWhoseTypesAreRefused) {
  Model model = negation({2});
  model.graph.inputs.push_back({"wide", kDouble, {{"rows"}}});
  Context context = makeContext();
  expectTypeError({"\"rows\" has no size"}, [&] { import(context, model); });
  expectError(ErrorKind::notSupportedError, {"input \"wide\": WebNN has no type double"}, [&] {
    importWith(context, model, {.dimensions = {{"rows", 2}}});
  });
}

TEST(OnnxImporter, SaysWhichInputsDecideShapes) {
  Context context = makeContext();
  try {
    import(context, reshapeToInput());
    FAIL() << "nothing was thrown";
  } catch (const formats::onnx::ValuesNeeded& needed) {
    EXPECT_EQ(needed.kind(), ErrorKind::notSupportedError);
    EXPECT_EQ(needed.inputs(), (std::vector<std::string>{"shape"}));
  }
}

TEST(OnnxImporter, MakesConstantsOfInputsThatDecideShapes) {
  Context context = makeContext();
  const webnn::Graph graph = importWith(context, reshapeToInput(), {.values = {{"shape", packedInts({2, -1})}}});
  EXPECT_EQ(graph.inputs().size(), 1u);
  EXPECT_EQ(graph.outputs()[0].second.shape, (Shape{2, 2}));
  expectTypeError({"no input \"form\""}, [&] {
    importWith(context, reshapeToInput(), {.values = {{"form", packedInts({2, 2})}}});
  });
  expectTypeError({"byte length (8)"}, [&] { importWith(context, reshapeToInput(), {.values = {{"shape", packedInts({4})}}}); });
}

TEST(OnnxImporter, ListsEveryNodeThatIsInTheWay) {
  Model model = negation({2});
  model.graph.nodes = {{"NonMaxSuppression", {"x", "x"}, {"a"}, {}, "", "first"},
                       {"Neg", {"a"}, {"b"}, {}, "", "after"},  // supported, so the error must not list it
                       {"Frobnicate", {"b"}, {"c"}, {}, "my.domain", "second"},
                       {"Neg", {"c"}, {"y"}}};
  model.operatorSets = {{"", 13}, {"my.domain", 4}};
  Context context = makeContext();
  try {
    import(context, model);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::notSupportedError);
    EXPECT_NE(message.find("node \"first\" (NonMaxSuppression, opset 13): its result's shape depends on values"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("node \"second\" (my.domain.Frobnicate, opset 4)"), std::string::npos) << message;
    EXPECT_EQ(message.find("after"), std::string::npos) << message;
  }
}

TEST(OnnxImporter, ComputesValuesThatDependOnlyOnConstants) {
  // Flattens all dimensions but the first, by computing with shapes: reshape(x, concat(gather(shape(x), 0), -1)).
  Model model;
  model.graph.nodes = {{"Shape", {"x"}, {"s"}},
                       {"Gather", {"s", "zero"}, {"first"}},
                       {"Unsqueeze", {"first", "axes"}, {"head"}},
                       {"Concat", {"head", "rest"}, {"shape"}, {{"axis", std::int64_t{0}}}},
                       {"Reshape", {"x", "shape"}, {"y"}}};
  model.graph.initializers = {tensor("zero", {}, Ints{0}), tensor("axes", {1}, Ints{0}), tensor("rest", {1}, Ints{-1})};
  model.graph.inputs = {{"x", kFloat, {{2, 3, 4}}}};
  model.graph.outputs = {{"y"}};
  Context context = makeContext();
  const webnn::Graph graph = import(context, model);
  EXPECT_EQ(operationsOf(graph), (std::vector<std::string>{"reshape"}));
  EXPECT_EQ(graph.outputs()[0].second.shape, (Shape{2, 12}));
}

// Returns the model of y = x * conv0_weight + half, where `half` is a Constant node.
Model named() {
  Model model = negation({2});
  model.graph.nodes = {{"Constant", {}, {"half"}, {{"value", tensor("", {2}, Floats{0.5F, 0.25F})}}},
                       {"Mul", {"x", "conv0_weight"}, {"p"}},
                       {"Add", {"p", "half"}, {"y"}}};
  model.graph.initializers = {tensor("conv0_weight", {2}, Floats{2, 3})};
  return model;
}

std::vector<std::string> constantsOf(const webnn::Graph& graph) {
  const GraphDefinition& definition = definitionOf(graph);
  const std::vector<std::string> all = definition.operandNames();
  std::vector<std::string> names;
  for (const Operand& constant : definition.constants) names.push_back(all[constant.record().index]);
  std::ranges::sort(names);
  return names;
}

TEST(OnnxImporter, KeepsTheNamesOfConstantsWhereverAGraphGoes) {
  Context context = makeContext();
  const webnn::Graph graph = import(context, named());
  const std::vector<std::string> expected{"conv0_weight", "half"};
  EXPECT_EQ(constantsOf(graph), expected);
  EXPECT_NE(toDot(graph).find("conv0_weight"), std::string::npos);
  const TemporaryFolder folder;
  for (const GraphFormat format : {GraphFormat::webnnText, GraphFormat::graphJson, GraphFormat::onnx}) {
    const std::filesystem::path path = folder / ("g" + std::to_string(static_cast<int>(format)));
    save(graph, path, {.graph = format});
    EXPECT_EQ(constantsOf(load(context, path)), expected) << path;
  }
  EXPECT_NE(readText(folder / "g0.safetensors").find("\"conv0_weight\""), std::string::npos);
}

// Some names are no identifiers, some are like names that libwebnn chooses, and one is reserved by safetensors.
TEST(OnnxImporter, KeepsNamesOfConstantsApart) {
  const std::vector<std::string> names{"__metadata__", "a \"b\"\n", "1", "y", "operand_3", "a.b", "a_b"};
  Model model = negation({2});
  model.graph.nodes = {};
  std::string last = "x";
  for (std::size_t i = 0; i < names.size(); ++i) {
    model.graph.initializers.push_back(tensor(names[i], {2}, Floats{static_cast<float>(i), 1}));
    const std::string sum = i + 1 < names.size() ? "operand_" + std::to_string(i + 20) : "out";
    model.graph.nodes.push_back({"Add", {last, names[i]}, {sum}});
    last = sum;
  }
  model.graph.outputs = {{"out"}};
  Context context = makeContext();
  const webnn::Graph graph = import(context, model);
  std::vector<std::string> expected = names;
  std::ranges::sort(expected);
  EXPECT_EQ(constantsOf(graph), expected);
  const TemporaryFolder folder;
  for (const WeightsFormat weights : {WeightsFormat::safetensors, WeightsFormat::inlineBytes}) {
    save(graph, folder / "g.webnn", {.weights = weights});
    EXPECT_TRUE(definitionOf(load(context, folder / "g.webnn")) == definitionOf(graph));
  }
}

// Quantized weights must stay quantized: as floats, they would need four times the memory, and quantizing them again could give
// other values.
TEST(OnnxImporter, LeavesQuantizedWeightsAsTheyAre) {
  Model model = negation({1, 2});
  model.graph.nodes = {{"DequantizeLinear", {"w", "scales"}, {"f"}, {{"axis", std::int64_t{1}}}}, {"MatMul", {"x", "f"}, {"y"}}};
  model.graph.initializers = {rawTensor("w", kInt8, {2, 2}, std::string("\1\2\3\4")), tensor("scales", {2}, Floats{0.5F, 2})};
  Context context = makeContext();
  EXPECT_EQ(operationsOf(import(context, model)), (std::vector<std::string>{"dequantizeLinear", "matmul"}));
  EXPECT_EQ(run({model, {{"x", {1, 1}}}})[0].values, (std::vector<double>{2, 12}));
}

TEST(OnnxImporter, LeavesLargeConstantsInTheFile) {
  Model model = negation({600, 600});
  model.graph.nodes = {{"Transpose", {"w"}, {"t"}}, {"MatMul", {"x", "t"}, {"y"}}};
  model.graph.initializers = {tensor("w", {600, 600}, Floats(600 * 600, 1))};
  Context context = makeContext();
  const ExternalBytes file = bytesOf(modelBytes(model));
  const webnn::Graph graph = formats::onnx::importModel(context, file, {}, {});
  const std::vector<Operand>& constants = graph.state()->definition->constants;
  ASSERT_EQ(constants.size(), 1u);
  const std::byte* begin = constants[0].record().bytes.data();
  EXPECT_TRUE(begin >= file.bytes.data() && begin < file.bytes.data() + file.bytes.size());
}

TEST(OnnxImporter, PutsAnIdentityBetweenAnInputOrAConstantAndAnOutput) {
  Model model;
  model.graph.initializers = {tensor("c", {2}, Floats{5, 6})};
  model.graph.inputs = {{"x", kFloat, {{2}}}};
  model.graph.outputs = {{"x"}, {"c"}};
  const std::vector<Imported> results = run({model, {{"x", {1, 2}}}});
  EXPECT_EQ(results[0].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(results[1].values, (std::vector<double>{5, 6}));
}

// The outputs are one value under two names, the same output twice, and an input and an initializer, directly and through
// Identity.
TEST(OnnxImporter, GivesOutputsTheirNames) {
  Model model = negation({2});
  model.graph.nodes = {
      {"Neg", {"x"}, {"y"}}, {"Identity", {"y"}, {"again"}}, {"Identity", {"x"}, {"same"}}, {"Identity", {"c"}, {"constant"}}};
  model.graph.initializers = {tensor("c", {2}, Floats{5, 6})};
  model.graph.outputs = {{"y"}, {"again"}, {"x"}, {"same"}, {"y"}, {"c"}, {"constant"}};
  Context context = makeContext();
  std::vector<std::string> names;
  for (const auto& [name, descriptor] : import(context, model).outputs()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"y", "again", "x", "same", "c", "constant"}));
  const std::vector<Imported> results = run({model, {{"x", {1, 2}}}});
  const std::vector<double> minus{-1, -2}, plus{1, 2}, constant{5, 6};
  const std::vector<std::vector<double>> expected{minus, minus, plus, plus, constant, constant};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(results.at(i).values, expected[i]);
}

TEST(OnnxImporter, TakesInitializersThatAreInputsToo) {
  Model model = negation({2});
  model.graph.nodes = {{"Add", {"x", "b"}, {"y"}}};
  model.graph.initializers = {tensor("b", {2}, Floats{10, 20})};
  model.graph.inputs.push_back({"b", kFloat, {{2}}});
  EXPECT_EQ(run({model, {{"x", {1, 2}}}})[0].values, (std::vector<double>{11, 22}));
}

TEST(OnnxImporter, CallsFunctionsWithTheirAttributesOrDefaults) {
  // f(a) = LeakyRelu(a, alpha = slope), and g calls f with slope 0.5.
  Model model = negation({2});
  model.graph.nodes = {{"g", {"x"}, {"h"}, {}, "my"}, {"f", {"h"}, {"y"}, {}, "my"}};
  model.functions = {{"my", "f", {"a"}, {"r"}, {{"LeakyRelu", {"a"}, {"r"}, {{"alpha", {}, "slope"}}}}, {}, {{"slope", 0.25F}}},
                     {"my", "g", {"a"}, {"r"}, {{"f", {"a"}, {"r"}, {{"slope", 0.5F}}, "my"}}, {}, {}, {{"", 21}, {"my", 1}}}};
  model.operatorSets["my"] = 1;
  EXPECT_EQ(run({model, {{"x", {-8, 3}}}})[0].values, (std::vector<double>{-1, 3}));
}

TEST(OnnxImporter, RefusesFunctionsThatCallThemselves) {
  Model model = negation({2});
  model.graph.nodes = {{"f", {"x"}, {"y"}, {}, "my"}};
  model.functions = {{"my", "f", {"a"}, {"r"}, {{"f", {"a"}, {"r"}, {}, "my"}}, {}, {}, {{"my", 1}}}};
  model.operatorSets["my"] = 1;
  Context context = makeContext();
  expectError(ErrorKind::dataError, {"functions or subgraphs nest deeper than 32: node", "calls the function \"f\""},
              [&] { import(context, model); });
}

TEST(OnnxImporter, RefusesFunctionsThatDoubleTheirCalls) {
  // f0 calls f1 twice, f1 calls f2 twice, and so on: 2^20 negations in a small file.
  Model model = negation({2});
  model.graph.nodes = {{"f0", {"x"}, {"y"}, {}, "my"}};
  for (int i = 0; i < 20; ++i) {
    const std::string next = "f" + std::to_string(i + 1);
    model.functions.push_back({"my",
                               "f" + std::to_string(i),
                               {"a"},
                               {"r"},
                               {{next, {"a"}, {"b"}, {}, "my"}, {next, {"b"}, {"r"}, {}, "my"}},
                               {},
                               {},
                               {{"my", 1}}});
  }
  model.functions.push_back({"my", "f20", {"a"}, {"r"}, {{"Neg", {"a"}, {"r"}}}});
  model.operatorSets["my"] = 1;
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, {"too many"}, [&] { import(context, model); });
}

TEST(OnnxImporter, SortsNodesAndKeepsTheOrderOfThoseThatAreSorted) {
  Model model = negation({2});
  model.graph.nodes = {{"Abs", {"c"}, {"y"}, {}, "", "4"},
                       {"Exp", {"x"}, {"b"}, {}, "", "1"},
                       {"Neg", {"x"}, {"a"}, {}, "", "2"},
                       {"Add", {"a", "b"}, {"c"}, {}, "", "3"}};
  Context context = makeContext();
  EXPECT_EQ(operationsOf(import(context, model)), (std::vector<std::string>{"exp", "neg", "add", "abs"}));
}

TEST(OnnxImporter, RefusesANodeThatDefinesAnInitializer) {
  const Node makes{"Relu", {"x"}, {"w"}}, reads{"Neg", {"w"}, {"y"}};
  for (const std::vector<Node>& nodes : {std::vector{makes, reads}, std::vector{reads, makes}}) {
    Model model = negation({2});
    model.graph.nodes = nodes;
    model.graph.initializers = {tensor("w", {2}, Floats{5, 5})};
    Context context = makeContext();
    expectError(ErrorKind::dataError, {"the value \"w\" is defined twice"}, [&] { import(context, model); });
  }
}

struct Malformed {
  const char* what;
  std::vector<Node> nodes;
  std::vector<ValueInfo> outputs;
  std::string part;
};

TEST(OnnxImporter, NamesTheMalformedPart) {
  const std::vector<Malformed> cases{
      {"an input that nothing defines", {{"Neg", {"nobody"}, {"y"}}}, {{"y"}}, "\"nobody\" is not defined before"},
      {"a cycle",
       {{"Add", {"x", "b"}, {"a"}}, {"Neg", {"a"}, {"b"}}, {"Abs", {"b"}, {"y"}}},
       {{"y"}},
       "\"b\" is not defined before"},
      {"a value that is defined twice", {{"Neg", {"x"}, {"y"}}, {"Abs", {"x"}, {"y"}}}, {{"y"}}, "\"y\" is defined twice"},
      {"an output that nothing defines", {{"Neg", {"x"}, {"y"}}}, {{"z"}}, "output \"z\" is not defined"},
      {"no outputs", {{"Neg", {"x"}, {"y"}}}, {}, "no outputs"},
      {"an attribute of another type",
       {{"LeakyRelu", {"x"}, {"y"}, {{"alpha", std::int64_t{1}}}}},
       {{"y"}},
       "\"alpha\" has the wrong type"},
  };
  for (const Malformed& one : cases) {
    SCOPED_TRACE(one.what);
    Model model = negation({2});
    model.graph.nodes = one.nodes;
    model.graph.outputs = one.outputs;
    Context context = makeContext();
    expectError(ErrorKind::dataError, {one.part}, [&] { import(context, model); });
  }
}

TEST(OnnxImporter, RefusesOperatorSetsThatItDoesNotKnow) {
  Model model = negation({2});
  Context context = makeContext();
  model.operatorSets = {{"", 99}};
  expectError(ErrorKind::notSupportedError, {"operator set (99)"}, [&] { import(context, model); });
}

// Imports attributes and inputs whose form changed in one of the operator sets up to 7.
TEST(OnnxImporter, ReadsTheFirstOperatorSets) {
  const Given x = inputOf(kFloat, {2, 3}, {1, 2, 3, 4, 5, 6}), two = constantOf(kFloat, {2}, {10, 20});
  const std::vector<Attribute> rows{{"broadcast", 1}, {"axis", 0}};
  const Given picture = inputOf(kFloat, {1, 1, 1, 2}, {1, 2});
  expectCases({
      {"a broadcast beside an axis", {"Add", {}, {}, rows}, {x, two}, {{11, 12, 13, 24, 25, 26}}, 6},
      {"at the end", {"Mul", {}, {}, {{"broadcast", 1}}}, {x, constantOf(kFloat, {3}, {1, 2, 3})}, {{1, 4, 9, 4, 10, 18}}, 1},
      {"a comparison", {"Less", {}, {}, rows}, {x, constantOf(kFloat, {2}, {2, 6})}, {{1, 0, 0, 1, 1, 0}}, 1},
      {"a shape", {"Reshape", {}, {}, {{"shape", std::vector<std::int64_t>{0, -1, 1}}}}, {x}, {{1, 2, 3, 4, 5, 6}}, 1},
      {"a type", {"Cast", {}, {}, {{"to", "INT32"}}}, {inputOf(kFloat, {2}, {1.5, -2.5})}, {{1, -2}}, 1},
      {"paddings", {"Pad", {}, {}, {{"paddings", std::vector<std::int64_t>{0, 1, 0, 0}}}}, {x}, {{0, 1, 2, 3, 0, 4, 5, 6}}, 1},
      {"the second axis", {"Concat"}, {x, x}, {{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}}, 1},
      {"one axis of tiles",
       {"Tile"},
       {inputOf(kFloat, {2}, {1, 2}), constantOf(kInt64, {1}, {2}), constantOf(kInt64, {1}, {0})},
       {{1, 2, 1, 2}},
       1},
      {"slopes of channels",
       {"PRelu"},
       {inputOf(kFloat, {1, 2, 2}, {-1, 1, -1, 2}), constantOf(kFloat, {2}, {0.5, 0.25})},
       {{-0.5, 1, -0.25, 2}},
       6},
      {"scales", {"Upsample", {}, {}, {{"height_scale", 1.F}, {"width_scale", 2.F}}}, {picture}, {{1, 1, 2, 2}}, 1},
      {"a float power", {"GlobalLpPool", {}, {}, {{"p", 2.F}}}, {inputOf(kFloat, {1, 1, 2}, {3, 4})}, {{5}}, 1},
      {"shorter numbers", {"Selu"}, {inputOf(kFloat, {1}, {1})}, {{1.0507}}, 1, 1e-7},
  });
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, {"WebNN has no type \"COMPLEX64\""}, [&] {
    import(context, modelOf({"Cast", {}, {}, { { "to", "COMPLEX64" } }}, {x}, 1).model);
  });
}

TEST(OnnxImporter, GivesSmallFilesLittleMemory) {
  // A constant of 2^30 elements is built without allocating its bytes. Indices for as many elements would have to be allocated.
  Model model;
  model.graph.nodes = {{"ConstantOfShape", {"shape"}, {"y"}}};
  model.graph.initializers = {tensor("shape", {2}, Ints{1 << 15, 1 << 15})};
  model.graph.outputs = {{"y"}};
  Context context = makeContext();
  EXPECT_EQ(import(context, model).outputs()[0].second.shape, (Shape{1 << 15, 1 << 15}));

  Model resized = negation({1, 1, 2, 2});
  resized.graph.nodes = {{"Resize", {"x", "", "", "sizes"}, {"y"}, {{"mode", std::string("cubic")}}}};
  resized.graph.initializers = {tensor("sizes", {4}, Ints{1, 1, 1 << 29, 2})};
  expectError(ErrorKind::notSupportedError, {"constants of", "elements"}, [&] { import(context, resized); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
