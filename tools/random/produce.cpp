#include "random/produce.h"

#include <algorithm>
#include <utility>

#include "random/complete.h"

namespace webnn::random {

namespace {

[[noreturn]] void misfit() { throw Error(ErrorKind::typeError, "does not fit"); }

Operand value(Maker& m, DataType type, Shape shape, Range range = {}) {
  std::size_t elements = 1;
  for (const std::uint32_t size : shape) elements *= size;
  if (elements > m.style.mostElements) misfit();
  return m.shaped({type, std::move(shape)}, range);
}

void need(bool is) {
  if (!is) misfit();
}

DataType anyType(Maker& m, const Operation& operation) {
  const ops::OperationRow& row = rowOf(operation);
  return m.type(row.typesOf(row.rules()[0]));
}

std::uint32_t rankOf(const OperandDescriptor& wanted) { return static_cast<std::uint32_t>(wanted.shape.size()); }

std::uint32_t anyAxis(Maker& m, const OperandDescriptor& wanted) {
  need(!wanted.shape.empty());
  return m.choose.below(wanted.shape.size());
}

Operand like(Maker& m, const OperandDescriptor& wanted) { return value(m, wanted.dataType, wanted.shape); }

// completeFor() chooses fields so that the result has the wanted type and shape; otherwise it throws Error. The default starts
// with an operand of the wanted shape, which suits element-wise operations.

void completeFor(Maker& m, ops::Binary& op, const OperandDescriptor& wanted) {
  const DataType type = op.kind < ops::BinaryKind::equal ? wanted.dataType : anyType(m, op);
  op.a = value(m, type, wanted.shape);
  op.b = m.broadcastable(type, wanted.shape);
  if (m.choose.oneIn(2)) std::swap(op.a, op.b);
}

void completeFor(Maker& m, ops::LogicalUnary& op, const OperandDescriptor& wanted) {
  op.a = value(m, anyType(m, op), wanted.shape);
}

void completeFor(Maker& m, ops::Prelu& op, const OperandDescriptor& wanted) {
  op.input = like(m, wanted);
  op.slope = m.broadcastable(wanted.dataType, wanted.shape);
  if (m.choose.oneIn(2)) std::swap(op.input, op.slope);
}

void completeFor(Maker& m, ops::Where& op, const OperandDescriptor& wanted) {
  op.condition = m.broadcastable(DataType::uint8, wanted.shape, {0, 1});
  op.trueValue = m.broadcastable(wanted.dataType, wanted.shape);
  op.falseValue = like(m, wanted);
  if (m.choose.oneIn(2)) std::swap(op.trueValue, op.falseValue);
}

void completeFor(Maker& m, ops::Cast& op, const OperandDescriptor& wanted) {
  op.dataType = wanted.dataType;
  if (!isFloat(op.dataType)) m.takesExactOnly = !m.style.isOpen;
  op.input = value(m, m.type(ops::kAnyAndInt4s), wanted.shape);
}

void completeFor(Maker& m, ops::Reduce& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  op.options.keepDimensions = rank > 0 && m.choose.oneIn(2) && std::ranges::find(wanted.shape, 1U) != wanted.shape.end();
  Shape input = wanted.shape;
  std::vector<std::uint32_t> axes;
  if (op.options.keepDimensions) {
    for (std::uint32_t i = 0; i < rank; ++i) {
      if (wanted.shape[i] == 1) input[i] = m.size(), axes.push_back(i);
    }
  } else {
    need(rank < kMaxRank);
    axes = {m.choose.below(rank + 1)};
    input.insert(input.begin() + axes[0], m.size());
  }
  op.options.axes = axes;
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::ArgMinMax& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  need(rank < kMaxRank && (wanted.dataType == DataType::int32 || wanted.dataType == DataType::int64));
  op.options.outputDataType = wanted.dataType;
  op.axis = m.choose.below(rank + 1);
  Shape input = wanted.shape;
  input.insert(input.begin() + op.axis, m.size());
  op.input = value(m, anyType(m, op), input);
}

void completeFor(Maker& m, ops::Concat& op, const OperandDescriptor& wanted) {
  op.axis = anyAxis(m, wanted);
  std::uint32_t left = wanted.shape[op.axis];
  while (left > 0) {
    Shape part = wanted.shape;
    part[op.axis] = op.inputs.size() < 3 ? m.choose.between(1, left) : left;
    left -= part[op.axis];
    op.inputs.push_back(value(m, wanted.dataType, part));
  }
}

void completeFor(Maker& m, ops::Split& op, const OperandDescriptor& wanted) {
  op.options.axis = anyAxis(m, wanted);
  Shape input = wanted.shape;
  const std::uint32_t more = m.choose.between(1, 4);
  input[op.options.axis] += more;
  op.splits = std::vector<std::uint32_t>{wanted.shape[op.options.axis], more};
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::Expand& op, const OperandDescriptor& wanted) {
  op.newShape = wanted.shape;
  op.input = m.broadcastable(wanted.dataType, wanted.shape);
}

void completeFor(Maker& m, ops::Tile& op, const OperandDescriptor& wanted) {
  Shape input = wanted.shape;
  for (std::uint32_t& size : input) {
    const std::uint32_t times = m.choose.oneIn(2) ? size : m.choose.between(1, 3);
    op.repetitions.push_back(size % times == 0 ? times : 1);
    size /= op.repetitions.back();
  }
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::Pad& op, const OperandDescriptor& wanted) {
  Shape input = wanted.shape;
  for (std::uint32_t& size : input) {
    const std::uint32_t padding = m.choose.below(std::min(size, 4U));
    op.beginningPadding.push_back(m.choose.below(padding + 1));
    op.endingPadding.push_back(padding - op.beginningPadding.back());
    size -= padding;
  }
  op.options.mode = m.choose.pick({PaddingMode::constant, PaddingMode::edge});
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::Slice& op, const OperandDescriptor& wanted) {
  Shape input = wanted.shape;
  for (std::uint32_t& size : input) {
    op.sizes.push_back(size);
    op.starts.push_back(m.choose.oneIn(2) ? 0 : m.choose.below(3));
    size += op.starts.back() + (m.choose.oneIn(2) ? 0 : m.choose.below(3));
  }
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::Reshape& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  op.newShape = wanted.shape;
  Shape input = wanted.shape;
  if (m.choose.oneIn(2)) {
    for (std::uint32_t i = 1; i < rank; ++i) input[0] *= input[i];
    input.resize(std::min(rank, 1U));
  } else if (rank < kMaxRank) {
    input.insert(input.begin() + m.choose.below(rank + 1), 1);
  }
  op.input = value(m, wanted.dataType, input);
}

void completeFor(Maker& m, ops::Transpose& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  op.options.permutation = m.choose.permutation(rank);
  Shape input(rank);
  for (std::uint32_t i = 0; i < rank; ++i) input[(*op.options.permutation)[i]] = wanted.shape[i];
  op.input = value(m, wanted.dataType, input);
}

DataType indexType(Maker& m) { return m.choose.pick({DataType::int32, DataType::uint32, DataType::int64}); }

void completeFor(Maker& m, ops::Gather& op, const OperandDescriptor& wanted) {
  op.options.axis = anyAxis(m, wanted);
  Shape input = wanted.shape;
  input[op.options.axis] = m.size();
  op.input = value(m, wanted.dataType, input);
  op.indices = value(m, indexType(m), {wanted.shape[op.options.axis]}, {-3, 5});
}

void completeFor(Maker& m, ops::GatherElements& op, const OperandDescriptor& wanted) {
  op.options.axis = anyAxis(m, wanted);
  Shape input = wanted.shape;
  input[op.options.axis] = m.size();
  op.input = value(m, wanted.dataType, input);
  op.indices = value(m, indexType(m), wanted.shape, {-3, 5});
}

void completeFor(Maker& m, ops::GatherND& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) < kMaxRank);
  const std::uint32_t depth = m.choose.between(1, 3);
  Shape indices = wanted.shape;
  indices.push_back(depth);
  op.input = value(m, wanted.dataType, m.shape(depth));
  op.indices = value(m, indexType(m), indices, {-3, 5});
}

