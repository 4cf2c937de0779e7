// Exports to MIL the operations that move elements. Pad and Triangular also write constants.
#include <algorithm>
#include <variant>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// Emits operations that compute paddingIndices() for an open size.
MilValue openPaddingIndices(Size size, std::uint32_t before, std::uint32_t after, PaddingMode mode, MilBuilder& out) {
  const Size one(std::int64_t{1});
  const MilValue last = out.size(size - one), zero = out.integer(0);
  MilValue at = range(size + Size(before) + Size(after), out);
  at = binary("sub", at, out.size(Size(before)), out);
  if (mode == PaddingMode::reflection) {
    const MilValue period = binary("maximum", binary("mul", last, out.integer(2), out), out.integer(1), out);
    const MilValue inside = binary("mod", at, period, out);
    return binary("minimum", inside, binary("sub", period, inside, out), out);
  }
  return binary("minimum", binary("maximum", at, zero, out), last, out);
}

// Returns, for each element of the padded dimension, the index of the input element that it copies. Size 3 with
// padding 1 gives 0 0 1 2 2 (mode edge) or 1 0 1 2 1 (reflection).
Integers paddingIndices(std::uint32_t size, std::uint32_t before, std::uint32_t after, PaddingMode mode) {
  Integers indices;
  const auto count = static_cast<std::int64_t>(size);
  for (std::int64_t i = -std::int64_t{before}; i < count + after; ++i) {
    std::int64_t at = std::clamp<std::int64_t>(i, 0, count - 1);
    if (mode == PaddingMode::reflection && count > 1) {
      const std::int64_t period = 2 * (count - 1), inside = ((i % period) + period) % period;
      at = std::min(inside, period - inside);
    }
    indices.push_back(static_cast<std::int32_t>(at));
  }
  return indices;
}

// Pads by concatenation, which supports integers and any rank; MIL's pad does not support integers.
MilValue surrounded(const MilValue& x, const AxisView& view, std::uint32_t before, std::uint32_t after, const Number& value,
                    MilBuilder& out) {
  if (isOpen(before) || isOpen(after)) out.refuseOpenSizes();  // MIL cannot fill an empty tensor
  std::vector<MilValue> parts;
  if (before > 0) parts.push_back(filled(x.type, value, withSize(view, before), out));
  parts.push_back(x);
  if (after > 0) parts.push_back(filled(x.type, value, withSize(view, after), out));
  return concatenate(view.axis, parts, out);
}

MilValue reversedAlong(const MilValue& x, const Axes& axes, MilBuilder& out) {
  if (axes.empty()) return x;
  return unary("reverse", x, out, {{"axes", {out.integers(Integers(axes.begin(), axes.end()))}}});
}

}  // namespace

void toMil(const ops::Concat& op, MilBuilder& out) {
  std::vector<MilValue> values;
  AxisView view;
  for (const Operand& input : op.inputs) {
    view = viewAlong(input.shape(), op.axis);
    values.push_back(reshape(out[input], view.shape, out));
  }
  out.set(0, concatenate(view.axis, values, out));
}

void toMil(const ops::Expand& op, MilBuilder& out) {
  out.set(0, expanded(out[op.input], op.input.shape(), out.output().shape(), out));
}

void toMil(const ops::Pad& op, MilBuilder& out) {
  Shape shape = op.input.shape();
  MilValue x = out[op.input];
  const bool isConstant = op.options.mode == PaddingMode::constant;
  const Number around = webnn::cast(op.options.value, op.input.dataType());
  if (isConstant && x.type == MilType::int32 && webnn::cast(around, DataType::int32) != around) {
    out.refuse("the value is beyond int32");
  }
  if (isConstant && x.type != MilType::int32 && !shape.empty() && shape.size() <= kMaxMilRank) {
    Sizes pad;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      pad.emplace_back(op.beginningPadding[i]);
      pad.emplace_back(op.endingPadding[i]);
    }
    return out.set(0, padded(x, pad, op.options.value, out));
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint32_t before = op.beginningPadding[i], after = op.endingPadding[i];
    if (before == 0 && after == 0) continue;
    const AxisView view = viewAlong(shape, i);
    x = reshape(x, view.shape, out);
    if (isConstant) {
      x = surrounded(x, view, before, after, around, out);
    } else if (isOpen(Shape{shape[i], before, after})) {
      x = gatherAlong(view.axis, x, openPaddingIndices(Size(shape[i]), before, after, op.options.mode, out), out);
    } else {
      x = gatherAlong(view.axis, x, out.integers(paddingIndices(shape[i], before, after, op.options.mode)), out);
    }
    shape[i] = asDimension(Size(shape[i]) + Size(before) + Size(after));
  }
  out.set(0, x);
}

void toMil(const ops::Reshape& op, MilBuilder& out) { out.set(0, out[op.input]); }

