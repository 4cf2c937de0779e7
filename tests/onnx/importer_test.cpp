// What the import does around the operators: names, dimensions, values, folding, functions, obstacles, limits.
#include <gtest/gtest.h>

#include <algorithm>

#include "context/graph_state.h"
#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace {

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

// y = -x, of the given dimensions.
Model negation(std::vector<Dimension> dimensions) {
  Model model;
  model.graph.nodes = {{"Neg", {"x"}, {"y"}, {}, "", "minus"}};
  model.graph.inputs = {{"x", kFloat, dimensions}};
  model.graph.outputs = {{"y"}};
  return model;
}

// y = Reshape(x, shape)
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
                       {"Neg", {"a"}, {"b"}, {}, "", "after"},  // in nobody's way by itself
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

TEST(OnnxImporter, ComputesWhatDependsOnConstantsOnly) {
  // Flattens all but the first dimension by shape arithmetic: reshape(x, concat(gather(shape(x), 0), -1)).
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
  expectError(ErrorKind::dataError, {"nest deeper"}, [&] { import(context, model); });
}

TEST(OnnxImporter, RefusesFunctionsThatDoubleTheirCalls) {
  // f0 calls f1 twice, which calls f2 twice, ...: 2^20 negations in a small file.
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

struct Malformed {
  const char* what;
  std::vector<Node> nodes;
  std::vector<ValueInfo> outputs;
  std::string part;
};

TEST(OnnxImporter, SaysWhatIsMalformed) {
  const std::vector<Malformed> cases{
      {"an input that nothing defines", {{"Neg", {"nobody"}, {"y"}}}, {{"y"}}, "\"nobody\" is not defined before"},
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
  model.operatorSets = {{"", 6}};
  expectError(ErrorKind::notSupportedError, {"from operator set 7 on"}, [&] { import(context, model); });
  model.operatorSets = {{"", 99}};
  expectError(ErrorKind::notSupportedError, {"operator set (99)"}, [&] { import(context, model); });
}

TEST(OnnxImporter, GivesSmallFilesLittleMemory) {
  // A constant of 2^30 elements is built without its bytes; indices for as many would have to be made up.
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

}  // namespace
}  // namespace webnn::test::onnx