void completeFor(Maker& m, ops::ScatterElements& op, const OperandDescriptor& wanted) {
  op.options.axis = anyAxis(m, wanted);
  Shape updates = wanted.shape;
  updates[op.options.axis] = m.size();
  op.input = like(m, wanted);
  op.updates = value(m, wanted.dataType, updates);
  op.indices = value(m, indexType(m), updates, {-3, 5});
}

void completeFor(Maker& m, ops::ScatterND& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) > 0);
  op.input = like(m, wanted);
  op.indices = value(m, indexType(m), {2, 1}, {-3, 5});
  Shape updates = wanted.shape;
  updates[0] = 2;
  op.updates = value(m, wanted.dataType, updates);
}

void completeFor(Maker& m, ops::DequantizeLinear& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  const DataType type = m.type(ops::kQuantized);
  op.input = value(m, type, wanted.shape, {-3, 5});
  op.scale = value(m, wanted.dataType, Shape(rank, 1), {0.05, 1});
  op.zeroPoint = value(m, type, Shape(rank, 1), {-1, 2});
}

void completeFor(Maker& m, ops::QuantizeLinear& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  const DataType type = m.floatType();
  op.input = value(m, type, wanted.shape);
  op.scale = value(m, type, Shape(rank, 1), {0.05, 1});
  op.zeroPoint = value(m, wanted.dataType, Shape(rank, 1), {-1, 2});
}

