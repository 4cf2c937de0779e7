#include "backends/cpu/compile/pipeline.h"

#include <array>

namespace webnn::cpu {

std::span<const Pass> allPasses() {
  static constexpr std::array<Pass, 35> passes{{
      {"repackInt4", "int4 and uint4 as bytes", repackInt4, true},
      {"foldConstants", "computes values that depend only on constants", foldConstants},
      {"recogniseResampling", "finds decomposed resampling", recogniseResampling},
      {"raiseSignals", "computes 8-bit signals as images of height 1", raiseSignals, false, true},
      {"propagateQuantized", "moves 8-bit values instead of dequantized floats", propagateQuantized, false, true},
      {"tabulate", "replaces functions of one 8-bit input by lookup tables", tabulate, false, true},
      {"lowerQuantizedConvTranspose", "lowers 8-bit convTranspose2d to conv2d", lowerQuantizedConvTranspose, false, true},
      {"fuseQuantizedImages", "averages and resamples 8-bit images between dequantize and quantize", fuseQuantizedImages, false,
       true},
      {"fuseQuantized", "multiplies 8-bit matrices between dequantize and quantize", fuseQuantized, false, true},
      {"canonicalize", "removes identities, merges transposes and reshapes", canonicalize},
      {"eliminateCommonSubexpressions", "merges operations that compute equal values", eliminateCommonSubexpressions},
      {"eliminateDeadCode", "removes unused operations", eliminateDeadCode},
      {"recognise", "finds decomposed gelu, normalizations, softmax and hardSwish", recognise},
      {"recogniseTop", "finds the k best elements of rows at once instead of one after the other", recogniseTop},
      {"recogniseGatherSums", "sums gathered rows without storing them", recogniseGatherSums},
      {"narrowGathers", "multiplies only the rows and columns that gathers with constant indices read", narrowGathers},
      {"fuseAttention", "computes attention without storing its scores", fuseAttention},
      {"fuseQuantizedProducts", "multiplies 8-bit activations, and gives softmax 8-bit rows", fuseQuantizedProducts, false, true},
      {"foldNormalizations", "scales the weights of convolutions instead of normalizing their results", foldNormalizations},
      {"mergeConvolutions", "merges parallel convolutions of one input whose results are added", mergeConvolutions},
      {"raiseImages", "removes reshapes between images and rows", raiseImages},
      {"chooseLayout", "computes convolution and pooling with channels last", chooseLayout},
      {"canonicalizeLayout", "canonicalize, after the layout is chosen", canonicalize},
      {"propagateQuantizedLayout", "propagateQuantized, after the layout is chosen", propagateQuantized, false, true},
      {"joinQuantizedConv", "joins 8-bit convolutions whose results are added", joinQuantizedConv, false, true},
      {"fuseQuantizedConv", "convolves 8-bit values between dequantize and quantize", fuseQuantizedConv, false, true},
      {"lowerMatmul", "lowers matmul and gemm to GEMMs, which absorb transposes", lowerMatmul},
      {"lowerConv", "lowers conv2d to convolutions with channels last", lowerConv},
      {"foldRest", "computes constant operations that foldConstants left for kernels", foldRest},
      {"lowerNormalizations", "lowers batch normalizations to element-wise programs", lowerNormalizations},
      {"lowerElementwise", "lowers element-wise operations to programs", lowerElementwise, true},
      {"fuseEpilogues", "fuses GEMMs and convolutions with the element-wise operations that follow", fuseEpilogues},
      {"fuseBlocks", "computes depthwise convolutions and pooling with adjacent convolutions in bands of rows", fuseBlocks},
      {"fuseElementwise", "fuses chains of element-wise operations", fuseElementwise},
      {"eliminateDeadCodeAgain", "removes operations that are now unused", eliminateDeadCode},
  }};
  return passes;
}

}  // namespace webnn::cpu
