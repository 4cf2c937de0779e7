// Operators that select elements by their values. WebNN's shapes are static and WebNN cannot sort. So either the values or the
// number of selected elements must be known when the graph is built.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/checked.h"
#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

// ---- TopK ----

constexpr std::int64_t kMaxRounds = 64;             // rounds of indicesByRounds, each of which finds one element
constexpr int kFewRounds = 8;                       // if k is larger, a program (onnx/program) computes TopK on the host
constexpr std::uint64_t kMaxComparisons = 1 << 24;  // comparisons of indicesByPlaces: elements times size of the axis

struct TopK {
  NodeContext& node;
  Operand x;
  std::uint32_t axis, count, k;
  bool largest;

  ReduceOptions alongAxis() const { return {.axes = {axis}, .keepDimensions = true, .label = {}}; }
  Operand bestOf(const Operand& elements) const {
    return largest ? node.builder.reduceMax(elements, alongAxis()) : node.builder.reduceMin(elements, alongAxis());
  }
};

// Finds the best remaining element k times. argMax finds the first of equal elements.
Operand indicesByRounds(const TopK& top) {
  NodeContext& node = top.node;
  const double worst = top.largest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  const Term x(node, top.x), positions(node, counting(node, DataType::int64, top.count, top.axis, top.x.rank()));
  std::optional<Term> taken;
  std::vector<Operand> indices;
  for (std::uint32_t round = 0; round < top.k; ++round) {
    const Term left = taken ? where(*taken, worst, x) : x;
    Term isBest = left == Term(node, top.bestOf(left));
    if (taken) isBest = isBest & !*taken;  // a remaining element may equal `worst`
    const ArgMinMaxOptions options{.keepDimensions = true, .outputDataType = DataType::int64, .label = {}};
    indices.push_back(node.builder.argMax(isBest, top.axis, options));
    const Term isTaken = positions == Term(node, indices.back());
    taken = taken ? *taken | isTaken : isTaken;
  }
  return indices.size() == 1 ? indices[0] : node.builder.concat(indices, top.axis);
}

// Computes each element's rank: the number of elements that are better, or equal and earlier. Then finds the element of each
// rank.
Operand indicesByPlaces(const TopK& top) {
  NodeContext& node = top.node;
  const std::uint32_t axis = top.axis;
  const std::size_t rank = top.x.rank() + 1;
  Shape column = top.x.shape(), row = top.x.shape();
  column.insert(column.begin() + axis + 1, 1);
  row.insert(row.begin() + axis, 1);
  const auto numbers = [&](std::uint32_t count, std::size_t at) {
    return Term(node, counting(node, DataType::int32, count, at, rank));
  };
  const auto sumAlong = [&](const Term& x, std::uint32_t at, bool keep) {
    return Term(node, node.builder.reduceSum(x, {.axes = {at}, .keepDimensions = keep, .label = {}}));
  };
  const Term element(node, node.reshape(top.x, column)), other(node, node.reshape(top.x, row));
  const Term isBetter = top.largest ? other > element : other < element;
  const Term isBefore = (other == element) & (numbers(top.count, axis + 1) < numbers(top.count, axis));
  const Term places = sumAlong(cast(isBetter | isBefore, DataType::int32), axis + 1, true);
  const Term chosen = where(places == numbers(top.k, axis + 1), numbers(top.count, axis), 0);
  return cast(sumAlong(chosen, axis, false), DataType::int64);
}

void importTopK(NodeContext& node) {
  const Operand x = node.operand(0);
  const std::uint32_t axis = node.axis(node.integer("axis", -1), x.rank());
  const std::uint32_t count = x.shape()[axis];
  const double k = node.version < 10 ? static_cast<double>(node.integer("k", 0)) : node.number(1);
  if (k == 0) {
    std::vector<std::int64_t> dims = node.value(0).dims;
    dims[axis] = 0;
    node.set(0, emptyValue(node.value(0).type, dims));
    return node.set(1, emptyValue(ElementType::int64, dims));
  }
  if (!(k > 0 && k <= count)) fail(ErrorKind::typeError, "k ({}) is above the size of its dimension ({}).", k, count);
  // NaN ranks above all numbers, as in NumPy and ONNX Runtime. NaN does not equal itself, so the search would find the same NaN
  // repeatedly.
  const Operand keys =
      isFloat(x.dataType()) ? where(isNaN(Term(node, x)), std::numeric_limits<double>::infinity(), Term(node, x)) : Term(node, x);
  const TopK top{node, keys, axis, count, static_cast<std::uint32_t>(k), node.flag("largest", true)};
  const auto pairs = checkedMul(elementCount(x.descriptor()), count);
  const bool byRounds = k <= static_cast<double>(kMaxRounds);
  node.require(!node.isPart() || k <= kFewRounds, "the host sorts faster than a search for the {} best", k);
  node.require(byRounds || (pairs && *pairs <= kMaxComparisons),
               "WebNN cannot sort: the {} best are found only of fewer than {} pairs of elements", k, kMaxComparisons);
  const Operand indices = byRounds ? indicesByRounds(top) : indicesByPlaces(top);
  node.set(0, node.builder.gatherElements(x, indices, {.axis = axis, .label = {}}));
  node.set(1, indices);
}

