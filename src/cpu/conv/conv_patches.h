// Reads the inputs of a convolution as the rows of a matrix: a row for each output pixel, in it the channels of each tap.
#pragma once

#include <vector>

#include "cpu/conv/conv_shape.h"
#include "cpu/gemm/gemm.h"
#include "cpu/simd/conv_simd.h"

namespace webnn::cpu {

class PatchReader {
 public:
  PatchReader(const ConvShape& shape, Isa isa);

  // What gather() needs to know of a run: rows are counted from `firstRow`.
  struct Source {
    const PatchReader* reader = nullptr;
    const float* input = nullptr;  // of the first image, at the group's first channel
    std::size_t firstRow = 0;
  };
  // The rows of a Source, which has to outlive them.
  static AOperand rows(const Source& source) { return {.gather = gather, .indirection = indirection, .context = &source}; }

 private:
  // See AOperand.
  static bool indirection(const void* context, std::size_t row, std::size_t rows, Indirection& where);
  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t rowStride);

  // Taps of one row of the filter whose channels are next to one another in the input.
  struct Segment {
    std::int64_t offset = 0;
    std::size_t taps = 1;
    ConvAxis::Range inside;
  };
  // Of outputs [x, x + columns) of one line, elements [from, from + count) of a row of the filter.
  void gatherLine(const float* line, std::size_t x, std::size_t columns, std::size_t from, std::size_t count, float* to,
                  std::size_t rowStride) const;
  void gatherSegment(const Segment& segment, const float* line, std::size_t x, std::size_t columns, std::size_t from,
                     std::size_t count, float* to, std::size_t rowStride) const;

  const ConvShape& shape_;
  const ConvKernels& kernels_;
  std::size_t channels_ = 0, rowDepth_ = 0, segmentDepth_ = 0;
  bool isDense_ = false;  // taps are next to one another downwards as well, and all channels of a tap are read
  std::vector<Segment> segments_;
};

}  // namespace webnn::cpu
