// Exports gather and scatter operations to MIL. Indices are wrapped and clamped as in WebNN: constants during the export if the
// size is known, other indices by MIL operations.
#include <algorithm>
#include <limits>
#include <optional>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// Maps indices -size .. size - 1 to 0 .. size - 1, and clamps other indices. `sizes` is broadcast to the indices.
MilValue insideOf(const MilValue& indices, const MilValue& sizes, MilBuilder& out) {
  const MilValue isNegative = compare("less", indices, out.integer(0), out);
  const MilValue shift = binary("mul", out.cast(isNegative, MilType::int32), sizes, out);
  const MilValue highest = binary("sub", sizes, out.integer(1), out);
  return binary("minimum", binary("maximum", binary("add", indices, shift, out), out.integer(0), out), highest, out);
}

std::int64_t insideOf(std::int64_t index, std::int64_t size) {
  return std::clamp<std::int64_t>(index < 0 && index >= -size ? index + size : index, 0, size - 1);
}

// Returns the indices, wrapped and clamped; nullopt if they are not constants, or if the result depends on an open size.
std::optional<std::vector<std::int64_t>> knownInsideOf(const Operand& indices, std::uint32_t size) {
  std::optional<std::vector<std::int64_t>> known = MilBuilder::integersOf(indices);
  if (!known) return std::nullopt;
  const std::int64_t smallest = isOpen(size) ? OpenScope::current()->range(size).first : size;
  for (std::int64_t& index : *known) {
    if (isOpen(size) && (index < 0 || index >= smallest)) return std::nullopt;
    index = insideOf(index, smallest);
  }
  return known;
}

// Returns the indices as int32. Constants beyond int32 are clamped to it, because they are outside of every dimension anyway.
MilValue indicesOf(const Operand& indices, const Shape& shape, MilBuilder& out) {
  const auto known = MilBuilder::integersOf(indices);
  if (!known) return reshape(out[indices], shape, out);
  using Limits = std::numeric_limits<std::int32_t>;
  Integers items;
  for (const std::int64_t index : *known) {
    items.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(index, Limits::min(), Limits::max())));
  }
  return reshape(out.integers(items), shape, out);
}

// Returns indices into one dimension, wrapped and clamped, with the given shape.
MilValue insideOf(const Operand& indices, const Shape& shape, std::uint32_t size, MilBuilder& out) {
  if (const auto known = knownInsideOf(indices, size)) {
    return reshape(out.integers(Integers(known->begin(), known->end())), shape, out);
  }
  return insideOf(indicesOf(indices, shape, out), out.size(Size(size)), out);
}

// The coordinates of gatherND and scatterND, converted to indices (shape [count]) into the slices of `data`. `data` is viewed
// with the shape [slices, sliceSize]: the dimensions that have coordinates are merged, and so are the others.
struct Coordinates {
  MilValue indices;
  std::uint32_t slices = 1, sliceSize = 1;  // numbers, or handles of open sizes
};

Coordinates coordinatesOf(const Operand& data, const Operand& indices, MilBuilder& out) {
  const Shape& shape = data.shape();
  const std::uint32_t depth = indices.shape().back();
  const std::uint32_t count = countOf({indices.shape().begin(), indices.shape().end() - 1});
  const Shape whole(shape.begin(), shape.begin() + depth);
  Coordinates result;
  result.slices = countOf(whole);
  result.sliceSize = countOf({shape.begin() + depth, shape.end()});
  const Sizes sizes(whole.begin(), whole.end());
  Sizes strides(depth, Size(std::int64_t{1}));
  for (std::size_t i = depth - 1; i > 0; --i) strides[i - 1] = strides[i] * sizes[i];
  const auto known = MilBuilder::integersOf(indices);
  if (known && !isOpen(whole)) {
    Integers items(count, 0);
    for (std::size_t i = 0; i < known->size(); ++i) {
      const std::int64_t inside = insideOf((*known)[i], sizes[i % depth].number());
      items[i / depth] += static_cast<std::int32_t>(inside * strides[i % depth].number());
    }
    result.indices = out.integers(items);
    return result;
  }
  MilValue rows = insideOf(indicesOf(indices, {count, depth}, out), out.sizes(sizes), out);
  if (depth > 1) rows = reduced("reduce_sum", binary("mul", rows, out.sizes(strides), out), {1}, out);
  result.indices = reshape(rows, {count}, out);
  return result;
}

