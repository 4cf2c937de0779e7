// The processor's features.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace webnn::cpu {

enum class CpuFeature : std::uint8_t {
  sse4,    // SSE4.2
  avx2,    // with FMA, BMI, BMI2 and F16C
  avx512,  // F, BW, DQ and VL
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
  mixedDots,   // relaxed SIMD, whose products of bytes are exact with one operand unsigned,
  signedDots,  // also with both operands signed
};

// A set of features.
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

// The processor's features whose register state the operating system lets this process use. Looked up once.
CpuFeatures processorFeatures();
// Returns the names, as in "sse4 avx2 avx-vnni".
std::string namesOf(CpuFeatures features);

}  // namespace webnn::cpu
