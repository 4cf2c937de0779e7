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

// Sets the fields such that the result is as wanted, or throws. Those without an overload of their own are completed with
// an operand of the wanted shape as their first, which is right for what works element by element.
struct Producer {
  Maker& m;
  const OperandDescriptor& wanted;
  const Shape& shape = wanted.shape;
  std::uint32_t rank = static_cast<std::uint32_t>(wanted.shape.size());

  std::uint32_t axis() const {
    need(rank > 0);
    return m.choose.below(rank);
  }
  Operand like() const { return value(m, wanted.dataType, shape); }

  void operator()(ops::Binary& op) const {
    const DataType type = op.kind < ops::BinaryKind::equal ? wanted.dataType : anyType(m, op);
    op.a = value(m, type, shape);
    op.b = m.broadcastable(type, shape);
    if (m.choose.oneIn(2)) std::swap(op.a, op.b);
  }
  void operator()(ops::LogicalUnary& op) const { op.a = value(m, anyType(m, op), shape); }
  void operator()(ops::Prelu& op) const {
    op.input = like();
    op.slope = m.broadcastable(wanted.dataType, shape);
    if (m.choose.oneIn(2)) std::swap(op.input, op.slope);
  }
  void operator()(ops::Where& op) const {
    op.condition = m.broadcastable(DataType::uint8, shape, {0, 1});
    op.trueValue = m.broadcastable(wanted.dataType, shape);
    op.falseValue = like();
    if (m.choose.oneIn(2)) std::swap(op.trueValue, op.falseValue);
  }
  void operator()(ops::Cast& op) const {
    op.dataType = wanted.dataType;
    if (!isFloat(op.dataType)) m.takesExactOnly = !m.style.isOpen;
    op.input = value(m, m.type(ops::kAnyAndInt4s), shape);
  }
  void operator()(ops::Reduce& op) const {
    op.options.keepDimensions = rank > 0 && m.choose.oneIn(2) && std::ranges::find(shape, 1U) != shape.end();
    Shape input = shape;
    std::vector<std::uint32_t> axes;
    if (op.options.keepDimensions) {
      for (std::uint32_t i = 0; i < rank; ++i) {
        if (shape[i] == 1) input[i] = m.size(), axes.push_back(i);
      }
    } else {
      need(rank < kMaxRank);
      axes = {m.choose.below(rank + 1)};
      input.insert(input.begin() + axes[0], m.size());
    }
    op.options.axes = axes;
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::ArgMinMax& op) const {
    need(rank < kMaxRank && (wanted.dataType == DataType::int32 || wanted.dataType == DataType::int64));
    op.options.outputDataType = wanted.dataType;
    op.axis = m.choose.below(rank + 1);
    Shape input = shape;
    input.insert(input.begin() + op.axis, m.size());
    op.input = value(m, anyType(m, op), input);
  }
  void operator()(ops::Concat& op) const {
    op.axis = axis();
    std::uint32_t left = shape[op.axis];
    while (left > 0) {
      Shape part = shape;
      part[op.axis] = op.inputs.size() < 3 ? m.choose.between(1, left) : left;
      left -= part[op.axis];
      op.inputs.push_back(value(m, wanted.dataType, part));
    }
  }
  void operator()(ops::Split& op) const {
    op.options.axis = axis();
    Shape input = shape;
    const std::uint32_t more = m.choose.between(1, 4);
    input[op.options.axis] += more;
    op.splits = std::vector<std::uint32_t>{shape[op.options.axis], more};
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::Expand& op) const {
    op.newShape = shape;
    op.input = m.broadcastable(wanted.dataType, shape);
  }
  void operator()(ops::Tile& op) const {
    Shape input = shape;
    for (std::uint32_t& size : input) {
      const std::uint32_t times = m.choose.oneIn(2) ? size : m.choose.between(1, 3);
      op.repetitions.push_back(size % times == 0 ? times : 1);
      size /= op.repetitions.back();
    }
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::Pad& op) const {
    Shape input = shape;
    for (std::uint32_t& size : input) {
      const std::uint32_t padding = m.choose.below(std::min(size, 4U));
      op.beginningPadding.push_back(m.choose.below(padding + 1));
      op.endingPadding.push_back(padding - op.beginningPadding.back());
      size -= padding;
    }
    op.options.mode = m.choose.pick({PaddingMode::constant, PaddingMode::edge});
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::Slice& op) const {
    Shape input = shape;
    for (std::uint32_t& size : input) {
      op.sizes.push_back(size);
      op.starts.push_back(m.choose.oneIn(2) ? 0 : m.choose.below(3));
      size += op.starts.back() + (m.choose.oneIn(2) ? 0 : m.choose.below(3));
    }
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::Reshape& op) const {
    op.newShape = shape;
    Shape input = shape;
    if (m.choose.oneIn(2)) {
      for (std::uint32_t i = 1; i < rank; ++i) input[0] *= input[i];
      input.resize(std::min(rank, 1U));
    } else if (rank < kMaxRank) {
      input.insert(input.begin() + m.choose.below(rank + 1), 1);
    }
    op.input = value(m, wanted.dataType, input);
  }
  void operator()(ops::Transpose& op) const {
    op.options.permutation = m.choose.permutation(rank);
    Shape input(rank);
    for (std::uint32_t i = 0; i < rank; ++i) input[(*op.options.permutation)[i]] = shape[i];
    op.input = value(m, wanted.dataType, input);
  }
  DataType indexType() const { return m.choose.pick({DataType::int32, DataType::uint32, DataType::int64}); }
  void operator()(ops::Gather& op) const {
    op.options.axis = axis();
    Shape input = shape;
    input[op.options.axis] = m.size();
    op.input = value(m, wanted.dataType, input);
    op.indices = value(m, indexType(), {shape[op.options.axis]}, {-3, 5});
  }
  void operator()(ops::GatherElements& op) const {
    op.options.axis = axis();
    Shape input = shape;
    input[op.options.axis] = m.size();
    op.input = value(m, wanted.dataType, input);
    op.indices = value(m, indexType(), shape, {-3, 5});
  }
  void operator()(ops::GatherND& op) const {
    need(rank < kMaxRank);
    const std::uint32_t depth = m.choose.between(1, 3);
    Shape indices = shape;
    indices.push_back(depth);
    op.input = value(m, wanted.dataType, m.shape(depth));
    op.indices = value(m, indexType(), indices, {-3, 5});
  }
  void operator()(ops::ScatterElements& op) const {
    op.options.axis = axis();
    Shape updates = shape;
    updates[op.options.axis] = m.size();
    op.input = like();
    op.updates = value(m, wanted.dataType, updates);
    op.indices = value(m, indexType(), updates, {-3, 5});
  }
  void operator()(ops::ScatterND& op) const {
    need(rank > 0);
    op.input = like();
    op.indices = value(m, indexType(), {2, 1}, {-3, 5});
    Shape updates = shape;
    updates[0] = 2;
    op.updates = value(m, wanted.dataType, updates);
  }
  void operator()(ops::DequantizeLinear& op) const {
    const DataType type = m.type(ops::kQuantized);
    op.input = value(m, type, shape, {-3, 5});
    op.scale = value(m, wanted.dataType, Shape(rank, 1), {0.05, 1});
    op.zeroPoint = value(m, type, Shape(rank, 1), {-1, 2});
  }
  void operator()(ops::QuantizeLinear& op) const {
    const DataType type = m.floatType();
    op.input = value(m, type, shape);
    op.scale = value(m, type, Shape(rank, 1), {0.05, 1});
    op.zeroPoint = value(m, wanted.dataType, Shape(rank, 1), {-1, 2});
  }
  void operator()(ops::Matmul& op) const {
    need(rank >= 2);
    Shape a = shape, b = shape;
    const std::uint32_t inner = m.size();
    a[rank - 1] = inner;
    b[rank - 2] = inner;
    if (m.choose.oneIn(2)) b.erase(b.begin(), b.end() - 2);
    op.a = value(m, wanted.dataType, a);
    op.b = value(m, wanted.dataType, b);
  }
  void operator()(ops::Gemm& op) const {
    need(rank == 2);
    const std::uint32_t inner = m.size();
    op.a = value(m, wanted.dataType, {shape[0], inner});
    op.b = value(m, wanted.dataType, {inner, shape[1]});
    if (m.choose.oneIn(2)) op.options.c = m.broadcastable(wanted.dataType, shape);
  }
  void operator()(ops::Conv2d& op) const {
    need(rank == 4);
    const std::uint32_t channels = m.choose.between(1, 5), size = m.choose.between(1, 3);
    op.input = value(m, wanted.dataType, {shape[0], channels, shape[2] + size - 1, shape[3] + size - 1});
    op.filter = value(m, wanted.dataType, {shape[1], channels, size, size});
    if (m.choose.oneIn(2)) op.options.bias = value(m, wanted.dataType, {shape[1]});
  }
  void operator()(ops::ConvTranspose2d& op) const {
    need(rank == 4);
    const std::uint32_t channels = m.choose.between(1, 5), size = std::min({3U, shape[2], shape[3]});
    op.input = value(m, wanted.dataType, {shape[0], channels, shape[2] - size + 1, shape[3] - size + 1});
    op.filter = value(m, wanted.dataType, {channels, shape[1], size, size});
    if (m.choose.oneIn(2)) op.options.bias = value(m, wanted.dataType, {shape[1]});
  }
  void operator()(ops::Pool2d& op) const {
    need(rank == 4);
    const std::uint32_t size = m.choose.between(1, 3);
    op.options.windowDimensions = {size, size};
    op.input = value(m, wanted.dataType, {shape[0], shape[1], shape[2] + size - 1, shape[3] + size - 1});
  }
  void operator()(ops::Resample2d& op) const {
    need(rank == 4);
    op.options.sizes = {shape[2], shape[3]};
    if (isFloat(wanted.dataType) && m.choose.oneIn(2)) op.options.mode = InterpolationMode::linear;
    op.input = value(m, wanted.dataType, {shape[0], shape[1], m.choose.between(1, 6), m.choose.between(1, 6)});
  }
  template <typename Op>
    requires requires(Op& op) { op.recurrentWeight; }
  void operator()(Op& op) const {
    const DataType type = wanted.dataType;
    const std::uint32_t gates = requires { op.options.peepholeWeight; } ? 4 : 3, size = m.choose.between(1, 4);
    if constexpr (requires { op.steps; }) {
      need(rank >= 3 && rank <= 4 && shape[rank - 3] <= 2 && shape.back() <= 16);
      const std::uint32_t directions = shape[rank - 3];
      op.hiddenSize = shape.back();
      op.options.returnSequence = rank == 4;
      op.steps = rank == 4 ? shape[0] : m.choose.between(1, 4);
      if (directions == 2) op.options.direction = RecurrentNetworkDirection::both;
      op.input = value(m, type, {op.steps, shape[rank - 2], size});
      op.weight = value(m, type, {directions, gates * op.hiddenSize, size});
      op.recurrentWeight = value(m, type, {directions, gates * op.hiddenSize, op.hiddenSize});
    } else {
      need(rank == 2 && shape[1] <= 16);
      op.hiddenSize = shape[1];
      op.input = value(m, type, {shape[0], size});
      op.weight = value(m, type, {gates * op.hiddenSize, size});
      op.recurrentWeight = value(m, type, {gates * op.hiddenSize, op.hiddenSize});
      op.hiddenState = like();
      if constexpr (requires { op.cellState; }) op.cellState = like();
    }
  }
  template <typename Op>
    requires(!requires(Op& op) { op.recurrentWeight; })
  void operator()(Op& op) const {
    m.completeWith(op, like());
  }
};

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
    std::visit(Producer{m, wanted}, static_cast<OperationVariant&>(operation));
  }
  for (const Operand& result : m.append(std::move(operation))) {
    if (result.descriptor() == wanted) return result;
  }
  misfit();
}

}  // namespace webnn::random
