// Tests toDot(), which draws graphs in the DOT language.
#include "formats/formats_support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

TEST(Dot, DrawsOperandsOperationsAndEdgesWithShapes) {
  const Graph graph = test::buildText(
      "webnn_graph \"net\" v2 { inputs { x: f32[2, 3]; } consts { w: f32[3, 4] @scalar(1); b: f32[4] @scalar(1); }"
      "nodes { h = gemm(x, w, c=b, alpha=0.5, label=\"dense\"); p = softmax(h, axis=1); } outputs { scores = p; } }");
  const std::string dot = toDot(graph);
  for (const char* part :
       {"digraph \"net\" {", "input0 [label=\"x\\nfloat32[2, 3]\", shape=ellipse", "constant1 [label=\"b\\nfloat32[4]\"",
        "node0 [label=\"gemm\\ndense\\nalpha=0.5\", shape=box", "node1 [label=\"softmax\\np\\naxis=1\"",
        "input0 -> node0 [label=\"float32[2, 3]\"]", "constant1 -> node0 [label=\"c: float32[4]\"]",
        "node0 -> node1 [label=\"float32[2, 4]\"]", "output0 [label=\"scores\"", "node1 -> output0"}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part << " is not in\n" << dot;
  }
}

TEST(Dot, EscapesEveryName) {
  test::Fixture fixture;
  const Operand x = fixture.builder.input("a\"]\n\\ &lt; \xFF", {DataType::float32, {}});
  const std::string dot = toDot(fixture.builder.build({{"}\"", fixture.builder.relu(x, {.label = "\\"})}}));
  EXPECT_NE(dot.find("label=\"a\\\"]\\\\u{000A}\\\\ &amp;lt; \\\\xFF\\nfloat32[]\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("label=\"}\\\"\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("label=\"relu\\n\\\\\""), std::string::npos) << dot;
}

TEST(Dot, RefusesAGraphThatRefersToNothing) {
  test::expectTypeError({"toDot"}, [] { toDot(Graph()); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
