// Describes to kernels how a quantized convolution turns sums into outputs.
#pragma once

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

// Returns the description that `kernels` read. It assumes that no column needs QuantizedConvTile::rest; clear isPlain if one
// does.
QuantizedOutput outputOf(const QuantizedConvolution& op, const QuantizedConvKernels& kernels);

}  // namespace webnn::cpu
