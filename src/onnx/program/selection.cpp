// Steps of operators whose result shapes depend on values.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

// Returns the positions of elements that are not 0, as [rank, count].
void runNonZero(HostNode& node) {
  const std::vector<double> numbers = node.numbers(0);
  const Dims& dims = node.dims(0);
  const std::size_t rank = std::max<std::size_t>(dims.size(), 1);
  std::vector<std::size_t> places;
  node.takeRoom(static_cast<std::size_t>(std::ranges::count_if(numbers, [](double number) { return number != 0; })),
                (1 + rank) * sizeof(std::size_t));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    node.tick();
    if (numbers[i] != 0) places.push_back(i);
  }
  std::vector<std::int64_t> positions(rank * places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    node.tick(rank);
    std::size_t place = places[i];
    for (std::size_t d = dims.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(dims[d]);
      positions[d * places.size() + i] = static_cast<std::int64_t>(place % size);
      place /= size;
    }
  }
  node.set(0, node.makeIntegers({static_cast<std::int64_t>(rank), static_cast<std::int64_t>(places.size())}, positions));
}

// A tensor as rows along an axis: row r of outer index o begins at byte (o * size + r) * bytes.
struct RowsOf : Extents {
  RowsOf(const HostNode& node, const Value& value, std::int64_t axis) : RowsOf(value, axisOf(node, axis, value.dims.size())) {}
  RowsOf(const Value& value, std::size_t axis)
      : Extents(value.dims, axis), place(axis), strings(value.strings), dims(value.dims) {
    bytes = strings ? 0 : inner * elementBytes(value.type);
    data = value.bytes ? value.bytes->bytes.data() : nullptr;
  }
  const std::byte* row(std::size_t o, std::size_t r) const { return data + (o * size + r) * bytes; }
  // Returns a tensor of the rows with these indices.
  Value take(const HostNode& node, ElementType type, std::span<const std::size_t> indices) const {
    Dims taken = dims;
    taken[place] = static_cast<std::int64_t>(indices.size());
    if (strings) return takeStrings(node, std::move(taken), indices);
    std::byte* to = nullptr;
    Value result = node.make(type, std::move(taken), to);
    for (std::size_t o = 0; o < outer && bytes > 0; ++o) {
      for (std::size_t i = 0; i < indices.size(); ++i, to += bytes) {
        node.tick(1 + bytes / 64);
        std::memcpy(to, row(o, indices[i]), bytes);
      }
    }
    return result;
  }

  Value takeStrings(const HostNode& node, Dims taken, std::span<const std::size_t> indices) const {
    StringList result(node, elementCount(taken));
    for (std::size_t o = 0; o < outer; ++o) {
      for (const std::size_t index : indices) {
        for (std::size_t i = 0; i < inner; ++i) result.add((*strings)[(o * size + index) * inner + i]);
      }
    }
    return node.makeStrings(std::move(taken), std::move(result));
  }

  // A row is `inner` elements, which take `bytes` bytes. For strings, `bytes` is 0.
  std::size_t bytes = 0, place = 0;
  std::shared_ptr<const std::vector<std::string>> strings;  // the elements, if they are strings
  Dims dims;
  const std::byte* data = nullptr;
};

Value flattened(const Value& value) {
  Value flat = value;
  flat.dims = {static_cast<std::int64_t>(elementCount(value.dims))};
  return flat;
}

void runCompress(HostNode& node) {
  const std::vector<std::int64_t> condition = node.integers(1);
  const bool isFlat = !node.find("axis");
  const Value input = isFlat ? flattened(node.value(0)) : node.value(0);
  const RowsOf rows(node, input, isFlat ? 0 : node.integer("axis", 0));
  std::vector<std::size_t> taken;
  node.takeRoom(condition.size(), sizeof(std::size_t));
  for (std::size_t i = 0; i < std::min(rows.size, condition.size()); ++i) {
    if (condition[i] != 0) taken.push_back(i);
  }
  node.set(0, rows.take(node, input.type, taken));
}

