// Passes that choose layouts and kernels which only this engine has.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "compiler/passes/passes.h"

namespace webnn::cpu {

void fuseQuantizedImages(Module& module, const PassOptions& options);    // dequantize, averagePool2d or resample2d, quantize
void fuseQuantizedProducts(Module& module, const PassOptions& options);  // products of 8-bit activations, softmax between them
void chooseLayout(Module& module, const PassOptions& options);           // convolution and pooling as nhwc, transposes sunk
void lowerConv(Module& module, const PassOptions& options);              // conv2d in nhwc as convolutions
void fuseBlocks(Module& module, const PassOptions& options);             // convolutions, some rows at a time

}  // namespace webnn::cpu
