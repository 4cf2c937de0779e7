// Imports MatMulNBits of com.microsoft: a product with a matrix of 2, 4 or 8 bits that is quantized in blocks.
#include "base/checked.h"
#include "base/divide_up.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/window.h"
#include "ops/operand_record.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::uint32_t kPackedInput = 1, kScaleInput = 2, kZeroPointInput = 3, kGroupInput = 4, kBiasInput = 5;

struct Layout {
  std::uint32_t rows, columns, bits, blockSize;  // the matrix is stored transposed: each row yields one column of the product
  std::uint32_t blocks() const { return divideUp(columns, blockSize); }
  DataType type() const { return bits == 4 ? DataType::uint4 : DataType::uint8; }
};

Layout readLayout(const NodeContext& node) {
  const std::int64_t bits = node.integer("bits", 4);
  node.require(bits == 2 || bits == 4 || bits == 8, "elements of {} bits: WebNN has no such type", bits);
  const std::uint32_t blockSize = blockSizeOf(node);
  const std::uint32_t columns = positiveAttribute(node, "K", 0), rows = positiveAttribute(node, "N", 0);
  if (columns > kMaxDimension - blockSize) fail(ErrorKind::dataError, "K ({}) is too large.", columns);
  return {rows, columns, static_cast<std::uint32_t>(bits), blockSize};
}

// Unpacks a constant of rows * count elements of `bits` bits to uint4 or uint8. Each row starts at a byte boundary.
Operand unpacked(NodeContext& node, std::uint32_t index, const Layout& layout, std::uint32_t count) {
  const Operand packed = node.operand(index);
  node.require(packed.record().kind == OperandKind::constant && packed.dataType() == DataType::uint8,
               "packed elements of {} bits that are not a constant of type uint8: WebNN cannot unpack them", layout.bits);
  const ExternalBytes source{packed.record().bytes, packed.record().keepAlive};
  const std::uint64_t rowBytes = (std::uint64_t{count} * layout.bits + 7) / 8;
  if (source.bytes.size() != checkedMul(rowBytes, layout.rows)) {
    fail(ErrorKind::dataError, "its input {} has {} bytes, not {} rows of {}.", index, source.bytes.size(), layout.rows,
         rowBytes);
  }
  const Shape shape{layout.rows, count};
  if (layout.bits == 8) return node.reshape(packed, shape);
  if (layout.bits == 4 && count % 2 == 0) return node.builder.constant({DataType::uint4, shape}, source);
  node.spend(std::uint64_t{layout.rows} * count / 8);  // one unit per 8 elements, because an unpacked element takes only a byte
  auto elements = std::make_shared<std::vector<std::byte>>();
  elements->reserve(std::size_t{layout.rows} * count);  // at most 4 times the packed bytes
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::byte byte = source.bytes[row * rowBytes + i * layout.bits / 8];
      elements->push_back(byte >> (i * layout.bits % 8) & std::byte((1u << layout.bits) - 1));
    }
  }
  const Operand bytes = node.builder.constant({DataType::uint8, shape}, ExternalBytes{*elements, elements});
  return node.cast(bytes, layout.type());
}

// Returns the matrix in floats, [rows, blocks * blockSize].
Operand dequantizedMatrix(NodeContext& node, const Layout& layout) {
  const Shape perBlock{layout.rows, layout.blocks()};
  const Operand matrix = unpacked(node, kPackedInput, layout, layout.blocks() * layout.blockSize);
  const Operand scale = node.reshape(node.operand(kScaleInput), perBlock);
  const auto constantZeroPoint = [&](int value) { return node.expand(node.scalar(layout.type(), value), perBlock); };
  if (!node.has(kZeroPointInput)) return node.builder.dequantizeLinear(matrix, scale, constantZeroPoint(1 << (layout.bits - 1)));
  if (node.operand(kZeroPointInput).dataType() == DataType::uint8) {
    return node.builder.dequantizeLinear(matrix, scale, unpacked(node, kZeroPointInput, layout, layout.blocks()));
  }
  // Float zero points need not be whole numbers. Therefore dequantize with zero point 0, then subtract zeroPoint * scale.
  const Operand unshifted = node.builder.dequantizeLinear(matrix, scale, constantZeroPoint(0));
  const Operand shift = node.builder.mul(node.reshape(node.operand(kZeroPointInput), perBlock), scale);
  const Operand blocks = node.builder.reshape(unshifted, {layout.rows, layout.blocks(), layout.blockSize});
  const Operand shifted = node.builder.sub(blocks, node.builder.reshape(shift, {layout.rows, layout.blocks(), 1}));
  return node.builder.reshape(shifted, matrix.shape());
}

void importMatMulNBits(NodeContext& node) {
  const Layout layout = readLayout(node);
  node.require(!node.has(kGroupInput), "an index of groups, which is out of use");
  node.require(node.integer("weight_prepacked", 0) == 0, "weights packed for one processor");
  Operand matrix = dequantizedMatrix(node, layout);
  if (matrix.shape()[1] != layout.columns) matrix = node.builder.slice(matrix, {0, 0}, {layout.rows, layout.columns});
  const Operand result = multiplyMatrices(node, node.operand(0), transposeMatrices(node, matrix));
  node.set(0, node.has(kBiasInput) ? node.builder.add(result, node.operand(kBiasInput)) : result);
}

}  // namespace

std::span<const OperatorImport> matMulNBitsOperators() {
  static constexpr OperatorImport kOperators[]{{"com.microsoft", "MatMulNBits", importMatMulNBits}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
