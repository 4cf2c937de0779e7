# The CPU engine's sources, one a line.
set(cpu_sources
  cpu/activation.cpp
  cpu/attention.cpp
  cpu/chain.cpp
  cpu/conv.cpp
  cpu/copy.cpp
  cpu/cpu_backend.cpp
  cpu/cpu_executable.cpp
  cpu/element_program.cpp
  cpu/elementwise_binary.cpp
  cpu/elementwise_unary.cpp
  cpu/fallback.cpp
  cpu/gather_scatter.cpp
  cpu/gemm.cpp
  cpu/isa.cpp
  cpu/matmul.cpp
  cpu/memory_plan.cpp
  cpu/module.cpp
  cpu/normalization.cpp
  cpu/overwrite.cpp
  cpu/passes.cpp
  cpu/passes/choose_layout.cpp
  cpu/passes/fold_constants.cpp
  cpu/passes/fuse_attention.cpp
  cpu/passes/fuse_chains.cpp
  cpu/passes/fuse_epilogues.cpp
  cpu/passes/fuse_quantized.cpp
  cpu/passes/make_chains.cpp
  cpu/passes/make_convolutions.cpp
  cpu/passes/make_products.cpp
  cpu/passes/merge_common.cpp
  cpu/passes/recognise.cpp
  cpu/passes/remove_dead.cpp
  cpu/passes/repack_nibbles.cpp
  cpu/passes/simplify.cpp
  cpu/pool.cpp
  cpu/quantize.cpp
  cpu/quantized_product.cpp
  cpu/recurrent.cpp
  cpu/reduce.cpp
  cpu/reduce_floats.cpp
  cpu/reduce_integers.cpp
  cpu/resample.cpp
  cpu/shape.cpp
  cpu/strided_copy.cpp
  cpu/threads.cpp
  cpu/weight_memory.cpp
)

# Kernels: compiled once for each instruction set, of which the first is the least that they run on.
set(cpu_simd_sources
  cpu/simd/pool.cpp
  cpu/simd/reduce.cpp
  cpu/simd/resample.cpp
  cpu/simd/transpose.cpp
)
list(APPEND cpu_sources ${cpu_simd_sources})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${cpu_simd_sources} PROPERTIES COMPILE_OPTIONS "-msse4.2;-mpclmul;-maes")
endif()
set_source_files_properties(${cpu_simd_sources} PROPERTIES COMPILE_DEFINITIONS
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL);HWY_IS_DEBUG_BUILD=0")
