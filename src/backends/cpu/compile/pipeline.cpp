#include "backends/cpu/compile/pipeline.h"

#include <array>

namespace webnn::cpu {

std::span<const Pass> allPasses() {
  static constexpr std::array<Pass, 28> passes{{
      {"repackInt4", "int4 and uint4 as bytes", repackInt4, true},
      {"foldConstants", "computes what depends on constants alone", foldConstants},
      {"recogniseResampling", "finds resampling that is written out", recogniseResampling},
      {"propagateQuantized", "moves 8-bit numbers instead of what they are dequantized to", propagateQuantized, false, true},
      {"tabulate", "looks up what is a function of one 8-bit number", tabulate, false, true},
      {"lowerQuantizedConvTranspose", "lowers 8-bit convTranspose2d to conv2d", lowerQuantizedConvTranspose, false, true},
      {"fuseQuantizedConv", "convolves 8-bit numbers between dequantize and quantize", fuseQuantizedConv, false, true},
      {"fuseQuantizedImages", "averages and resamples 8-bit images between dequantize and quantize", fuseQuantizedImages, false,
       true},
      {"fuseQuantized", "multiplies 8-bit numbers between dequantize and quantize", fuseQuantized, false, true},
      {"canonicalize", "removes identities, merges transposes and reshapes", canonicalize},
      {"eliminateCommonSubexpressions", "computes what is computed twice once", eliminateCommonSubexpressions},
      {"eliminateDeadCode", "removes what nothing uses", eliminateDeadCode},
      {"recognise", "finds gelu, normalizations, softmax and hard-swish that are written out", recognise},
      {"narrowGathers", "multiplies only the rows and columns that gathers with constant indices read", narrowGathers},
      {"fuseAttention", "computes attention without storing its scores", fuseAttention},
      {"fuseQuantizedProducts", "multiplies 8-bit activations, and gives softmax 8-bit rows", fuseQuantizedProducts, false, true},
      {"mergeConvolutions", "sums parallel convolutions of one input", mergeConvolutions},
      {"raiseImages", "computes with images instead of their rows", raiseImages},
      {"chooseLayout", "computes convolution and pooling with channels last", chooseLayout},
      {"canonicalizeLayout", "canonicalize, after the layout is chosen", canonicalize},
      {"lowerMatmul", "lowers matmul and gemm to GEMMs, which absorb transposes", lowerMatmul},
      {"lowerConv", "lowers conv2d to convolutions with channels last", lowerConv},
      {"foldRest", "computes what else depends on constants alone", foldRest},
      {"lowerElementwise", "lowers element-wise operations to programs", lowerElementwise, true},
      {"fuseEpilogues", "lets GEMMs and convolutions do what follows them", fuseEpilogues},
      {"fuseBlocks", "runs depthwise convolutions and pooling with those around them on rows in cache", fuseBlocks},
      {"fuseElementwise", "runs element-wise operations that feed one another as one", fuseElementwise},
      {"eliminateDeadCodeAgain", "removes what nothing uses any more", eliminateDeadCode},
  }};
  return passes;
}

}  // namespace webnn::cpu
