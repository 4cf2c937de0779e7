// Functions that all convolutions by GEMM share.
#pragma once

#include <optional>

#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

// Returns the type and sizes of the product that computes `pixels` pixels of one group.
Product productOf(const ConvShape& shape, std::size_t pixels, Precision precision);
// Returns the layout of one group's filter as the packed B operand, depth x groupOutputs.
PackedB packedTaps(const ConvShape& shape, Isa isa, ProductType type = ProductType::floats);
std::size_t tapScratchBytes(const ConvShape& shape, const PackedB& taps);
void packTaps(Team& team, const ConvShape& shape, const PackedB& taps, std::size_t group, const float* filter,
              const FilterStrides& strides, std::byte* packed, std::byte* scratch);
// Returns how many pieces of `pieceBytes` a thread packs per chunk.
std::size_t packGrain(std::size_t pieceBytes);

// The context of GemmEpilogue::apply for a part of the output that starts at row `firstRow` and column `firstColumn`.
struct PartEpilogue {
  const ConvKernels* kernels = nullptr;
  const float* addend = nullptr;  // addend of row 0 and column `firstColumn`, or null
  std::size_t addendStride = 0, firstRow = 0, firstColumn = 0;
  FloatRange range{};
  ConvEpilogue then;
  std::optional<unsigned> worker;  // the team's worker that runs the part alone; absent: the team shares the part

  static void apply(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                    std::size_t ld, unsigned worker);
};
// Returns the epilogue of the part that starts at part.firstRow and part.firstColumn. The caller also sets part.worker; this
// function sets the other fields. `part` must outlive the result.
GemmEpilogue epilogueOf(const ConvActivation& activation, const ConvCall& call, const ConvShape& shape,
                        const ConvKernels& kernels, PartEpilogue& part);

}  // namespace webnn::cpu
