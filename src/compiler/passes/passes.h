// Passes for all compiled backends. Each pass replaces a module by an equivalent one. A backend defines their order and adds its
// own passes.
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
  // Evaluates an operation on large constants and returns the packed bytes of its outputs. Null: the reference kernels evaluate
  // it.
  std::function<std::vector<UnsetVector<std::byte>>(const Operation& operation, const ops::Outputs& outputs)> evaluate = {};
  bool roundsFactors = false;  // whether products of floats may round their factors to bfloat16
};

// One function per pass. The implementation is in the file with the same name (foldRest: fold_constants.cpp; raiseSignals:
// raise_images.cpp; both passes on normalizations: fold_normalizations.cpp). A pass marked (required) cannot be disabled,
// because backends rely on it.
void repackInt4(Module& module, const PassOptions& options);          // one byte per element for int4 and uint4 (required)
void foldConstants(Module& module, const PassOptions& options);       // evaluates operations whose operands are constants
void raiseSignals(Module& module, const PassOptions& options);        // computes with 8-bit images instead of 1-D signals
void propagateQuantized(Module& module, const PassOptions& options);  // slices, transposes, ... values before dequantizing
void tabulate(Module& module, const PassOptions& options);            // replaces functions of one 8-bit value by lookup tables
void lowerQuantizedConvTranspose(Module& module, const PassOptions& options);  // fuses dequantize, convTranspose2d, quantize
void joinQuantizedConv(Module& module, const PassOptions& options);            // joins 8-bit convolutions that are added
void fuseQuantizedConv(Module& module, const PassOptions& options);            // fuses dequantize, conv2d, quantize
void fuseQuantized(Module& module, const PassOptions& options);                // fuses dequantize, matrix product, quantize
void canonicalize(Module& module, const PassOptions& options);  // removes identities, merges transposes and reshapes, ...
void eliminateCommonSubexpressions(Module& module, const PassOptions& options);  // merges equal nodes
// folds the constant nodes that foldConstants left for kernels to absorb
void foldRest(Module& module, const PassOptions& options);
void eliminateDeadCode(Module& module, const PassOptions& options);  // removes nodes whose results are not used
void recognise(Module& module, const PassOptions& options);          // finds decomposed gelu, normalizations, softmax, hardSwish
void recogniseTop(Module& module, const PassOptions& options);       // finds searches for the k best elements
void recogniseGatherSums(Module& module, const PassOptions& options);  // finds sums of gathered rows
void recogniseResampling(Module& module, const PassOptions& options);  // finds resampling written as gathers and products
void narrowGathers(Module& module, const PassOptions& options);        // computes only the rows or columns that gathers read
void fuseAttention(Module& module, const PassOptions& options);        // fuses matmul, scale, mask, softmax, matmul
void foldNormalizations(Module& module, const PassOptions& options);  // scales the weights of a convolution instead of its result
void mergeConvolutions(Module& module, const PassOptions& options);   // sums parallel convolutions of one input
void raiseImages(Module& module, const PassOptions& options);         // computes with images instead of their rows
void chooseLayout(Module& module, const PassOptions& options);        // computes convolution and pooling in nhwc
void lowerConv(Module& module, const PassOptions& options);           // replaces nhwc conv2d by Convolution
void lowerMatmul(Module& module, const PassOptions& options);         // replaces matmul and gemm by BatchGemm; absorbs transposes
void lowerNormalizations(Module& module, const PassOptions& options);  // replaces batch normalizations by FusedElementwise
// replaces element-wise operations by FusedElementwise (required)
void lowerElementwise(Module& module, const PassOptions& options);
void fuseEpilogues(Module& module, const PassOptions& options);  // merges bias, activation and residual into the producer
// merges element-wise operations into their element-wise users
void fuseElementwise(Module& module, const PassOptions& options);

}  // namespace webnn::compiler
