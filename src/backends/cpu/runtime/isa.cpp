#include "backends/cpu/runtime/isa.h"

#include <algorithm>
#include <cstdlib>

#include "base/enum_table.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::cpu {

namespace {

struct IsaLevel {
  std::string_view name;
  CpuFeatures needed, optional;
};

#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__)
constexpr CpuFeatures kLeast{CpuFeature::sse4};
#else
constexpr CpuFeatures kLeast;
#endif
constexpr CpuFeatures kAvx2{CpuFeature::sse4, CpuFeature::avx2};
constexpr CpuFeatures kAvx512 = kAvx2 | CpuFeatures{CpuFeature::avx512};
constexpr CpuFeatures kBeyond512{CpuFeature::avx512Vnni, CpuFeature::avx512Vbmi, CpuFeature::avx512Bf16, CpuFeature::avx512Fp16};
constexpr CpuFeatures kAmx =
    kAvx512 | CpuFeatures{CpuFeature::avx512Bf16, CpuFeature::amxTile, CpuFeature::amxInt8, CpuFeature::amxBf16};

// AVX-VNNI and AVX512-VNNI have the same instructions on 256-bit vectors.
constexpr CpuFeatures kVnni{CpuFeature::avxVnni, CpuFeature::avx512Vnni};

constexpr CpuFeatures kRelaxedDots{CpuFeature::mixedDots, CpuFeature::signedDots};

constexpr CpuFeatures kNeon{CpuFeature::neon};
constexpr CpuFeatures kDotprod = kNeon | CpuFeatures{CpuFeature::dotprod};

constexpr EnumTable<Isa::Level, IsaLevel, 10> kLevels{{
    {Isa::sse4, {"sse4", kLeast, {}}},
    {Isa::avx2, {"avx2", kAvx2, kVnni}},
    {Isa::avx512, {"avx512", kAvx512, kBeyond512}},
    {Isa::amx, {"amx", kAmx, kBeyond512}},
    {Isa::amxAlways, {"amx-always", kAmx, kBeyond512}},
    {Isa::amxEmulated, {"amx-emulated", kAvx512, kBeyond512}},
    {Isa::neon, {"neon", kNeon, {}}},
    {Isa::dotprod, {"dotprod", kDotprod, {}}},
    {Isa::i8mm, {"i8mm", kDotprod | CpuFeatures{CpuFeature::i8mm}, {}}},
    {Isa::simd128, {"simd128", {CpuFeature::simd128}, kRelaxedDots}},
}};

// A name that users write after a minus, such as "vnni" in "-vnni", and the features that the name disables.
struct Omission {
  std::string_view name;
  CpuFeatures features;
};
constexpr Omission kOmissions[] = {
    {"vnni", kVnni}, {"avx-vnni", {CpuFeature::avxVnni}}, {"vbmi", {CpuFeature::avx512Vbmi}}, {"bf16", {CpuFeature::avx512Bf16}}};

// Parses a level such as "avx2". Throws if it is unknown or `features` lack it.
Isa levelOf(std::string_view text, CpuFeatures features) {
  const std::optional<Isa> isa = isaFromName(text);
  if (!isa) {
    fail(ErrorKind::typeError,
         "backend \"cpu\": isa {} is not one of sse4, avx2, avx512, amx; on Arm neon, dotprod, i8mm; "
         "in WebAssembly simd128.",
         webnn::quoted(text));
  }
  if (!isSupported(*isa, features)) {
    fail(ErrorKind::notSupportedError, "backend \"cpu\": this processor or system has no {}; the best here is {}.", text,
         name(bestIsa(features)));
  }
  return *isa;
}

// Parses a feature to disable, such as "-vnni".
CpuFeatures omissionOf(std::string_view text) {
  for (const Omission& omission : kOmissions) {
    if (text.starts_with('-') && text.substr(1) == omission.name) return omission.features;
  }
  fail(ErrorKind::typeError, "backend \"cpu\": isa: {} is not one of -vnni, -avx-vnni, -vbmi, -bf16.", webnn::quoted(text));
}

}  // namespace

std::string_view name(Isa isa) { return kLevels[isa].name; }

std::optional<Isa> isaFromName(std::string_view text) {
  return kLevels.find([&](const IsaLevel& level) { return level.name == text; });
}

std::string spelling(Isa isa) {
  std::string text(name(isa));
  CpuFeatures spelled;
  for (const Omission& omission : kOmissions) {
    if (!isa.without().contains(omission.features) || spelled.contains(omission.features)) continue;
    spelled = spelled | omission.features;
    text.append(",-").append(omission.name);
  }
  return text;
}

CpuFeatures neededFeatures(Isa isa) { return kLevels[isa].needed; }

bool isSupported(Isa isa, CpuFeatures features) { return features.contains(neededFeatures(isa)); }

Isa bestIsa(CpuFeatures features) {
  for (const Isa::Level isa : {Isa::amx, Isa::avx512, Isa::avx2, Isa::i8mm, Isa::dotprod, Isa::neon, Isa::simd128}) {
    if (isSupported(isa, features)) return isa;
  }
  return Isa::sse4;
}

bool mayUse(Isa isa, CpuFeature feature, CpuFeatures features) {
  return features.has(feature) && !isa.without().has(feature) && (kLevels[isa].needed | kLevels[isa].optional).has(feature);
}

bool hasByteDots(Isa isa) { return !byteDotsName(isa).empty() || mayUse(isa, CpuFeature::dotprod); }

std::string_view byteDotsName(Isa isa) {
  if (mayUse(isa, CpuFeature::avx512Vnni) || mayUse(isa, CpuFeature::avxVnni)) return " vnni";
  return mayUse(isa, CpuFeature::mixedDots) || mayUse(isa, CpuFeature::signedDots) ? " dots" : "";
}

Isa chooseIsa(std::string_view text, CpuFeatures features) {
  const Isa best = bestIsa(features);
  if (!isSupported(best, features)) {
    fail(ErrorKind::notSupportedError, "backend \"cpu\": this processor has no SSE4.2, the least that the engine runs on.");
  }
  if (text.empty()) {
    const char* variable = std::getenv("WEBNN_CPU_ISA");
    if (!variable || !*variable) return best;
    text = variable;
  }
  Isa isa = best;
  if (!text.starts_with('-')) {
    const std::size_t end = std::min(text.find(','), text.size());
    isa = levelOf(text.substr(0, end), features);
    text.remove_prefix(end);
    if (text.empty()) return isa;
    text.remove_prefix(1);
  }
  CpuFeatures without;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    without = without | omissionOf(text.substr(0, end));
    if (end == text.size()) return {isa, without};
    text.remove_prefix(end + 1);
  }
}

}  // namespace webnn::cpu
