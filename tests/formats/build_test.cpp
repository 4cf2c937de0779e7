// Tests building graphs from documents: names, options in every spelling, constants, open dimensions and errors.
#include <variant>

#include "formats/formats_support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::buildText;
using test::expectError;

// Returns a document with inputs x: f32[1, 3, 8, 8] and a: f32[2, 2], and the constants k: f32[4, 3, 3, 3] and b: f32[4].
std::string wrap(std::string_view nodes, std::string_view outputs = "y;") {
  return "webnn_graph \"g\" v2 { inputs { x: f32[1, 3, 8, 8]; a: f32[2, 2]; }\n"
         "consts { k: f32[4, 3, 3, 3] @scalar(1); b: f32[4] @scalar(2); }\nnodes {\n" +
         std::string(nodes) + "\n} outputs { " + std::string(outputs) + " } }";
}

template <typename Op>
const Op& operationOf(const Graph& graph, std::size_t node = 0) {
  return std::get<Op>(static_cast<const OperationVariant&>(definitionOf(graph).nodes.at(node).operation));
}

std::vector<Number> constantOf(const std::string& declaration) {
  const Graph graph =
      buildText("webnn_graph \"g\" v2 { consts { c: " + declaration + "; } nodes { y = identity(c); } outputs { y; } }");
  const Operand& constant = definitionOf(graph).constants.at(0);
  return test::unpack(constant.descriptor(), constant.record().bytes);
}

TEST(BuildGraph, NamesEveryOperandAndTheGraph) {
  const Graph graph = buildText(wrap("h = relu(a); [y] = abs(h);", "first = y; h;"));
  EXPECT_EQ(definitionOf(graph).name, "g");
  EXPECT_EQ(definitionOf(graph).nodes[0].outputs[0].record().name, "h");
  ASSERT_EQ(graph.outputs().size(), 2u);
  EXPECT_EQ(graph.outputs()[0].first, "first");
  EXPECT_EQ(graph.outputs()[1].first, "h");
}

TEST(BuildGraph, TakesOperandsOfOptionsByNameByNumberAndByPosition) {
  // The indices of the operands follow this order: a, x (inputs, sorted), b, k (constants, sorted).
  for (const char* bias : {"bias=b", "bias=\"b\"", "bias=2", "b"}) {
    SCOPED_TRACE(bias);
    const Graph graph = buildText(wrap("y = conv2d(x, k, " + std::string(bias) + ");"));
    EXPECT_EQ(operationOf<ops::Conv2d>(graph).options.bias->record().name, "b");
  }
  const Graph graph = buildText(wrap("h = relu(a); y = gemm(a, a, c=4);"));
  EXPECT_EQ(operationOf<ops::Gemm>(graph, 1).options.c->record().name, "h");
}

TEST(BuildGraph, SkipsPositionalOperandsThatAFlagDenies) {
  const Graph graph = buildText(
      "webnn_graph \"\" v1 { inputs { x: f32[1, 4, 2, 2]; } consts { b: f32[4] @scalar(1); }"
      "nodes { y = instanceNormalization(x, b, hasScale=false, hasBias=true); } outputs { y } }");
  EXPECT_FALSE(operationOf<ops::InstanceNormalization>(graph).options.scale);
  EXPECT_EQ(operationOf<ops::InstanceNormalization>(graph).options.bias->record().name, "b");
}

