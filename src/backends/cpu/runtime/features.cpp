#include "backends/cpu/runtime/features.h"

#include <algorithm>

#include "backends/cpu/runtime/relaxed_dots.h"
#include "base/enum_table.h"
#include "base/processors.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
namespace webnn::cpu {

namespace {

#if defined(__x86_64__)

struct CpuidRegisters {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

CpuidRegisters cpuid(unsigned leaf, unsigned subleaf = 0) {
  CpuidRegisters r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

// Returns register XCR0, which lists the register state that the operating system saves.
unsigned savedState() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

constexpr bool hasBit(unsigned word, unsigned bit) { return (word >> bit & 1) != 0; }
constexpr bool hasBits(unsigned word, std::initializer_list<unsigned> bits) {
  return std::ranges::all_of(bits, [&](unsigned bit) { return hasBit(word, bit); });
}

CpuFeatures detectFeatures() {
  using enum CpuFeature;
  // Uses CPUID directly, because not every compiler knows the names of all features, and Zig's __builtin_cpu_supports always
  // returns false.
  const CpuidRegisters base = cpuid(1), first = cpuid(7), second = cpuid(7, 1);
  const unsigned saved = hasBit(base.ecx, 27) ? savedState() : 0;
  const bool savesYmm = hasBits(saved, {1, 2}), savesZmm = savesYmm && hasBits(saved, {5, 6, 7});
  CpuFeatures found;
  found.add(sse4, hasBit(base.ecx, 20));
  // avx2 needs FMA, AVX, F16C, BMI, AVX2 and BMI2; avx512 needs AVX-512 F, DQ, BW and VL.
  found.add(avx2, savesYmm && hasBits(base.ecx, {12, 28, 29}) && hasBits(first.ebx, {3, 5, 8}));
  found.add(avx512, savesZmm && hasBits(first.ebx, {16, 17, 30, 31}));
  found.add(avx512Vnni, found.has(avx512) && hasBit(first.ecx, 11));
  found.add(avx512Bf16, found.has(avx512) && hasBit(second.eax, 5));
  found.add(avxVnni, found.has(avx2) && hasBit(second.eax, 4));
  found.add(avx512Vbmi, found.has(avx512) && hasBit(first.ecx, 1));
  found.add(avx512Fp16, found.has(avx512) && hasBit(first.edx, 23));
  if (hasBit(first.edx, 24) && permitTiles()) {
    found.add(amxTile);
    found.add(amxBf16, hasBit(first.edx, 22));
    found.add(amxInt8, hasBit(first.edx, 25));
  }
  return found;
}

#elif defined(__aarch64__)

CpuFeatures detectFeatures() {
  using enum CpuFeature;
  CpuFeatures found{neon};
  const auto [hasDotprod, hasI8mm] = armFeatures();
  found.add(dotprod, hasDotprod);
  found.add(i8mm, hasI8mm);
  return found;
}

#elif defined(__wasm_simd128__)

CpuFeatures detectFeatures() {
  return CpuFeatures{CpuFeature::simd128} | relaxedByteDots();  // a browser without simd128 would not have loaded this module
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
