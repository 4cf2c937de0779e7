// What products of float32 and float16 are computed in.
#pragma once

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// `bfloat16`: both factors are rounded to it, and summed in float32. docs/explanation/cpu.md says which steps do that.
enum class Precision : std::uint8_t { float32, bfloat16 };

// Whether kernels of the level may add products of pairs of bfloat16 in one instruction.
inline bool hasBf16Dots(Isa isa) { return mayUse(isa, CpuFeature::avx512Bf16); }

}  // namespace webnn::cpu
