#include "backends/cpu/gemm/matrices.h"

#include <functional>
#include <numeric>

namespace webnn::cpu {

Sizes rowMajorStrides(const Shape& shape) {
  Sizes strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return strides;
}

Matrices matricesOf(const Shape& shape, const Sizes& strides, std::size_t batchRank) {
  const std::size_t own = shape.size() - 2;
  Matrices matrices{Sizes(batchRank), strides[own], strides[own + 1]};
  for (std::size_t i = 0; i < own; ++i) {
    if (shape[i] != 1) matrices.batchStrides[batchRank - own + i] = strides[i];
  }
  return matrices;
}

std::pair<Shape, Sizes> permuted(const Shape& shape, const std::vector<std::uint32_t>& permutation) {
  const Sizes strides = rowMajorStrides(shape);
  if (permutation.empty()) return {shape, strides};
  Shape sizes;
  Sizes result;
  for (const std::uint32_t j : permutation) {
    sizes.push_back(shape[j]);
    result.push_back(strides[j]);
  }
  return {sizes, result};
}

std::pair<Shape, Sizes> resultOf(const Shape& output, const std::vector<std::uint32_t>& permutation) {
  std::vector<std::uint32_t> inverse(permutation.size());
  for (std::uint32_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return permuted(output, inverse);
}

Batches batchesOf(const Sizes& batch, const Matrices& a, const Matrices& b, const Matrices& c) {
  const std::size_t count = std::accumulate(batch.begin(), batch.end(), std::size_t{1}, std::multiplies<>());
  Batches batches;
  for (std::size_t i = 0; i < count; ++i) {
    Batch at{0, 0, 0};
    std::size_t rest = i, packedStride = 1, offset = 0;
    bool isFirst = true;  // this batch is the first that uses its matrix of b
    for (std::size_t d = batch.size(); d-- > 0;) {
      const std::size_t index = rest % batch[d];
      rest /= batch[d];
      at.a += index * a.batchStrides[d];
      at.c += index * c.batchStrides[d];
      offset += index * b.batchStrides[d];
      if (b.batchStrides[d] == 0) {
        isFirst = isFirst && index == 0;
        continue;
      }
      at.packed += index * packedStride;
      packedStride *= batch[d];
    }
    if (isFirst) batches.bOffsets.push_back(offset);
    batches.list.push_back(at);
  }
  return batches;
}

}  // namespace webnn::cpu