void runUnique(HostNode& node) {
  const bool isFlat = !node.find("axis");
  const Value input = isFlat ? flattened(node.value(0)) : node.value(0);
  const RowsOf rows(node, input, isFlat ? 0 : node.integer("axis", 0));
  const bool isSorted = node.integer("sorted", 1) != 0;
  // Rows are compared by value, as double. 64-bit integers are compared as int64, because double is not exact beyond 2^53.
  const std::vector<double> numbers = input.strings ? std::vector<double>() : node.numbers(0);
  const bool isInteger = input.type == ElementType::int64 || input.type == ElementType::uint64;
  const std::vector<std::int64_t> integers = isInteger ? node.integers(0) : std::vector<std::int64_t>();
  const auto less = [&](std::size_t x, std::size_t y) {
    if (input.strings) return (*input.strings)[x] < (*input.strings)[y];
    if (input.type == ElementType::uint64)
      return static_cast<std::uint64_t>(integers[x]) < static_cast<std::uint64_t>(integers[y]);
    if (isInteger) return integers[x] < integers[y];
    return std::isnan(numbers[y]) ? !std::isnan(numbers[x])
                                  : numbers[x] < numbers[y];  // NaN is the greatest, and equal to itself
  };
  const std::size_t inner = rows.inner;
  const auto compare = [&](std::size_t a, std::size_t b) {
    node.tick();
    for (std::size_t o = 0; o < rows.outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        const std::size_t x = (o * rows.size + a) * inner + i, y = (o * rows.size + b) * inner + i;
        if (less(x, y)) return true;
        if (less(y, x)) return false;
        node.tick();  // comparing long, equal rows takes much time
      }
    }
    return false;
  };
  std::map<std::size_t, std::size_t, decltype(compare)> known(compare);  // group of each row; numbered by first appearance
  constexpr std::size_t kBytesOfRow = 192;  // approximate memory of a row's entries in `known` and the lists below
  node.takeRoom(rows.size, kBytesOfRow);
  std::vector<std::size_t> firsts, groupOf(rows.size);
  std::vector<std::int64_t> counts;
  for (std::size_t r = 0; r < rows.size; ++r) {
    const auto [found, isNew] = known.try_emplace(r, firsts.size());
    if (isNew) {
      firsts.push_back(r);
      counts.push_back(0);
    }
    groupOf[r] = found->second;
    ++counts[found->second];
  }
  std::vector<std::size_t> order(firsts.size()), place(firsts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (isSorted) std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return compare(firsts[a], firsts[b]); });
  std::vector<std::size_t> taken;
  std::vector<std::int64_t> indices, sortedCounts, inverse;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    taken.push_back(firsts[order[i]]);
    indices.push_back(static_cast<std::int64_t>(firsts[order[i]]));
    sortedCounts.push_back(counts[order[i]]);
  }
  for (const std::size_t group : groupOf) inverse.push_back(static_cast<std::int64_t>(place[group]));
  const auto length = static_cast<std::int64_t>(order.size());
  node.set(0, rows.take(node, input.type, taken));
  node.set(1, node.makeIntegers({length}, indices));
  node.set(2, node.makeIntegers({static_cast<std::int64_t>(inverse.size())}, inverse));
  node.set(3, node.makeIntegers({length}, sortedCounts));
}

// Returns the k greatest or least elements along an axis; of equal elements, the first. NaN ranks above all numbers.
void runTopK(HostNode& node) {
  const Value& input = node.value(0);
  const std::int64_t k = node.version < 10 ? node.integer("k", 0) : node.integer(std::size_t{1});
  const std::size_t axis = axisOf(node, node.integer("axis", -1), input.dims.size());
  if (k < 0 || k > input.dims[axis])
    fail(ErrorKind::dataError, "k ({}) is not between 0 and the size of its dimension ({}).", k, input.dims[axis]);
  const bool isLargest = node.integer("largest", 1) != 0;
  const bool isInteger = input.type == ElementType::int64 || input.type == ElementType::uint64;
  const std::vector<double> numbers = isInteger ? std::vector<double>() : node.numbers(0);
  const std::vector<std::int64_t> integers = isInteger ? node.integers(0) : std::vector<std::int64_t>();
  const auto less = [&](std::size_t a, std::size_t b) {
    if (input.type == ElementType::uint64)
      return static_cast<std::uint64_t>(integers[a]) < static_cast<std::uint64_t>(integers[b]);
    if (isInteger) return integers[a] < integers[b];
    return std::isnan(numbers[b]) ? !std::isnan(numbers[a]) : numbers[a] < numbers[b];
  };
  const Extents extents(input.dims, axis);
  const std::size_t inner = extents.inner, count = extents.size, taken = static_cast<std::size_t>(k),
                    size = elementBytes(input.type);
  Dims dims = input.dims;
  dims[axis] = k;
  std::byte *values = nullptr, *indices = nullptr;
  Value result = node.make(input.type, dims, values), positions = node.make(ElementType::int64, dims, indices);
  node.takeRoom(count, sizeof(std::size_t));
  std::vector<std::size_t> order(count);
  for (std::size_t o = 0; o < extents.outer && taken > 0; ++o) {
    node.check();
    for (std::size_t i = 0; i < inner; ++i) {
      const auto place = [&](std::size_t at) { return (o * count + at) * inner + i; };
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::size_t a, std::size_t b) {
        node.tick();
        const bool isFirst = isLargest ? less(place(b), place(a)) : less(place(a), place(b));
        const bool isSecond = isLargest ? less(place(a), place(b)) : less(place(b), place(a));
        return isFirst || (!isSecond && a < b);
      });
      for (std::size_t j = 0; j < taken; ++j) {
        const std::size_t to = (o * taken + j) * inner + i;
        const auto at = static_cast<std::int64_t>(order[j]);
        std::memcpy(values + to * size, input.bytes->bytes.data() + place(order[j]) * size, size);
        std::memcpy(indices + to * sizeof(at), &at, sizeof(at));
      }
    }
  }
  node.set(0, std::move(result));
  node.set(1, std::move(positions));
}