// ---- NonZero, Unique ----

// Sets result 0 to the slices of `x` at constant `indices` along `axis`.
void setSlices(NodeContext& node, const Operand& x, ElementType type, const std::vector<std::int64_t>& indices,
               std::uint32_t axis) {
  if (indices.empty()) {
    std::vector<std::int64_t> dims(x.shape().begin(), x.shape().end());
    dims[axis] = 0;
    return node.set(0, emptyValue(type, std::move(dims)));
  }
  setTyped(node, 0, node.builder.gather(x, node.operand(node.integersValue(indices)), {.axis = axis, .label = {}}), type);
}

Operand flattened(NodeContext& node, const Operand& x) {
  return node.reshape(x, {static_cast<std::uint32_t>(elementCount(x.descriptor()))});
}

// The result has a row for each dimension and a column for each element that is not 0.
void importNonZero(NodeContext& node) {
  const std::vector<double> elements = node.numbers(0);
  std::vector<std::int64_t> dims = node.value(0).dims;
  if (dims.empty()) dims.push_back(1);
  node.require(dims.size() <= kMaxRank, "rank {}: WebNN's ranks are at most {}", dims.size(), kMaxRank);
  node.spend(elements.size() * dims.size());
  std::vector<std::vector<std::int64_t>> rows(dims.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == 0) continue;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = dims.size(); axis-- > 0; rest /= dims[axis]) rows[axis].push_back(rest % dims[axis]);
  }
  std::vector<std::int64_t> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  ImportedValue result = node.integersValue(all);
  result.dims = {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())};
  node.set(0, result);
}

// Orders floats with NaN above all numbers and equal to itself.
bool isBelow(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
bool isBelow(std::int64_t a, std::int64_t b) { return a < b; }

// The distinct slices. For each of them, `first` has the index of its first occurrence and `counts` the number of occurrences.
// For each slice of the input, `inverse` has the index of the distinct slice that equals it.
struct UniqueSlices {
  std::vector<std::int64_t> first, inverse, counts;
};

// Groups equal slices along the middle dimension of a tensor [outer, count, inner]. Orders the groups by value if `sorted`, else
// by first occurrence.
template <typename T>
UniqueSlices uniqueSlices(const std::vector<T>& elements, std::size_t outer, std::size_t count, std::size_t inner, bool sorted) {
  const auto isSliceBelow = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < outer * inner; ++i) {
      const std::size_t base = i / inner * count * inner + i % inner;
      const T x = elements[base + a * inner], y = elements[base + b * inner];
      if (isBelow(x, y)) return true;
      if (isBelow(y, x)) return false;
    }
    return false;
  };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, isSliceBelow);
  std::vector<std::vector<std::size_t>> groups;  // each group has the indices of equal slices, in ascending order
  for (std::size_t slice : order) {
    if (groups.empty() || isSliceBelow(groups.back()[0], slice)) groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!sorted) std::ranges::sort(groups, {}, [](const auto& group) { return group[0]; });
  UniqueSlices result{{}, std::vector<std::int64_t>(count), {}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    result.first.push_back(static_cast<std::int64_t>(groups[i][0]));
    result.counts.push_back(std::ssize(groups[i]));
    for (std::size_t slice : groups[i]) result.inverse[slice] = static_cast<std::int64_t>(i);
  }
  return result;
}

void importUnique(NodeContext& node) {
  const bool hasAxis = node.find("axis") != nullptr, sorted = node.flag("sorted", true);
  const bool areFloats = node.value(0).type == ElementType::float32 || node.value(0).type == ElementType::float16;
  const std::vector<double> floats = areFloats ? node.numbers(0) : std::vector<double>();
  const std::vector<std::int64_t> integers = areFloats ? std::vector<std::int64_t>() : node.integers(0);
  const Operand x = hasAxis ? node.operand(0) : flattened(node, node.operand(0));
  const std::uint32_t axis = hasAxis ? node.axis(node.integer("axis", 0), x.rank()) : 0;
  std::size_t outer = 1, inner = 1;
  for (std::uint32_t i = 0; i < axis; ++i) outer *= x.shape()[i];
  for (std::size_t i = axis + 1; i < x.rank(); ++i) inner *= x.shape()[i];
  const std::size_t count = x.shape()[axis];
  node.spend(3 * count);
  const UniqueSlices unique =
      areFloats ? uniqueSlices(floats, outer, count, inner, sorted) : uniqueSlices(integers, outer, count, inner, sorted);
  setSlices(node, x, node.value(0).type, unique.first, axis);
  node.set(1, node.integersValue(unique.first));
  node.set(2, node.integersValue(unique.inverse));
  node.set(3, node.integersValue(unique.counts));
}

}  // namespace

std::span<const OperatorImport> selectionOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "TopK", importTopK},
      {"", "NonZero", importNonZero},
      {"", "Unique", importUnique},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
