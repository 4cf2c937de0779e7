// Maps C++ element types to WebNN data types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "webnn/types.h"

namespace webnn {

namespace detail {

template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

}  // namespace detail

// Returns whether elements of data type `type` may be read and written as T: float for float32, Half or std::uint16_t (the bits)
// for float16, the integer type of the same size and sign for integers, and std::byte for the packed bytes of any data type.
template <typename T>
constexpr bool isElementOf(DataType type) {
  if (std::is_same_v<T, std::byte>) return true;
  if (std::is_same_v<T, Half>) return type == DataType::float16;
  const bool isSigned = std::is_signed_v<T>;
  switch (type) {
    case DataType::float32: return std::is_same_v<T, float>;
    case DataType::float16: return detail::kIsInteger<T> && !isSigned && sizeof(T) == 2;
    case DataType::int8: return detail::kIsInteger<T> && isSigned && sizeof(T) == 1;
    case DataType::uint8: return detail::kIsInteger<T> && !isSigned && sizeof(T) == 1;
    case DataType::int32: return detail::kIsInteger<T> && isSigned && sizeof(T) == 4;
    case DataType::uint32: return detail::kIsInteger<T> && !isSigned && sizeof(T) == 4;
    case DataType::int64: return detail::kIsInteger<T> && isSigned && sizeof(T) == 8;
    case DataType::uint64: return detail::kIsInteger<T> && !isSigned && sizeof(T) == 8;
    case DataType::int4:
    case DataType::uint4: return false;
  }
  return false;
}

// Returns the data type that corresponds to T: float32 for float, int64 for std::int64_t. Does not compile for other types. These
// include 16-bit integers, because std::uint16_t may also hold the bits of float16.
template <typename T>
constexpr DataType dataTypeOf() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, Half> || (detail::kIsInteger<T> && sizeof(T) != 2),
                "no data type of WebNN has such elements");
  if (std::is_same_v<T, Half>) return DataType::float16;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    if (isElementOf<T>(static_cast<DataType>(i))) return static_cast<DataType>(i);
  }
  return DataType::float32;
}

// Throws a TypeError, whose message begins with `method`, unless isElementOf<T>(type). Does not compile if no data type
// corresponds to T (double, short, bool).
template <typename T>
void requireElementOf(std::string_view method, DataType type);

namespace detail {

[[noreturn]] void failElement(std::string_view method, std::string_view elements, DataType type);

template <typename T>
constexpr std::string_view elementName() {
  if (std::is_same_v<T, float>) return "float";
  if (std::is_same_v<T, Half>) return "Half";
  constexpr std::string_view kSigned[] = {"std::int8_t", "", "std::int32_t", "std::int64_t"};
  constexpr std::string_view kUnsigned[] = {"std::uint8_t", "std::uint16_t", "std::uint32_t", "std::uint64_t"};
  const std::size_t i = sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : sizeof(T) - 1;
  return std::is_signed_v<T> ? kSigned[i] : kUnsigned[i];
}

}  // namespace detail

template <typename T>
void requireElementOf(std::string_view method, DataType type) {
  static_assert(std::is_same_v<T, std::byte> || std::is_same_v<T, float> || std::is_same_v<T, Half> ||
                    (detail::kIsInteger<T> && (sizeof(T) != 2 || !std::is_signed_v<T>)),
                "no data type of WebNN has such elements");
  if (!isElementOf<T>(type)) detail::failElement(method, detail::elementName<T>(), type);
}

}  // namespace webnn
