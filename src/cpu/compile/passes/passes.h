// The passes of the compiler, in their order. Each takes a module and leaves one that computes the same.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cpu/folding_budget.h"
#include "cpu/isa.h"
#include "cpu/module.h"

namespace webnn::cpu {

struct PassOptions {
  Isa isa = Isa::sse4;
  std::shared_ptr<FoldingBudget> folding = {};  // null: no limit
};

struct Pass {
  std::string_view name, summary;
  void (*run)(Module& module, const PassOptions& options);
  bool required = false;  // cannot be switched off: what follows relies on it
};

std::span<const Pass> allPasses();

// One function for each pass, each in a file of its name.
void repackNibbles(Module& module, const PassOptions& options);     // int4 and uint4 as bytes (required)
void foldConstants(Module& module, const PassOptions& options);     // operations of constants alone
void fuseQuantized(Module& module, const PassOptions& options);     // dequantize, operation, quantize
void simplify(Module& module, const PassOptions& options);          // identities, double transposes, merged reshapes, ...
void mergeCommon(Module& module, const PassOptions& options);       // common subexpressions
void foldRest(Module& module, const PassOptions& options);          // the same of what the passes between made
void removeDead(Module& module, const PassOptions& options);        // nodes that nothing uses
void recognise(Module& module, const PassOptions& options);         // decomposed gelu, normalizations, softmax, hard-swish
void fuseAttention(Module& module, const PassOptions& options);     // matmul, scale, mask, softmax, matmul
void chooseLayout(Module& module, const PassOptions& options);      // convolution and pooling as nhwc, transposes sunk
void makeProducts(Module& module, const PassOptions& options);      // matmul and gemm as products; transposes absorbed
void makeConvolutions(Module& module, const PassOptions& options);  // conv2d in nhwc as convolutions
void makeChains(Module& module, const PassOptions& options);        // element-wise operations as chains (required)
void fuseEpilogues(Module& module, const PassOptions& options);     // bias, activation, residual into what is before
void fuseBlocks(Module& module, const PassOptions& options);        // convolutions, some rows at a time
void fuseChains(Module& module, const PassOptions& options);        // chains of chains

}  // namespace webnn::cpu
