// Imports MatMulBnb4 of com.microsoft: a product with a matrix whose elements are indices in a table of 16 numbers, times a scale
// per block. bitsandbytes quantizes in this way.
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "base/budget.h"
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

struct BlockLayout {
  std::uint32_t rows, columns, blockSize;
  const Table* table;
  std::uint64_t count() const { return std::uint64_t{rows} * columns; }
  std::uint64_t blocks() const { return divideUp(count(), std::uint64_t{blockSize}); }
};

BlockLayout readBlocks(const NodeContext& node) {
  const std::int64_t blockSize = node.integer("block_size", 0), type = node.integer("quant_type", -1);
  if (blockSize < 16 || blockSize > (1 << 20) || !std::has_single_bit(static_cast<std::uint64_t>(blockSize)))
    fail(ErrorKind::dataError, "block_size ({}) is not a power of 2 from 16 to 2^20.", blockSize);
  if (type != 0 && type != 1) fail(ErrorKind::dataError, "quant_type ({}) is neither 0 (FP4) nor 1 (NF4).", type);
  node.require(node.flag("transB", true), "a matrix that is not transposed");
  return {positiveAttribute(node, "N", 0), positiveAttribute(node, "K", 0), static_cast<std::uint32_t>(blockSize),
          type == 0 ? &kFloats : &kQuantiles};
}

bool isConstant(const Operand& operand) { return operand.record().kind == OperandKind::constant; }

// Returns the bytes of the constant input `index`, at least `count` elements of `type`.
ExternalBytes requiredBytes(const NodeContext& node, std::size_t index, DataType type, std::uint64_t count) {
  const Operand operand = node.operand(index);
  const std::uint64_t bytes = count * bitsPerElement(type) / 8;
  if (operand.dataType() != type || operand.record().bytes.size() < bytes)
    fail(ErrorKind::dataError, "its input {} has fewer than {} elements of type {}.", index, count, name(type));
  return {operand.record().bytes.first(bytes), operand.record().keepAlive};
}

// The float32 elements of a matrix, and the bytes from which they were computed.
struct BlockMatrix {
  ExternalBytes packed, scales;
  MemoryCharge charge;
  std::vector<float> elements;
};

// Returns the product of table elements and scales; without scales, the table elements. Two adjacent elements share a byte, the
// first in the high half. A block may span rows. All nodes and imports with the same bytes share a result while a graph uses it,
// so that a session neither keeps the matrix twice nor packs it again for new sizes.
std::shared_ptr<const BlockMatrix> matrixOf(const NodeContext& node, const BlockLayout& layout, ExternalBytes packed,
                                            ExternalBytes scales, const ImportedValue* numbers) {
  using Key = std::tuple<const void*, const void*, const Table*, std::uint64_t, std::uint32_t>;
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const BlockMatrix>> known;
  const Key key{packed.bytes.data(), scales.bytes.data(), layout.table, layout.count(), layout.blockSize};
  {
    const std::scoped_lock lock(mutex);
    std::erase_if(known, [](const auto& item) { return item.second.expired(); });
    if (const auto found = known.find(key); found != known.end()) {
      if (auto matrix = found->second.lock()) return matrix;
    }
  }
  constexpr std::uint64_t kBetweenChecks = 1 << 18;
  const std::uint64_t count = layout.count();
  const Budget& budget = BudgetScope::current();
  auto matrix = std::make_shared<BlockMatrix>();
  matrix->charge = MemoryCharge(budget.memory(), count * sizeof(float), "a dequantized matrix");
  const std::vector<double> factors = numbers ? node.allNumbers(*numbers) : std::vector<double>();
  matrix->elements.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % kBetweenChecks == 0) budget.check();
    const auto byte = std::to_integer<unsigned>(packed.bytes[i / 2]);
    const float element = (*layout.table)[i % 2 == 0 ? byte >> 4 : byte & 15];
    matrix->elements.push_back(numbers ? element * static_cast<float>(factors[i / layout.blockSize]) : element);
  }
  matrix->packed = std::move(packed), matrix->scales = std::move(scales);
  const std::scoped_lock lock(mutex);
  return known.insert_or_assign(key, matrix).first->second.lock();
}

// Returns the matrix in float32, [rows, columns].
Operand matrixOperand(NodeContext& node, const BlockLayout& layout) {
  node.require(isConstant(node.operand(1)), "quantized weights that are not constant");
  const Operand scale = node.operand(2);
  node.require(isFloat(scale.dataType()), "scales that are not floats");
  const bool areConstant = isConstant(scale);
  if (areConstant) requiredBytes(node, 2, scale.dataType(), layout.blocks());
  node.require(areConstant || layout.count() % layout.blockSize == 0,
               "scales that are not constant, for a block that is not full");
  const auto matrix = matrixOf(node, layout, requiredBytes(node, 1, DataType::uint8, divideUp(layout.count(), std::uint64_t{2})),
                               areConstant ? ExternalBytes{scale.record().bytes, scale.record().keepAlive} : ExternalBytes{},
                               areConstant ? &node.value(2) : nullptr);
  const ExternalBytes elements{std::as_bytes(std::span(matrix->elements)), matrix};
  const Shape shape{layout.rows, layout.columns};
  if (areConstant) return node.builder.constant({DataType::float32, shape}, elements);
  const auto blocks = static_cast<std::uint32_t>(layout.blocks());
  const Operand rows = node.builder.constant({DataType::float32, {blocks, layout.blockSize}}, elements);
  return node.reshape(node.builder.mul(rows, node.cast(node.reshape(scale, {blocks, 1}), DataType::float32)), shape);
}

void importMatMulBnb4(NodeContext& node) {
  const BlockLayout layout = readBlocks(node);
  const Operand a = node.operand(0);
  if (!isFloat(a.dataType())) fail(ErrorKind::dataError, "its input 0 has the type {}, which is no float.", name(a.dataType()));
  node.set(0, multiplyMatrices(node, a, transposeMatrices(node, node.cast(matrixOperand(node, layout), a.dataType()))));
}

}  // namespace

std::span<const OperatorImport> matMulBnb4Operators() {
  static constexpr OperatorImport kOperators[]{{"com.microsoft", "MatMulBnb4", importMatMulBnb4}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
