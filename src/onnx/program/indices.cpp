#include "onnx/program/indices.h"

#include "onnx/program/foreign.h"

namespace webnn::formats::onnx {

namespace {

void requireAlong(const HostNode& node, std::int64_t size, bool canBeNegative) {
  for (const std::int64_t index : node.integers(1)) {
    node.tick();
    (void)positionIn(index, size);
    if (index < 0 && !canBeNegative) fail(ErrorKind::dataError, "the index {} is negative.", index);
  }
}

void requireCoordinates(const HostNode& node) {
  const Dims &dims = node.dims(0), &indexDims = node.dims(1);
  const std::int64_t batchDims = node.integer("batch_dims", 0), depth = indexDims.empty() ? 0 : indexDims.back();
  // These shapes are invalid; the import of the node throws the error.
  if (batchDims < 0 || depth < 1 || batchDims > std::ssize(dims) || depth > std::ssize(dims) - batchDims) return;
  const std::vector<std::int64_t> indices = node.integers(1);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    node.tick();
    (void)positionIn(indices[i], dims[static_cast<std::size_t>(batchDims) + i % static_cast<std::size_t>(depth)]);
  }
}

// Throws DataError if a length in input `index` is negative or exceeds the size of dimension `time` of input 0.
void requireLengths(const HostNode& node, std::size_t index, std::int64_t time) {
  const Dims& dims = node.dims(0);
  const std::size_t axis = axisOf(node, time, dims.size());
  for (const std::int64_t length : node.integers(index)) {
    if (length < 0 || length > dims[axis])
      fail(ErrorKind::dataError, "the length {} is not between 0 and the size of its dimension ({}).", length, dims[axis]);
  }
}

}  // namespace

void failIndex(std::int64_t index, std::int64_t size) {
  fail(ErrorKind::dataError, "the index {} is not in a dimension of {}.", index, size);
}

void requireIndicesInRange(const HostNode& node) {
  const std::string_view domain = node.node.domain, opType = node.node.opType;
  if (!node.has(0) || !node.has(1) || node.value(0).sequence || node.value(1).sequence) return;
  const Dims& dims = node.dims(0);
  if (domain == "ai.onnx.ml" && opType == "ArrayFeatureExtractor" && !dims.empty()) return requireAlong(node, dims.back(), false);
  if (!domain.empty()) return;
  if (opType == "Gather" || opType == "GatherElements")
    requireAlong(node, dims[axisOf(node, node.integer("axis", 0), dims.size())], true);
  if (opType == "GatherND") requireCoordinates(node);
  if (opType == "ReverseSequence") requireLengths(node, 1, node.integer("time_axis", 0));
  if (isRecurrent(domain, opType) && node.has(4)) requireLengths(node, 4, node.integer("layout", 0));
}

}  // namespace webnn::formats::onnx
