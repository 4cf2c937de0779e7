#include "coreml/compose.h"

#include <algorithm>

namespace webnn::coreml {

namespace {

Shape broadcastOf(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (const Shape* shape : {&a, &b}) {
    const std::size_t skipped = result.size() - shape->size();
    for (std::size_t i = 0; i < shape->size(); ++i) result[skipped + i] = std::max(result[skipped + i], (*shape)[i]);
  }
  return result;
}

Integers toIntegers(const std::vector<std::uint32_t>& items) { return {items.begin(), items.end()}; }

std::uint32_t countBetween(const Shape& shape, std::size_t begin, std::size_t end) {
  std::uint32_t count = 1;  // below 2^31, because it is part of the element count of an operand
  for (std::size_t i = begin; i < end; ++i) count *= shape[i];
  return count;
}

MilValue tiled(const MilValue& x, const Shape& repetitions, MilBuilder& out) {
  Shape shape = x.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] *= repetitions[i];
  if (shape == x.shape) return x;
  return out.add("tile", x.type, shape, {{"x", {x}}, {"reps", {out.integers(toIntegers(repetitions))}}});
}

}  // namespace

MilValue unary(std::string_view type, const MilValue& x, MilBuilder& out, Arguments more) {
  more.insert(more.begin(), {"x", {x}});
  return out.add(type, x.type, x.shape, std::move(more));
}

MilValue binary(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out) {
  return out.add(type, x.type, broadcastOf(x.shape, y.shape), {{"x", {x}}, {"y", {y}}});
}

MilValue compare(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out) {
  return out.add(type, MilType::boolean, broadcastOf(x.shape, y.shape), {{"x", {x}}, {"y", {y}}});
}

MilValue select(const MilValue& condition, const MilValue& a, const MilValue& b, MilBuilder& out) {
  return out.add("select", a.type, broadcastOf(a.shape, b.shape), {{"cond", {condition}}, {"a", {a}}, {"b", {b}}});
}

MilValue reshape(const MilValue& x, const Shape& shape, MilBuilder& out) {
  if (x.shape == shape) return x;
  return out.add("reshape", x.type, shape, {{"x", {x}}, {"shape", {out.integers(toIntegers(shape))}}});
}

MilValue transposed(const MilValue& x, const Axes& permutation, MilBuilder& out) {
  if (std::ranges::is_sorted(permutation)) return x;
  Shape shape;
  for (const std::uint32_t axis : permutation) shape.push_back(x.shape[axis]);
  return out.add("transpose", x.type, shape, {{"x", {x}}, {"perm", {out.integers(toIntegers(permutation))}}});
}

MilValue sliced(const MilValue& x, const Integers& begin, const Integers& end, const Integers& strides, MilBuilder& out) {
  Shape shape;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    shape.push_back(static_cast<std::uint32_t>((std::int64_t{end[i]} - begin[i] + strides[i] - 1) / strides[i]));
  }
  if (shape == x.shape) return x;
  return out.add(
      "slice_by_index", x.type, shape,
      {{"x", {x}}, {"begin", {out.integers(begin)}}, {"end", {out.integers(end)}}, {"stride", {out.integers(strides)}}});
}

MilValue sliceAlong(std::size_t axis, const MilValue& x, std::uint32_t begin, std::uint32_t size, MilBuilder& out) {
  Integers from(x.shape.size(), 0), to = toIntegers(x.shape);
  from[axis] = static_cast<std::int32_t>(begin);
  to[axis] = static_cast<std::int32_t>(begin + size);
  return sliced(x, from, to, Integers(from.size(), 1), out);
}

MilValue concatenate(std::size_t axis, const std::vector<MilValue>& values, MilBuilder& out) {
  if (values.size() == 1) return values.front();
  Shape shape = values.front().shape;
  shape[axis] = 0;
  for (const MilValue& value : values) shape[axis] += value.shape[axis];
  return out.add(
      "concat", values.front().type, shape,
      {{"values", values}, {"axis", {out.integer(static_cast<std::int64_t>(axis))}}, {"interleave", {out.flag(false)}}});
}

std::vector<MilValue> splitAlong(std::size_t axis, const MilValue& x, const std::vector<std::uint32_t>& sizes, MilBuilder& out) {
  if (sizes.size() == 1) return {x};
  std::vector<MilValue> parts;
  for (const std::uint32_t size : sizes) {
    MilValue& part = parts.emplace_back(x);
    part.shape[axis] = size;
  }
  return out.addMany(
      "split", parts,
      {{"x", {x}}, {"split_sizes", {out.integers(toIntegers(sizes))}}, {"axis", {out.integer(static_cast<std::int64_t>(axis))}}});
}

MilValue gatherAlong(std::size_t axis, const MilValue& x, const MilValue& indices, MilBuilder& out) {
  Shape shape = x.shape;
  shape[axis] = indices.shape[0];
  return out.add("gather", x.type, shape,
                 {{"x", {x}}, {"indices", {indices}}, {"axis", {out.integer(static_cast<std::int64_t>(axis))}}});
}

