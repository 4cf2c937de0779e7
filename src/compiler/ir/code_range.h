// The range of 8-bit codes that a requantization can produce.
#pragma once

#include <algorithm>
#include <cmath>

#include "compiler/ir/operations.h"

namespace webnn::compiler {

// The smallest and the greatest rounded value that a requantization can produce, before the zero point is added.
struct CodeRange {
  float low, high;
};
inline CodeRange rangeOf(const Requantization& requantization) {
  const Quantization& to = *requantization.to;
  const bool isSigned = to.type == DataType::int8;
  const auto zero = static_cast<float>(to.zeroPoint), low = (isSigned ? -128.0F : 0.0F) - zero,
             high = (isSigned ? 127.0F : 255.0F) - zero;
  const auto code = [&](float value) { return std::clamp(std::nearbyint(value / to.scale), low, high); };
  return {code(requantization.minimum), code(requantization.maximum)};
}

}  // namespace webnn::compiler
