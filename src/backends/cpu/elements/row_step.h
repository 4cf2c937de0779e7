// Steps that compute elements of any type row by row, with broadcasting.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/cpu/runtime/step.h"

namespace webnn::cpu {

// A part of an output row, the argument of a kernel. An operand that repeats has one element for the whole part. Pointers may
// have any alignment; the output does not overlap any operand.
struct RowPart {
  std::array<const std::byte*, 3> in{};
  std::array<bool, 3> repeats{};
  std::byte* out = nullptr;
  std::size_t n = 0;
  std::array<std::uint64_t, 2> immediates{};  // scalar parameters as bit patterns, which the kernel interprets
  Isa isa = Isa::sse4;
};
using RowKernel = void (*)(const RowPart& part);

// Returns a step that runs `kernel` over the node's output, to which up to 3 inputs are broadcast. Returns null for 4-bit
// types or a null `kernel`.
StepPtr makeRowStep(std::string description, RowKernel kernel, const std::vector<Operand>& inputs, Planner& planner,
                    std::array<std::uint64_t, 2> immediates = {});

// Returns the i-th element. `from` may have any alignment.
template <typename T>
T elementAt(const std::byte* from, std::size_t i) {
  return loadUnaligned<T>(from + i * sizeof(T));
}
template <typename T>
void setElement(std::byte* to, std::size_t i, T value) {
  storeUnaligned(to + i * sizeof(T), value);
}

// Computes out[i] = f(in[0][i]).
template <typename X, typename F>
void mapRow(const RowPart& part, F f) {
  const std::byte* x = part.in[0];
  std::byte* __restrict y = part.out;
  const std::size_t n = part.n;
  if (part.repeats[0]) {
    const auto value = f(elementAt<X>(x, 0));
    for (std::size_t i = 0; i < n; ++i) setElement(y, i, value);
  } else {
    for (std::size_t i = 0; i < n; ++i) setElement(y, i, f(elementAt<X>(x, i)));
  }
}

// Computes out[i] = f(in[0][i], in[1][i]).
template <typename X, typename F>
void mapRows(const RowPart& part, F f) {
  const std::byte *a = part.in[0], *b = part.in[1];
  std::byte* __restrict y = part.out;
  const std::size_t n = part.n;
  if (!part.repeats[0] && !part.repeats[1]) {
    for (std::size_t i = 0; i < n; ++i) setElement(y, i, f(elementAt<X>(a, i), elementAt<X>(b, i)));
  } else if (!part.repeats[0]) {
    const auto second = elementAt<X>(b, 0);
    for (std::size_t i = 0; i < n; ++i) setElement(y, i, f(elementAt<X>(a, i), second));
  } else {
    const auto first = elementAt<X>(a, 0);
    const std::size_t step = part.repeats[1] ? 0 : 1;
    for (std::size_t i = 0; i < n; ++i) setElement(y, i, f(first, elementAt<X>(b, i * step)));
  }
}

// Calls visit(T{}) with the integer type T of a data type and returns its result, or {} for floats and 4-bit types.
auto visitInteger(DataType type, auto&& visit) -> decltype(visit(std::int32_t{})) {
  switch (type) {
    case DataType::int32: return visit(std::int32_t{});
    case DataType::uint32: return visit(std::uint32_t{});
    case DataType::int64: return visit(std::int64_t{});
    case DataType::uint64: return visit(std::uint64_t{});
    case DataType::int8: return visit(std::int8_t{});
    case DataType::uint8: return visit(std::uint8_t{});
    default: return {};
  }
}

// Arithmetic modulo 2^bits. It is computed in unsigned types, because C++ leaves signed overflow undefined.
template <typename T>
constexpr T wrapped(std::uint64_t bits) {
  return static_cast<T>(bits);
}
template <typename T>
constexpr T wrappingAdd(T a, T b) {
  return wrapped<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <typename T>
constexpr T wrappingSubtract(T a, T b) {
  return wrapped<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
// Multiplies types of up to 32 bits in 32 bits, because most vector units lack 64-bit products.
template <typename T>
constexpr T wrappingMultiply(T a, T b) {
  if constexpr (sizeof(T) == 8) return wrapped<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

}  // namespace webnn::cpu
