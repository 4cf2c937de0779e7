#pragma once

#include <cstddef>
#include <vector>

namespace webnn::formats {

struct Point {
  double x = 0, y = 0;
};

struct LayoutBox {
  double width = 0, height = 0;
  Point center{};
};

struct LayoutEdge {
  std::size_t from = 0, to = 0;
  std::vector<Point> points{};  // path from the lower side of a box to the upper side of another
};

struct Layout {
  std::vector<LayoutBox> boxes;
  std::vector<LayoutEdge> edges;
  double width = 0, height = 0;
};

// Places the boxes in layers from top to bottom, so that few edges cross and long edges are straight. Each edge leads from a box
// to a later one. The time is proportional to boxes and edges, except for sorting.
void layOut(Layout& layout);

}  // namespace webnn::formats
