// Kernels for convolutions of float32 images with channels last.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/runtime/weight_memory.h"
#include "backends/cpu/simd/conv_simd.h"

namespace webnn::cpu {

// The epilogue after the bias: an addend of the output's shape, then a clamp.
struct ConvActivation {
  bool adds = false, clamps = false;
  FloatRange range;
};

// A callback for finished blocks of the output that are still in cache; see GemmEpilogue::apply. Rows are pixels.
struct ConvEpilogue {
  void (*run)(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
              std::size_t rowStride, unsigned worker) = nullptr;
  const void* context = nullptr;
};

// The unpacked filter in the graph's own memory, at any alignment.
struct RawFilter {
  const std::byte* bytes = nullptr;
  bool isHalf = false;
  FilterStrides strides;

  double at(std::size_t i) const;
};

// The operands of one run of a kernel.
struct ConvCall {
  const float* input = nullptr;
  const std::byte* packed = nullptr;  // the filter
  RawFilter filter;                   // set for kernels with readsFilter()
  const float* bias = nullptr;        // null: no bias
  const float* addend = nullptr;      // [pixel][output], contiguous
  float* output = nullptr;
  std::size_t outputStride = 0;  // floats from pixel to pixel
  std::byte* scratch = nullptr;
  ConvEpilogue epilogue;  // unused by transposed convolutions
};

// A convolution kernel for one shape. Immutable. Packed filters and scratch memory are aligned to 64 bytes.
class ConvKernel {
 public:
  virtual ~ConvKernel() = default;
  virtual std::string_view name() const = 0;
  // Returns the name of the instruction set for the step's description. An empty string stands for the context's
  // instruction set without AMX tiles.
  virtual std::string kernelText() const { return {}; }
  virtual std::size_t packedBytes() const = 0;
  virtual std::size_t packScratchBytes() const { return 0; }
  // Adds to `key` the further properties on which packing depends. The caller adds the filter, its strides, taps and channels,
  // and the kernel's name.
  virtual void addPacking(PackKey& /*key*/) const {}
  // Packs the filter with the team's threads. `filter` may have any alignment.
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
  Precision precision = Precision::float32;
};
inline ConvContext withoutTiles(ConvContext context) {
  context.isa = withoutTiles(context.isa);
  return context;
}

// Implicit GEMM: the A operand is read from the image. Takes any shape.
ConvKernelPtr makeGemmConv(const ConvShape& shape, const ConvContext& context);
// Requires shape.isDepthwise() or shape.hasSmallGroups().
ConvKernelPtr makeDepthwiseConv(const ConvShape& shape, const ConvContext& context);
// Winograd convolution of 3x3 filters, for output tiles of 2x2 or 4x4.
ConvKernelPtr makeWinogradConv(const ConvShape& shape, const ConvContext& context, std::size_t outputs);
// Returns the Winograd tile size that pays off, in outputs per side, or 0. `productCost`: the cost of a multiply-add in an
// implicit GEMM, relative to float32, the type that Winograd uses.
std::size_t winogradOutputs(const ConvShape& shape, double productCost = 1);
// Returns whether, for each output, no tap is much larger than another one on average over the inputs. The transforms add all
// taps, so a large tap's rounding errors would remain in results that depend on small taps only. Ignores taps that are always 0,
// and outputs whose taps are all negligible compared to `peak`. Returns false if all weights are integers (ONNX's ConvInteger): a
// GEMM computes exact sums for integer inputs, but Winograd's 4x4 transforms multiply by fractions that are not exact in float32.
bool suitsWinograd(const ConvShape& shape, const RawFilter& filter, float peak);
// Makes a transposed convolution, which takes no addend.
ConvKernelPtr makeTransposedConv(ConvPhases phases, const ConvContext& context);
// Convolution by its defining sums (slow), for filters with infinities or NaN if outputs read padding. Transposed convolutions
// have no addend.
ConvKernelPtr makeDirectConv(ConvPhases phases, const ConvContext& context);

// Properties of a filter: `peak` is its greatest magnitude (0 if not examined), `suitsWinograd` the result of suitsWinograd().
struct KnownFilter {
  bool isConstant = false;
  float peak = 0;
  bool suitsWinograd = true;
};
// Returns the probably fastest of the kernels that are correct for the filter.
ConvKernelPtr chooseConv(const ConvShape& shape, const ConvContext& context, const KnownFilter& filter);

}  // namespace webnn::cpu