struct Box {
  float x1, y1, x2, y2;
};

Box boxOf(const float* at, bool isCentered) {
  if (isCentered) return {at[0] - at[2] / 2, at[1] - at[3] / 2, at[0] + at[2] / 2, at[1] + at[3] / 2};
  return {std::min(at[1], at[3]), std::min(at[0], at[2]), std::max(at[1], at[3]), std::max(at[0], at[2])};
}

// The order of float32 operations is that of ONNX Runtime, because a result at the threshold depends on it.
bool overlaps(const Box& a, const Box& b, float threshold) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1), height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (width <= 0 || height <= 0) return false;
  const float both = width * height, areaA = (a.x2 - a.x1) * (a.y2 - a.y1), areaB = (b.x2 - b.x1) * (b.y2 - b.y1);
  const float either = areaA + areaB - both;
  if (areaA <= 0 || areaB <= 0 || either <= 0) return false;
  return both / either > threshold;
}

void runNonMaxSuppression(HostNode& node) {
  const Dims &boxDims = node.dims(0), &scoreDims = node.dims(1);
  const auto isFloat = [&](std::size_t i) { return node.value(i).type == ElementType::float32; };
  if (boxDims.size() != 3 || scoreDims.size() != 3 || boxDims[2] != 4 || boxDims[0] != scoreDims[0] ||
      boxDims[1] != scoreDims[2] || !isFloat(0) || !isFloat(1)) {
    fail(ErrorKind::dataError, "boxes [{}] and scores [{}] do not fit.", textOf(boxDims), textOf(scoreDims));
  }
  const auto floatsOf = [&](std::size_t i) {
    const std::vector<double> numbers = node.numbers(i);
    return std::vector<float>(numbers.begin(), numbers.end());
  };
  const std::vector<float> boxes = floatsOf(0), scores = floatsOf(1);
  const auto optional = [&](std::size_t i) { return node.has(i) && !node.numbers(i).empty() ? node.numbers(i)[0] : 0.0; };
  const std::int64_t most = node.has(2) ? node.integer(std::size_t{2}) : 0;
  const auto overlap = static_cast<float>(optional(3)), least = static_cast<float>(optional(4));
  const bool hasLeast = node.has(4), isCentered = node.integer("center_point_box", 0) != 0;
  const auto count = static_cast<std::size_t>(boxDims[1]);
  std::vector<std::int64_t> selected;
  node.takeRoom(boxes.size() + scores.size(), sizeof(float));
  node.takeRoom(count, sizeof(std::size_t) + sizeof(Box));
  for (std::int64_t batch = 0; batch < boxDims[0] && !boxes.empty(); ++batch) {
    const float* const own = boxes.data() + static_cast<std::size_t>(batch) * count * 4;
    for (std::int64_t kind = 0; kind < scoreDims[1] && most > 0; ++kind) {
      node.check();
      const float* const score = scores.data() + static_cast<std::size_t>(batch * scoreDims[1] + kind) * count;
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < count; ++i) {
        if (!hasLeast || score[i] > least) order.push_back(i);
      }
      std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
      std::vector<Box> kept;
      for (const std::size_t i : order) {
        if (static_cast<std::int64_t>(kept.size()) >= most) break;
        node.tick(1 + kept.size());
        const Box box = boxOf(own + i * 4, isCentered);
        if (std::ranges::any_of(kept, [&](const Box& other) { return overlaps(box, other, overlap); })) continue;
        kept.push_back(box);
        node.takeRoom(3, sizeof(std::int64_t));
        selected.insert(selected.end(), {batch, kind, static_cast<std::int64_t>(i)});
      }
    }
  }
  node.set(0, node.makeIntegers({static_cast<std::int64_t>(selected.size() / 3), 3}, selected));
}

}  // namespace

std::span<const HostOperator> selectionSteps() {
  static constexpr HostOperator kSteps[]{{"", "Compress", runCompress},
                                         {"", "NonMaxSuppression", runNonMaxSuppression},
                                         {"", "NonZero", runNonZero},
                                         {"", "TopK", runTopK},
                                         {"", "Unique", runUnique}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
