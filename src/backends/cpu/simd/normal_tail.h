// The tail of the standard normal distribution as piecewise polynomials, for kernels that look up the coefficients.
#pragma once

#include <array>
#include <cstddef>

namespace webnn::cpu {

// Approximates Phi(-a) = 1/2 erfc(a / sqrt 2) near a = piece * kStep by the sum of coefficients[k][piece] * (a - piece * kStep)^k
// over k. The relative error is below 2^-25 for a <= kEnd. For x > kEnd, x - x * Phi(-x) rounds to x in float32.
struct NormalTail {
  static constexpr std::size_t kPieces = 32, kTerms = 7;
  static constexpr float kStep = 0.171875F, kEnd = 5.40625F;

  alignas(64) std::array<std::array<float, kPieces>, kTerms> coefficients;
};
extern const NormalTail kNormalTail;

}  // namespace webnn::cpu
