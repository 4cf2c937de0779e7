// https://www.w3.org/TR/SVG2/
#include <algorithm>
#include <cmath>

#include "base/escape.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "formats/dot/picture.h"
#include "formats/svg/layout.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

using formats::Layout;
using formats::PictureEdge;
using formats::PictureKind;
using formats::PictureNode;
using formats::Point;

constexpr double kCharacter = 6.4, kWideCharacter = 11.5, kLine = 14, kPadding = 8;
constexpr std::size_t kMostCharacters = 44, kMostLines = 12;  // limits of a box

// A style sheet with separate colors for dark pages. The classes f0 to f7 stand for formats::Family. The class webnn limits all
// rules to the picture.
constexpr std::string_view kStyle = R"(<style>
.webnn{font:11px system-ui,sans-serif;--page:#fff;--ink:#1f2328;--pale:#59636e;--line:#8c959f;--edge:#c6dbef;--last:#9ecae1;--f0:#fff;--f1:#fdd0a2;--f2:#fdae6b;--f3:#dadaeb;--f4:#c7e9c0;--f5:#a1d99b;--f6:#fcbba1;--f7:#f7f2b0}
@media (prefers-color-scheme:dark){.webnn{--page:#0d1117;--ink:#f0f6fc;--pale:#a5b0bc;--line:#6e7681;--edge:#1c3d5a;--last:#24567d;--f0:#21262d;--f1:#5f3a15;--f2:#74400f;--f3:#3b3561;--f4:#1f4a2a;--f5:#2b5e22;--f6:#6a2e20;--f7:#4f4a16}}
.webnn .page{fill:var(--page)}.webnn text{fill:var(--ink);text-anchor:middle}.webnn .pale{fill:var(--pale)}.webnn .name{font-weight:600}
.webnn rect{stroke:var(--line)}.webnn .page{stroke:none}.webnn path{fill:none;stroke:var(--line)}.webnn marker path{fill:var(--line);stroke:none}
.webnn .in{fill:var(--edge)}.webnn .out{fill:var(--last)}.webnn .f0{fill:var(--f0)}.webnn .f1{fill:var(--f1)}.webnn .f2{fill:var(--f2)}.webnn .f3{fill:var(--f3)}.webnn .f4{fill:var(--f4)}.webnn .f5{fill:var(--f5)}.webnn .f6{fill:var(--f6)}.webnn .f7{fill:var(--f7)}
</style>
)";

// A line of text, cut to kMostCharacters.
struct Line {
  std::string text;
  double width = 0;
  std::string_view style{};  // a class
};

Line lineOf(std::string_view text, std::string_view style) {
  const std::string clean = sanitized(text);
  Line line{.style = style};
  std::size_t count = 0;
  for (std::string_view rest = clean; !rest.empty(); ++count) {
    const CodePoint c = decodeUtf8(rest);
    if (count == kMostCharacters) {
      line.text += "…";
      break;
    }
    line.text += rest.substr(0, c.length);
    line.width += c.value < 0x1100 ? kCharacter : kWideCharacter;
    rest.remove_prefix(c.length);
  }
  return line;
}

std::string markup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

// Returns the lines in a node's box. Constants are listed in the boxes of their users.
std::vector<Line> linesOf(const PictureNode& node, const std::vector<PictureNode>& nodes) {
  std::vector<Line> lines{lineOf(node.name, "name")};
  if (node.hasLabel) lines.push_back(lineOf(node.label, {}));
  if (!node.options.empty()) lines.push_back(lineOf(node.options, {}));
  for (const PictureEdge& edge : node.edges) {
    if (node.kind == PictureKind::operation && nodes[edge.from].kind == PictureKind::constant)
      lines.push_back(lineOf(formatText("{}: {}", edge.argument, toString(*edge.type)), "pale"));
  }
  std::string types;
  for (const OperandDescriptor* type : node.results) {
    if (types.size() < 2 * kMostCharacters) types += (types.empty() ? "" : ", ") + toString(*type);
  }
  if (node.kind == PictureKind::operation) types.insert(0, "→ ");
  if (!node.results.empty()) lines.push_back(lineOf(types, "pale"));
  if (lines.size() > kMostLines) {
    lines.resize(kMostLines - 1);
    lines.push_back(lineOf("…", "pale"));
  }
  return lines;
}

class SvgWriter {
 public:
  explicit SvgWriter(const GraphDefinition& graph) : nodes_(formats::pictureOf(graph)), name_(graph.name) {}

  std::string write() {
    arrange();
    formats::layOut(layout_);
    const double width = std::ceil(std::max(layout_.width, 1.0)), height = std::ceil(std::max(layout_.height, 1.0));
    text_ = formatText(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"webnn\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\">\n"
        "<title>{2}</title>\n",
        width, height, markup(sanitized(name_.empty() ? "graph" : name_)));
    text_ += kStyle;
    text_ += formatText(
        "<defs><marker id=\"webnn-arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
        "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\"/></marker></defs>\n<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n"
        "<g marker-end=\"url(#webnn-arrow)\">\n",
        width, height);
    for (const formats::LayoutEdge& edge : layout_.edges) arrow(edge);
    text_ += "</g>\n";
    for (std::size_t i = 0; i < layout_.boxes.size(); ++i) box(*shown_[i], lines_[i], layout_.boxes[i]);
    return text_ + "</svg>\n";
  }

 private:
  // Makes boxes for all nodes except constants.
  void arrange() {
    std::vector<std::size_t> places(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind == PictureKind::constant) continue;
      places[i] = shown_.size();
      shown_.push_back(&nodes_[i]);
      lines_.push_back(linesOf(nodes_[i], nodes_));
      double width = 40;
      for (const Line& line : lines_.back()) width = std::max(width, line.width + 2 * kPadding);
      layout_.boxes.push_back({.width = width, .height = kLine * static_cast<double>(lines_.back().size()) + kPadding});
      std::vector<std::size_t> sources;
      for (const PictureEdge& edge : nodes_[i].edges) {
        if (nodes_[edge.from].kind != PictureKind::constant) sources.push_back(places[edge.from]);
      }
      std::ranges::sort(sources);
      sources.erase(std::unique(sources.begin(), sources.end()), sources.end());  // x * x has one arrow
      for (const std::size_t source : sources) layout_.edges.push_back({.from = source, .to = places[i]});
    }
  }

  void arrow(const formats::LayoutEdge& edge) {
    const std::vector<Point>& points = edge.points;
    text_ += formatText("<path d=\"M{:.1f} {:.1f}", points[0].x, points[0].y);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Point &a = points[i - 1], &b = points[i];
      if (i % 2 == 0) {
        text_ += formatText("V{:.1f}", b.y);  // passes straight through a layer
      } else {
        const double middle = (a.y + b.y) / 2;
        text_ += formatText("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", a.x, middle, b.x, middle, b.x, b.y);
      }
    }
    text_ += "\"/>\n";
  }

  void box(const PictureNode& node, const std::vector<Line>& lines, const formats::LayoutBox& box) {
    const bool isOperation = node.kind == PictureKind::operation;
    const std::string style = node.kind == PictureKind::input    ? "in"
                              : node.kind == PictureKind::output ? "out"
                                                                 : formatText("f{}", static_cast<std::size_t>(node.family));
    text_ += formatText("<g><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\"/>", style,
                        box.center.x - box.width / 2, box.center.y - box.height / 2, box.width, box.height,
                        isOperation ? 4.0 : std::min(box.height / 2, 14.0));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double y = box.center.y + kLine * (static_cast<double>(i) + 0.5 - static_cast<double>(lines.size()) / 2) + 4;
      text_ += formatText("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                          lines[i].style.empty() ? "" : formatText(" class=\"{}\"", lines[i].style), box.center.x, y,
                          markup(lines[i].text));
    }
    text_ += "</g>\n";
  }

  std::vector<PictureNode> nodes_;
  std::string name_;
  std::vector<const PictureNode*> shown_;  // the node of each box
  std::vector<std::vector<Line>> lines_;
  Layout layout_;
  std::string text_;
};

}  // namespace

std::string toSvg(const Graph& graph) { return formats::svgOf(definitionOf(graph, "toSvg")); }

std::string formats::svgOf(const GraphDefinition& definition) { return SvgWriter(definition).write(); }

}  // namespace webnn
