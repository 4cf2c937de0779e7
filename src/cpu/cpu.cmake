# The CPU engine's sources, one a line.
set(cpu_sources
  cpu/activation.cpp
  cpu/amx_tiles.cpp
  cpu/attention.cpp
  cpu/broadcast.cpp
  cpu/chain.cpp
  cpu/conv.cpp
  cpu/conv_depthwise.cpp
  cpu/conv_epilogue.cpp
  cpu/conv_gemm.cpp
  cpu/conv_images.cpp
  cpu/conv_patches.cpp
  cpu/conv_shape.cpp
  cpu/conv_transposed.cpp
  cpu/conv_winograd.cpp
  cpu/copy.cpp
  cpu/cpu_backend.cpp
  cpu/cpu_executable.cpp
  cpu/element_program.cpp
  cpu/element_tiles.cpp
  cpu/elementwise_binary.cpp
  cpu/elementwise_unary.cpp
  cpu/fallback.cpp
  cpu/gather_scatter.cpp
  cpu/gemm.cpp
  cpu/gemm_amx.cpp
  cpu/gemm_amx_parts.cpp
  cpu/isa.cpp
  cpu/matmul.cpp
  cpu/memory_plan.cpp
  cpu/module.cpp
  cpu/normalization.cpp
  cpu/normalization_groups.cpp
  cpu/normalization_parameters.cpp
  cpu/overwrite.cpp
  cpu/passes.cpp
  cpu/passes/choose_layout.cpp
  cpu/passes/constant_value.cpp
  cpu/passes/fold_constants.cpp
  cpu/passes/fuse_attention.cpp
  cpu/passes/fuse_chains.cpp
  cpu/passes/fuse_epilogues.cpp
  cpu/passes/fuse_quantized.cpp
  cpu/passes/make_chains.cpp
  cpu/passes/make_convolutions.cpp
  cpu/passes/make_products.cpp
  cpu/passes/merge_common.cpp
  cpu/passes/patterns.cpp
  cpu/passes/recognise.cpp
  cpu/passes/recognise_activation.cpp
  cpu/passes/recognise_normalization.cpp
  cpu/passes/remove_dead.cpp
  cpu/passes/repack_nibbles.cpp
  cpu/passes/simplify.cpp
  cpu/peak.cpp
  cpu/pool.cpp
  cpu/processors.cpp
  cpu/quantize.cpp
  cpu/quantized_product.cpp
  cpu/quantized_product_nibbles.cpp
  cpu/recurrent.cpp
  cpu/recurrent_network.cpp
  cpu/recurrent_packing.cpp
  cpu/reduce.cpp
  cpu/reduce_floats.cpp
  cpu/reduce_integers.cpp
  cpu/resample.cpp
  cpu/row_step.cpp
  cpu/shape.cpp
  cpu/strided_copy.cpp
  cpu/threads.cpp
  cpu/weight_memory.cpp
)

# Kernels: compiled once for each instruction set, of which the first is the least that they run on.
set(cpu_simd_sources
  cpu/simd/attention.cpp
  cpu/simd/conv_simd.cpp
  cpu/simd/elements.cpp
  cpu/simd/gemm.cpp
  cpu/simd/matmul.cpp
  cpu/simd/nibble_product.cpp
  cpu/simd/normalization.cpp
  cpu/simd/peak.cpp
  cpu/simd/pool.cpp
  cpu/simd/quantize.cpp
  cpu/simd/quantized_product.cpp
  cpu/simd/recurrent.cpp
  cpu/simd/reduce.cpp
  cpu/simd/resample.cpp
  cpu/simd/softmax.cpp
  cpu/simd/transpose.cpp
  cpu/simd/winograd.cpp
)
list(APPEND cpu_sources ${cpu_simd_sources})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${cpu_simd_sources} PROPERTIES COMPILE_OPTIONS "-msse4.2;-mpclmul;-maes")
endif()
set_source_files_properties(${cpu_simd_sources} PROPERTIES COMPILE_DEFINITIONS
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL);HWY_IS_DEBUG_BUILD=0")
# Sanitizers take minutes for each of these files, whose loops are unrolled into registers. What they could read or write
# wrongly in a tensor, the tests find with guard pages.
if(WEBNN_SANITIZE)
  set_property(SOURCE ${cpu_simd_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
endif()
