// The instruction sets that kernels are compiled for, and the choice among them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// Selects kernels: a level, and features that they must not use although the processor has them.
// Users choose levels by name; kernels are compiled for each. `amx` is AVX-512 with AMX tiles for products that they speed up
// (backends/cpu/gemm/amx_choice.h). For measurements and tests, `amxAlways` ("amx-always") runs all products on tiles, and
// `amxEmulated` ("amx-emulated") emulates the tiles with AVX-512. The Arm levels differ only in byte products. `simd128` is
// WebAssembly's level. `sse4` also stands for the lowest level of other architectures.
class Isa {
 public:
  enum Level : std::uint8_t { sse4, avx2, avx512, amx, amxAlways, amxEmulated, neon, dotprod, i8mm, simd128 };

  constexpr Isa(Level level, CpuFeatures without = {}) : level_(level), without_(without) {}
  constexpr operator Level() const { return level_; }  // compares with levels and works in a switch
  constexpr CpuFeatures without() const { return without_; }
  // Returns another level without the same features.
  constexpr Isa at(Level level) const { return {level, without_}; }
  friend constexpr bool operator==(const Isa&, const Isa&) = default;
  friend constexpr bool operator==(const Isa& isa, Level level) { return isa.level_ == level; }

 private:
  Level level_;
  CpuFeatures without_;
};

std::string_view name(Isa isa);  // the level's name
std::optional<Isa> isaFromName(std::string_view name);
// Returns the spelling of users: "avx512", "avx512,-vnni".
std::string spelling(Isa isa);

// Returns the features that the level requires.
CpuFeatures neededFeatures(Isa isa);
bool isSupported(Isa isa, CpuFeatures features = processorFeatures());
// Returns the best level that the processor supports.
Isa bestIsa(CpuFeatures features = processorFeatures());
// Returns whether kernels of the level may use a feature: the processor has it, it is not disabled, and the level requires or
// permits it.
bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features = processorFeatures());
// Returns whether kernels of the level may sum four byte products in one instruction (VNNI, dotprod or i8mm).
bool hasByteDots(Isa isa);
// Returns " vnni" or the like if the level does not imply it, else an empty string.
std::string_view byteDotsName(Isa isa);

// Returns whether the level has AMX tiles or their emulation.
constexpr bool hasTiles([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  return isa == Isa::amx || isa == Isa::amxAlways || isa == Isa::amxEmulated;
#else
  return false;  // a constant, so the compiler drops the kernels
#endif
}
// Returns the level for operations without AMX kernels.
constexpr Isa withoutTiles(Isa isa) { return hasTiles(isa) ? isa.at(Isa::avx512) : isa; }

// Parses a level ("avx2"), features to disable from the best level ("-vnni", "-vbmi"), or a level followed by such features,
// separated by commas. An empty name selects the environment variable WEBNN_CPU_ISA, or else the best level. Throws
// NotSupportedError if the processor lacks the level, TypeError if the name is unknown.
Isa chooseIsa(std::string_view name, CpuFeatures features = processorFeatures());

}  // namespace webnn::cpu
