// Computes NonMaxSuppression on the host. Finds overlapping boxes by a grid, so that many boxes do not take quadratic time.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

struct Box {
  float x1, y1, x2, y2;
  float area = (x2 - x1) * (y2 - y1);

  // Boxes that are not regular overlap no other box. Their coordinates may be NaN.
  bool isRegular() const { return x1 < x2 && y1 < y2 && area > 0; }
};

Box boxOf(const float* at, bool isCentered) {
  if (isCentered) return {at[0] - at[2] / 2, at[1] - at[3] / 2, at[0] + at[2] / 2, at[1] + at[3] / 2};
  return {std::min(at[1], at[3]), std::min(at[0], at[2]), std::max(at[1], at[3]), std::max(at[0], at[2])};
}

// Returns whether two regular boxes overlap by more than the threshold. Computes in ONNX Runtime's order of float32 operations,
// because a result at the threshold depends on it.
bool overlaps(const Box& a, const Box& b, float threshold) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1), height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (width <= 0 || height <= 0) return false;
  const float both = width * height, either = a.area + b.area - both;
  return either > 0 && both / either > threshold;
}

// The smallest rectangle around the finite coordinates of boxes, divided into 2^bits x 2^bits cells.
class Area {
 public:
  explicit Area(std::span<const Box> boxes) {
    while (bits_ < kMostBits && (std::size_t{1} << (2 * bits_)) < 4 * boxes.size()) ++bits_;
    std::array<double, 2> low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    const auto cover = [&](std::size_t axis, float x) {
      if (!std::isfinite(x)) return;
      low[axis] = std::min(low[axis], double{x});
      high[axis] = std::max(high[axis], double{x});
    };
    for (const Box& box : boxes) {
      if (!box.isRegular()) continue;
      for (const float x : {box.x1, box.x2}) cover(0, x);
      for (const float y : {box.y1, box.y2}) cover(1, y);
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (!(low[axis] < high[axis])) continue;
      low_[axis] = low[axis];
      scale_[axis] = std::ldexp(1 / (high[axis] - low[axis]), bits_);
    }
  }

  int bits() const { return bits_; }

  // The columns (axis 0) or rows (axis 1) of the cells that contain a box's corners. The function from coordinates to cells
  // increases, so that boxes overlap only if their cells do.
  struct Range {
    std::size_t first, last;
  };
  Range columns(const Box& box) const { return {cellOf(0, box.x1), cellOf(0, box.x2)}; }
  Range rows(const Box& box) const { return {cellOf(1, box.y1), cellOf(1, box.y2)}; }

 private:
  static constexpr int kMostBits = 10;

  std::size_t cellOf(std::size_t axis, float x) const {
    const double most = std::ldexp(1.0, bits_) - 1;
    const double cell = (double{x} - low_[axis]) * scale_[axis];
    return cell > 0 ? static_cast<std::size_t>(std::min(cell, most)) : 0;
  }

  int bits_ = 0;
  std::array<double, 2> low_{}, scale_{};
};

// The kept boxes of a class. If there are many, a grid finds them by their cells. A box belongs to the finest level of the grid
// on which it covers at most two columns and two rows; each level halves the numbers of columns and rows of the previous level.
class KeptBoxes {
 public:
  KeptBoxes(const HostNode& node, std::span<const Box> all) : node_(node), all_(all) {}

  std::size_t size() const { return boxes_.size(); }

  void clear() {
    boxes_.clear();
    isGrid_ = false;
    for (Level& level : levels_) {
      if (!level.entries.empty()) std::ranges::fill(level.first, kNone);
      level.entries.clear();
    }
  }

  void add(const Box& box) {
    boxes_.push_back(box);
    if (boxes_.size() < kMostInList) return;
    if (boxes_.size() > kMostInList) return insert(box);
    if (!area_) area_.emplace(all_);
    isGrid_ = true;
    levels_.resize(static_cast<std::size_t>(area_->bits()) + 1);
    for (const Box& old : boxes_) insert(old);
  }

