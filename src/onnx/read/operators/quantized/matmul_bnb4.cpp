// Imports MatMulBnb4 of com.microsoft: a product with a matrix whose elements are indices in a table of 16 numbers, times a scale
// per block. bitsandbytes quantizes in this way.
#include <array>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "base/divide_up.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"
#include "onnx/read/operators/quantized/quantization.h"
#include "onnx/read/operators/window.h"
#include "ops/operand_record.h"

namespace webnn::formats::onnx {

namespace {

using Table = std::array<float, 16>;

// FP4: the highest bit is the sign. Source: bitsandbytes, csrc/kernels.cu.
constexpr Table kFloats{0.0F,  0.0052083333F,  0.66666667F,  1.0F,  0.33333333F,  0.5F,  0.16666667F,  0.25F,
                        -0.0F, -0.0052083333F, -0.66666667F, -1.0F, -0.33333333F, -0.5F, -0.16666667F, -0.25F};
// NF4: quantiles of the normal distribution. Source: Dettmers et al., QLoRA, appendix E (https://arxiv.org/abs/2305.14314).
constexpr Table kQuantiles{-1.0F,
                           -0.6961928009986877F,
                           -0.5250730514526367F,
                           -0.39491748809814453F,
                           -0.28444138169288635F,
                           -0.18477343022823334F,
                           -0.09105003625154495F,
                           0.0F,
                           0.07958029955625534F,
                           0.16093020141124725F,
                           0.24611230194568634F,
                           0.33791524171829224F,
                           0.44070982933044434F,
                           0.5626170039176941F,
                           0.7229568362236023F,
                           1.0F};

struct BlockLayout {
  std::uint32_t rows, columns, blockSize;
  const Table* table;
  std::uint64_t count() const { return std::uint64_t{rows} * columns; }
  std::uint64_t blocks() const { return divideUp(count(), std::uint64_t{blockSize}); }
  // Returns the number in the table for element i. Two adjacent elements share a byte, the first in the high half.
  float codeAt(std::span<const std::byte> packed, std::uint64_t i) const {
    const auto byte = std::to_integer<unsigned>(packed[i / 2]);
    return (*table)[i % 2 == 0 ? byte >> 4 : byte & 15];
  }
};

BlockLayout readBlocks(const NodeContext& node) {
  const std::uint32_t blockSize = blockSizeOf(node);
  const std::int64_t type = node.integer("quant_type", -1);
  if (type != 0 && type != 1) fail(ErrorKind::dataError, "quant_type ({}) is neither 0 (FP4) nor 1 (NF4).", type);
  node.require(node.flag("transB", true), "a matrix that is not transposed");
  return {positiveAttribute(node, "N", 0), positiveAttribute(node, "K", 0), blockSize, type == 0 ? &kFloats : &kQuantiles};
}

bool isConstant(const Operand& operand) { return operand.record().kind == OperandKind::constant; }

// Returns the bytes of the constant input `index`, at least `count` elements of `type`.
ExternalBytes requiredBytes(const NodeContext& node, std::size_t index, DataType type, std::uint64_t count) {
  const Operand operand = node.operand(index);
  const std::uint64_t bytes = count * bitsPerElement(type) / 8;
  if (operand.dataType() != type)
    fail(ErrorKind::dataError, "its input {} is {}, not {}.", index, name(operand.dataType()), name(type));
  if (operand.record().bytes.size() < bytes)
    fail(ErrorKind::dataError, "its input {} has {} elements, fewer than {}.", index, elementCount(operand.descriptor()), count);
  return {operand.record().bytes.first(bytes), operand.record().keepAlive};
}

// The float32 elements of a matrix, and the bytes from which they were computed.
struct BlockMatrix {
  ExternalBytes packed, scales;
  MemoryCharge charge;
  std::vector<float> elements;
};

// Computes the elements, transposed to [columns, rows].
std::vector<float> transposedElements(const BlockLayout& layout, std::span<const std::byte> packed,
                                      std::span<const double> scales) {
  constexpr std::uint32_t kRows = 16;  // rows at a time, so that a cache line of the result is written at once
  std::vector<float> elements(layout.count());
  for (std::uint32_t first = 0; first < layout.rows; first += std::min(kRows, layout.rows - first)) {
    BudgetScope::current().check();
    for (std::uint32_t column = 0; column < layout.columns; ++column) {
      for (std::uint32_t row = first; row < layout.rows && row - first < kRows; ++row) {
        const std::uint64_t i = std::uint64_t{row} * layout.columns + column;
        elements[std::uint64_t{column} * layout.rows + row] =
            layout.codeAt(packed, i) * static_cast<float>(scales[i / layout.blockSize]);
      }
    }
  }
  return elements;
}

std::uintptr_t addressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// Returns the matrix, transposed to [columns, rows]. All nodes with the same bytes share it, so that a session neither keeps the
// matrix twice nor packs it again for new sizes.
std::shared_ptr<const BlockMatrix> matrixOf(const NodeContext& node, const BlockLayout& layout, ExternalBytes packed) {
  const DataType scaleType = node.operand(2).dataType();
  ExternalBytes scales = requiredBytes(node, 2, scaleType, layout.blocks());
  const DerivedConstants::Key key{addressOf(packed.bytes.data()),
                                  addressOf(scales.bytes.data()),
                                  static_cast<std::uintptr_t>(scaleType),
                                  addressOf(layout.table),
                                  layout.rows,
                                  layout.columns,
                                  layout.blockSize};
  const bool isShared = packed.keepAlive && scales.keepAlive;  // bytes without an owner may be freed and their addresses reused
  const auto make = [&] {
    auto matrix = std::make_shared<BlockMatrix>();
    matrix->charge = MemoryCharge(BudgetScope::current().memory(), layout.count() * sizeof(float), "a dequantized matrix");
    matrix->elements = transposedElements(layout, packed.bytes, node.allNumbers(node.value(2)));
    matrix->packed = std::move(packed), matrix->scales = std::move(scales);
    return std::shared_ptr<const BlockMatrix>(matrix);
  };
  return isShared ? node.derivedConstants().findOrMake<BlockMatrix>(key, make) : make();
}

// Multiplies the numbers of the table by scales that are not constant. Returns [rows, columns].
Operand scaledMatrix(NodeContext& node, const BlockLayout& layout, std::span<const std::byte> packed, const Operand& scale) {
  node.require(layout.count() % layout.blockSize == 0, "scales that are not constant, for a block that is not full");
  node.spend(layout.count() / 8);  // one unit per 8 elements, as MatMulNBits spends
  auto elements = std::make_shared<std::vector<float>>(layout.count());
  for (std::uint64_t i = 0; i < elements->size(); ++i) (*elements)[i] = layout.codeAt(packed, i);
  const auto blocks = static_cast<std::uint32_t>(layout.blocks());
  const Operand numbers = node.builder.constant({DataType::float32, {blocks, layout.blockSize}},
                                                ExternalBytes{std::as_bytes(std::span(*elements)), elements});
  const Operand factors = node.cast(node.reshape(scale, {blocks, 1}), DataType::float32);
  return node.reshape(node.builder.mul(numbers, factors), {layout.rows, layout.columns});
}

// Returns the matrix in float32, [columns, rows].
Operand matrixOperand(NodeContext& node, const BlockLayout& layout) {
  const Operand weights = node.operand(1), scale = node.operand(2);
  node.require(isConstant(weights), "quantized weights that are not constant");
  node.require(isFloat(scale.dataType()), "scales of type {}: they must be floats", name(scale.dataType()));
  const ExternalBytes packed = requiredBytes(node, 1, DataType::uint8, divideUp(layout.count(), std::uint64_t{2}));
  if (!isConstant(scale)) return transposeMatrices(node, scaledMatrix(node, layout, packed.bytes, scale));
  const auto matrix = matrixOf(node, layout, packed);
  return node.builder.constant({DataType::float32, {layout.columns, layout.rows}},
                               ExternalBytes{std::as_bytes(std::span(matrix->elements)), matrix});
}

void importMatMulBnb4(NodeContext& node) {
  const BlockLayout layout = readBlocks(node);
  const Operand a = node.operand(0);
  if (!isFloat(a.dataType())) fail(ErrorKind::dataError, "its input 0 has the type {}, which is no float.", name(a.dataType()));
  node.set(0, multiplyMatrices(node, a, node.cast(matrixOperand(node, layout), a.dataType())));
}

}  // namespace

std::span<const OperatorImport> matMulBnb4Operators() {
  static constexpr OperatorImport kOperators[]{{"com.microsoft", "MatMulBnb4", importMatMulBnb4}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
