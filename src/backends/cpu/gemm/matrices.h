// Batches of matrices in tensors, for the steps that multiply them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {

using Sizes = std::vector<std::size_t>;

// A tensor as batches of matrices; strides in elements, 0 where it is broadcast.
struct Matrices {
  Sizes batchStrides;
  std::size_t rowStride = 0, columnStride = 0;

  Matrices transposed() const { return {batchStrides, columnStride, rowStride}; }
};

// Returns the operand's last two dimensions as matrices, and its other dimensions broadcast to the result's, which may have more.
Matrices matricesOf(const Shape& shape, const Sizes& strides, std::size_t batchRank);

Sizes rowMajorStrides(const Shape& shape);
// Returns shape and strides in logical order: dimension j is the stored dimension permutation[j].
std::pair<Shape, Sizes> permuted(const Shape& shape, const std::vector<std::uint32_t>& permutation);
// Returns the result's dimensions in logical order: dimension i is the output dimension at the position of i in
// outputPermutation.
std::pair<Shape, Sizes> resultOf(const Shape& output, const std::vector<std::uint32_t>& permutation);

// One matrix of the result: the offsets of a and c, and the index of its matrix of b.
struct Batch {
  std::size_t a, c, packed;
};
struct Batches {
  std::vector<Batch> list;
  std::vector<std::size_t> bOffsets;  // by matrix of b; several batches may share one
};
Batches batchesOf(const Sizes& batch, const Matrices& a, const Matrices& b, const Matrices& c);

}  // namespace webnn::cpu
