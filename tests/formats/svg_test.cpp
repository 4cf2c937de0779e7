// Tests toSvg(), which draws graphs, and the layout of its pictures.
#include <algorithm>
#include <random>
#include <regex>

#include "formats/formats_support.h"
#include "formats/svg/layout.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using formats::Layout;
using formats::LayoutBox;

std::vector<std::string> textsOf(const std::string& svg) {
  static const std::regex kText("<text[^>]*>([^<]*)</text>");
  std::vector<std::string> texts;
  for (std::sregex_iterator found(svg.begin(), svg.end(), kText), end; found != end; ++found) texts.push_back((*found)[1]);
  return texts;
}

TEST(Svg, ShowsOperationsWithOperandsAndResults) {
  const Graph graph = test::buildText(
      "webnn_graph \"net\" v2 { inputs { x: f32[2, 3]; } consts { w: f32[3, 4] @scalar(1); b: f32[4] @scalar(1); }"
      "nodes { h = gemm(x, w, c=b, alpha=0.5, label=\"dense\"); p = softmax(h, axis=1); } outputs { scores = p; } }");
  EXPECT_EQ(textsOf(toSvg(graph)),
            (std::vector<std::string>{"x", "float32[2, 3]", "gemm", "dense", "alpha=0.5", "b: float32[3, 4]", "c: float32[4]",
                                      "→ float32[2, 4]", "softmax", "p", "axis=1", "→ float32[2, 4]", "scores"}));
}

TEST(Svg, EscapesEveryName) {
  test::Fixture fixture;
  const std::string evil = "</text><script>alert(1)</script>&\"'\x1b\u202e\xFF";
  const Operand x = fixture.builder.input(evil, {DataType::float32, {}});
  const std::string svg = toSvg(fixture.builder.build({{evil, fixture.builder.relu(x, {.label = evil})}}));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_EQ(svg.find("\u202e"), std::string::npos);
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;script&gt;alert(1)&lt;"), std::string::npos) << svg;
}

TEST(Svg, RefusesAGraphThatRefersToNothing) {
  test::expectTypeError({"toSvg"}, [] { toSvg(Graph()); });
}

// Expects that all boxes are in the picture, that the boxes of a layer do not overlap, and that every edge leads downwards.
void expectOrderly(const Layout& layout) {
  std::vector<const LayoutBox*> boxes;
  for (const LayoutBox& box : layout.boxes) {
    boxes.push_back(&box);
    EXPECT_GE(box.center.x - box.width / 2, 0);
    EXPECT_LE(box.center.x + box.width / 2, layout.width);
    EXPECT_LE(box.center.y + box.height / 2, layout.height);
  }
  std::ranges::sort(boxes, {}, [](const LayoutBox* box) { return std::pair(box->center.y, box->center.x); });
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    const LayoutBox &a = *boxes[i - 1], &b = *boxes[i];
    if (a.center.y == b.center.y) {
      EXPECT_LE(a.center.x + a.width / 2, b.center.x - b.width / 2);
    } else {
      EXPECT_LE(a.center.y + a.height / 2, b.center.y - b.height / 2);
    }
  }
  for (const formats::LayoutEdge& edge : layout.edges) {
    ASSERT_GE(edge.points.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(edge.points, {}, &formats::Point::y));
  }
}

TEST(Svg, LaysOutAChainInALine) {
  Layout layout;
  for (std::size_t i = 0; i < 5; ++i) layout.boxes.push_back({.width = 40 + 10.0 * static_cast<double>(i), .height = 20});
  for (std::size_t i = 1; i < 5; ++i) layout.edges.push_back({.from = i - 1, .to = i});
  layOut(layout);
  expectOrderly(layout);
  for (const LayoutBox& box : layout.boxes) EXPECT_NEAR(box.center.x, layout.width / 2, 0.01);
}

TEST(Svg, LeadsALongEdgeAroundTheBoxesOnItsWay) {
  Layout layout;
  layout.boxes.assign(4, {.width = 100, .height = 20});
  layout.edges = {{.from = 0, .to = 1}, {.from = 1, .to = 2}, {.from = 2, .to = 3}, {.from = 0, .to = 3}};
  layOut(layout);
  expectOrderly(layout);
  for (const formats::Point& point : layout.edges[3].points) {
    for (const std::size_t i : {1, 2}) {
      const LayoutBox& box = layout.boxes[i];
      const bool isBeside = std::abs(point.y - box.center.y) <= box.height / 2;
      EXPECT_TRUE(!isBeside || std::abs(point.x - box.center.x) > box.width / 2);
    }
  }
}

// Tests random graphs of up to ten thousand boxes, with edges across the whole picture.
TEST(Svg, LaysOutAnyGraph) {
  std::mt19937 random(1);
  for (const std::size_t count : {1u, 2u, 30u, 300u, 10'000u}) {
    Layout layout;
    layout.boxes.assign(count, {.width = 80, .height = 30});
    for (std::size_t i = 1; i < count; ++i) {
      layout.edges.push_back({.from = i - 1 - random() % std::min<std::size_t>(i, 3), .to = i});
      if (random() % 2 == 0) layout.edges.push_back({.from = random() % i, .to = i});
    }
    layOut(layout);
    expectOrderly(layout);
  }
  Layout nothing;
  layOut(nothing);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
