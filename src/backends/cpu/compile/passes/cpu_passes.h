// Passes that only the CPU engine runs.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "compiler/passes/passes.h"

namespace webnn::cpu {

void fuseQuantizedImages(Module& module, const PassOptions& options);    // averages and resamples 8-bit values
void fuseQuantizedProducts(Module& module, const PassOptions& options);  // multiplies 8-bit matrices; softmax writes 8-bit values
// Merges a depthwise convolution or a pooling with the convolution before it, the one after it, or both, into a block, which
// computes a few rows at a time.
void fuseBlocks(Module& module, const PassOptions& options);

}  // namespace webnn::cpu
