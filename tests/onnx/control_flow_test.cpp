// Tests If, Loop, Scan and optionals of ONNX: selected branches, unrolled loops, conditions that are only known at run time.
#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;

std::shared_ptr<const Graph> constantBranch(std::vector<float> values) {
  Graph graph;
  const auto size = static_cast<std::int64_t>(values.size());
  graph.nodes = {{"Constant", {}, {"r"}, {{"value", tensor("", {size}, values)}}}};
  graph.outputs = {{"r"}};
  return subgraph(std::move(graph));
}

// Returns the names of the graph inputs whose values the import of the model needs (formats::onnx::ValuesNeeded).
std::vector<std::string> neededFor(const Runnable& runnable) {
  Context context = makeContext();
  try {
    import(context, runnable.model);
  } catch (const formats::onnx::ValuesNeeded& needed) {
    return needed.inputs();
  }
  return {};
}

TEST(OnnxIf, TakesTheBranchThatIsKnownOrSelects) {
  const Node choice{"If", {}, {}, {{"then_branch", constantBranch({1, 2})}, {"else_branch", constantBranch({3, 4})}}};
  const Node shapes{"If", {}, {}, {{"then_branch", constantBranch({1, 2})}, {"else_branch", constantBranch({3})}}};
  expectCases({
      {"known", choice, {constantOf(kBool, {}, {1})}, {{1, 2}}},
      {"known, of another shape", shapes, {constantOf(kBool, {1}, {0})}, {{3}}},
      {"true", choice, {inputOf(kBool, {}, {1})}, {{1, 2}}, 11},
      {"false", choice, {inputOf(kBool, {1}, {0})}, {{3, 4}}, 11},
  });
  EXPECT_EQ(neededFor(modelOf(shapes, {inputOf(kBool, {}, {1})})), std::vector<std::string>{"x0"});
}

// Returns a loop body that computes next = sum + i * x3, where x3 is a value of the enclosing graph. If `scans`, the sums are
// also a scan output. `condition` is "go" (continue for ever) or "below" (continue while next < 5).
std::shared_ptr<const Graph> summingBody(bool scans, const char* condition) {
  Graph body;
  body.nodes = {{"Cast", {"i"}, {"index"}, {{"to", std::int64_t{kFloat}}}},
                {"Mul", {"index", "x3"}, {"product"}},
                {"Add", {"sum", "product"}, {"next"}},
                {"Less", {"next", "limit"}, {"below"}}};
  body.initializers = {tensor("limit", {1}, std::vector<float>{5})};
  body.inputs = {{"i", kInt64}, {"go", kBool}, {"sum"}};
  body.outputs = {{condition}, {"next"}};
  if (scans) body.outputs.push_back({"next"});
  return subgraph(std::move(body));
}

// Returns a model of a Loop with summingBody(). `inputs` are the trip count, the condition and the initial sum. x3 is an
// initializer with the value 2.
Runnable loopOf(bool scans, const char* condition, const std::vector<Given>& inputs) {
  Runnable runnable = modelOf({"Loop", {}, {}, {{"body", summingBody(scans, condition)}}}, inputs, 16, scans ? 2 : 1);
  runnable.model.graph.initializers.push_back(tensor("x3", {1}, std::vector<float>{2}));
  return runnable;
}

TEST(OnnxLoop, UnrollsLoopsOfKnownLength) {
  const Given sum = inputOf(kFloat, {1}, {1}), four = constantOf(kInt64, {}, {4});
  const std::vector<Imported> results = run(loopOf(true, "go", {four, constantOf(kBool, {}, {1}), sum}));
  EXPECT_EQ(results[0].values, std::vector<double>{13});  // 1 + 2 * (0 + 1 + 2 + 3)
  EXPECT_EQ(results[1].values, (std::vector<double>{1, 3, 7, 13}));
  EXPECT_EQ(results[1].descriptor.shape, (Shape{4, 1}));
  EXPECT_EQ(run(loopOf(false, "go", {four, {}, sum}))[0].values, std::vector<double>{13});
  EXPECT_EQ(run(loopOf(false, "go", {four, constantOf(kBool, {}, {0}), sum}))[0].values, std::vector<double>{1});
}

// The initial sum is a constant, so the import knows all conditions: the sums are 1, 3 and 7, and 7 is not below 5.
TEST(OnnxLoop, RunsUntilAConditionThatIsKnownFails) {
  const std::vector<Imported> results = run(loopOf(true, "below", {{}, {}, constantOf(kFloat, {1}, {1})}));
  EXPECT_EQ(results[0].values, std::vector<double>{7});
  EXPECT_EQ(results[1].values, (std::vector<double>{1, 3, 7}));
}

TEST(OnnxLoop, KeepsValuesOnceAConditionOfTheRunFails) {
  const Given limit = constantOf(kInt64, {}, {6});
  EXPECT_EQ(run(loopOf(false, "below", {limit, {}, inputOf(kFloat, {1}, {1})}))[0].values, std::vector<double>{7});
  EXPECT_EQ(run(loopOf(false, "below", {limit, {}, inputOf(kFloat, {1}, {-25})}))[0].values,
            std::vector<double>{5});  // -25 + 2 * 15
  EXPECT_EQ(run(loopOf(false, "below", {limit, inputOf(kBool, {}, {0}), inputOf(kFloat, {1}, {1})}))[0].values,
            std::vector<double>{1});
}

