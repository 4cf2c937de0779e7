// Convolution by its defining sums: slow, but correct for infinities, NaN and huge numbers too, which the fast kernels would
// multiply by padding or spread over their tiles.
#pragma once

#include "backends/cpu/conv/conv_kernel.h"

namespace webnn::cpu {

// One pixel of the output: all channels at `to`, and what is added to them at `addend` if the activation adds.
struct DirectPixel {
  std::size_t image = 0, y = 0, x = 0;
  const float* addend = nullptr;
  float* to = nullptr;
};

// Sums in double; taps on padding add nothing. Needs call.filter.
void computeDirectly(const ConvShape& shape, const ConvActivation& activation, const ConvCall& call, const DirectPixel& pixel);

// Whether a tap of some output is on padding.
bool readsPadding(const ConvShape& shape);
// A plain convolution as a single phase.
ConvPhases phasesOf(const ConvShape& shape);

// Returns the greatest magnitude in a filter; infinity if it holds a NaN or a value that is infinite as bfloat16, at any
// precision: its product with padding would be NaN.
float peakOf(const RawFilter& filter, std::size_t elements);
// Returns whether that magnitude is finite.
bool isFinite(const RawFilter& filter, std::size_t elements);

}  // namespace webnn::cpu
