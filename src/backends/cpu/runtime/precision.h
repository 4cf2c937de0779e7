#pragma once

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// `bfloat16`: matrix products round both factors to bfloat16 and sum in float32 (docs/explanation/cpu.md lists the steps).
enum class Precision : std::uint8_t { float32, bfloat16 };

// Returns whether kernels may sum products of bfloat16 pairs in one instruction (AVX512-BF16).
inline bool hasBf16Dots(Isa isa) { return mayUse(isa, CpuFeature::avx512Bf16); }

}  // namespace webnn::cpu