void completeFor(Maker& m, ops::Matmul& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  need(rank >= 2);
  Shape a = wanted.shape, b = wanted.shape;
  const std::uint32_t inner = m.size();
  a[rank - 1] = inner;
  b[rank - 2] = inner;
  if (m.choose.oneIn(2)) b.erase(b.begin(), b.end() - 2);
  op.a = value(m, wanted.dataType, a);
  op.b = value(m, wanted.dataType, b);
}

void completeFor(Maker& m, ops::Gemm& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) == 2);
  const std::uint32_t inner = m.size();
  op.a = value(m, wanted.dataType, {wanted.shape[0], inner});
  op.b = value(m, wanted.dataType, {inner, wanted.shape[1]});
  if (m.choose.oneIn(2)) op.options.c = m.broadcastable(wanted.dataType, wanted.shape);
}

void completeFor(Maker& m, ops::Conv2d& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) == 4);
  const std::uint32_t channels = m.choose.between(1, 5), size = m.choose.between(1, 3);
  op.input = value(m, wanted.dataType, {wanted.shape[0], channels, wanted.shape[2] + size - 1, wanted.shape[3] + size - 1});
  op.filter = value(m, wanted.dataType, {wanted.shape[1], channels, size, size});
  if (m.choose.oneIn(2)) op.options.bias = value(m, wanted.dataType, {wanted.shape[1]});
}

void completeFor(Maker& m, ops::ConvTranspose2d& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) == 4);
  const std::uint32_t channels = m.choose.between(1, 5), size = std::min({3U, wanted.shape[2], wanted.shape[3]});
  op.input = value(m, wanted.dataType, {wanted.shape[0], channels, wanted.shape[2] - size + 1, wanted.shape[3] - size + 1});
  op.filter = value(m, wanted.dataType, {channels, wanted.shape[1], size, size});
  if (m.choose.oneIn(2)) op.options.bias = value(m, wanted.dataType, {wanted.shape[1]});
}

