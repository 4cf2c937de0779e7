#include "coreml/compose.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "ops/checks.h"

namespace webnn::coreml {

namespace {

Shape broadcastOf(const Shape& a, const Shape& b, const MilBuilder& out) {
  std::optional<Shape> shape = ops::bidirectionallyBroadcast(a, b);
  if (!shape) out.refuse("only sizes of 0 make its shapes valid, and Core ML has no tensors without elements");
  return *std::move(shape);
}

Integers toIntegers(const std::vector<std::uint32_t>& items) { return {items.begin(), items.end()}; }

std::uint32_t countBetween(const Shape& shape, std::size_t begin, std::size_t end) {
  return asDimension(productOf(std::span(shape).subspan(begin, end - begin)));
}

// Repeats dimensions of x so that the result has the shape `to`.
MilValue tiled(const MilValue& x, const Shape& to, MilBuilder& out) {
  if (x.shape == to) return x;
  Sizes repetitions;
  for (std::size_t i = 0; i < to.size(); ++i) repetitions.push_back(repetitionsOf(x.shape[i], to[i]));
  return out.add("tile", x.type, to, {{"x", {x}}, {"reps", {out.sizes(repetitions)}}});
}

}  // namespace

Size repetitionsOf(std::uint32_t from, std::uint32_t to) {
  if (from == to) return Size(std::int64_t{1});
  return from == 1 ? Size(to) : floorQuotient(Size(to), Size(from));
}

MilValue unary(std::string_view type, const MilValue& x, MilBuilder& out, Arguments more) {
  more.insert(more.begin(), {"x", {x}});
  return out.add(type, x.type, x.shape, std::move(more));
}

MilValue binary(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out) {
  return out.add(type, x.type, broadcastOf(x.shape, y.shape, out), {{"x", {x}}, {"y", {y}}});
}

MilValue compare(std::string_view type, const MilValue& x, const MilValue& y, MilBuilder& out) {
  return out.add(type, MilType::boolean, broadcastOf(x.shape, y.shape, out), {{"x", {x}}, {"y", {y}}});
}

MilValue select(const MilValue& condition, const MilValue& a, const MilValue& b, MilBuilder& out) {
  return out.add("select", a.type, broadcastOf(a.shape, b.shape, out), {{"cond", {condition}}, {"a", {a}}, {"b", {b}}});
}

MilValue reshape(const MilValue& x, const Shape& shape, MilBuilder& out) {
  if (x.shape == shape) return x;
  Sizes sizes(shape.begin(), shape.end());
  // One open size needs no operations: -1 means the size that keeps the number of elements.
  if (std::ranges::count_if(sizes, &Size::isOpen) == 1) std::ranges::replace_if(sizes, &Size::isOpen, Size(std::int64_t{-1}));
  return out.add("reshape", x.type, shape, {{"x", {x}}, {"shape", {out.sizes(sizes)}}});
}

MilValue transposed(const MilValue& x, const Axes& permutation, MilBuilder& out) {
  if (std::ranges::is_sorted(permutation)) return x;
  Shape shape;
  for (const std::uint32_t axis : permutation) shape.push_back(x.shape[axis]);
  return out.add("transpose", x.type, shape, {{"x", {x}}, {"perm", {out.integers(toIntegers(permutation))}}});
}

MilValue sliced(const MilValue& x, const Sizes& begin, const Sizes& end, const Integers& strides, MilBuilder& out) {
  Shape shape;
  for (std::size_t i = 0; i < begin.size(); ++i) shape.push_back(asDimension(ceilQuotient(end[i] - begin[i], strides[i])));
  if (shape == x.shape) return x;
  // An open dimension that is sliced up to its end needs no operations: MIL ignores the ends of dimensions set in `end_mask`.
  Sizes ends = end;
  std::vector<bool> isWhole;
  for (std::size_t i = 0; i < end.size(); ++i) {
    isWhole.push_back(end[i].isOpen() && end[i].handle() == x.shape[i]);
    if (isWhole[i]) ends[i] = Size(std::int64_t{0});
  }
  Arguments arguments{{"x", {x}}, {"begin", {out.sizes(begin)}}, {"end", {out.sizes(ends)}}, {"stride", {out.integers(strides)}}};
  if (std::ranges::find(isWhole, true) != isWhole.end()) arguments.push_back({"end_mask", {out.flags(isWhole)}});
  return out.add("slice_by_index", x.type, shape, std::move(arguments));
}

MilValue sliceAlong(std::size_t axis, const MilValue& x, Size begin, Size size, MilBuilder& out) {
  Sizes from(x.shape.size(), Size(std::int64_t{0})), to(x.shape.begin(), x.shape.end());
  from[axis] = begin;
  to[axis] = begin + size;
  return sliced(x, from, to, Integers(from.size(), 1), out);
}

MilValue concatenate(std::size_t axis, const std::vector<MilValue>& values, MilBuilder& out) {
  if (values.size() == 1) return values.front();
  Shape shape = values.front().shape;
  Size size(std::int64_t{0});
  for (const MilValue& value : values) size = size + Size(value.shape[axis]);
  shape[axis] = asDimension(size);
  return out.add(
      "concat", values.front().type, shape,
      {{"values", values}, {"axis", {out.integer(static_cast<std::int64_t>(axis))}}, {"interleave", {out.flag(false)}}});
}

std::vector<MilValue> splitAlong(std::size_t axis, const MilValue& x, const std::vector<std::uint32_t>& sizes, MilBuilder& out) {
  if (sizes.size() == 1) return {x};
  std::vector<MilValue> parts;
  if (isOpen(sizes)) {  // MIL's split supports constant sizes only
    Size begin(std::int64_t{0});
    for (const std::uint32_t size : sizes) {
      parts.push_back(sliceAlong(axis, x, begin, Size(size), out));
      begin = begin + Size(size);
    }
    return parts;
  }
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

MilValue range(Size size, MilBuilder& out) {
  MilValue end = out.size(size);
  if (!end.shape.empty()) end = out.add("squeeze", end.type, {}, {{"x", {end}}, {"axes", {out.integers({0})}}});
  return out.add("range_1d", MilType::int32, {asDimension(size)},
                 {{"start", {out.integer(0)}}, {"end", {end}}, {"step", {out.integer(1)}}});
}

MilValue filled(MilType type, const Number& value, const Shape& shape, MilBuilder& out) {
  return out.add("fill", type, shape, {{"shape", {out.sizes(shape)}}, {"value", {out.scalar(type, value)}}});
}

MilValue matmul(const MilValue& x, const MilValue& y, bool transposeX, bool transposeY, MilBuilder& out) {
  Shape rows = x.shape, columns = y.shape;
  if (transposeX) std::swap(rows[rows.size() - 1], rows[rows.size() - 2]);
  if (transposeY) std::swap(columns[columns.size() - 1], columns[columns.size() - 2]);
  const std::uint32_t height = rows[rows.size() - 2], width = columns.back();
  rows.resize(rows.size() - 2);
  columns.resize(columns.size() - 2);
  Shape shape = broadcastOf(rows, columns, out);
  shape.insert(shape.end(), {height, width});
  return out.add("matmul", x.type, shape,
                 {{"x", {x}}, {"y", {y}}, {"transpose_x", {out.flag(transposeX)}}, {"transpose_y", {out.flag(transposeY)}}});
}

MilValue padded(const MilValue& x, const Sizes& pad, const Number& value, MilBuilder& out) {
  Shape shape = x.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = asDimension(Size(shape[i]) + pad[2 * i] + pad[2 * i + 1]);
  if (shape == x.shape) return x;
  return out.add(
      "pad", x.type, shape,
      {{"x", {x}}, {"pad", {out.sizes(pad)}}, {"mode", {out.text("constant")}}, {"constant_val", {out.scalar(x.type, value)}}});
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
  if (to.size() <= kMaxMilRank) return tiled(reshape(x, now, out), to, out);
  MilValue y = x;
  for (std::size_t i = to.size(); i-- > 0;) {
    if (now[i] == to[i]) continue;
    const AxisView view = viewAlong(now, i);
    y = tiled(reshape(y, view.shape, out), withSize(view, to[i]), out);
    now[i] = to[i];
  }
  return reshape(y, shapeOf(to), out);
}

// Above rank 5, moves one dimension after the other to its position. Each move is a transposition of a 4-D view, in which the
// dimensions before, between and after the two positions are merged.
MilValue transposedAny(const MilValue& x, const Shape& from, const Axes& permutation, MilBuilder& out) {
  if (from.size() <= kMaxMilRank) return from.empty() ? x : transposed(x, permutation, out);
  Axes order = permutation;
  Shape now = from;
  MilValue y = x;
  for (std::size_t i = 0; i < order.size(); ++i) {
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
