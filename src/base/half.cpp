// Converts doubles to binary16 and back. Rounds once: converting through float32 could round twice.
#include <cmath>
#include <limits>

#include "webnn/types.h"

namespace webnn {

Half::Half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    bits_ = sign | 0x7E00;
  } else if (magnitude >= 65520.0) {  // the midpoint of the largest half and the next power of two
    bits_ = sign | 0x7C00;
  } else if (magnitude < 0x1p-14) {
    // The result is subnormal, a multiple of 2^-24. If it rounds to 1024 * 2^-24, it carries into the smallest normal number.
    bits_ = static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24)));
  } else {
    int exponent = std::ilogb(magnitude);
    const double mantissa = std::nearbyint(std::ldexp(magnitude, 10 - exponent));  // 1024 to 2048; 2048 carries into the exponent
    bits_ = static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + static_cast<int>(mantissa) - 1024));
  }
}

Half::operator double() const {
  const int exponent = (bits_ >> 10) & 0x1F;
  const int mantissa = bits_ & 0x3FF;
  const double sign = bits_ & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31) return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

}  // namespace webnn
