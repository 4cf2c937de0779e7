// Where a factor may move from one side of a product, or of a sum of products, to the other: what every pass asks that does so.
//
// Numbers that are moved lie before other roundings. A value as written is x * f, rounded, then used; moved, it is x. That
// differs where x * f leaves the range of float32, or x does and x * f does not:
// - a factor above 1 may make an infinity as written, which stays one whatever follows: such factors do not move;
// - a factor of at most 1 may make denormals of what is none. It does not move if it is small: what is lost of a number that is
//   a denormal then, some 2^-150, must be as nothing beside all else, and 2^16 times that is;
// - a sum without the factor may be infinite where the one with it is not. Whoever moves a factor behind a sum finds out in
//   runs, and computes the sum again. A product of two numbers without it may be, too: see recognise_activation.cpp.
// NaN, infinities, 0 and denormals are no such factors.
#pragma once

#include <cmath>
#include <limits>

namespace webnn::cpu {

inline bool mayMove(double factor) { return std::abs(factor) >= 0x1p-16 && std::abs(factor) <= 1; }

// Whether a scale of sums of integers, those being below 2^31, is itself as exact as any float32 and makes nothing infinite:
// then it may be the product of several that are multiplied one by one as written. 0 is.
inline bool mayMergeTo(double scale) {
  const double size = std::abs(scale);
  return size == 0 || (size >= std::numeric_limits<float>::min() && size <= 0x1p96);
}

}  // namespace webnn::cpu
