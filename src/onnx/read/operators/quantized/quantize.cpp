#include <algorithm>

#include "onnx/read/compose.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/quantized/quantized_operators.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

namespace {

// Returns the dimension along which scale and zero point vary: the attribute `axis`, by default 1; 0 if the rank is below 2.
std::uint32_t quantizedAxis(const NodeContext& node, const Shape& shape) {
  if (shape.size() < 2) return 0;
  return node.axis(node.integer("axis", 1), shape.size());
}

// Expands block parameters to one per element if the last block is shorter, because WebNN requires equal blocks.
Operand fitBlocks(NodeContext& node, const Operand& parameter, const Shape& shape, std::uint32_t axis) {
  const std::int64_t blockSize = node.integer("block_size", 0);
  if (blockSize == 0 || parameter.rank() != shape.size() || shape.empty()) return parameter;
  const std::uint32_t blocks = parameter.shape()[axis], size = shape[axis];
  if (blockSize < 0 || (size + std::uint64_t(blockSize) - 1) / std::uint64_t(blockSize) != blocks) {
    fail(ErrorKind::dataError, "{} blocks of {} elements do not fit a dimension of {}.", blocks, blockSize, size);
  }
  if (std::int64_t{blocks} * blockSize == size) return parameter;
  Shape split = parameter.shape(), repeated, joined = split, cut = split;
  split.insert(split.begin() + axis + 1, 1);
  repeated = split;
  repeated[axis + 1] = dimensionOf(blockSize);
  joined[axis] = dimensionOf(std::int64_t{blocks} * blockSize);
  cut[axis] = size;
  const Operand all = node.builder.reshape(node.expand(node.reshape(parameter, split), repeated), joined);
  return node.builder.slice(all, Shape(cut.size()), cut);
}

// Returns the element type in an attribute, or `absent` if the attribute is 0 or absent.
ElementType typeAttribute(const NodeContext& node, std::string_view name, ElementType absent) {
  const std::int64_t number = node.integer(name, 0);
  return number == 0 ? absent : static_cast<ElementType>(number);
}

DataType floatType(const NodeContext& node, ElementType type) {
  const DataType dataType = requireType(node, type);
  return isFloat(dataType) ? dataType : DataType::float32;
}

// Returns element i of packed bytes of a 16-bit or 2-bit integer type, which WebNN lacks.
std::int32_t narrowElement(ElementType type, std::span<const std::byte> bytes, std::size_t i) {
  const auto at = [&](std::size_t index) { return std::to_integer<std::uint32_t>(bytes[index]); };
  if (type == ElementType::int16 || type == ElementType::uint16) {
    const std::uint32_t value = at(2 * i) | at(2 * i + 1) << 8;
    return type == ElementType::int16 ? static_cast<std::int16_t>(value) : static_cast<std::int32_t>(value);
  }
  const std::uint32_t value = at(i / 4) >> i % 4 * 2 & 3;
  return type == ElementType::int2 && value > 1 ? static_cast<std::int32_t>(value) - 4 : static_cast<std::int32_t>(value);
}

// Returns an integer input. Types that WebNN lacks (16-bit integers and 2-bit constants) become int32.
Operand integerOperand(NodeContext& node, std::size_t index) {
  const ImportedValue& value = node.value(index);
  const bool isNarrow = value.type == ElementType::int16 || value.type == ElementType::uint16 ||
                        value.type == ElementType::int2 || value.type == ElementType::uint2;
  node.require(isNarrow || dataTypeOf(value.type), "WebNN has no type {}", webnn::onnx::name(value.type));
  if (!isNarrow || !value.bytes || value.isEmpty()) return node.operand(index);
  Shape shape;
  for (std::int64_t size : value.dims) shape.push_back(dimensionOf(size));
  std::vector<std::int32_t> elements(elementCount({DataType::int32, shape}));  // at most 16 times the constant's bytes
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = narrowElement(value.type, value.bytes->bytes, i);
  return indexConstant(node, shape, elements);
}

void importQuantizeLinear(NodeContext& node) {
  const Operand input = node.operand(0);
  const DataType precision = floatType(node, typeAttribute(node, "precision", node.value(1).type));
  const ElementType type = node.has(2) ? node.value(2).type : typeAttribute(node, "output_dtype", ElementType::uint8);
  // WebNN lacks 16-bit types, so they are computed in int32.
  const bool is16Bit = type == ElementType::int16 || type == ElementType::uint16;
  const DataType quantized = is16Bit ? DataType::int32 : requireType(node, type);
  const std::uint32_t axis = quantizedAxis(node, input.shape());
  const Operand scale = fitBlocks(node, node.cast(node.operand(1), precision), input.shape(), axis);
  std::optional<Operand> zeroPoint;
  if (node.has(2)) zeroPoint = fitBlocks(node, integerOperand(node, 2), input.shape(), axis);
  const Operand result = quantize(node, node.cast(input, precision), scale, zeroPoint, quantized, axis);
  if (!is16Bit) return node.set(0, result);
  const double least = type == ElementType::int16 ? -32768 : 0;
  const ClampOptions range{.minValue = least, .maxValue = least + 65535, .label = {}};
  node.set(0, ImportedValue{type, node.value(0).dims, node.builder.clamp(result, range)});
}

void importDequantizeLinear(NodeContext& node) {
  const Operand input = integerOperand(node, 0);
  const DataType output = requireType(node, typeAttribute(node, "output_dtype", node.value(1).type));
  const std::uint32_t axis = quantizedAxis(node, input.shape());
  const Operand scale = fitBlocks(node, node.operand(1), input.shape(), axis);
  std::optional<Operand> zeroPoint;
  if (node.has(2)) zeroPoint = fitBlocks(node, integerOperand(node, 2), input.shape(), axis);
  node.set(0, node.cast(dequantize(node, input, scale, zeroPoint, axis), output));
}

void importDynamicQuantizeLinear(NodeContext& node) {
  const DynamicallyQuantized result = quantizeDynamically(node, node.operand(0));
  node.set(0, result.values);
  node.set(1, result.scale);
  node.set(2, result.zeroPoint);
}

}  // namespace

std::span<const OperatorImport> quantizeOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "DequantizeLinear", importDequantizeLinear, true},
      {"", "DynamicQuantizeLinear", importDynamicQuantizeLinear},
      {"", "QuantizeLinear", importQuantizeLinear},
      {"com.microsoft", "DequantizeLinear", importDequantizeLinear, true},
      {"com.microsoft", "QLinearAdd", importQLinearAdd},
      {"com.microsoft", "QLinearAveragePool", importQLinearAveragePool},
      {"com.microsoft", "QLinearConcat", importQLinearConcat},
      {"com.microsoft", "QLinearGlobalAveragePool", importQLinearGlobalAveragePool},
      {"com.microsoft", "QLinearLeakyRelu", importQLinearLeakyRelu},
      {"com.microsoft", "QLinearMul", importQLinearMul},
      {"com.microsoft", "QLinearReduceMean", importQLinearReduceMean},
      {"com.microsoft", "QLinearSigmoid", importQLinearSigmoid},
      {"com.microsoft", "QLinearSoftmax", importQLinearSoftmax},
      {"com.microsoft", "QLinearWhere", importQLinearWhere},
      {"com.microsoft", "QuantizeLinear", importQuantizeLinear},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
