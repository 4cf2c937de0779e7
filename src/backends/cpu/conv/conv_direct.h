// Convolution by its defining sums: slow, but correct also for infinities, NaN and huge numbers. The fast kernels would multiply
// them by zero padding (0 * inf is NaN) or spread them over a Winograd tile.
#pragma once

#include "backends/cpu/conv/conv_kernel.h"

namespace webnn::cpu {

// One output pixel: its channels are at `to`; the values at `addend` are added to them if ConvActivation::adds.
struct DirectPixel {
  std::size_t image = 0, y = 0, x = 0;
  const float* addend = nullptr;
  float* to = nullptr;
};

// Computes all channels of one output pixel, with sums in double. Taps on padding add nothing. Reads call.filter.
void computeDirectly(const ConvShape& shape, const ConvActivation& activation, const ConvCall& call, const DirectPixel& pixel);

// Returns whether any output has a tap on padding.
bool readsPadding(const ConvShape& shape);
// Returns a plain convolution as a single phase.
ConvPhases phasesOf(const ConvShape& shape);

// Returns the greatest magnitude in a filter. Returns infinity if the filter has a NaN or a value that rounds to infinity in
// bfloat16 (even if the product is computed in float32), because its product with zero padding would be NaN.
float peakOf(const RawFilter& filter, std::size_t elements);
// Returns whether peakOf() is finite.
bool isFinite(const RawFilter& filter, std::size_t elements);

}  // namespace webnn::cpu