TEST(OnnxLoop, NamesTheValuesThatDetermineItsLength) {
  const Given sum = inputOf(kFloat, {1}, {1});
  EXPECT_EQ(neededFor(loopOf(false, "go", {inputOf(kInt64, {}, {4}), {}, sum})), std::vector<std::string>{"x0"});
  EXPECT_EQ(neededFor(loopOf(true, "below", {constantOf(kInt64, {}, {4}), {}, sum})), std::vector<std::string>{"x2"});
  EXPECT_EQ(neededFor(loopOf(false, "below", {{}, {}, sum})), std::vector<std::string>{"x2"});
  expectRefused(loopOf(false, "go", {constantOf(kInt64, {}, {1025}), {}, sum}),
                {"(Loop, opset 16)", "more than 1024 iterations", "WebNN has no loops"});
  expectRefused(loopOf(false, "go", {{}, {}, sum}), {"more than 1024 iterations"});
}

// Returns a scan body: the state is the sum of all elements so far, and the output is the same sum.
std::shared_ptr<const Graph> scanBody() {
  Graph body;
  body.nodes = {{"Add", {"sum", "element"}, {"next"}}, {"Add", {"element", "sum"}, {"twice"}}};
  body.inputs = {{"sum"}, {"element"}};
  body.outputs = {{"next"}, {"twice"}};
  return subgraph(std::move(body));
}

TEST(OnnxScan, WalksAlongAxesInBothDirections) {
  const Given sum = inputOf(kFloat, {2}, {0, 10}), sequence = inputOf(kFloat, {3, 2}, {1, 2, 3, 4, 5, 6});
  const Given across = inputOf(kFloat, {2, 3}, {1, 3, 5, 2, 4, 6});
  const auto scan = [](std::vector<Attribute> attributes) {
    attributes.insert(attributes.end(), {{"body", scanBody()}, {"num_scan_inputs", 1}});
    return Node{"Scan", {}, {}, std::move(attributes)};
  };
  expectCases({
      {"forward", scan({}), {sum, sequence}, {{9, 22}, {1, 12, 4, 16, 9, 22}}, 9},
      {"backward", scan({{"scan_input_directions", Ints{1}}}), {sum, sequence}, {{9, 22}, {5, 16, 8, 20, 9, 22}}, 11},
      {"results backward", scan({{"scan_output_directions", Ints{1}}}), {sum, sequence}, {{9, 22}, {9, 22, 4, 16, 1, 12}}, 16},
      {"another axis", scan({{"scan_input_axes", Ints{-1}}}), {sum, across}, {{9, 22}, {1, 12, 4, 16, 9, 22}}, 16},
      {"another axis of results", scan({{"scan_output_axes", Ints{1}}}), {sum, sequence}, {{9, 22}, {1, 4, 9, 12, 16, 22}}, 16},
  });
}

TEST(OnnxScan, HadBatchesInVersion8) {
  const Node scan{"Scan", {}, {}, {{"body", scanBody()}, {"num_scan_inputs", 1}}};
  const Given sums = inputOf(kFloat, {2, 1}, {0, 100}), sequences = inputOf(kFloat, {2, 3, 1}, {1, 2, 3, 4, 5, 6});
  expectCases({
      {"all of one length", scan, {{}, sums, sequences}, {{6, 115}, {1, 3, 6, 104, 109, 115}}, 8},
      {"lengths", scan, {constantOf(kInt64, {2}, {3, 3}), sums, sequences}, {{6, 115}, {1, 3, 6, 104, 109, 115}}, 8},
  });
  expectUnsupported(
      {{scan, {constantOf(kInt64, {2}, {3, 2}), sums, sequences}, {"different lengths", "WebNN's shapes are static"}, 8}});
}

TEST(OnnxScan, RefusesLongAndMalformedScans) {
  const Node scan{"Scan", {}, {}, {{"body", scanBody()}, {"num_scan_inputs", 1}}},
      without{"Scan", {}, {}, {{"num_scan_inputs", 1}}};
  const Given sum = inputOf(kFloat, {1}, {0}), sequence = inputOf(kFloat, {2, 1}, {1, 2});
  expectUnsupported({{scan, {sum, inputOf(kFloat, {1025, 1}, std::vector<double>(1025))}, {"more than 1024 iterations"}}});
  Context context = makeContext();
  const auto expectMalformed = [&](const Node& node, const std::vector<Given>& inputs, const std::vector<std::string>& parts) {
    expectError(ErrorKind::dataError, parts, [&] { import(context, modelOf(node, inputs).model); });
  };
  expectMalformed(without, {sum, sequence}, {"(Scan, opset 21)", "attribute \"body\" is absent"});
  expectMalformed(scan, {sum, sum, sequence}, {"has 2 inputs, not 3"});
  expectUnsupported({{scan, {constantOf(kInt64, {1}, {1}), sum, sum}, {"axis (1)"}, 8}});
  expectMalformed({"Scan", {}, {}, {{"body", scanBody()}, {"num_scan_inputs", 3}}}, {sum, sequence}, {"num_scan_inputs (3)"});
  expectMalformed({"Scan", {}, {}, {{"body", scanBody()}, {"num_scan_inputs", 1}, {"scan_input_axes", Ints{0, 0}}}},
                  {sum, sequence}, {"has 2 elements, not 1"});
}

TEST(OnnxOptional, TensorsAreThere) {
  expectCases({
      {"there", {"OptionalHasElement"}, {inputOf(kFloat, {1}, {5})}, {{1}}, 18},
      {"absent", {"OptionalHasElement"}, {Given{}}, {{0}}, 18},
      {"element", {"OptionalGetElement"}, {inputOf(kFloat, {1}, {5})}, {{5}}, 18},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
