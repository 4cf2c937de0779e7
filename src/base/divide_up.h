#pragma once

#include <type_traits>

namespace webnn {

template <typename T>
constexpr T divideUp(T a, std::type_identity_t<T> b) {
  return a / b + (a % b == 0 ? 0 : 1);
}
// Returns the smallest multiple of b that is not less than a.
template <typename T>
constexpr T roundUp(T a, std::type_identity_t<T> b) {
  return divideUp(a, b) * b;
}

}  // namespace webnn
