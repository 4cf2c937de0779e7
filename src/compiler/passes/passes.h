// Passes that every compiled backend can run. Each takes a module and leaves an equivalent one. A backend defines their order and
// adds passes of its own.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/unset_vector.h"
#include "compiler/ir/module.h"
#include "compiler/passes/folding_budget.h"

namespace webnn::compiler {

struct PassOptions {
  std::shared_ptr<FoldingBudget> folding = {};  // null: no limit
  // Computes an operation on large constants and returns the packed bytes of its outputs. Null: the reference does.
  std::function<std::vector<UnsetVector<std::byte>>(const Operation& operation, const ops::Outputs& outputs)> evaluate = {};
};

// One function per pass, each in the file of its name.
void repackInt4(Module& module, const PassOptions& options);          // int4 and uint4 as bytes (required)
void foldConstants(Module& module, const PassOptions& options);       // operations of constants alone
void propagateQuantized(Module& module, const PassOptions& options);  // moves of 8-bit numbers before they are dequantized
void tabulate(Module& module, const PassOptions& options);            // functions of one 8-bit number as tables
void lowerQuantizedConvTranspose(Module& module, const PassOptions& options);  // dequantize, convTranspose2d, quantize
void fuseQuantizedConv(Module& module, const PassOptions& options);            // dequantize, conv2d, quantize
void fuseQuantized(Module& module, const PassOptions& options);                // dequantize, product, quantize
void canonicalize(Module& module, const PassOptions& options);  // identities, double transposes, merged reshapes, ...
void eliminateCommonSubexpressions(Module& module, const PassOptions& options);  // common subexpressions
void foldRest(Module& module, const PassOptions& options);                       // foldConstants, after those passes
void eliminateDeadCode(Module& module, const PassOptions& options);              // nodes that nothing uses
void recognise(Module& module, const PassOptions& options);         // decomposed gelu, normalizations, softmax, hard-swish
void fuseAttention(Module& module, const PassOptions& options);     // matmul, scale, mask, softmax, matmul
void lowerMatmul(Module& module, const PassOptions& options);       // matmul and gemm as BatchGemm; transposes absorbed
void lowerElementwise(Module& module, const PassOptions& options);  // element-wise operations as FusedElementwise (required)
void fuseEpilogues(Module& module, const PassOptions& options);     // bias, activation, residual into what is before
void fuseElementwise(Module& module, const PassOptions& options);   // one element-wise operation into the next

}  // namespace webnn::compiler