void toMil(const ops::Reverse& op, MilBuilder& out) {
  const Shape& shape = op.input.shape();
  MilValue x = out[op.input];
  if (shape.size() <= kMaxMilRank) return out.set(0, reversedAlong(x, *op.options.axes, out));
  for (const std::uint32_t axis : *op.options.axes) {
    x = reversedAlong(reshape(x, viewAlong(shape, axis).shape, out), {1}, out);
  }
  out.set(0, x);
}

void toMil(const ops::Slice& op, MilBuilder& out) {
  Shape shape = op.input.shape();
  MilValue x = out[op.input];
  const bool atOnce = shape.size() <= kMaxMilRank;
  Sizes begins, ends;
  Integers strides;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Size begin(op.starts[i]), end = begin + Size(op.sizes[i]);
    const std::uint32_t wanted = op.options.strides ? (*op.options.strides)[i] : 1;
    const auto stride = static_cast<std::int32_t>(isOpen(op.sizes[i]) ? wanted : std::min(wanted, op.sizes[i]));
    if (atOnce) {
      begins.push_back(begin);
      ends.push_back(end);
      strides.push_back(stride);
      continue;
    }
    const AxisView view = viewAlong(shape, i);
    const Size zero(std::int64_t{0});
    x = sliced(reshape(x, view.shape, out), {zero, begin, zero}, {Size(view.shape[0]), end, Size(view.shape[2])}, {1, stride, 1},
               out);
    shape[i] = x.shape[1];
  }
  out.set(0, atOnce && !shape.empty() ? sliced(x, begins, ends, strides, out) : x);
}

void toMil(const ops::Split& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.options.axis);
  std::vector<std::uint32_t> sizes;
  if (const auto* const given = std::get_if<std::vector<std::uint32_t>>(&op.splits)) {
    sizes = *given;
  } else {
    const std::uint32_t parts = std::get<std::uint32_t>(op.splits);
    sizes.assign(parts, asDimension(floorQuotient(Size(view.shape[view.axis]), Size(parts))));
  }
  const std::vector<MilValue> parts = splitAlong(view.axis, reshape(out[op.input], view.shape, out), sizes, out);
  for (std::size_t i = 0; i < parts.size(); ++i) out.set(i, parts[i]);
}

void toMil(const ops::Tile& op, MilBuilder& out) {
  Shape shape = op.input.shape();
  MilValue x = out[op.input];
  const auto tile = [&](const MilValue& value, const Sizes& repetitions) {
    Shape to = value.shape;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = asDimension(Size(to[i]) * repetitions[i]);
    return out.add("tile", value.type, to, {{"x", {value}}, {"reps", {out.sizes(repetitions)}}});
  };
  if (shape.empty()) return out.set(0, x);
  if (shape.size() <= kMaxMilRank) return out.set(0, tile(x, Sizes(op.repetitions.begin(), op.repetitions.end())));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (op.repetitions[i] == 1) continue;
    const Size one(std::int64_t{1}), repetitions(op.repetitions[i]);
    x = tile(reshape(x, viewAlong(shape, i).shape, out), {one, repetitions, one});
    shape[i] = asDimension(Size(shape[i]) * repetitions);
  }
  out.set(0, x);
}

void toMil(const ops::Transpose& op, MilBuilder& out) {
  out.set(0, transposedAny(out[op.input], op.input.shape(), *op.options.permutation, out));
}

// MIL's band_part keeps a band around the diagonal. A triangle that does not contain the main diagonal is the complement of a
// band.
void toMil(const ops::Triangular& op, MilBuilder& out) {
  const Shape& shape = op.input.shape();
  const AxisView view = viewAlong(shape, shape.size() - 2);
  MilValue x = out[op.input];
  if (shape.size() > kMaxMilRank) x = reshape(x, {view.shape[0], view.shape[1], shape.back()}, out);
  const auto band = [&](const MilValue& value, std::int64_t lower, std::int64_t upper) {
    return unary("band_part", value, out, {{"lower", {out.integer(lower)}}, {"upper", {out.integer(upper)}}});
  };
  // All diagonals beyond the same corner of the matrix have the same effect, so the diagonal is clamped to one of them. No size
  // of an open dimension exceeds kMaxDimension.
  const Shape matrix{shape[shape.size() - 2], shape.back()};
  const std::int64_t limit = isOpen(matrix) ? kMaxDimension : std::max(matrix[0], matrix[1]);
  const std::int64_t diagonal = std::clamp<std::int64_t>(op.options.diagonal, -limit, limit);
  if (op.options.upper && diagonal <= 0) return out.set(0, band(x, -diagonal, -1));
  if (!op.options.upper && diagonal >= 0) return out.set(0, band(x, -1, diagonal));
  const MilValue ones = filled(MilType::int32, 1, matrix, out);
  const MilValue outside = op.options.upper ? band(ones, -1, diagonal - 1) : band(ones, -diagonal - 1, -1);
  out.set(0, select(out.cast(outside, MilType::boolean), filled(x.type, 0, x.shape, out), x, out));
}

}  // namespace webnn::coreml