TEST(BuildGraph, TakesOptionsInEverySpelling) {
  const std::vector<std::uint32_t> padding{1, 2, 3, 4};
  EXPECT_EQ(operationOf<ops::Conv2d>(buildText(wrap("y = conv2d(x, k, padding=[1, 2, 3, 4]);"))).options.padding.value(),
            padding);
  EXPECT_EQ(operationOf<ops::Conv2d>(buildText(wrap("y = conv2d(x, k, pads=[1, 3, 2, 4]);"))).options.padding.value(), padding);
  EXPECT_EQ(operationOf<ops::Conv2d>(buildText(wrap("y = conv2d(x, k, input_layout=nchw, groups=1.0);"))).options.groups, 1u);
  EXPECT_EQ(operationOf<ops::Cast>(buildText(wrap("y = cast(a, to=\"int8\");"))).dataType, DataType::int8);
  EXPECT_EQ(operationOf<ops::Cast>(buildText(wrap("y = cast(a, dataType=f16);"))).dataType, DataType::float16);
  EXPECT_EQ(operationOf<ops::Tile>(buildText(wrap("y = tile(a, repeats=[2, 3]);"))).repetitions,
            (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(operationOf<ops::Expand>(buildText(wrap("y = expand(a, new_shape=[3, 2, 2], axes=[0]);"))).newShape.size(), 3u);
  EXPECT_EQ(operationOf<ops::Pool2d>(buildText(wrap("y = maxPool2d(x, roundingType=ceil);"))).options.outputShapeRounding,
            RoundingType::ceil);
  EXPECT_EQ(operationOf<ops::Clamp>(buildText(wrap("y = clamp(a, minValue=\"-Infinity\", maxValue=null);"))).options.minValue,
            Number(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(operationOf<ops::Clamp>(buildText(wrap("i = cast(a, to=int64); y = clamp(i, maxValue=\"9007199254740993\");")), 1)
                .options.maxValue,
            Number(std::int64_t{9007199254740993}));
  EXPECT_EQ(operationOf<ops::Activation>(buildText(wrap("y = relu(a, label=\"stem\");"))).options.label, "stem");
  EXPECT_EQ(std::get<std::uint32_t>(operationOf<ops::Split>(buildText(wrap("[y, z] = split(a, splits=2);"))).splits), 2u);
}

TEST(BuildGraph, FillsConstantsExactly) {
  const auto numbers = [](std::size_t count, const Number& value) { return std::vector<Number>(count, value); };
  EXPECT_EQ(constantOf("u64[2] @scalar(18446744073709551615)"), numbers(2, Number(std::uint64_t{18446744073709551615u})));
  EXPECT_EQ(constantOf("i64[3] @scalar(-9007199254740993)"), numbers(3, Number(std::int64_t{-9007199254740993})));
  EXPECT_EQ(constantOf("i32[2] @scalar(16777217)"), numbers(2, Number(16777217)));
  EXPECT_EQ(constantOf("f16[2] @scalar(0.5)"), numbers(2, Number(0.5)));
  EXPECT_EQ(constantOf("f32[] @scalar(\"-Infinity\")"), numbers(1, Number(-std::numeric_limits<double>::infinity())));
  EXPECT_EQ(constantOf("i4[3] @scalar(-3)"), numbers(3, Number(-3)));
  EXPECT_EQ(constantOf("u8[2] @bytes([0, 255])"), (std::vector<Number>{Number(0), Number(255)}));
}

TEST(BuildGraph, LeavesTheUnusedNibbleOfAFilledConstantZero) {
  const Graph graph =
      buildText("webnn_graph \"\" v2 { consts { c: u4[3] @scalar(15); } nodes { y = identity(c); } outputs { y; } }");
  const auto bytes = definitionOf(graph).constants.at(0).record().bytes;
  EXPECT_EQ(std::vector<std::byte>(bytes.begin(), bytes.end()), (std::vector<std::byte>{std::byte{0xFF}, std::byte{0x0F}}));
}

TEST(BuildGraph, TakesWeightsByKey) {
  test::FakeWeights weights;
  weights.tensors["layer.w"] = std::vector<std::byte>(2, std::byte{9});
  const char* text =
      "webnn_graph \"\" v2 { consts { c: u8[2] @weights(\"layer.w\"); } nodes { y = identity(c); } outputs { y; } }";
  EXPECT_EQ(definitionOf(buildText(text, {}, &weights)).constants.at(0).record().bytes[1], std::byte{9});
  expectError(ErrorKind::notFoundError, {"line 1, column 30", "constant \"c\"", "\"layer.w\""}, [&] { buildText(text); });
  weights.tensors.clear();
  expectError(ErrorKind::notFoundError, {"line 1, column 30", "constant \"c\"", "no tensor layer.w"},
              [&] { buildText(text, {}, &weights); });
}

TEST(BuildGraph, FixesDynamicDimensions) {
  const char* text = R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [{"name": "batch", "maxSize": 8}, 3]}},
    "nodes": [{"id": "y", "op": "reshape", "inputs": ["x"], "options": {"newShape": [3, {"name": "batch", "maxSize": 6}]}}],
    "outputs": {"y": "y"}})";
  EXPECT_EQ(buildText(text, {{"batch", 5}}).outputs()[0].second.shape, (Shape{3, 5}));
  const std::string all = "dimensions are \"batch\" (1 to 6)";
  expectError(ErrorKind::typeError, {"\"batch\" has no size", all}, [&] { buildText(text); });
  expectError(ErrorKind::typeError, {"\"b\" is not in the graph", all}, [&] { buildText(text, {{"b", 1}, {"batch", 1}}); });
  expectError(ErrorKind::typeError, {"size (7)", all}, [&] { buildText(text, {{"batch", 7}}); });
  expectError(ErrorKind::typeError, {"size (0)", all}, [&] { buildText(text, {{"batch", 0}}); });
  expectError(ErrorKind::typeError, {"\"n\"", "no dynamic dimensions"}, [&] { buildText(wrap("y = relu(a);"), {{"n", 1}}); });
}