MilValue reduced(std::string_view type, const MilValue& x, const Axes& axes, MilBuilder& out) {
  Shape shape = x.shape;
  for (const std::uint32_t axis : axes) shape[axis] = 1;
  return out.add(type, x.type, shape, {{"x", {x}}, {"axes", {out.integers(toIntegers(axes))}}, {"keep_dims", {out.flag(true)}}});
}

MilValue filled(MilType type, const Number& value, const Shape& shape, MilBuilder& out) {
  return out.add("fill", type, shape, {{"shape", {out.integers(toIntegers(shape))}}, {"value", {out.scalar(type, value)}}});
}

MilValue matmul(const MilValue& x, const MilValue& y, bool transposeX, bool transposeY, MilBuilder& out) {
  Shape rows = x.shape, columns = y.shape;
  if (transposeX) std::swap(rows[rows.size() - 1], rows[rows.size() - 2]);
  if (transposeY) std::swap(columns[columns.size() - 1], columns[columns.size() - 2]);
  const std::uint32_t height = rows[rows.size() - 2], width = columns.back();
  rows.resize(rows.size() - 2);
  columns.resize(columns.size() - 2);
  Shape shape = broadcastOf(rows, columns);
  shape.insert(shape.end(), {height, width});
  return out.add("matmul", x.type, shape,
                 {{"x", {x}}, {"y", {y}}, {"transpose_x", {out.flag(transposeX)}}, {"transpose_y", {out.flag(transposeY)}}});
}

MilValue padded(const MilValue& x, const Integers& pad, const Number& value, MilBuilder& out) {
  Shape shape = x.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] += static_cast<std::uint32_t>(pad[2 * i] + pad[2 * i + 1]);
  if (shape == x.shape) return x;
  return out.add("pad", x.type, shape,
                 {{"x", {x}},
                  {"pad", {out.integers(pad)}},
                  {"mode", {out.text("constant")}},
                  {"constant_val", {out.scalar(x.type, value)}}});
}

AxisView viewAlong(const Shape& shape, std::size_t axis) {
  if (shape.size() <= kMaxMilRank) return {shape, axis};
  return {{countBetween(shape, 0, axis), shape[axis], countBetween(shape, axis + 1, shape.size())}, 1};
}

Shape withSize(const AxisView& view, std::uint32_t size) {
  Shape shape = view.shape;
  shape[view.axis] = size;
  return shape;
}

MilValue expanded(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out) {
  Shape now(to.size() - from.size(), 1);
  now.insert(now.end(), from.begin(), from.end());
  if (now == to || to.empty()) return reshape(x, shapeOf(to), out);
  if (to.size() <= kMaxMilRank) {
    Shape repetitions;
    for (std::size_t i = 0; i < to.size(); ++i) repetitions.push_back(to[i] / now[i]);
    return tiled(reshape(x, now, out), repetitions, out);
  }
  MilValue y = x;
  for (std::size_t i = to.size(); i-- > 0;) {
    if (now[i] == to[i]) continue;
    y = tiled(reshape(y, viewAlong(now, i).shape, out), {1, to[i], 1}, out);
    now[i] = to[i];
  }
  return reshape(y, shapeOf(to), out);
}

// Above rank 5, moves one dimension after the other to its place. Each move is a transposition of a 4-D view, in which the
// dimensions before, between and after the two places are merged.
MilValue transposedAny(const MilValue& x, const Shape& from, const Axes& permutation, MilBuilder& out) {
  if (from.size() <= kMaxMilRank) return from.empty() ? x : transposed(x, permutation, out);
  Axes order = permutation;
  Shape now = from;
  MilValue y = x;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Moves the dimension that belongs at position i to that position, across the dimensions in between.
    const std::size_t at = order[i];
    if (at == i) continue;
    const Shape view{countBetween(now, 0, i), countBetween(now, i, at), now[at], countBetween(now, at + 1, now.size())};
    y = transposed(reshape(y, view, out), {0, 2, 1, 3}, out);
    std::rotate(now.begin() + static_cast<std::ptrdiff_t>(i), now.begin() + static_cast<std::ptrdiff_t>(at),
                now.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    for (std::size_t k = i; k < order.size(); ++k) {
      if (order[k] >= i && order[k] < at) ++order[k];
    }
    order[i] = static_cast<std::uint32_t>(i);
  }
  return reshape(y, shapeOf(now), out);
}

MilValue broadcastable(const MilValue& x, const Shape& from, const Shape& to, MilBuilder& out) {
  return to.size() <= kMaxMilRank ? x : expanded(x, from, to, out);
}

MilValue toChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out) {
  return layout == InputOperandLayout::nhwc ? transposed(image, {0, 3, 1, 2}, out) : image;
}

MilValue fromChannelsFirst(const MilValue& image, InputOperandLayout layout, MilBuilder& out) {
  return layout == InputOperandLayout::nhwc ? transposed(image, {0, 2, 3, 1}, out) : image;
}

}  // namespace webnn::coreml
