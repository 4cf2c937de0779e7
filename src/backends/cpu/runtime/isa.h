// The instruction sets that kernels are compiled for, and which of them is used.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/cpu/runtime/features.h"

namespace webnn::cpu {

// What kernels are chosen by: a level, and features of the processor that they leave unused all the same.
//
// Levels are what users choose by name and kernels are compiled for. `amx` is AVX-512 with matrix products on AMX tiles where
// those pay (backends/cpu/gemm/amx_choice.h); `amxAlways`, named "amx-always", has all of them on tiles, for measurements and
// tests, and so has `amxEmulated`, named "amx-emulated", which emulates the tiles with AVX-512. Those of Arm differ in products
// of bytes alone. `simd128` is that of WebAssembly. `sse4` also stands for the lowest level of other families.
class Isa {
 public:
  enum Level : std::uint8_t { sse4, avx2, avx512, amx, amxAlways, amxEmulated, neon, dotprod, i8mm, simd128 };

  constexpr Isa(Level level, CpuFeatures without = {}) : level_(level), without_(without) {}
  constexpr operator Level() const { return level_; }  // compares with levels, and selects in a switch
  constexpr CpuFeatures without() const { return without_; }
  // Another level, without the same features.
  constexpr Isa at(Level level) const { return {level, without_}; }
  friend constexpr bool operator==(const Isa&, const Isa&) = default;
  friend constexpr bool operator==(const Isa& isa, Level level) { return isa.level_ == level; }

 private:
  Level level_;
  CpuFeatures without_;
};

std::string_view name(Isa isa);  // of the level
std::optional<Isa> isaFromName(std::string_view name);
// As users write it: "avx512", "avx512,-vnni".
std::string spelling(Isa isa);

// What a processor must have for the level.
CpuFeatures neededFeatures(Isa isa);
bool isSupported(Isa isa, CpuFeatures features = processorFeatures());
// The best level of a processor.
Isa bestIsa(CpuFeatures features = processorFeatures());
// Whether kernels of the level may use a feature: the processor has it, it is not left out, and the level requires it or allows
// it as optional.
bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features = processorFeatures());
// Whether kernels of the level may add products of four bytes in one instruction: with VNNI, dotprod or i8mm.
bool hasByteDots(Isa isa);
// The name of that: " vnni" where it is not the level's own; else empty.
std::string_view byteDotsName(Isa isa);

// Whether there are AMX tiles or their emulation.
constexpr bool hasTiles([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  return isa == Isa::amx || isa == Isa::amxAlways || isa == Isa::amxEmulated;
#else
  return false;  // known to the compiler, which leaves their kernels out
#endif
}
// The instruction set for operations without AMX kernels.
constexpr Isa withoutTiles(Isa isa) { return hasTiles(isa) ? isa.at(Isa::avx512) : isa; }

// The named instruction set: a level ("avx2"), features to leave out ("-vnni", "-vbmi") of the best level, or a level and then
// such features, with commas between. An empty name selects the one named by the environment variable WEBNN_CPU_ISA, or else the
// best. NotSupportedError if the processor lacks the level, TypeError if there is none of that name.
Isa chooseIsa(std::string_view name, CpuFeatures features = processorFeatures());

}  // namespace webnn::cpu
