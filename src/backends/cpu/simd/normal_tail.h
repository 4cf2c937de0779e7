// The tail of the standard normal distribution as piecewise polynomials that vectors look up.
#pragma once

#include <array>
#include <cstddef>

namespace webnn::cpu {

// Phi(-a) = 1/2 erfc(a / sqrt 2) around a = piece * kStep: sum of coefficients[k][piece] * (a - piece * kStep)^k, within 2^-25
// of it (relative) up to kEnd. From there on, x - x * Phi(-x) is x in float32.
struct NormalTail {
  static constexpr std::size_t kPieces = 32, kTerms = 7;
  static constexpr float kStep = 0.171875F, kEnd = 5.40625F;

  alignas(64) std::array<std::array<float, kPieces>, kTerms> coefficients;
};
extern const NormalTail kNormalTail;

}  // namespace webnn::cpu
