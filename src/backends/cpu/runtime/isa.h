// Instruction sets for which kernels are compiled, and the choice of one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// Selects kernels: an instruction set level, and features that the kernels must not use although the processor has them. `amx` is
// AVX-512 with AMX tiles for the products that tiles speed up (backends/cpu/gemm/amx_choice.h). For measurements and tests,
// `amxAlways` uses tiles also for products that they slow down, and `amxEmulated` emulates tiles with AVX-512. The Arm levels
// differ only in 8-bit products. `simd128` is WebAssembly. On all other architectures, `sse4` stands for the only level.
class Isa {
 public:
  enum Level : std::uint8_t { sse4, avx2, avx512, amx, amxAlways, amxEmulated, neon, dotprod, i8mm, simd128 };

  constexpr Isa(Level level, CpuFeatures without = {}) : level_(level), without_(without) {}
  constexpr operator Level() const { return level_; }  // allows switch and comparison with levels
  constexpr CpuFeatures without() const { return without_; }
  // Returns `level` with the same disabled features.
  constexpr Isa at(Level level) const { return {level, without_}; }
  friend constexpr bool operator==(const Isa&, const Isa&) = default;
  friend constexpr bool operator==(const Isa& isa, Level level) { return isa.level_ == level; }

 private:
  Level level_;
  CpuFeatures without_;
};

std::string_view name(Isa isa);  // the level's name without disabled features, such as "avx512"
std::optional<Isa> isaFromName(std::string_view name);
// Returns the text that users write, including disabled features: "avx512,-vnni".
std::string spelling(Isa isa);

CpuFeatures neededFeatures(Isa isa);
bool isSupported(Isa isa, CpuFeatures features = processorFeatures());
// Returns the best level that a processor with `features` supports.
Isa bestIsa(CpuFeatures features = processorFeatures());
// Returns whether kernels may use a feature: the processor has it, it is not disabled, and the level requires or permits it.
bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features = processorFeatures());
// Returns whether kernels may sum four byte products in one instruction (VNNI, dotprod, i8mm or relaxed SIMD).
bool hasByteDots(Isa isa);
// Returns a suffix for descriptions: " vnni" or " dots" if byte dot products are optional at this level and in use, else empty.
std::string_view byteDotsName(Isa isa);

// Returns whether kernels of the level use AMX tiles or their emulation.
constexpr bool hasTiles([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  return isa == Isa::amx || isa == Isa::amxAlways || isa == Isa::amxEmulated;
#else
  return false;  // a constant, so that the compiler drops the AMX kernels
#endif
}
// Returns AVX-512 for the AMX levels, for operations without AMX kernels; otherwise `isa`.
constexpr Isa withoutTiles(Isa isa) { return hasTiles(isa) ? isa.at(Isa::avx512) : isa; }

// Parses a comma-separated list: a level ("avx2") and features to disable ("-vnni", "-vbmi"). Without a level, the best one is
// used. If the text is empty, uses the environment variable WEBNN_CPU_ISA or the best level. Throws TypeError for an unknown name
// and NotSupportedError if the processor lacks the level.
Isa chooseIsa(std::string_view name, CpuFeatures features = processorFeatures());

}  // namespace webnn::cpu
