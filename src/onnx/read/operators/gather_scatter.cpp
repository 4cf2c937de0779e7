#include <algorithm>

#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

namespace {

// Computes Gather of a short, known list of integers (listedIntegers()). Returns false, without a result, for other inputs and
// for an index outside of the list.
bool gatherFromList(NodeContext& node) {
  const ImportedValue &value = node.value(0), &indices = node.value(1);
  if (value.dims.size() != 1) return false;
  const std::optional<Dims> from = listedIntegers(node, value), at = listedIntegers(node, indices);
  if (!from || !at) return false;
  const auto size = static_cast<std::int64_t>(from->size());
  Dims taken;
  for (const std::int64_t index : *at) {
    if (index < -size || index >= size) return false;
    taken.push_back((*from)[static_cast<std::size_t>(index < 0 ? index + size : index)]);
  }
  setListed(node, taken, indices.dims);
  return true;
}

void importGather(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), value.dims.size());
  const Dims& indices = node.value(1).dims;
  Dims dims = value.dims;
  dims.insert(dims.erase(dims.begin() + axis), indices.begin(), indices.end());
  if (isEmpty(dims)) {
    if (!node.value(1).isEmpty()) node.readIndices(node.operand(1), {static_cast<std::uint32_t>(value.dims[axis])});
    return node.set(0, emptyValue(value.type, std::move(dims)));
  }
  if (gatherFromList(node)) return;
  node.readIndices(node.operand(1), {node.shape(0)[axis]});
  setLike(node, 0, node.builder.gather(node.operand(0), node.operand(1), {.axis = axis}));
}

// Slices `input` to the part that the indices can reach. In dimensions other than `axis`, ONNX allows fewer indices than data,
// and WebNN does not.
Operand reachable(NodeContext& node, Operand input, const Shape& indices, std::uint32_t axis) {
  if (indices.size() != input.rank()) {
    fail(ErrorKind::dataError, "the indices have rank {}, and the data {}.", indices.size(), input.rank());
  }
  for (std::uint32_t d = 0; d < indices.size(); ++d) {
    if (d == axis) continue;
    if (indices[d] > input.shape()[d]) {
      fail(ErrorKind::dataError, "dimension {} of the indices ({}) is above that of the data ({}).", d, indices[d],
           input.shape()[d]);
    }
    input = sliceAxis(node, input, d, 0, indices[d]);
  }
  return input;
}

void importGatherElements(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const ImportedValue& indices = node.value(1);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), value.dims.size());
  if (indices.isEmpty()) return node.set(0, emptyValue(value.type, indices.dims));
  const Operand input = reachable(node, node.operand(0), node.shape(1), axis);
  node.readIndices(node.operand(1), {node.shape(0)[axis]});
  setLike(node, 0, node.builder.gatherElements(input, node.operand(1), {.axis = axis}));
}

// Prepends the coordinates of the batch dimensions to the coordinates in `indices`.
Operand withBatchCoordinates(NodeContext& node, const Operand& indices, std::size_t batchDims) {
  Shape grid = indices.shape();
  grid.back() = 1;
  std::vector<Operand> coordinates;
  for (std::size_t d = 0; d < batchDims; ++d) {
    Shape shape(grid.size(), 1);
    shape[d] = grid[d];
    coordinates.push_back(node.cast(node.expand(rangeConstant(node, std::move(shape)), grid), indices.dataType()));
  }
  coordinates.push_back(indices);
  return concat(node, std::move(coordinates), static_cast<std::uint32_t>(grid.size() - 1));
}

void importGatherND(NodeContext& node) {
  const Dims &data = node.value(0).dims, &indices = node.value(1).dims;
  const std::int64_t batchDims = node.integer("batch_dims", 0);
  const std::int64_t coordinates = indices.empty() ? -1 : indices.back();
  const auto rank = static_cast<std::int64_t>(data.size());
  if (batchDims < 0 || batchDims >= static_cast<std::int64_t>(indices.size()) || coordinates < 0 ||
      coordinates > rank - batchDims ||
      !std::equal(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(batchDims), indices.begin())) {
    fail(ErrorKind::dataError, "indices [{}] with {} batch dimensions do not fit data [{}].", textOf(indices), batchDims,
         textOf(data));
  }
  Dims dims(indices.begin(), indices.end() - 1);
  dims.insert(dims.end(), data.begin() + static_cast<std::ptrdiff_t>(batchDims + coordinates), data.end());
  if (isEmpty(dims)) return node.set(0, emptyValue(node.value(0).type, std::move(dims)));
  const auto first = node.shape(0).begin() + static_cast<std::ptrdiff_t>(batchDims);
  node.readIndices(node.operand(1), {first, first + static_cast<std::ptrdiff_t>(coordinates)});
  const Operand all = withBatchCoordinates(node, node.operand(1), static_cast<std::size_t>(batchDims));
  setLike(node, 0, node.builder.gatherND(node.operand(0), all));
}

