#include "ops/shape.h"

#include <algorithm>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// The maximum number of inputs of concat and of outputs of split. https://www.w3.org/TR/webnn/#valid-tensor-count
constexpr std::size_t kMaxTensorCount = 8192;

void requireTensorCount(Subject op, std::string_view what, std::size_t count) {
  require(count >= 1 && count <= kMaxTensorCount, op, "{} ({}) is not between 1 and {}.", what, count, kMaxTensorCount);
}

// Checks the rank first, so that error messages only print short shapes.
void requireShape(Subject op, const Shape& newShape) {
  require(newShape.size() <= kMaxRank, op, "newShape size ({}) is above {}.", newShape.size(), kMaxRank);
  for (std::size_t d = 0; d < newShape.size(); ++d) {
    requireDimension(op, Size(newShape[d]), "newShape[{}]", d);
  }
}

// Requires less padding than elements, because reflection does not repeat the edge and mirrors only once.
void requireReflection(Subject op, std::string_view what, std::size_t d, std::uint32_t padding, std::uint32_t size) {
  if (padding == 0 && allowsZero()) return;
  if (canBeAtMost(Size(padding) + Size(std::int64_t{1}), Size(size))) return;
  fail(op, ErrorKind::typeError, "{}[{}] ({}) is not less than dimension {} of input ({}) in reflection mode.", what, d,
       Size(padding).text(), d, Size(size).text());
}

// Returns the sizes of the parts into which split() divides a dimension with `size` elements.
std::vector<std::uint32_t> partSizes(const Split& op, std::uint32_t size) {
  if (const std::uint32_t* count = std::get_if<std::uint32_t>(&op.splits)) {
    requireFixed(op, "splits", *count);
    requireTensorCount(op, "splits", *count);
    if (!canDivide(Size(*count), Size(size))) {
      fail(op, ErrorKind::typeError, "splits ({}) does not divide the size of input along axis ({}).", *count, Size(size).text());
    }
    if (!isOpen(size)) return std::vector<std::uint32_t>(*count, size / *count);
    const std::uint32_t part = requireDimension(op, "size of a part", floorQuotient(Size(size), Size(*count)));
    return std::vector<std::uint32_t>(*count, part);
  }
  const auto& sizes = std::get<std::vector<std::uint32_t>>(op.splits);
  requireTensorCount(op, "splits size", sizes.size());
  Size sum(std::int64_t{0});  // no overflow: at most 2^13 * 2^32
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    require(sizes[i] != 0 || allowsZero(), op, "splits[{}] is 0.", i);
    sum = sum + Size(sizes[i]);
  }
  if (!canEqual(sum, Size(size))) {
    fail(op, ErrorKind::typeError, "the sum of splits ({}) is not the size of input along axis ({}).", sum.text(),
         Size(size).text());
  }
  return sizes;
}

}  // namespace

constinit const OperationRow Concat::rows[] = {
    {"concat", "Joins tensors along an axis", {operand("inputs", kAnyAndInt4s, rankFrom(1)), output(like("output", "inputs"))}},
};

constinit const OperationRow Expand::rows[] = {
    anyShapeRow("expand", "Broadcasts to a shape", kAnyAndInt4s),
};

constinit const OperationRow Pad::rows[] = {
    unaryRow("pad", "Adds elements before and after each dimension", kAnyAndInt4s, kAnyRank),
};

constinit const OperationRow Reshape::rows[] = {
    anyShapeRow("reshape", "Changes the shape; the elements keep their order", kAnyAndInt4s),
};

constinit const OperationRow Reverse::rows[] = {
    unaryRow("reverse", "Reverses the order along axes", kAnyAndInt4s, kAnyRank),
};

constinit const OperationRow Slice::rows[] = {
    unaryRow("slice", "Extracts a window, optionally with strides", kAnyAndInt4s, kAnyRank),
};

constinit const OperationRow Split::rows[] = {
    {"split",
     "Splits a tensor into parts along an axis",
     {operand("input", kAnyAndInt4s, rankFrom(1)), output(like("outputs", "input"))}},
};

constinit const OperationRow Tile::rows[] = {
    unaryRow("tile", "Repeats the tensor along each dimension", kAnyAndInt4s, kAnyRank),
};

constinit const OperationRow Transpose::rows[] = {
    unaryRow("transpose", "Reorders the dimensions", kAnyAndInt4s, kAnyRank),
};

constinit const OperationRow Triangular::rows[] = {
    unaryRow("triangular", "Keeps the upper or lower triangle of each matrix", kAnyAndInt4s, rankFrom(2)),
};

Outputs infer(Concat& op) {
  requireTensorCount(op, "inputs size", op.inputs.size());
  const Operand& first = op.inputs[0];
  requireAxis(op, op.axis, first.rank(), "inputs[0]");
  Shape shape = first.shape();
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    const Operand& input = op.inputs[i];
    require(input.dataType() == first.dataType(), op, "inputs[{}] data type ({}) is not that of inputs[0] ({}).", i,
            name(input.dataType()), name(first.dataType()));
    require(input.rank() == first.rank(), op, "inputs[{}] rank ({}) is not that of inputs[0] ({}).", i, input.rank(),
            first.rank());
    Shape expected = first.shape();
    expected[op.axis] = input.shape()[op.axis];
    if (!canEqual(input.shape(), expected)) {
      fail(op, ErrorKind::typeError, "inputs[{}] shape {} and inputs[0] shape {} differ outside axis ({}).", i,
           toString(input.shape()), toString(first.shape()), op.axis);
    }
    shape[op.axis] = requireDimension(op, "output size along axis", Size(shape[op.axis]) + Size(input.shape()[op.axis]));
  }
  return {{first.dataType(), std::move(shape)}};
}

