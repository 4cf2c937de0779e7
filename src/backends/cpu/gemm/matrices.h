// Views tensors as batches of matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

using Sizes = std::vector<std::size_t>;

// A tensor as batches of matrices. Strides are in elements, and 0 along dimensions that are broadcast.
struct Matrices {
  Sizes batchStrides;
  std::size_t rowStride = 0, columnStride = 0;

  Matrices transposed() const { return {batchStrides, columnStride, rowStride}; }
};

// Views the last two dimensions as matrices, and the others as batch dimensions broadcast to the result's `batchRank` dimensions.
Matrices matricesOf(const Shape& shape, const Sizes& strides, std::size_t batchRank);

Sizes rowMajorStrides(const Shape& shape);
// Views a row-major tensor with permuted dimensions: dimension i of the view is dimension permutation[i] of `shape`. Returns the
// view's shape, and its strides in the tensor's memory. An empty permutation changes nothing.
std::pair<Shape, Sizes> permuted(const Shape& shape, const std::vector<std::uint32_t>& permutation);
// Views a row-major tensor of shape `output` as a matrix product whose dimensions `permutation` has reordered: output =
// transpose(product, permutation). Returns the product's shape, and its strides in the memory of the output.
std::pair<Shape, Sizes> resultOf(const Shape& output, const std::vector<std::uint32_t>& permutation);

// One matrix of the result: its offset in c, the offset of its matrix of a, and the index of its packed matrix of b.
struct Batch {
  std::size_t a, c, packed;
};
struct Batches {
  std::vector<Batch> list;
  std::vector<std::size_t> bOffsets;  // offset of each distinct matrix of b; several batches may share a matrix
};
Batches batchesOf(const Sizes& batch, const Matrices& a, const Matrices& b, const Matrices& c);

}  // namespace webnn::cpu
