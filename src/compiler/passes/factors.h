// Decides where a factor may move across a product or a sum of products. Every pass that moves factors asks this header.
// A moved factor is applied before other roundings than in the graph as written. As written, a value is x * f, rounded, then
// used; after the move it is x. The results differ if x * f leaves the range of float32, or if x does and x * f does not:
// - A factor above 1 may overflow to infinity as written, and the infinity stays. Such factors do not move.
// - A factor of at most 1 may turn normal values into denormals. It moves only if the loss of such a denormal, about 2^-150, and
// 2^16 times that loss, are negligible.
// - A sum without the factor may be infinite while the sum with it is finite. A pass that moves a factor behind a sum makes the
// step detect this and compute the sum again. The same holds for a product: see recognise_activation.cpp.
// NaN, infinities, 0 and denormals never move.
#pragma once

#include <cmath>
#include <limits>

namespace webnn::compiler {

inline bool mayMove(double factor) { return std::abs(factor) >= 0x1p-16 && std::abs(factor) <= 1; }

// Returns whether a scale of integer sums below 2^31 is exact to float32 precision and yields no infinity, so that it may be the
// product of several scales that the graph applies one by one. 0 qualifies.
inline bool mayMergeTo(double scale) {
  const double size = std::abs(scale);
  return size == 0 || (size >= std::numeric_limits<float>::min() && size <= 0x1p96);
}

}  // namespace webnn::compiler
