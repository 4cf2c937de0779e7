#include "cpu/compile/pipeline.h"

#include <array>

namespace webnn::cpu {

std::span<const Pass> allPasses() {
  static constexpr std::array<Pass, 18> passes{{
      {"repackNibbles", "int4 and uint4 as bytes", repackNibbles, true},
      {"foldConstants", "computes what depends on constants alone", foldConstants},
      {"fuseQuantized", "computes on 8-bit numbers between dequantize and quantize", fuseQuantized},
      {"simplify", "removes identities, merges transposes and reshapes", simplify},
      {"mergeCommon", "computes what is computed twice once", mergeCommon},
      {"removeDead", "removes what nothing uses", removeDead},
      {"recognise", "finds gelu, normalizations, softmax and hard-swish that are written out", recognise},
      {"fuseAttention", "computes attention without storing its scores", fuseAttention},
      {"chooseLayout", "computes convolution and pooling with channels last", chooseLayout},
      {"tidyLayout", "simplify, after the layout is chosen", simplify},
      {"makeProducts", "turns matmul and gemm into products, which absorb transposes", makeProducts},
      {"makeConvolutions", "turns conv2d into convolutions", makeConvolutions},
      {"foldRest", "computes what else depends on constants alone", foldRest},
      {"makeChains", "turns element-wise operations into chains", makeChains, true},
      {"fuseEpilogues", "lets products and convolutions do what follows them", fuseEpilogues},
      {"fuseBlocks", "runs depthwise convolutions and pooling with those around them on rows in cache", fuseBlocks},
      {"fuseChains", "runs chains of chains as one", fuseChains},
      {"sweep", "removes what nothing uses any more", removeDead},
  }};
  return passes;
}

}  // namespace webnn::cpu