// Selects the columns `indices` of X: X[..., indices]. A vector X counts as a matrix with one row.
void importArrayFeatureExtractor(NodeContext& node) {
  const Operand input = node.operand(0), indices = node.operand(1);
  if (input.rank() == 0) fail(ErrorKind::dataError, "the input is a scalar.");
  const auto axis = static_cast<std::uint32_t>(input.rank() - 1);
  const auto count = countOf(node.value(1).dims);
  const Operand result = node.builder.gather(input, node.reshape(indices, shapeOf(node, Dims{*count})), {.axis = axis});
  setLike(node, 0, axis == 0 ? node.reshape(result, {1, result.shape()[0]}) : result);
}

// Unpacks bytes along the last axis into two 4-bit values each, the low one first.
Operand unpackNibbles(NodeContext& node, const Operand& bytes) {
  GraphBuilder& builder = node.builder;
  const Operand wide = node.cast(bytes, DataType::int32), sixteen = node.scalar(DataType::int32, 16);
  const Operand high = builder.div(wide, sixteen), low = builder.sub(wide, builder.mul(high, sixteen));
  Shape pairs = bytes.shape(), shape = bytes.shape();
  pairs.push_back(1);
  shape.back() *= 2;  // at most 2^32 - 2; reshape() reports sizes above WebNN's limit
  const Operand both =
      builder.concat({node.reshape(low, pairs), node.reshape(high, pairs)}, static_cast<std::uint32_t>(shape.size()));
  return node.cast(node.reshape(both, shape), DataType::uint8);
}

// Gathers blocks of quantized data, scales and zero points, then dequantizes them.
void importGatherBlockQuantized(NodeContext& node) {
  const std::int64_t bits = node.integer("bits", 4);
  const bool isPacked = node.value(0).type == ElementType::uint8 && bits == 4;
  const std::size_t rank = node.rank(0);
  if (node.rank(2) != rank || (node.has(3) && node.rank(3) != rank)) {
    fail(ErrorKind::dataError, "the scales or zero points do not have the rank of the data ({}).", rank);
  }
  const std::uint32_t gatherAxis = node.axis(node.integer("gather_axis", 0), rank);
  const std::uint32_t quantizeAxis = node.axis(node.integer("quantize_axis", 1), rank);
  node.require(bits == 4 || (bits == 8 && node.value(0).type == ElementType::uint8), "{}-bit elements", bits);
  if (gatherAxis == quantizeAxis) {
    fail(ErrorKind::dataError, "elements are gathered along the axis of the blocks ({}).", gatherAxis);
  }
  node.require(!isPacked || quantizeAxis + 1 == rank, "bytes of two elements along axis {}: only the last axis unpacks",
               quantizeAxis);
  const Operand indices = node.operand(1);
  const auto gathered = [&](const Operand& operand) { return node.builder.gather(operand, indices, {.axis = gatherAxis}); };
  Operand data = gathered(node.operand(0)), scale = gathered(node.operand(2));
  if (isPacked) data = unpackNibbles(node, data);
  const std::uint32_t axis =
      quantizeAxis > gatherAxis ? static_cast<std::uint32_t>(quantizeAxis + indices.rank() - 1) : quantizeAxis;
  const std::uint32_t size = data.shape()[axis], blocks = scale.shape()[axis];
  const std::int64_t blockSize = node.integer("block_size", 128);
  node.require(size % blocks == 0 && size / blocks == blockSize, "blocks of {} elements that do not divide {}", blockSize, size);
  Operand zeroPoint;
  if (node.has(3)) {
    zeroPoint = gathered(node.operand(3));
    if (isPacked) zeroPoint = sliceAxis(node, unpackNibbles(node, zeroPoint), axis, 0, blocks);
  } else {
    const bool isSymmetric = node.value(0).type == ElementType::uint8;
    zeroPoint = node.expand(node.scalar(data.dataType(), isSymmetric ? 1 << (bits - 1) : 0), scale.shape());
  }
  node.set(0, node.builder.dequantizeLinear(data, scale, zeroPoint));
}

}  // namespace

std::span<const OperatorImport> gatherScatterOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Gather", importGather, true},
      {"", "GatherElements", importGatherElements, true},
      {"", "GatherND", importGatherND, true},
      {"ai.onnx.ml", "ArrayFeatureExtractor", importArrayFeatureExtractor},
      {"com.microsoft", "GatherBlockQuantized", importGatherBlockQuantized},
      {"com.microsoft", "GatherND", importGatherND, true},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