TEST(BuildGraph, RefusesToFillMuchMemoryFromASmallFile) {
  const std::string start = "webnn_graph \"\" v2 { consts { a: f32[8388608] @scalar(0); b: i8[";
  const std::string rest = "] @scalar(0); } nodes { y = identity(b); } outputs { y; } }";
  expectError(ErrorKind::dataError, {"constant \"b\"", "33554432 bytes"}, [&] { buildText(start + "1" + rest); });
  expectError(ErrorKind::dataError, {"constant \"c\""}, [] { constantOf("i64[2147483647] @scalar(0)"); });
}

TEST(BuildGraph, SaysWhereTheGraphIsWrong) {
  struct Case {
    std::string text;
    ErrorKind kind;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases{
      {wrap("y = warp(a);"), ErrorKind::dataError, {"line 4, column 1: ", "\"warp\" is unknown"}},
      {wrap("y = relu(a, alpha=1);"), ErrorKind::dataError, {"line 4, column 1: relu: ", "\"alpha\" is unknown"}},
      {wrap("y = relu(a, label=\"stem\", alpha=1);"), ErrorKind::dataError, {"relu \"stem\": ", "\"alpha\""}},
      {wrap("y = relu(a, label=1);"), ErrorKind::dataError, {"label (1)"}},
      {wrap("y = relu(z);"), ErrorKind::dataError, {"line 4, column 1: relu: ", "\"z\"", "not defined"}},
      {wrap("y = relu(h);\n h = relu(a);"), ErrorKind::dataError, {"line 4, column 1: ", "\"h\"", "not defined"}},
      {wrap("y = relu();"), ErrorKind::dataError, {"operand input is missing"}},
      {wrap("y = relu(a, a);"), ErrorKind::dataError, {"more operands (2) than it takes (1)"}},
      {wrap("y = softmax(a);"), ErrorKind::dataError, {"argument axis is missing"}},
      {wrap("y = softmax(a, axis=-1);"), ErrorKind::dataError, {"axis (-1) is not an integer between 0 and 4294967295"}},
      {wrap("y = softmax(a, axis=0.5);"), ErrorKind::dataError, {"axis (0.5)"}},
      {wrap("y = softmax(a, axis=\"NaN\");"), ErrorKind::dataError, {"axis (\"NaN\")"}},
      {wrap("y = softmax(a, axis=4294967296);"), ErrorKind::dataError, {"axis (4294967296)"}},
      {wrap("y = softmax(a, axis=[0]);"), ErrorKind::dataError, {"axis (a list of 1)"}},
      {wrap("y = triangular(a, upper=1);"), ErrorKind::dataError, {"upper (1) is not true or false"}},
      {wrap("y = triangular(a, diagonal=2147483648);"), ErrorKind::dataError, {"diagonal (2147483648)"}},
      {wrap("y = elu(a, alpha=[]);"), ErrorKind::dataError, {"alpha ([]) is not a number"}},
      {wrap("y = elu(a, alpha=\"one\");"), ErrorKind::dataError, {"alpha (\"one\")"}},
      {wrap("y = cast(a, to=\"float64\");"), ErrorKind::dataError, {"dataType (\"float64\") is not one of float32, "}},
      {wrap("y = pad(a, beginningPadding=[0, 0], endingPadding=[0, 0], mode=zero);"),
       ErrorKind::dataError,
       {"mode (\"zero\") is not one of constant, edge, reflection"}},
      {wrap("y = transpose(a, permutation=1);"), ErrorKind::dataError, {"permutation (1) is not a list"}},
      {wrap("y = cast(a, to=f16, dataType=f16);"), ErrorKind::dataError, {"\"dataType\" is given twice"}},
      {wrap("y = gemm(a, a, c=9);"), ErrorKind::dataError, {"c (9)", "there are 5"}},
      {wrap("y = gemm(a, a, c=true);"), ErrorKind::dataError, {"c (true) is neither"}},
      {wrap("y = relu(a);\ny = relu(a);"), ErrorKind::dataError, {"line 5, column 1: ", "\"y\" is defined twice"}},
      {wrap("a = relu(a); y = relu(a);"), ErrorKind::dataError, {"\"a\" is defined twice"}},
      {wrap("[y, z] = relu(a);"), ErrorKind::dataError, {"2 names for 1 results"}},
      {wrap("y = relu(a);", "z;"), ErrorKind::dataError, {"line 5, column 13: ", "output \"z\""}},
      {wrap("y = relu(a);", ""), ErrorKind::typeError, {"no outputs"}},
      {wrap("y = relu(a);", "y; y;"), ErrorKind::typeError, {"\"y\" is given twice"}},
      {wrap("y = matmul(x, k, label=\"m\");"), ErrorKind::typeError, {"line 4, column 1: matmul \"m\": "}},
      {"webnn_graph \"\" v2 { inputs { x: f32[0]; } }", ErrorKind::typeError, {"line 1, column 30: "}},
      {"webnn_graph \"\" v2 { consts { c: u8[3] @bytes([1]); } }", ErrorKind::typeError, {"line 1, column 30: constant \"c\": "}},
      {"webnn_graph \"\" v2 { consts { c: u8[3] @scalar(\"NaN\"); } }", ErrorKind::dataError, {"NaN", "uint8"}},
      {R"({"format": "webnn-graph-json", "version": 2, "inputs": {}, "nodes": [{"id": "y", "op": "relu",
        "inputs": []}], "outputs": {}})",
       ErrorKind::dataError,
       {"nodes[0]: relu: "}},
  };
  for (const auto& [text, kind, parts] : cases) {
    SCOPED_TRACE(text);
    expectError(kind, parts, [&text = text] { buildText(text); });
  }
}

TEST(BuildGraph, BuildsGraphInfoWithOperandsByTheirIds) {
  const Graph graph = buildText(R"({
    "operands": [{"kind": "constant", "descriptor": {"data_type": "float32", "shape": [2, 2]}},
                 {"kind": "input", "descriptor": {"data_type": "float32", "shape": [2, 2]}, "name": "x"},
                 {"kind": "output", "descriptor": {"data_type": "float32", "shape": [2, 2]}, "name": "y"}],
    "input_operands": [1], "output_operands": [2],
    "operations": [{"type": "gemm", "input_operands": [1, 1], "output_operand": 2, "attributes": {"c": 0,
        "bTranspose": true}, "label": "g"}],
    "constant_operand_ids_to_handles": {"0": {"data": "AAAAAAAAAAAAAAAAAACAPw==", "label": null}}})");
  const auto& gemm = operationOf<ops::Gemm>(graph);
  EXPECT_EQ(*gemm.options.c, definitionOf(graph).constants.at(0));
  EXPECT_TRUE(gemm.options.bTranspose);
  EXPECT_EQ(gemm.options.label, "g");
  EXPECT_EQ(test::unpack(gemm.options.c->descriptor(), gemm.options.c->record().bytes).at(3), Number(1));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