Arguments along(std::size_t axis, MilBuilder& out) { return {{"axis", {out.integer(static_cast<std::int64_t>(axis))}}}; }

MilValue scattered(std::string_view type, const MilValue& data, const MilValue& indices, const MilValue& updates,
                   std::size_t axis, MilBuilder& out) {
  out.note("Where several updates have the same place, Core ML does not say which stays.");
  Arguments arguments{{"data", {data}}, {"indices", {indices}}, {"updates", {updates}}, {"mode", {out.text("update")}}};
  for (MilArgument& argument : along(axis, out)) arguments.push_back(std::move(argument));
  return out.add(type, data.type, data.shape, std::move(arguments));
}

// Scatters into the flattened tensor, viewed as [before, size, after]: the index of an element is (row * size + index) * after +
// column. Used if other dimensions than the axis are open, which scatter_along_axis of coremltools does not accept.
MilValue scatteredFlat(const ops::ScatterElements& op, const MilValue& data, const MilValue& indices, const MilValue& updates,
                       MilBuilder& out) {
  const Shape &shape = op.input.shape(), &places = op.indices.shape();
  const auto axis = shape.begin() + static_cast<std::ptrdiff_t>(op.options.axis);
  const std::uint32_t before = countOf({shape.begin(), axis}), after = countOf({axis + 1, shape.end()});
  const Size sizeAfter(after);
  const MilValue rows = reshape(range(Size(before), out), {before, 1, 1}, out);
  const MilValue columns = reshape(range(sizeAfter, out), {1, 1, after}, out);
  const MilValue steps = reshape(indices, {before, places[op.options.axis], after}, out);
  MilValue at = binary("mul", rows, out.size(Size(shape[op.options.axis]) * sizeAfter), out);
  at = binary("add", at, binary("mul", steps, out.size(sizeAfter), out), out);
  at = reshape(binary("add", at, columns, out), {countOf(places)}, out);
  return scattered("scatter", reshape(data, {countOf(shape)}, out), at, reshape(updates, {countOf(places)}, out), 0, out);
}

}  // namespace

void toMil(const ops::Gather& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.options.axis);
  const MilValue x = reshape(out[op.input], view.shape, out);
  const MilValue indices = insideOf(op.indices, {countOf(op.indices.shape())}, view.shape[view.axis], out);
  out.set(0, gatherAlong(view.axis, x, indices, out));
}

void toMil(const ops::GatherElements& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.options.axis), places = viewAlong(op.indices.shape(), op.options.axis);
  const MilValue x = reshape(out[op.input], view.shape, out);
  const MilValue indices = insideOf(op.indices, places.shape, view.shape[view.axis], out);
  Arguments arguments{{"x", {x}}, {"indices", {indices}}};
  for (MilArgument& argument : along(view.axis, out)) arguments.push_back(std::move(argument));
  out.set(0, out.add("gather_along_axis", x.type, indices.shape, std::move(arguments)));
}

void toMil(const ops::GatherND& op, MilBuilder& out) {
  const Coordinates at = coordinatesOf(op.input, op.indices, out);
  out.set(0, gatherAlong(0, reshape(out[op.input], {at.slices, at.sliceSize}, out), at.indices, out));
}

void toMil(const ops::ScatterElements& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.options.axis), places = viewAlong(op.indices.shape(), op.options.axis);
  const MilValue data = reshape(out[op.input], view.shape, out);
  const MilValue updates = reshape(out[op.updates], places.shape, out);
  const MilValue indices = insideOf(op.indices, places.shape, view.shape[view.axis], out);
  if (isOpen(withSize(view, 1)) || isOpen(withSize(places, 1))) {
    return out.set(0, scatteredFlat(op, data, indices, updates, out));
  }
  out.set(0, scattered("scatter_along_axis", data, indices, updates, view.axis, out));
}

void toMil(const ops::ScatterND& op, MilBuilder& out) {
  const Coordinates at = coordinatesOf(op.input, op.indices, out);
  const MilValue updates = reshape(out[op.updates], {at.indices.shape[0], at.sliceSize}, out);
  out.set(0, scattered("scatter", reshape(out[op.input], {at.slices, at.sliceSize}, out), at.indices, updates, 0, out));
}

}  // namespace webnn::coreml
