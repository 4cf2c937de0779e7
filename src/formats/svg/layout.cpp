#include "formats/svg/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace webnn::formats {

namespace {

constexpr double kGap = 18, kLaneGap = 10, kLayerGap = 38, kMargin = 16;
constexpr int kOrderSweeps = 6, kPlaceSweeps = 8;

// A box, or a lane: the gap through which a long edge crosses a layer.
struct Item {
  double width = 0;
  std::size_t layer = 0;
  std::size_t position = 0;  // index in its layer
  double x = 0;
  bool isBox = true;
  std::vector<std::size_t> above{}, below{};
};

class Layering {
 public:
  explicit Layering(Layout& layout) : layout_(layout) {}

  void run() {
    if (layout_.boxes.empty()) return;
    assignLayers();
    addLanes();
    order();
    place();
    finish();
  }

 private:
  using Neighbours = std::vector<std::size_t> Item::*;

  // Places each box below all its predecessors, or if it has none, just above its first successor.
  void assignLayers() {
    items_.resize(layout_.boxes.size());
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].width = layout_.boxes[i].width;
    std::vector<std::vector<std::size_t>> from(items_.size()), to(items_.size());
    for (const LayoutEdge& edge : layout_.edges) {
      from[edge.to].push_back(edge.from);
      to[edge.from].push_back(edge.to);
    }
    std::size_t last = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      for (const std::size_t other : from[i]) items_[i].layer = std::max(items_[i].layer, items_[other].layer + 1);
      last = std::max(last, items_[i].layer);
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!from[i].empty() || to[i].empty()) continue;
      std::size_t first = last;
      for (const std::size_t other : to[i]) first = std::min(first, items_[other].layer);
      items_[i].layer = std::max<std::size_t>(first, 1) - 1;
    }
    layers_.resize(last + 1);
  }

  // Reserves a lane in each layer that an edge passes. If there would be too many lanes, the longest edges get none.
  void addLanes() {
    lanes_.resize(layout_.edges.size());
    std::vector<std::size_t> byLength(layout_.edges.size());
    std::iota(byLength.begin(), byLength.end(), std::size_t{0});
    const auto length = [&](std::size_t i) { return items_[layout_.edges[i].to].layer - items_[layout_.edges[i].from].layer; };
    std::ranges::stable_sort(byLength, {}, length);
    std::size_t rest = 10'000 + 8 * layout_.boxes.size();
    for (const std::size_t i : byLength) {
      const LayoutEdge& edge = layout_.edges[i];
      const std::size_t first = items_[edge.from].layer + 1, end = items_[edge.to].layer;
      if (end - first > rest) break;
      rest -= end - first;
      std::size_t above = edge.from;
      for (std::size_t layer = first; layer < end; ++layer) {
        lanes_[i].push_back(items_.size());
        items_.push_back({.layer = layer, .isBox = false});
        connect(above, items_.size() - 1);
        above = items_.size() - 1;
      }
      connect(above, edge.to);
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      items_[i].position = layers_[items_[i].layer].size();
      layers_[items_[i].layer].push_back(i);
    }
  }
  void connect(std::size_t above, std::size_t below) {
    items_[above].below.push_back(below);
    items_[below].above.push_back(above);
  }

  // Sorts the items of each layer by the mean position of their neighbours in the adjacent layer, in sweeps that go alternately
  // down and up.
  void order() {
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
      const bool isDown = sweep % 2 == 0;
      for (std::size_t i = 1; i < layers_.size(); ++i) {
        sortLayer(layers_[isDown ? i : layers_.size() - 1 - i], isDown ? &Item::above : &Item::below);
      }
    }
  }
  void sortLayer(std::vector<std::size_t>& layer, Neighbours neighbours) {
    std::vector<std::pair<double, std::size_t>> keys;
    for (const std::size_t i : layer) {
      double sum = 0;
      for (const std::size_t other : items_[i].*neighbours)
        sum += (static_cast<double>(items_[other].position) + 0.5) / static_cast<double>(layers_[items_[other].layer].size());
      const std::size_t count = (items_[i].*neighbours).size();
      const double own = (static_cast<double>(items_[i].position) + 0.5) / static_cast<double>(layer.size());
      keys.emplace_back(count == 0 ? own : sum / static_cast<double>(count), i);
    }
    std::ranges::stable_sort(keys, {}, &std::pair<double, std::size_t>::first);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      layer[i] = keys[i].second;
      items_[layer[i]].position = i;
    }
  }

  // Moves each layer's items towards the mean x of their neighbours.
  void place() {
    for (std::vector<std::size_t>& layer : layers_) placeLayer(layer, {});
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      const bool isDown = sweep % 2 == 0;
      for (std::size_t i = 1; i < layers_.size(); ++i)
        placeLayer(layers_[isDown ? i : layers_.size() - 1 - i], isDown ? &Item::above : &Item::below);
    }
  }
  double gapBetween(const Item& a, const Item& b) const {
    return (a.width + b.width) / 2 + (a.isBox || b.isBox ? kGap : kLaneGap);
  }
  // Places items as close to their wanted positions as order and gaps allow. Items that would overlap form a block, which goes to
  // the weighted mean of their wanted positions.
  void placeLayer(const std::vector<std::size_t>& layer, Neighbours neighbours) {
    struct Block {
      double sum = 0, weight = 0;
      std::size_t count = 0;
      double mean() const { return sum / weight; }
    };
    std::vector<Block> blocks;
    std::vector<double> offsets;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const Item& item = items_[layer[i]];
      offsets.push_back(i == 0 ? 0 : offsets[i - 1] + gapBetween(items_[layer[i - 1]], item));
      double wanted = item.x, weight = 0.01;  // an item without neighbours stays if it can
      if (neighbours && !(item.*neighbours).empty()) {
        double sum = 0;
        for (const std::size_t other : item.*neighbours) sum += items_[other].x;
        wanted = sum / static_cast<double>((item.*neighbours).size());
        weight = item.isBox ? 1 : 4;  // long edges should be straight
      }
      blocks.push_back({(wanted - offsets[i]) * weight, weight, 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
        const Block merged = blocks.back();
        blocks.pop_back();
        blocks.back().sum += merged.sum;
        blocks.back().weight += merged.weight;
        blocks.back().count += merged.count;
      }
    }
    std::size_t next = 0;
    for (const Block& block : blocks) {
      for (std::size_t i = 0; i < block.count; ++i, ++next) items_[layer[next]].x = block.mean() + offsets[next];
    }
  }

  // Sets the coordinates of boxes and edges: layers from top to bottom, the leftmost item at the margin.
  void finish() {
    double left = std::numeric_limits<double>::infinity(), right = -left;
    for (const Item& item : items_) {
      left = std::min(left, item.x - item.width / 2);
      right = std::max(right, item.x + item.width / 2);
    }
    std::vector<Point> extents(layers_.size());  // top (x) and bottom (y) of each layer
    double top = kMargin;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      double height = 0;
      for (const std::size_t item : layers_[i]) {
        if (items_[item].isBox) height = std::max(height, layout_.boxes[item].height);
      }
      extents[i] = {top, top + height};
      top += height + kLayerGap;
    }
    const auto x = [&](std::size_t item) { return items_[item].x - left + kMargin; };
    for (std::size_t i = 0; i < layout_.boxes.size(); ++i) {
      const Point extent = extents[items_[i].layer];
      layout_.boxes[i].center = {x(i), (extent.x + extent.y) / 2};
    }
    for (std::size_t i = 0; i < layout_.edges.size(); ++i) {
      LayoutEdge& edge = layout_.edges[i];
      const LayoutBox &from = layout_.boxes[edge.from], &to = layout_.boxes[edge.to];
      edge.points.push_back({from.center.x, from.center.y + from.height / 2});
      for (const std::size_t lane : lanes_[i]) {
        const Point extent = extents[items_[lane].layer];
        edge.points.push_back({x(lane), extent.x});
        edge.points.push_back({x(lane), extent.y});
      }
      edge.points.push_back({to.center.x, to.center.y - to.height / 2});
    }
    layout_.width = right - left + 2 * kMargin;
    layout_.height = top - kLayerGap + kMargin;
  }

  Layout& layout_;
  std::vector<Item> items_;                       // the boxes, then the lanes
  std::vector<std::vector<std::size_t>> layers_;  // items from left to right
  std::vector<std::vector<std::size_t>> lanes_;   // lanes of each edge, from top to bottom
};

}  // namespace

void layOut(Layout& layout) { Layering(layout).run(); }

}  // namespace webnn::formats
