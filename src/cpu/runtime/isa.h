// The instruction sets that kernels exist for, and which of them is used.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace webnn::cpu {

// Each contains those before it. `sse4` stands for the lowest that this processor family has (NEON on Arm). `amxEmulated`, of
// the name "amx-emulated", computes what the tiles of AMX would with AVX-512: to test on processors that have no tiles.
enum class Isa { sse4, avx2, avx512, amx, amxEmulated };

std::string_view name(Isa isa);
std::optional<Isa> isaFromName(std::string_view name);

// The best instruction set of this processor whose state the operating system lets this process use.
Isa bestIsa();

// The instruction set for what has no kernels of tiles.
constexpr Isa withoutTiles(Isa isa) { return isa > Isa::avx512 ? Isa::avx512 : isa; }

// Whether int8 dot products of 512-bit registers (AVX512-VNNI) are there.
bool hasVnni();

// The instruction set by name, or for an empty name that of the environment variable WEBNN_CPU_ISA, or the best there is.
// NotSupportedError if this processor lacks it, TypeError if there is none of that name.
Isa chooseIsa(std::string_view name);

}  // namespace webnn::cpu
