// Ways to compute a convolution of float32 images with the channels last.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>

#include "cpu/conv/conv_shape.h"
#include "cpu/runtime/caches.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/threads.h"
#include "cpu/simd/conv_simd.h"

namespace webnn::cpu {

// What happens to a sum once the bias is in it: an addend of the output's shape is added, then it is clamped.
struct ConvActivation {
  bool adds = false, clamps = false;
  FloatRange range;
};

// What else is done to blocks of the output once they are finished, while they are in cache: see GemmEpilogue::apply. Rows are
// pixels.
struct ConvEpilogue {
  void (*run)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
              std::size_t rowStride, unsigned worker) = nullptr;
  const void* context = nullptr;
};

// The filter's elements where the graph has them, at any alignment.
struct RawFilter {
  const std::byte* bytes = nullptr;
  bool isHalf = false;
  FilterStrides strides;

  double at(std::size_t i) const;
};

// One run of a kernel.
struct ConvCall {
  const float* input = nullptr;
  const std::byte* packed = nullptr;  // the filter
  RawFilter filter;                   // of kernels that readsFilter()
  const float* bias = nullptr;        // or null: none
  const float* addend = nullptr;      // pixels x outputs, without gaps
  float* output = nullptr;
  std::size_t outputStride = 0;  // from pixel to pixel
  std::byte* scratch = nullptr;
  ConvEpilogue epilogue;  // not of transposed convolutions
};

// Immutable. Packed filters and scratch are aligned to 64.
class ConvKernel {
 public:
  virtual ~ConvKernel() = default;
  virtual std::string_view name() const = 0;
  virtual std::size_t packedBytes() const = 0;
  virtual std::size_t packScratchBytes() const { return 0; }
  // With the team; the filter at any alignment.
  virtual void pack(Team& team, const float* filter, const FilterStrides& strides, std::byte* packed,
                    std::byte* scratch) const = 0;
  virtual std::size_t scratchBytes() const = 0;
  virtual bool readsFilter() const { return false; }
  virtual void run(Team& team, const ConvCall& call) const = 0;
};
using ConvKernelPtr = std::shared_ptr<const ConvKernel>;

struct ConvContext {
  Isa isa = Isa::sse4;
  unsigned threads = 1;
  CacheSizes caches;
  ConvActivation activation;
};
inline ConvContext withoutTiles(ConvContext context) {
  context.isa = withoutTiles(context.isa);
  return context;
}

// Implicit GEMM: the A operand is read from the image. Takes any shape.
ConvKernelPtr makeGemmConv(const ConvShape& shape, const ConvContext& context);
// One input channel for each group.
ConvKernelPtr makeDepthwiseConv(const ConvShape& shape, const ConvContext& context);
// 3x3 filters by Winograd's minimal products, for tiles of 2 or 4 outputs squared.
ConvKernelPtr makeWinogradConv(const ConvShape& shape, const ConvContext& context, std::size_t outputs);
// The tile that pays, or 0 if none does.
std::size_t winogradOutputs(const ConvShape& shape);
// Whether no tap of a filter of such a convolution is much larger than another one of its output, in the mean over the inputs:
// the transforms add all taps, and what is rounded of a large one is left where only a small one counts. Taps that are 0
// throughout do not count, nor outputs whose taps are all next to nothing beside `peak`.
bool suitsWinograd(const ConvShape& shape, const RawFilter& filter, float peak);
// The phases of a transposed convolution; no addend.
ConvKernelPtr makeTransposedConv(ConvPhases phases, const ConvContext& context);
// Slow, for filters that are not finite and meet padding. Transposed ones have no addend.
ConvKernelPtr makeDirectConv(ConvPhases phases, const ConvContext& context);

// The best of them for a filter of which that is known; `peak` is its greatest magnitude, `suitsWinograd` if its taps are of
// about one size.
struct KnownFilter {
  bool isConstant = false;
  float peak = 0;
  bool suitsWinograd = true;
};
ConvKernelPtr chooseConv(const ConvShape& shape, const ConvContext& context, const KnownFilter& filter);

}  // namespace webnn::cpu
