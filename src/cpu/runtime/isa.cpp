#include "cpu/runtime/isa.h"

#include <cstdlib>

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "base/enum_table.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::cpu {

namespace {

constexpr EnumNames<Isa, 5> kNames{{
    {Isa::sse4, "sse4"},
    {Isa::avx2, "avx2"},
    {Isa::avx512, "avx512"},
    {Isa::amx, "amx"},
    {Isa::amxEmulated, "amx-emulated"},
}};

#if defined(__x86_64__)
bool has512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

// AMX needs the tile registers' state to be permitted to the process: once, before its threads use them.
bool hasAmx() {
#if defined(__linux__)
  unsigned eax = 7, ebx = 0, ecx = 0, edx = 0;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  constexpr unsigned kBf16 = 1U << 22, kTile = 1U << 24, kInt8 = 1U << 25;
  if ((edx & (kBf16 | kTile | kInt8)) != (kBf16 | kTile | kInt8) || !__builtin_cpu_supports("avx512bf16")) return false;
  constexpr int kArchReqXcompPerm = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
#else
  return false;
#endif
}
#endif

Isa detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!has512() || !__builtin_cpu_supports("fma")) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") ? Isa::avx2
                                                                                                             : Isa::sse4;
  }
  return hasAmx() ? Isa::amx : Isa::avx512;
#else
  return Isa::sse4;
#endif
}

}  // namespace

std::string_view name(Isa isa) { return kNames[isa]; }

std::optional<Isa> isaFromName(std::string_view text) { return kNames.fromName(text); }

Isa bestIsa() {
  static const Isa best = detect();
  return best;
}

bool hasVnni() {
#if defined(__x86_64__)
  return bestIsa() >= Isa::avx512 && __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

Isa chooseIsa(std::string_view text) {
  if (text.empty()) {
    const char* variable = std::getenv("WEBNN_CPU_ISA");
    if (!variable || !*variable) return bestIsa();
    text = variable;
  }
  const std::optional<Isa> isa = isaFromName(text);
  if (!isa) fail(ErrorKind::typeError, "backend \"cpu\": isa {} is not one of sse4, avx2, avx512, amx.", webnn::quoted(text));
  const Isa needed = *isa == Isa::amxEmulated ? Isa::avx512 : *isa;
  if (needed > bestIsa()) {
    fail(ErrorKind::notSupportedError, "backend \"cpu\": this processor has no {}; its best is {}.", text, name(bestIsa()));
  }
  return *isa;
}

}  // namespace webnn::cpu
