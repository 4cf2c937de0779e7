// The instruction sets that kernels are compiled for, and which of them is used.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cpu/runtime/features.h"

namespace webnn::cpu {

// Levels that users choose by name and kernels are compiled for. `sse4` stands for the lowest that this processor family has
// (NEON on Arm). `amx` is AVX-512 with GEMMs on tiles; `amxEmulated`, of the name "amx-emulated", computes what the tiles would
// with AVX-512: to test on processors that have none.
enum class Isa { sse4, avx2, avx512, amx, amxEmulated };

std::string_view name(Isa isa);
std::optional<Isa> isaFromName(std::string_view name);

// What a processor must have for the level.
CpuFeatures neededFeatures(Isa isa);
bool isSupported(Isa isa, CpuFeatures features = processorFeatures());
// The best level of a processor.
Isa bestIsa(CpuFeatures features = processorFeatures());
// Whether kernels of the level may use a feature: the processor has it, and the level allows it beside what it needs.
bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features = processorFeatures());

// Whether GEMMs are computed on tiles, of AMX or of its emulation.
constexpr bool hasTiles(Isa isa) { return isa == Isa::amx || isa == Isa::amxEmulated; }
// The instruction set for what has no kernels of tiles.
constexpr Isa withoutTiles(Isa isa) { return hasTiles(isa) ? Isa::avx512 : isa; }

// The instruction set by name, or for an empty name that of the environment variable WEBNN_CPU_ISA, or the best there is.
// NotSupportedError if the processor lacks it, TypeError if there is none of that name.
Isa chooseIsa(std::string_view name, CpuFeatures features = processorFeatures());

}  // namespace webnn::cpu
