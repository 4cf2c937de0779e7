// The instruction sets that kernels are compiled for, and which of them is used.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cpu/runtime/features.h"

namespace webnn::cpu {

// Levels that users choose by name and kernels are compiled for. `amx` is AVX-512 with matrix products on AMX tiles where those
// pay (cpu/gemm/amx_choice.h); `amxAlways`, named "amx-always", has all of them on tiles, for measurements and tests, and so has
// `amxEmulated`, named "amx-emulated", which emulates the tiles with AVX-512. Those of Arm differ in products of bytes alone.
// `sse4` also stands for the lowest level of families other than x86 and Arm.
enum class Isa { sse4, avx2, avx512, amx, amxAlways, amxEmulated, neon, dotprod, i8mm };

std::string_view name(Isa isa);
std::optional<Isa> isaFromName(std::string_view name);

// What a processor must have for the level.
CpuFeatures neededFeatures(Isa isa);
bool isSupported(Isa isa, CpuFeatures features = processorFeatures());
// The best level of a processor.
Isa bestIsa(CpuFeatures features = processorFeatures());
// Whether kernels of the level may use a feature: the processor has it, and the level requires it or allows it as optional.
bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features = processorFeatures());
// Whether kernels of the level may add products of four bytes in one instruction: with AVX512-VNNI, dotprod or i8mm.
bool hasByteDots(Isa isa);

// Whether there are AMX tiles or their emulation.
constexpr bool hasTiles(Isa isa) { return isa == Isa::amx || isa == Isa::amxAlways || isa == Isa::amxEmulated; }
// The instruction set for operations without AMX kernels.
constexpr Isa withoutTiles(Isa isa) { return hasTiles(isa) ? Isa::avx512 : isa; }

// The named instruction set. An empty name selects the one named by the environment variable WEBNN_CPU_ISA, or else the best.
// NotSupportedError if the processor lacks it, TypeError if there is none of that name.
Isa chooseIsa(std::string_view name, CpuFeatures features = processorFeatures());

}  // namespace webnn::cpu