void completeFor(Maker& m, ops::Pool2d& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) == 4);
  const std::uint32_t size = m.choose.between(1, 3);
  op.options.windowDimensions = {size, size};
  op.input =
      value(m, wanted.dataType, {wanted.shape[0], wanted.shape[1], wanted.shape[2] + size - 1, wanted.shape[3] + size - 1});
}

void completeFor(Maker& m, ops::Resample2d& op, const OperandDescriptor& wanted) {
  need(rankOf(wanted) == 4);
  op.options.sizes = {wanted.shape[2], wanted.shape[3]};
  if (isFloat(wanted.dataType) && m.choose.oneIn(2)) op.options.mode = InterpolationMode::linear;
  op.input = value(m, wanted.dataType, {wanted.shape[0], wanted.shape[1], m.choose.between(1, 6), m.choose.between(1, 6)});
}

template <typename Op>
concept IsRecurrent = requires(Op op) {
  op.recurrentWeight;
};

template <IsRecurrent Op>
void completeFor(Maker& m, Op& op, const OperandDescriptor& wanted) {
  const std::uint32_t rank = rankOf(wanted);
  const DataType type = wanted.dataType;
  constexpr bool isLstm = requires { op.options.peepholeWeight; };
  const std::uint32_t gates = isLstm ? 4 : 3, size = m.choose.between(1, 4);
  if constexpr (requires { op.steps; }) {
    need(rank >= 3 && rank <= 4 && wanted.shape[rank - 3] <= 2 && wanted.shape.back() <= 16);
    const std::uint32_t directions = wanted.shape[rank - 3];
    op.hiddenSize = wanted.shape.back();
    op.options.returnSequence = rank == 4;
    op.steps = rank == 4 ? wanted.shape[0] : m.choose.between(1, 4);
    if (directions == 2) op.options.direction = RecurrentNetworkDirection::both;
    op.input = value(m, type, {op.steps, wanted.shape[rank - 2], size});
    op.weight = value(m, type, {directions, gates * op.hiddenSize, size});
    op.recurrentWeight = value(m, type, {directions, gates * op.hiddenSize, op.hiddenSize});
  } else {
    need(rank == 2 && wanted.shape[1] <= 16);
    op.hiddenSize = wanted.shape[1];
    op.input = value(m, type, {wanted.shape[0], size});
    op.weight = value(m, type, {gates * op.hiddenSize, size});
    op.recurrentWeight = value(m, type, {gates * op.hiddenSize, op.hiddenSize});
    op.hiddenState = like(m, wanted);
    if constexpr (requires { op.cellState; }) op.cellState = like(m, wanted);
  }
}

void completeFor(Maker& m, auto& op, const OperandDescriptor& wanted) { m.completeWith(op, like(m, wanted)); }

bool canGive(const Operation& operation, const OperandDescriptor& wanted) {
  const ops::OperationRow& row = rowOf(operation);
  return std::ranges::any_of(row.rules(), [&](const ops::OperandRule& rule) {
    const ops::RankRange ranks = row.ranksOf(rule);
    return rule.output && row.typesOf(rule).contains(wanted.dataType) && ranks.min <= wanted.shape.size() &&
           wanted.shape.size() <= ranks.max;
  });
}

}  // namespace

Operand produce(Maker& m, const OperandDescriptor& wanted) {
  const std::size_t count = allOperations().size(), first = m.choose.below(count);
  std::size_t drawn = 0;
  while (drawn < count && !canGive(allOperations()[(first + drawn) % count], wanted)) ++drawn;
  Operation operation = allOperations()[(first + drawn) % count];
  {
    const Taking taking(m, operation);
    std::visit([&](auto& op) { completeFor(m, op, wanted); }, static_cast<OperationVariant&>(operation));
  }
  for (const Operand& result : m.append(std::move(operation))) {
    if (result.descriptor() == wanted) return result;
  }
  misfit();
}

}  // namespace webnn::random
