// Where a factor may move across a product or a sum of products. Every pass that moves factors asks this.
//
// A factor that moves is applied before other roundings than as written. As written, a value is x * f, rounded, then used;
// after the move it is x. That differs where x * f leaves the range of float32, or x does and x * f does not:
// - a factor above 1 may give an infinity as written, which stays one whatever follows: such factors do not move;
// - a factor of at most 1 may turn normal numbers into denormals. It does not move if it is small: the loss of such a denormal,
//   about 2^-150, must be negligible beside everything else, and so must 2^16 times that;
// - a sum without the factor may be infinite where the one with it is not. A pass that moves a factor behind a sum makes the
//   run detect that and compute the sum again. So may a product of two numbers be: see recognise_activation.cpp.
// NaN, infinities, 0 and denormals never move.
#pragma once

#include <cmath>
#include <limits>

namespace webnn::compiler {

inline bool mayMove(double factor) { return std::abs(factor) >= 0x1p-16 && std::abs(factor) <= 1; }

// Whether a scale of integer sums below 2^31 is exact to float32 precision and gives no infinity. Then it may be the product of
// several scales that are multiplied one by one as written. 0 qualifies.
inline bool mayMergeTo(double scale) {
  const double size = std::abs(scale);
  return size == 0 || (size >= std::numeric_limits<float>::min() && size <= 0x1p96);
}

}  // namespace webnn::compiler
