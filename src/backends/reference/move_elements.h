// Moves elements without interpreting them, so that NaN, -0 and 64-bit integers keep their bits.
#pragma once

#include "backends/reference/tensor.h"

namespace webnn::reference {

// Sets to[i] = from[source(at)] for each element i of `to`, where `at` are its coordinates.
void pullElements(const NdArray& from, NdArray& to, const auto& source) {
  visitType(to.dataType(), [&](auto zero) {
    using T = decltype(zero);
    const auto in = from.as<T>();
    const auto out = to.as<T>();
    std::size_t i = 0;
    for (Coordinates at(to.shape()); !at.done(); at.next()) out[i++] = in[source(at)];
  });
}

// Sets to[target(at)] = from[i] for each element i of `from` in row-major order, where `at` are its coordinates. If several
// elements have the same target, the last one remains.
void pushElements(const NdArray& from, NdArray& to, const auto& target) {
  visitType(to.dataType(), [&](auto zero) {
    using T = decltype(zero);
    const auto in = from.as<T>();
    const auto out = to.as<T>();
    std::size_t i = 0;
    for (Coordinates at(from.shape()); !at.done(); at.next()) out[target(at)] = in[i++];
  });
}

// Maps coordinates to the position start + at[0] * strides[0] + at[1] * strides[1] + ...
struct StridedView {
  std::size_t start = 0;
  std::vector<std::size_t> strides;

  std::size_t operator()(const Coordinates& at) const { return start + at.offset(strides); }
};

}  // namespace webnn::reference
