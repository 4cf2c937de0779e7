// Imports MatMulBnb4 of com.microsoft: a product with a matrix whose elements are indices in a table of 16 numbers, times a scale
// per block. bitsandbytes quantizes in this way.
#include <array>
#include <bit>
#include <cstring>

#include "base/divide_up.h"
#include "onnx/read/node_context.h"
#include "onnx/read/operators/matmul.h"
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

// Returns the bytes of input `index`, a constant of `count` elements of `type`.
ExternalBytes constantBytes(const NodeContext& node, std::size_t index, DataType type, std::uint64_t count) {
  const Operand operand = node.operand(index);
  node.require(operand.record().kind == OperandKind::constant, "quantized weights that are not constant");
  const ExternalBytes source{operand.record().bytes, operand.record().keepAlive};
  if (operand.dataType() != type || source.bytes.size() != count * bitsPerElement(type) / 8)
    fail(ErrorKind::dataError, "its input {} has not {} elements of type {}.", index, count, name(type));
  return source;
}

// Returns the matrix in float32, [rows, columns]. Two adjacent elements share a byte, the first in the high half. A block of
// elements may span rows.
Operand dequantizedMatrix(NodeContext& node, std::uint32_t rows, std::uint32_t columns, std::uint32_t blockSize,
                          const Table& table) {
  const std::uint64_t count = std::uint64_t{rows} * columns;
  node.spend(count / 2);  // one unit per 8 elements of a byte, as MatMulNBits spends: a float takes four bytes
  const ExternalBytes packed = constantBytes(node, 1, DataType::uint8, divideUp(count, std::uint64_t{2}));
  const DataType scaleType = node.operand(2).dataType();
  node.require(isFloat(scaleType), "scales that are not floats");
  constantBytes(node, 2, scaleType, divideUp(count, std::uint64_t{blockSize}));
  const std::vector<double> scales = node.allNumbers(node.value(2));
  auto elements = std::make_shared<std::vector<float>>();
  elements->reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(packed.bytes[i / 2]);
    elements->push_back(table[i % 2 == 0 ? byte >> 4 : byte & 15] * static_cast<float>(scales[i / blockSize]));
  }
  return node.builder.constant({DataType::float32, {rows, columns}},
                               ExternalBytes{std::as_bytes(std::span(*elements)), elements});
}

void importMatMulBnb4(NodeContext& node) {
  const std::int64_t blockSize = node.integer("block_size", 0), type = node.integer("quant_type", -1);
  if (blockSize < 16 || blockSize > (1 << 20) || !std::has_single_bit(static_cast<std::uint64_t>(blockSize)))
    fail(ErrorKind::dataError, "block_size ({}) is not a power of 2 from 16 to 2^20.", blockSize);
  if (type != 0 && type != 1) fail(ErrorKind::dataError, "quant_type ({}) is neither 0 (FP4) nor 1 (NF4).", type);
  node.require(node.flag("transB", true), "a matrix that is not transposed");
  const std::uint32_t columns = positiveAttribute(node, "K", 0), rows = positiveAttribute(node, "N", 0);
  const Operand matrix =
      dequantizedMatrix(node, rows, columns, static_cast<std::uint32_t>(blockSize), type == 0 ? kFloats : kQuantiles);
  const Operand a = node.operand(0);
  node.set(0, multiplyMatrices(node, a, transposeMatrices(node, node.cast(matrix, a.dataType()))));
}

}  // namespace

std::span<const OperatorImport> matMulBnb4Operators() {
  static constexpr OperatorImport kOperators[]{{"com.microsoft", "MatMulBnb4", importMatMulBnb4}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
