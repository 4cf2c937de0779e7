// The passes of the compiler. Each takes a module and leaves one that computes the same; pipeline.h has their order.
#pragma once

#include <memory>
#include <vector>

#include "base/unset_vector.h"
#include "cpu/compile/passes/folding_budget.h"
#include "cpu/ir/module.h"
#include "cpu/runtime/isa.h"

namespace webnn::cpu {

struct PassOptions {
  Isa isa = Isa::sse4;
  std::shared_ptr<FoldingBudget> folding = {};  // null: no limit
  // Computes an operation of large constants: the packed bytes of its outputs. Null: the reference executor does.
  std::vector<UnsetVector<std::byte>> (*evaluate)(const Operation& operation, const ops::Outputs& outputs, Isa isa) = nullptr;
};

// One function for each pass, each in a file of its name.
void repackInt4(Module& module, const PassOptions& options);          // int4 and uint4 as bytes (required)
void foldConstants(Module& module, const PassOptions& options);       // operations of constants alone
void propagateQuantized(Module& module, const PassOptions& options);  // moves of 8-bit numbers before they are dequantized
void tabulate(Module& module, const PassOptions& options);            // functions of one 8-bit number as tables
void lowerQuantizedConvTranspose(Module& module, const PassOptions& options);  // dequantize, convTranspose2d, quantize
void fuseQuantizedConv(Module& module, const PassOptions& options);            // dequantize, conv2d, quantize
void fuseQuantizedImages(Module& module, const PassOptions& options);  // dequantize, averagePool2d or resample2d, quantize
void fuseQuantized(Module& module, const PassOptions& options);        // dequantize, product, quantize
void canonicalize(Module& module, const PassOptions& options);         // identities, double transposes, merged reshapes, ...
void eliminateCommonSubexpressions(Module& module, const PassOptions& options);  // common subexpressions
void foldRest(Module& module, const PassOptions& options);                       // foldConstants, after those passes
void eliminateDeadCode(Module& module, const PassOptions& options);              // nodes that nothing uses
void recognise(Module& module, const PassOptions& options);              // decomposed gelu, normalizations, softmax, hard-swish
void fuseAttention(Module& module, const PassOptions& options);          // matmul, scale, mask, softmax, matmul
void fuseQuantizedProducts(Module& module, const PassOptions& options);  // products of 8-bit activations, softmax between them
void chooseLayout(Module& module, const PassOptions& options);           // convolution and pooling as nhwc, transposes sunk
void lowerMatmul(Module& module, const PassOptions& options);            // matmul and gemm as BatchGemm; transposes absorbed
void lowerConv(Module& module, const PassOptions& options);              // conv2d in nhwc as convolutions
void lowerElementwise(Module& module, const PassOptions& options);       // element-wise operations as FusedElementwise (required)
void fuseEpilogues(Module& module, const PassOptions& options);          // bias, activation, residual into what is before
void fuseBlocks(Module& module, const PassOptions& options);             // convolutions, some rows at a time
void fuseElementwise(Module& module, const PassOptions& options);        // one element-wise operation into the next

}  // namespace webnn::cpu
