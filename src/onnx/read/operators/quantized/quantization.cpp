#include "onnx/read/operators/quantized/quantization.h"

#include <bit>

#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

// Reshapes a scale or zero point to the rank of the operand that it belongs to.
Operand parameterOf(NodeContext& node, const Operand& parameter, const Shape& shape, std::uint32_t axis) {
  if (product(parameter.shape()) == 1) return node.reshape(parameter, Shape(shape.size(), 1));
  if (parameter.rank() != 1 || shape.size() == 1 || axis >= shape.size()) return parameter;
  Shape aligned(shape.size(), 1);
  aligned[axis] = parameter.shape()[0];
  return node.reshape(parameter, aligned);
}

struct Parameters {
  Operand scale, zeroPoint;
};

// Returns scale and zero point expanded to one shape, as WebNN requires.
Parameters parametersOf(NodeContext& node, const Operand& x, const Operand& scale, const std::optional<Operand>& zeroPoint,
                        DataType type, std::uint32_t axis) {
  Parameters both{parameterOf(node, scale, x.shape(), axis), {}};
  both.zeroPoint = zeroPoint ? parameterOf(node, *zeroPoint, x.shape(), axis) : node.scalar(type, 0);
  const Shape& larger =
      product(both.scale.shape()) < product(both.zeroPoint.shape()) ? both.zeroPoint.shape() : both.scale.shape();
  return {node.expand(both.scale, larger), node.expand(both.zeroPoint, larger)};
}

// One term of a sum of factor * operand.
struct Part {
  Operand operand;
  std::int32_t factor;
};

// Returns the terms whose sum is `operand`: the operand itself, or if `split` is set, 16 * high + 1 * low. Sums of products of
// the smaller numbers stay below 2^24, up to which float32 is exact.
std::vector<Part> partsOf(NodeContext& node, const Operand& operand, bool split) {
  if (!split) return {{operand, 1}};
  const Operand sixteen = node.scalar(DataType::float32, 16);
  const Operand high = node.builder.floor(node.builder.div(operand, sixteen));
  return {{high, 16}, {node.builder.sub(operand, node.builder.mul(high, sixteen)), 1}};
}

Operand moveChannels(NodeContext& node, const Operand& operand, std::uint32_t from, std::uint32_t to) {
  if (operand.rank() < 2) fail(ErrorKind::dataError, "its input of rank {} has no channels.", operand.rank());
  std::vector<std::uint32_t> permutation;
  for (std::uint32_t i = 0; i < operand.rank(); ++i) permutation.push_back(i);
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + to, from);
  return node.transpose(operand, permutation);
}

}  // namespace

Operand dequantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, std::uint32_t axis) {
  const Parameters both = parametersOf(node, x, scale, zeroPoint, x.dataType(), axis);
  return node.builder.dequantizeLinear(x, both.scale, both.zeroPoint);
}

Operand quantize(NodeContext& node, Operand x, Operand scale, std::optional<Operand> zeroPoint, DataType type,
                 std::uint32_t axis) {
  const Parameters both = parametersOf(node, x, scale, zeroPoint, type, axis);
  return node.builder.quantizeLinear(x, both.scale, both.zeroPoint);
}

Operand dequantizedInput(NodeContext& node, std::size_t first, std::uint32_t axis) {
  return dequantize(node, node.operand(first), node.operand(first + 1), node.optionalOperand(first + 2), axis);
}

void setQuantized(NodeContext& node, Operand result, std::size_t first, std::size_t like) {
  const DataType type = node.operand(like).dataType();
  node.set(0, quantize(node, node.cast(result, node.operand(first).dataType()), node.operand(first),
                       node.optionalOperand(first + 1), type));
}

DynamicallyQuantized quantizeDynamically(NodeContext& node, const Operand& x) {
  GraphBuilder& builder = node.builder;
  const auto number = [&](double value) { return node.scalar(DataType::float32, value); };
  const Operand least = builder.min(builder.reduceMin(x), number(0)), greatest = builder.max(builder.reduceMax(x), number(0));
  const Operand range = builder.sub(greatest, least);
  // If all elements of the input are 0, its range is empty. Use scale 1, because any scale represents zeros exactly.
  const Operand scale = builder.where(builder.equal(range, number(0)), number(1), builder.div(range, number(255)));
  const Operand origin =
      builder.clamp(builder.sub(number(0), builder.div(least, scale)), {.minValue = 0, .maxValue = 255, .label = {}});
  const Operand zeroPoint = builder.cast(builder.roundEven(origin), DataType::uint8);
  return {quantize(node, x, scale, zeroPoint), scale, zeroPoint};
}

Operand centered(NodeContext& node, const Operand& operand, const std::optional<Operand>& zeroPoint) {
  const auto toFloat = [&](const Operand& integers) {
    const DataType type = integers.dataType();
    node.require(type == DataType::int8 || type == DataType::uint8,
                 "integers of type {}: WebNN multiplies matrices of floats only", name(type));
    return node.builder.cast(integers, DataType::float32);
  };
  return zeroPoint ? node.builder.sub(toFloat(operand), toFloat(*zeroPoint)) : toFloat(operand);
}

Operand integerProduct(NodeContext& node, const Operand& a, const Operand& b, std::uint64_t depth,
                       const std::function<Operand(const Operand&, const Operand&)>& multiply) {
  constexpr std::uint64_t kExact = 1 << 24, kWhole = 255, kHalf = 16;
  node.require(depth <= kExact / (kHalf * kHalf), "sums of {} integer products, which WebNN's float32 may not hold exactly",
               depth);
  std::optional<Operand> sum;
  for (const Part& partA : partsOf(node, a, depth > kExact / (kWhole * kHalf))) {
    for (const Part& partB : partsOf(node, b, depth > kExact / (kWhole * kWhole))) {
      Operand term = node.builder.cast(multiply(partA.operand, partB.operand), DataType::int32);
      const std::int32_t factor = partA.factor * partB.factor;
      if (factor != 1) term = node.builder.mul(term, node.scalar(DataType::int32, factor));
      sum = sum ? node.builder.add(*sum, term) : term;
    }
  }
  return *sum;
}

std::uint32_t blockSizeOf(const NodeContext& node) {
  const std::int64_t size = node.integer("block_size", 0);
  if (size < 16 || size > (1 << 20) || !std::has_single_bit(static_cast<std::uint64_t>(size)))
    fail(ErrorKind::dataError, "block_size ({}) is not a power of 2 from 16 to 2^20.", size);
  return static_cast<std::uint32_t>(size);
}

Operand channelsFirst(NodeContext& node, const Operand& operand) {
  return moveChannels(node, operand, static_cast<std::uint32_t>(operand.rank() - 1), 1);
}

Operand channelsLast(NodeContext& node, const Operand& operand) {
  return moveChannels(node, operand, 1, static_cast<std::uint32_t>(operand.rank() - 1));
}

}  // namespace webnn::formats::onnx
