// What convolutions by matrix products share.
#pragma once

#include "cpu/conv_kernel.h"
#include "cpu/gemm.h"

namespace webnn::cpu {

// Rounds up to what the next part of scratch or packed memory may begin at.
constexpr std::size_t divideUp(std::size_t a, std::size_t b) { return (a + b - 1) / b; }
constexpr std::size_t alignedTo64(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// The filter of one group as the right side of a product: depth x groupOutputs.
std::size_t packedTapBytes(const ConvShape& shape, Isa isa);
std::size_t tapScratchBytes(const ConvShape& shape);
void packTaps(const ConvShape& shape, Isa isa, std::size_t group, const float* filter, const FilterStrides& strides,
              std::byte* packed, std::byte* scratch);

// Adds and clamps, as GemmEpilogue::finish. Rows are counted from `firstRow`.
struct AddendFinish {
  const ConvKernels* kernels = nullptr;
  const float* addend = nullptr;  // at the first column
  std::size_t addendPitch = 0, firstRow = 0;
  FloatRange range{};

  static void finish(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                     std::size_t pitch, unsigned worker);
};
// The epilogue of outputs from `firstOutput` on. `finish` must outlive it.
GemmEpilogue epilogueOf(const ConvActivation& activation, const ConvCall& call, const ConvShape& shape, const ConvKernels& kernels,
                        std::size_t firstOutput, std::size_t firstRow, AddendFinish& finish);

}  // namespace webnn::cpu
