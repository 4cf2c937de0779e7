// Helpers for element-wise operations: loading, computing and storing elements, broadcasting loops and common functions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "backends/reference/tensor.h"

namespace webnn::reference {

// The type in which elements are computed: double for float and Half, with one final rounding; the type itself for integers.
template <typename T>
using Computed = std::conditional_t<kIsReal<T>, double, T>;

template <typename T>
Computed<T> load(T element) {
  return static_cast<Computed<T>>(element);
}

// Computes y[i] = f(x[i]). X and Y are the storage types of x and y.
template <typename X, typename Y, typename F>
void mapElements(const NdArray& x, NdArray& y, F f) {
  const auto xs = x.as<X>();
  const auto ys = y.as<Y>();
  inParts(xs.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ys[i] = static_cast<Y>(f(load(xs[i])));
  });
}

// Works like mapElements() for an x and y of the same data type. f must accept double and every integer type.
void mapAny(const NdArray& x, NdArray& y, auto f) {
  visitType(x.dataType(), [&]<typename T>(T) { mapElements<T, T>(x, y, f); });
}

// Works like mapElements() for an x and y that are both float32 or both float16. f takes double.
void mapReals(const NdArray& x, NdArray& y, auto f) {
  if (x.dataType() == DataType::float16) {
    mapElements<Half, Half>(x, y, f);
  } else {
    mapElements<float, float>(x, y, f);
  }
}

// Calls visit(i, at) for each element i of `shape` in row-major order. at[k] is the position in operand k, broadcast to `shape`.
template <std::size_t N, typename Visit>
void forEachBroadcast(const Shape& shape, const std::array<const NdArray*, N>& operands, Visit visit) {
  Progress progress;
  for (BroadcastRows rows(shape, operands); !rows.done(); rows.next()) {
    std::array<std::size_t, N> at{};
    for (std::size_t k = 0; k < N; ++k) at[k] = rows.at(k);
    for (std::size_t i = rows.begin(); i < rows.end(); ++i, progress.count()) {
      visit(i, at);
      for (std::size_t k = 0; k < N; ++k) at[k] += rows.step(k);
    }
  }
}

// Computes y = f(a, b) with broadcasting. X is the storage type of a and b, Y that of y.
template <typename X, typename Y, typename F>
void mapBroadcast(const NdArray& a, const NdArray& b, NdArray& y, F f) {
  const auto as = a.as<X>(), bs = b.as<X>();
  const auto ys = y.as<Y>();
  forEachBroadcast<2>(y.shape(), {&a, &b},
                      [&](std::size_t i, const auto& at) { ys[i] = static_cast<Y>(f(load(as[at[0]]), load(bs[at[1]]))); });
}

// Converts integers to uint64, in which arithmetic wraps without undefined behaviour. The low bits of sums, differences and
// products are the same as in the narrower type. Returns doubles unchanged.
template <typename T>
auto wide(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

template <typename T>
T add(T a, T b) {
  return static_cast<T>(wide(a) + wide(b));
}
template <typename T>
T subtract(T a, T b) {
  return static_cast<T>(wide(a) - wide(b));
}
template <typename T>
T multiply(T a, T b) {
  return static_cast<T>(wide(a) * wide(b));
}

// Returns whether a < b, where -0 is below +0 as in IEEE 754-2019's minimum and maximum.
template <typename T>
bool isBelow(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) && !std::signbit(b);
  }
  return a < b;
}

// The specification does not define the result for NaN. Here, maximum and minimum return NaN if an operand is NaN.
template <typename T>
T maximum(T a, T b) {
  if (a != a) return a;
  return isBelow(b, a) ? a : b;  // returns b if it is NaN, because every comparison with NaN is false
}
template <typename T>
T minimum(T a, T b) {
  if (a != a) return a;
  return isBelow(a, b) ? a : b;
}

}  // namespace webnn::reference
