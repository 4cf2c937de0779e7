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

// The last two of an operand's dimensions, and the others as those of the result, which may have more of them.
Matrices matricesOf(const Shape& shape, const Sizes& strides, std::size_t batchRank);

Sizes rowMajorStrides(const Shape& shape);
// Shape and strides as the dimensions are meant: dimension j is the stored one at permutation[j].
std::pair<Shape, Sizes> permuted(const Shape& shape, const std::vector<std::uint32_t>& permutation);
// The result's dimensions, whose i-th is the output's at the place where outputPermutation has i.
std::pair<Shape, Sizes> resultOf(const Shape& output, const std::vector<std::uint32_t>& permutation);

// One of the matrices of the result: offsets of a and c, and which of the matrices of b.
struct Batch {
  std::size_t a, c, packed;
};
struct Batches {
  std::vector<Batch> list;
  std::vector<std::size_t> bOffsets;  // of the matrices of b, each of which several batches may share
};
Batches batchesOf(const Sizes& batch, const Matrices& a, const Matrices& b, const Matrices& c);

}  // namespace webnn::cpu