Outputs infer(Expand& op) {
  requireShape(op, op.newShape);
  if (!isUnidirectionallyBroadcastable(op.input.shape(), op.newShape)) {
    fail(op, ErrorKind::typeError, "input shape {} is not unidirectionally broadcastable to newShape {}.",
         toString(op.input.shape()), toString(op.newShape));
  }
  return {{op.input.dataType(), op.newShape}};
}

Outputs infer(Pad& op) {
  Shape shape = op.input.shape();
  requireSize(op, "beginningPadding", op.beginningPadding.size(), shape.size());
  requireSize(op, "endingPadding", op.endingPadding.size(), shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (op.options.mode == PaddingMode::reflection) {
      requireReflection(op, "beginningPadding", d, op.beginningPadding[d], shape[d]);
      requireReflection(op, "endingPadding", d, op.endingPadding[d], shape[d]);
    }
    const Size size = Size(shape[d]) + Size(op.beginningPadding[d]) + Size(op.endingPadding[d]);  // no overflow: at most 3 * 2^32
    shape[d] = requireDimension(op, size, "output dimension {}", d);
  }
  op.options.value = cast(op.options.value, op.input.dataType());
  return {{op.input.dataType(), std::move(shape)}};
}

Outputs infer(Reshape& op) {
  requireShape(op, op.newShape);
  const Size inputCount = productOf(op.input.shape());
  if (!canEqual(productOf(op.newShape), inputCount)) {
    fail(op, ErrorKind::typeError, "newShape {} does not have as many elements as input {} ({}).", toString(op.newShape),
         toString(op.input.shape()), inputCount.text());
  }
  return {{op.input.dataType(), op.newShape}};
}

Outputs infer(Reverse& op) {
  if (!op.options.axes) op.options.axes = allAxes(op.input.rank());
  requireAxes(op, *op.options.axes, op.input.rank());
  return {op.input.descriptor()};
}

Outputs infer(Slice& op) {
  const Shape& inputShape = op.input.shape();
  requireSize(op, "starts", op.starts.size(), inputShape.size());
  requireSize(op, "sizes", op.sizes.size(), inputShape.size());
  if (!op.options.strides) op.options.strides.emplace(inputShape.size(), 1u);
  requireSize(op, "strides", op.options.strides->size(), inputShape.size());
  Shape shape;
  for (std::size_t d = 0; d < inputShape.size(); ++d) {
    const std::uint32_t size = op.sizes[d], stride = (*op.options.strides)[d];
    require(size != 0 || allowsZero(), op, "sizes[{}] is 0.", d);
    require(stride != 0, op, "strides[{}] is 0.", d);
    if (!canBeAtMost(Size(op.starts[d]) + Size(size), Size(inputShape[d]))) {
      fail(op, ErrorKind::typeError, "starts[{}] ({}) plus sizes[{}] ({}) is above dimension {} of input ({}).", d,
           Size(op.starts[d]).text(), d, Size(size).text(), d, Size(inputShape[d]).text());
    }
    shape.push_back(isOpen(size) ? requireDimension(op, ceilQuotient(Size(size), stride), "output dimension {}", d)
                                 : size / stride + (size % stride != 0));
  }
  return {{op.input.dataType(), std::move(shape)}};
}

Outputs infer(Split& op) {
  const std::uint32_t axis = op.options.axis;
  requireAxis(op, axis, op.input.rank());
  Outputs outputs;
  for (std::uint32_t size : partSizes(op, op.input.shape()[axis])) {
    outputs.push_back(op.input.descriptor());
    outputs.back().shape[axis] = size;
  }
  return outputs;
}

Outputs infer(Tile& op) {
  Shape shape = op.input.shape();
  requireSize(op, "repetitions", op.repetitions.size(), shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    require(op.repetitions[d] != 0 || allowsZero(), op, "repetitions[{}] is 0.", d);
    shape[d] = requireDimension(op, Size(shape[d]) * Size(op.repetitions[d]), "output dimension {}", d);
  }
  return {{op.input.dataType(), std::move(shape)}};
}

Outputs infer(Transpose& op) {
  const std::size_t rank = op.input.rank();
  if (!op.options.permutation) {
    op.options.permutation = allAxes(rank);
    std::ranges::reverse(*op.options.permutation);
  }
  requireSize(op, "permutation", op.options.permutation->size(), rank);
  requireAxes(op, *op.options.permutation, rank, "input", "permutation");
  Shape shape;
  for (std::uint32_t axis : *op.options.permutation) shape.push_back(op.input.shape()[axis]);
  return {{op.input.dataType(), std::move(shape)}};
}

Outputs infer(Triangular& op) { return {op.input.descriptor()}; }

}  // namespace webnn::ops
