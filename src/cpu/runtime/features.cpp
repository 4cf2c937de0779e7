#include "cpu/runtime/features.h"

#include "base/enum_table.h"
#include "cpu/runtime/relaxed_dots.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#if defined(__linux__) && defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace webnn::cpu {

namespace {

#if defined(__x86_64__)

struct CpuidRegisters {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

CpuidRegisters extendedFeatures(unsigned subleaf) {
  CpuidRegisters r;
  __get_cpuid_count(7, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

constexpr bool hasBit(unsigned word, unsigned bit) { return (word >> bit & 1) != 0; }

// Requests permission to use the AMX tile state: once per process, before its threads use the tiles.
bool permitsTiles() {
#if defined(__linux__)
  constexpr int kArchReqXcompPerm = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
#else
  return false;
#endif
}

CpuFeatures detectFeatures() {
  using enum CpuFeature;
  __builtin_cpu_init();
  CpuFeatures found;
  found.add(sse4, __builtin_cpu_supports("sse4.2"));
  CpuidRegisters base;
  __get_cpuid(1, &base.eax, &base.ebx, &base.ecx, &base.edx);
  found.add(avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && hasBit(base.ecx, 29));
  found.add(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
  found.add(avx512Vnni, found.has(avx512) && __builtin_cpu_supports("avx512vnni"));
  found.add(avx512Bf16, found.has(avx512) && __builtin_cpu_supports("avx512bf16"));
  // Features that not every compiler has a name for. They use the register state of the features found above.
  const CpuidRegisters first = extendedFeatures(0), second = extendedFeatures(1);
  found.add(avxVnni, found.has(avx2) && hasBit(second.eax, 4));
  found.add(avx512Vbmi, found.has(avx512) && hasBit(first.ecx, 1));
  found.add(avx512Fp16, found.has(avx512) && hasBit(first.edx, 23));
  if (hasBit(first.edx, 24) && permitsTiles()) {
    found.add(amxTile);
    found.add(amxBf16, hasBit(first.edx, 22));
    found.add(amxInt8, hasBit(first.edx, 25));
  }
  return found;
}

#elif defined(__aarch64__)

CpuFeatures detectFeatures() {
  using enum CpuFeature;
  // Every processor of this family has NEON.
  CpuFeatures found{neon};
#if defined(__linux__)
  constexpr unsigned long kDotprod = 1UL << 20, kI8mm = 1UL << 13;  // HWCAP_ASIMDDP and HWCAP2_I8MM
  found.add(dotprod, (getauxval(AT_HWCAP) & kDotprod) != 0);
  found.add(i8mm, (getauxval(AT_HWCAP2) & kI8mm) != 0);
#endif
  return found;
}

#elif defined(__wasm_simd128__)

CpuFeatures detectFeatures() {
  return CpuFeatures{CpuFeature::simd128} | relaxedByteDots();  // without the first, the module would not have been compiled
}

#else

CpuFeatures detectFeatures() { return {}; }

#endif

constexpr EnumNames<CpuFeature, 17> kNames{{
    {CpuFeature::sse4, "sse4"},
    {CpuFeature::avx2, "avx2"},
    {CpuFeature::avx512, "avx512"},
    {CpuFeature::avx512Vnni, "avx512-vnni"},
    {CpuFeature::avx512Vbmi, "avx512-vbmi"},
    {CpuFeature::avxVnni, "avx-vnni"},
    {CpuFeature::avx512Bf16, "avx512-bf16"},
    {CpuFeature::avx512Fp16, "avx512-fp16"},
    {CpuFeature::amxTile, "amx-tile"},
    {CpuFeature::amxInt8, "amx-int8"},
    {CpuFeature::amxBf16, "amx-bf16"},
    {CpuFeature::neon, "neon"},
    {CpuFeature::dotprod, "dotprod"},
    {CpuFeature::i8mm, "i8mm"},
    {CpuFeature::simd128, "simd128"},
    {CpuFeature::mixedDots, "mixed-dots"},
    {CpuFeature::signedDots, "signed-dots"},
}};

}  // namespace

std::string namesOf(CpuFeatures features) {
  std::string text;
  for (std::size_t i = 0; i < kNames.values.size(); ++i) {
    if (features.has(static_cast<CpuFeature>(i))) text.append(text.empty() ? "" : " ").append(kNames.values[i]);
  }
  return text;
}

CpuFeatures processorFeatures() {
  static const CpuFeatures features = detectFeatures();
  return features;
}

}  // namespace webnn::cpu
