// The precision of products of float32 and float16.
#pragma once

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// `bfloat16` rounds both factors to bfloat16 and sums in float32; docs/explanation/cpu.md lists the steps that do so.
enum class Precision : std::uint8_t { float32, bfloat16 };

// Returns whether kernels of the level may sum products of bfloat16 pairs in one instruction.
inline bool hasBf16Dots(Isa isa) { return mayUse(isa, CpuFeature::avx512Bf16); }

}  // namespace webnn::cpu
