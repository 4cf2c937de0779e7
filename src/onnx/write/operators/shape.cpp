#include <algorithm>
#include <limits>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

std::string_view modeOf(PaddingMode mode) {
  switch (mode) {
    case PaddingMode::edge: return "edge";
    case PaddingMode::reflection: return "reflect";
    case PaddingMode::constant: break;
  }
  return "constant";
}

}  // namespace

void toOnnx(const ops::Concat& op, Exporter& out) {
  std::vector<OnnxValue> inputs;
  for (const Operand& input : op.inputs) inputs.push_back(out[input]);
  out.set(0, concatenate(op.axis, inputs, out));
}

void toOnnx(const ops::Expand& op, Exporter& out) {
  const OnnxValue input = out[op.input];
  out.set(0, op.newShape == op.input.shape() ? input : out.add("Expand", {input, out.integers(op.newShape)}));
}

void toOnnx(const ops::Pad& op, Exporter& out) {
  if (op.input.rank() == 0) return out.set(0, out[op.input]);
  std::vector<std::uint32_t> pads = op.beginningPadding;
  pads.insert(pads.end(), op.endingPadding.begin(), op.endingPadding.end());
  std::vector<OnnxValue> inputs{out[op.input], out.integers(pads)};
  if (op.options.mode == PaddingMode::constant) inputs.push_back(out.scalar(op.input.dataType(), op.options.value));
  out.set(0, out.add("Pad", std::move(inputs), {{"mode", std::string(modeOf(op.options.mode))}}));
}

void toOnnx(const ops::Reshape& op, Exporter& out) { out.set(0, out.reshape(out[op.input], op.newShape)); }

void toOnnx(const ops::Reverse& op, Exporter& out) {
  const Integers axes = toIntegers(*op.options.axes);
  if (axes.empty()) return out.set(0, out[op.input]);
  const auto all = [&](std::int64_t value) { return out.integers(Integers(axes.size(), value)); };
  // A reversed slice ends before the first element. An end of -1 would mean the last element, so use the minimum integer.
  constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();
  out.set(0, out.add("Slice", {out[op.input], all(-1), all(kBeforeFirst), out.integers(axes), all(-1)}));
}

void toOnnx(const ops::Slice& op, Exporter& out) {
  if (op.input.rank() == 0) return out.set(0, out[op.input]);
  std::vector<Size> ends;
  Integers axes;
  for (std::size_t d = 0; d < op.starts.size(); ++d) {
    ends.push_back(Size(op.starts[d]) + Size(op.sizes[d]));
    axes.push_back(static_cast<std::int64_t>(d));
  }
  out.set(0, out.add("Slice", {out[op.input], out.integers(op.starts), out.integers(ends), out.integers(axes),
                               out.integers(*op.options.strides)}));
}

void toOnnx(const ops::Split& op, Exporter& out) {
  const std::uint32_t axis = op.options.axis;
  std::vector<std::uint32_t> sizes;
  if (const std::uint32_t* count = std::get_if<std::uint32_t>(&op.splits)) {
    sizes.assign(*count, asDimension(floorQuotient(Size(op.input.shape()[axis]), Size(*count))));
  } else {
    sizes = std::get<std::vector<std::uint32_t>>(op.splits);
  }
  if (sizes.size() == 1) return out.set(0, out[op.input]);
  const std::vector<OnnxValue> parts =
      out.addMany("Split", {out[op.input], out.integers(sizes)}, sizes.size(), {{"axis", std::int64_t{axis}}});
  for (std::size_t i = 0; i < parts.size(); ++i) out.set(i, parts[i]);
}

void toOnnx(const ops::Tile& op, Exporter& out) {
  if (op.input.rank() == 0) return out.set(0, out[op.input]);
  out.set(0, out.add("Tile", {out[op.input], out.integers(op.repetitions)}));
}

void toOnnx(const ops::Transpose& op, Exporter& out) { out.set(0, out.transpose(out[op.input], *op.options.permutation)); }

void toOnnx(const ops::Triangular& op, Exporter& out) {
  const Shape& shape = op.input.shape();
  // All diagonals outside of the matrix are equivalent. Clamp, because runtimes may overflow for far diagonals.
  const Size height(shape[shape.size() - 2]), width(shape[shape.size() - 1]);
  std::int64_t diagonal = op.options.diagonal;
  if (!height.isOpen() && !width.isOpen()) diagonal = std::clamp(diagonal, -height.number(), width.number());
  out.set(0, out.add("Trilu", {out[op.input], out.scalar(ElementType::int64, diagonal)},
                     {{"upper", std::int64_t{op.options.upper}}}));
}

}  // namespace webnn::onnx
