// Arithmetic on sizes with overflow checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace webnn {

// Return the product or the sum; nullopt on overflow of 64 bits.
inline std::optional<std::uint64_t> checkedMul(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}
inline std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// The largest dimension and the largest number of elements of an operand: the upper end of the specification's "valid dimension".
inline constexpr std::uint64_t kMaxDimension = std::numeric_limits<std::int32_t>::max();

// The maximum size of a tensor in bytes, so that pointer differences fit. Only matters on 32-bit systems.
inline constexpr std::uint64_t kMaxTensorBytes = std::numeric_limits<std::ptrdiff_t>::max();

}  // namespace webnn
