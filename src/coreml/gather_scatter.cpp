// Exports gather and scatter operations to MIL. Indices are wrapped and clamped as in WebNN, unless they are constants that are
// within bounds.
#include <algorithm>

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

// Returns indices into one dimension, wrapped and clamped, with the given shape.
MilValue insideOf(const Operand& indices, const Shape& shape, std::uint32_t size, MilBuilder& out) {
  if (const auto known = MilBuilder::integersOf(indices)) {
    Integers items;
    for (const std::int64_t index : *known) items.push_back(static_cast<std::int32_t>(insideOf(index, size)));
    return reshape(out.integers(items), shape, out);
  }
  return insideOf(reshape(out[indices], shape, out), out.integer(size), out);
}

// The coordinates of gatherND and scatterND, converted to indices (shape [count]) into the slices of `data`. `data` is viewed
// with the shape [slices, sliceSize]: the dimensions that have coordinates are merged, and so are the others.
struct Coordinates {
  MilValue indices;
  std::uint32_t slices = 1, sliceSize = 1;
};

Coordinates coordinatesOf(const Operand& data, const Operand& indices, MilBuilder& out) {
  const std::uint32_t depth = indices.shape().back(), count = countOf(indices.shape()) / depth;
  Coordinates result;
  Integers sizes, strides(depth, 1);
  for (std::size_t i = 0; i < data.shape().size(); ++i) {
    if (i < depth) {
      sizes.push_back(static_cast<std::int32_t>(data.shape()[i]));
      result.slices *= data.shape()[i];
    } else {
      result.sliceSize *= data.shape()[i];
    }
  }
  for (std::size_t i = depth - 1; i > 0; --i) strides[i - 1] = strides[i] * sizes[i];
  if (const auto known = MilBuilder::integersOf(indices)) {
    Integers items(count, 0);
    for (std::size_t i = 0; i < known->size(); ++i) {
      items[i / depth] += static_cast<std::int32_t>(insideOf((*known)[i], sizes[i % depth])) * strides[i % depth];
    }
    result.indices = out.integers(items);
    return result;
  }
  MilValue rows = insideOf(reshape(out[indices], {count, depth}, out), out.integers(sizes), out);
  if (depth > 1) rows = reduced("reduce_sum", binary("mul", rows, out.integers(strides), out), {1}, out);
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
  const MilValue data = reshape(out[op.input], view.shape, out), updates = reshape(out[op.updates], places.shape, out);
  const MilValue indices = insideOf(op.indices, places.shape, view.shape[view.axis], out);
  out.set(0, scattered("scatter_along_axis", data, indices, updates, view.axis, out));
}

void toMil(const ops::ScatterND& op, MilBuilder& out) {
  const Coordinates at = coordinatesOf(op.input, op.indices, out);
  const MilValue updates = reshape(out[op.updates], {at.indices.shape[0], at.sliceSize}, out);
  out.set(0, scattered("scatter", reshape(out[op.input], {at.slices, at.sliceSize}, out), at.indices, updates, 0, out));
}

}  // namespace webnn::coreml
