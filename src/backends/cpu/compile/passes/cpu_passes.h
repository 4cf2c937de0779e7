// Passes that choose layouts and kernels of the CPU engine.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "compiler/passes/passes.h"

namespace webnn::cpu {

void fuseQuantizedImages(Module& module, const PassOptions& options);    // computes averagePool2d and resample2d in 8 bits
void fuseQuantizedProducts(Module& module, const PassOptions& options);  // computes products and softmax of activations in 8 bits
void chooseLayout(Module& module, const PassOptions& options);           // runs convolution and pooling in nhwc
void lowerConv(Module& module, const PassOptions& options);              // turns nhwc conv2d into Convolution
// Merges adjacent convolutions into blocks that compute a few rows at a time.
void fuseBlocks(Module& module, const PassOptions& options);

}  // namespace webnn::cpu
