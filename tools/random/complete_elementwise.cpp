// complete() for element-wise operations, quantization, and operations that rearrange elements without an index operand (concat,
// pad, slice, transpose, ...).
#include <algorithm>
#include <utility>

#include "random/complete.h"

namespace webnn::random {

namespace {

// Returns a value for a numeric option; with hasIntegers, one that keeps results exact.
double coefficient(Maker& m) {
  if (m.style.hasIntegers) return m.choose.pick({1.0, 2.0, 0.0, -1.0, 0.5, 3.0});
  return m.choose.oneIn(3) ? m.choose.pick({0.0, 1.0, -1.0}) : m.choose.real(-2, 2);
}

// Returns some of the axes in random order.
std::vector<std::uint32_t> someAxes(Maker& m, std::size_t rank) {
  std::vector<std::uint32_t> axes = m.choose.permutation(rank);
  axes.resize(m.choose.below(rank + 1));
  return axes;
}

}  // namespace

void complete(Maker& m, ops::Unary& op) { op.input = take(m, op, "input"); }
void complete(Maker& m, ops::LogicalUnary& op) { op.a = take(m, op, "a"); }
void complete(Maker& m, ops::Activation& op) { op.input = take(m, op, "input"); }

void complete(Maker& m, ops::Elu& op) {
  op.input = take(m, op, "input");
  if (m.choose.oneIn(2)) op.options.alpha = coefficient(m);
}

void complete(Maker& m, ops::LeakyRelu& op) {
  op.input = take(m, op, "input");
  if (m.style.hasIntegers || m.choose.oneIn(2)) op.options.alpha = coefficient(m);
}

void complete(Maker& m, ops::HardSigmoid& op) {
  op.input = take(m, op, "input");
  if (m.choose.oneIn(4)) return;
  op.options.alpha = coefficient(m);
  op.options.beta = coefficient(m);
}

void complete(Maker& m, ops::Linear& op) {
  op.input = take(m, op, "input");
  if (!m.choose.oneIn(4)) op.options.alpha = coefficient(m);
  if (!m.choose.oneIn(3)) op.options.beta = coefficient(m);
}

void complete(Maker& m, ops::Clamp& op) {
  op.input = take(m, op, "input");
  const double low = coefficient(m) * 2, high = low + m.choose.below(8);
  if (!m.choose.oneIn(3)) op.options.minValue = low;
  if (!m.choose.oneIn(3)) op.options.maxValue = high;
  if (m.choose.oneIn(6)) op.options = {.minValue = 0, .maxValue = 6};
}

void complete(Maker& m, ops::Cast& op) {
  op.dataType = m.type(ops::kAnyAndInt4s);
  if (!isFloat(op.dataType)) m.takesExactOnly = !m.style.isOpen;
  op.input = take(m, op, "input");
}

void complete(Maker& m, ops::Binary& op) {
  op.a = take(m, op, "a");
  const bool isDivisor = op.kind == ops::BinaryKind::div && m.choose.oneIn(2);
  op.b = m.partner(op.a.dataType(), op.a.shape(), isDivisor ? Range{0.25, 2} : Range{});
  if (!isDivisor && m.choose.oneIn(2)) std::swap(op.a, op.b);
}

void complete(Maker& m, ops::Prelu& op) {
  op.input = take(m, op, "input");
  op.slope = m.partner(op.input.dataType(), op.input.shape());
}

void complete(Maker& m, ops::Where& op) {
  if (m.choose.oneIn(2)) {
    op.condition = take(m, op, "condition");
    op.trueValue = m.partner(m.type(ops::kAnyAndInt4s), op.condition.shape());
  } else {
    op.trueValue = take(m, op, "trueValue");
    op.condition = m.partner(DataType::uint8, op.trueValue.shape(), {0, 1});
  }
  const Shape& wider = op.trueValue.rank() > op.condition.rank() ? op.trueValue.shape() : op.condition.shape();
  op.falseValue = m.partner(op.trueValue.dataType(), wider);
  if (m.choose.oneIn(2)) std::swap(op.trueValue, op.falseValue);
}

void complete(Maker& m, ops::Concat& op) {
  const Operand x = take(m, op, "inputs");
  op.axis = m.axis(x);
  op.inputs = {x};
  for (std::uint32_t i = m.choose.below(m.choose.oneIn(10) ? 9 : 4); i > 0; --i) {
    Shape shape = x.shape();
    if (m.choose.oneIn(2)) shape[op.axis] = m.size();
    const auto place = op.inputs.begin() + m.choose.below(op.inputs.size() + 1);
    op.inputs.insert(place, m.choose.oneIn(6) ? x : m.shaped({x.dataType(), shape}));
  }
}

void complete(Maker& m, ops::Expand& op) {
  op.input = take(m, op, "input");
  op.newShape = op.input.shape();
  for (std::uint32_t& size : op.newShape) {
    if (size == 1 && m.choose.oneIn(2)) size = m.size();
  }
  while (op.newShape.size() < kMaxRank && m.choose.oneIn(3)) op.newShape.insert(op.newShape.begin(), m.size());
}

void complete(Maker& m, ops::Pad& op) {
  op.options.mode = m.choose.pick({PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection});
  op.input = take(m, op, "input");
  for (const std::uint32_t size : op.input.shape()) {
    const std::uint32_t most = m.choose.oneIn(3) ? 0 : op.options.mode == PaddingMode::reflection ? std::min(size - 1, 5U) : 5U;
    op.beginningPadding.push_back(m.choose.below(most + 1));
    op.endingPadding.push_back(m.choose.below(most + 1));
  }
  if (m.choose.oneIn(2)) op.options.value = coefficient(m);
}

void complete(Maker& m, ops::Reshape& op) {
  op.input = take(m, op, "input");
  std::uint32_t run = 1;
  std::vector<std::uint32_t> order = op.input.shape();
  if (m.choose.oneIn(3)) {  // permute the dimensions
    const std::vector<std::uint32_t> permutation = m.choose.permutation(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = op.input.shape()[permutation[i]];
  }
  for (const std::uint32_t size : order) {  // merge or split dimensions, and insert dimensions of 1
    run *= size;
    if (m.choose.oneIn(2)) {
      if (run % 2 == 0 && m.choose.oneIn(4) && op.newShape.size() < 6) op.newShape.push_back(2), run /= 2;
      op.newShape.push_back(run), run = 1;
    }
    if (m.choose.oneIn(6) && op.newShape.size() < 7) op.newShape.push_back(1);
  }
  if (run > 1) op.newShape.push_back(run);
}

void complete(Maker& m, ops::Reverse& op) {
  op.input = take(m, op, "input");
  if (!m.choose.oneIn(3)) op.options.axes = someAxes(m, op.input.rank());
}

void complete(Maker& m, ops::Slice& op) {
  op.input = take(m, op, "input");
  OptionalSizes strides = std::vector<std::uint32_t>();
  const bool isMostlyWhole = m.choose.oneIn(2);
  for (const std::uint32_t size : op.input.shape()) {
    const bool isWhole = isMostlyWhole && !m.choose.oneIn(3);
    op.starts.push_back(isWhole ? 0 : m.choose.below(size));
    op.sizes.push_back(isWhole ? size : m.choose.between(1, size - op.starts.back()));
    strides->push_back(m.choose.oneIn(2) ? 1 : m.choose.between(1, 4));
  }
  if (m.choose.oneIn(3)) op.options.strides = strides;
}

void complete(Maker& m, ops::Split& op) {
  op.input = take(m, op, "input");
  op.options.axis = m.axis(op.input);
  const std::uint32_t size = op.input.shape()[op.options.axis];
  if (m.choose.oneIn(3)) {
    const std::uint32_t parts = m.choose.between(1, 6);
    op.splits = size % parts == 0 ? parts : 1U;
    return;
  }
  std::vector<std::uint32_t> parts;
  for (std::uint32_t left = size; left > 0; left -= parts.back()) {
    parts.push_back(parts.size() == 4 ? left : m.choose.between(1, left));
  }
  op.splits = parts;
}

void complete(Maker& m, ops::Tile& op) {
  op.input = take(m, op, "input");
  for (std::size_t i = op.input.rank(); i > 0; --i) op.repetitions.push_back(m.choose.oneIn(2) ? 1 : m.choose.between(1, 4));
}

void complete(Maker& m, ops::Transpose& op) {
  op.input = take(m, op, "input");
  if (!m.choose.oneIn(4)) op.options.permutation = m.choose.permutation(op.input.rank());
}

void complete(Maker& m, ops::Triangular& op) {
  op.input = take(m, op, "input");
  op.options.upper = m.choose.oneIn(2);
  op.options.diagonal = static_cast<std::int32_t>(m.choose.below(9)) - 4;
}

namespace {

// Returns a scale's shape for a tensor: one element, one per index of an axis, or one per block.
Shape blocksOf(Maker& m, const Shape& shape) {
  Shape blocks(shape.size(), 1);
  const std::uint32_t form = m.choose.below(3), along = m.choose.below(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (form == 1 && i == along) blocks[i] = shape[i];
    if (form != 2 || m.choose.oneIn(3)) continue;
    blocks[i] = shape[i] % 3 == 0 && m.choose.oneIn(3)   ? shape[i] / 3
                : shape[i] % 2 == 0 && m.choose.oneIn(2) ? shape[i] / 2
                                                         : shape[i];
  }
  return blocks;
}

}  // namespace

void complete(Maker& m, ops::DequantizeLinear& op) {
  op.input = take(m, op, "input");
  const Shape blocks = blocksOf(m, op.input.shape());
  op.scale = m.shaped({m.floatType(), blocks}, {0.05, 1});
  op.zeroPoint = m.shaped({op.input.dataType(), blocks}, {-3, 5});
}

void complete(Maker& m, ops::QuantizeLinear& op) {
  op.input = take(m, op, "input");
  const Shape blocks = blocksOf(m, op.input.shape());
  op.scale = m.shaped({op.input.dataType(), blocks}, {0.05, 1});
  op.zeroPoint = m.shaped({m.type(ops::kQuantized), blocks}, {-3, 5});
}

}  // namespace webnn::random
