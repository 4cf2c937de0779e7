// Detects optional instructions of the processor.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace webnn::cpu {

enum class CpuFeature : std::uint8_t {
  sse4,    // SSE4.2
  avx2,    // includes FMA, BMI, BMI2 and F16C
  avx512,  // AVX-512 F, BW, DQ and VL
  avx512Vnni,
  avx512Vbmi,
  avxVnni,
  avx512Bf16,
  avx512Fp16,
  amxTile,
  amxInt8,
  amxBf16,
  neon,
  dotprod,
  i8mm,
  simd128,
  mixedDots,   // WebAssembly relaxed SIMD: dot products of unsigned and signed bytes are exact
  signedDots,  // dot products of two signed bytes are exact
};

class CpuFeatures {
 public:
  constexpr CpuFeatures() = default;
  constexpr CpuFeatures(std::initializer_list<CpuFeature> features) {
    for (const CpuFeature feature : features) add(feature);
  }

  constexpr void add(CpuFeature feature, bool isThere = true) {
    bits_ |= std::uint32_t{isThere} << static_cast<unsigned>(feature);
  }
  constexpr bool has(CpuFeature feature) const { return (bits_ >> static_cast<unsigned>(feature) & 1) != 0; }
  constexpr bool contains(CpuFeatures others) const { return (others.bits_ & ~bits_) == 0; }
  friend constexpr CpuFeatures operator|(CpuFeatures a, CpuFeatures b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr bool operator==(CpuFeatures, CpuFeatures) = default;

 private:
  std::uint32_t bits_ = 0;
};

// Returns the features that the processor has, if the operating system saves the registers that they use. Determined once.
CpuFeatures processorFeatures();
// Returns the names separated by spaces, such as "sse4 avx2 avx-vnni".
std::string namesOf(CpuFeatures features);

}  // namespace webnn::cpu