  // Returns whether the box overlaps a kept box by more than the threshold.
  bool overlap(const Box& box, float threshold) const {
    if (!box.isRegular()) return false;
    if (!isGrid_) {
      node_.tick(boxes_.size());
      return std::ranges::any_of(boxes_, [&](const Box& other) { return other.isRegular() && overlaps(box, other, threshold); });
    }
    const Area::Range columns = area_->columns(box), rows = area_->rows(box);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (!levels_[i].entries.empty() && overlapOn(i, box, columns, rows, threshold)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kMostInList = 64;
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  struct Entry {
    Box box;
    std::uint32_t next;  // the next entry of the same cell
  };
  struct Level {
    std::vector<std::uint32_t> first;  // the first entry of each cell
    std::vector<Entry> entries;
  };

  std::size_t sideOf(std::size_t level) const { return std::size_t{1} << (static_cast<std::size_t>(area_->bits()) - level); }

  void insert(const Box& box) {
    if (!box.isRegular()) return;
    const Area::Range columns = area_->columns(box), rows = area_->rows(box);
    std::size_t i = 0;
    while ((columns.last >> i) - (columns.first >> i) > 1 || (rows.last >> i) - (rows.first >> i) > 1) ++i;
    Level& level = levels_[i];
    const std::size_t side = sideOf(i);
    if (level.first.empty()) {
      node_.takeRoom(side * side, sizeof(std::uint32_t));
      level.first.assign(side * side, kNone);
    }
    std::uint32_t& first = level.first[(rows.first >> i) * side + (columns.first >> i)];
    level.entries.push_back({box, std::exchange(first, static_cast<std::uint32_t>(level.entries.size()))});
  }

  bool overlapOn(std::size_t index, const Box& box, Area::Range columns, Area::Range rows, float threshold) const {
    const Level& level = levels_[index];
    const auto onLevel = [&](Area::Range range) {
      const std::size_t first = range.first >> index;
      return Area::Range{first == 0 ? 0 : first - 1, range.last >> index};  // a box may begin in the cell before
    };
    columns = onLevel(columns);
    rows = onLevel(rows);
    const std::size_t cells = (columns.last - columns.first + 1) * (rows.last - rows.first + 1);
    if (cells > level.entries.size()) {
      node_.tick(level.entries.size());
      return std::ranges::any_of(level.entries, [&](const Entry& entry) { return overlaps(box, entry.box, threshold); });
    }
    std::size_t work = cells;
    const auto isFound = [&] {
      for (std::size_t row = rows.first; row <= rows.last; ++row) {
        for (std::size_t column = columns.first; column <= columns.last; ++column) {
          for (std::uint32_t i = level.first[row * sideOf(index) + column]; i != kNone; i = level.entries[i].next) {
            ++work;
            if (overlaps(box, level.entries[i].box, threshold)) return true;
          }
        }
      }
      return false;
    };
    const bool result = isFound();
    node_.tick(work);
    return result;
  }

  const HostNode& node_;
  const std::span<const Box> all_;  // all boxes of the batch entry
  std::optional<Area> area_;
  std::vector<Box> boxes_;
  bool isGrid_ = false;  // whether `levels_` has the boxes; false if there are few
  std::vector<Level> levels_;
};

std::vector<float> floatsAt(const HostNode& node, std::size_t index) {
  const Value& value = node.value(index);
  node.takeRoom(elementCount(value.dims), sizeof(float));
  std::vector<float> floats(elementCount(value.dims));
  if (!floats.empty()) std::memcpy(floats.data(), value.bytes->bytes.data(), floats.size() * sizeof(float));
  return floats;
}

void runNonMaxSuppression(HostNode& node) {
  const Dims &boxDims = node.dims(0), &scoreDims = node.dims(1);
  const auto isFloat = [&](std::size_t i) { return node.value(i).type == ElementType::float32; };
  if (boxDims.size() != 3 || scoreDims.size() != 3 || boxDims[2] != 4 || boxDims[0] != scoreDims[0] ||
      boxDims[1] != scoreDims[2] || !isFloat(0) || !isFloat(1)) {
    fail(ErrorKind::dataError, "boxes [{}] and scores [{}] do not fit.", textOf(boxDims), textOf(scoreDims));
  }
  const std::vector<float> coordinates = floatsAt(node, 0), scores = floatsAt(node, 1);
  const auto optional = [&](std::size_t i) { return node.has(i) && !node.numbers(i).empty() ? node.numbers(i)[0] : 0.0; };
  const std::int64_t most = node.has(2) ? node.integer(std::size_t{2}) : 0;
  const auto overlap = static_cast<float>(optional(3)), least = static_cast<float>(optional(4));
  const bool hasLeast = node.has(4), isCentered = node.integer("center_point_box", 0) != 0;
  const auto count = static_cast<std::size_t>(boxDims[1]);
  struct Candidate {
    float score;
    std::size_t index;
  };
  std::vector<std::int64_t> selected;
  std::vector<Candidate> order;
  std::vector<Box> boxes;
  node.takeRoom(count, 2 * sizeof(Candidate) + 6 * sizeof(Box));  // sorting takes as much memory as the candidates
  for (std::int64_t batch = 0; batch < boxDims[0] && !coordinates.empty() && most > 0; ++batch) {
    const float* const own = coordinates.data() + static_cast<std::size_t>(batch) * count * 4;
    boxes.clear();
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(boxOf(own + i * 4, isCentered));
    KeptBoxes kept(node, boxes);
    for (std::int64_t kind = 0; kind < scoreDims[1]; ++kind) {
      node.check();
      const float* const score = scores.data() + static_cast<std::size_t>(batch * scoreDims[1] + kind) * count;
      order.clear();
      for (std::size_t i = 0; i < count; ++i) {
        if (!hasLeast || score[i] > least) order.push_back({score[i], i});
      }
      std::ranges::stable_sort(order, std::ranges::greater(), &Candidate::score);
      kept.clear();
      for (const Candidate& candidate : order) {
        if (static_cast<std::int64_t>(kept.size()) >= most) break;
        node.tick();
        const Box& box = boxes[candidate.index];
        if (kept.overlap(box, overlap)) continue;
        kept.add(box);
        node.takeRoom(3, sizeof(std::int64_t));
        selected.insert(selected.end(), {batch, kind, static_cast<std::int64_t>(candidate.index)});
      }
    }
  }
  node.set(0, node.makeIntegers({static_cast<std::int64_t>(selected.size() / 3), 3}, selected));
}

}  // namespace

std::span<const HostOperator> suppressionSteps() {
  static constexpr HostOperator kSteps[]{{"", "NonMaxSuppression", runNonMaxSuppression}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
