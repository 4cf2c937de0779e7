// Decides whether a factor may move across a product or a sum of products. The passes foldNormalizations, mergeConvolutions and
// recogniseResampling do not use this header, because their factors are weights; they have limits of their own.
// Moving a factor changes the order of roundings. In the original graph, x * f is rounded and then used; after the move, x is
// used and f is applied later. The results differ if x * f exceeds the range of float32, or if x exceeds it and x * f does not:
// - A factor f above 1 may make x * f infinite in the original graph although the result is finite after the move. Such factors
// do not move.
// - A factor of at most 1 may turn normal values into denormals. It moves only if the rounding error of such a denormal, about
// 2^-150, is negligible even when multiplied by 2^16.
// - A sum without the factor may be infinite while the sum with the factor is finite. A pass that moves a factor after a sum
// must make the step detect this and recompute the sum. The same applies to products: see recognise_activation.cpp.
// Factors that are NaN, infinite, 0 or denormal never move.
#pragma once

#include <cmath>
#include <limits>

namespace webnn::compiler {

inline bool mayMove(double factor) { return std::abs(factor) >= 0x1p-16 && std::abs(factor) <= 1; }

// Returns whether several scales, which the graph applies one by one to integer sums below 2^31, may be merged into their product
// `scale`: it must be 0, or neither lose precision nor produce infinity in float32.
inline bool mayMergeTo(double scale) {
  const double size = std::abs(scale);
  return size == 0 || (size >= std::numeric_limits<float>::min() && size <= 0x1p96);
}

}  // namespace webnn::compiler
