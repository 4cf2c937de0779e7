// Implicit im2col: reads a convolution's input as a matrix. The matrix has a row per output pixel, which holds the channels of
// each tap.
#pragma once

#include <vector>

#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/simd/conv_simd.h"

namespace webnn::cpu {

class PatchReader {
 public:
  PatchReader(const ConvShape& shape, Isa isa);

  // The context of gather() in one run. Row 0 of the A operand is output pixel `firstRow`.
  struct Source {
    const PatchReader* reader = nullptr;
    const float* input = nullptr;  // the first image, at the group's first channel
    std::size_t firstRow = 0;
  };
  // Returns the rows of `source`, which must outlive the result, as the A operand of a GEMM.
  static AOperand rows(const Source& source) {
    return {.gather = gather,
            .indirection = indirection,
            .isZero = source.reader->skipsPadding_ ? isZero : nullptr,
            .context = &source};
  }

 private:
  // See AOperand.
  static bool indirection(const void* context, std::size_t row, std::size_t rows, Indirection& where);
  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t rowStride);
  static bool isZero(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count);
  // Returns whether elements [from, from + count) of a filter row are padding for outputs [x, x + columns) of a line.
  bool isPadding(std::size_t x, std::size_t columns, std::size_t from, std::size_t count) const;

  // Taps of one filter row whose channels are contiguous in the input.
  struct Segment {
    std::int64_t offset = 0;
    std::size_t taps = 1;
    ConvAxis::Range inside;
  };
  // Gathers elements [from, from + count) of a filter row for outputs [x, x + columns) of one line.
  void gatherLine(const float* line, std::size_t x, std::size_t columns, std::size_t from, std::size_t count, float* to,
                  std::size_t rowStride) const;
  void gatherSegment(const Segment& segment, const float* line, std::size_t x, std::size_t columns, std::size_t from,
                     std::size_t count, float* to, std::size_t rowStride) const;

  const ConvShape& shape_;
  const ConvKernels& kernels_;
  std::size_t channels_ = 0, rowDepth_ = 0, segmentDepth_ = 0;
  bool skipsPadding_ = false;  // whether a tap reads padding for more than a quarter of the outputs
  bool isInPlace_ = false;     // whether rows without padding are read in place
  ConvAxis::Range inside_;     // the columns whose taps lie inside the input
  std::vector<Segment> segments_;
};

}  // namespace webnn::cpu
