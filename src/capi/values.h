// Converts values between the C and C++ APIs. Each function throws a TypeError that starts with `what`.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "webnn/types.h"
#include "webnn/webnn.h"

namespace webnn::capi {

void requireNoChain(const WebnnChainedStruct* chain, std::string_view what);

// Requires a non-null struct without unknown extensions.
template <typename Struct>
const Struct& requireStruct(const Struct* pointer, std::string_view what) {
  if (!pointer) fail(ErrorKind::typeError, "{} is NULL.", what);
  requireNoChain(pointer->nextInChain, what);
  return *pointer;
}

// Requires a result pointer and clears the result.
template <typename Result>
Result& requireResult(Result* pointer, std::string_view what) {
  if (!pointer) fail(ErrorKind::typeError, "{}: the pointer for the result is NULL.", what);
  return *pointer = Result{};
}

std::string textOf(WebnnStringView text, std::string_view what);
bool boolOf(WebnnBool value, std::string_view what);
std::span<const std::byte> bytesOf(const void* data, std::size_t size, std::string_view what);
std::span<std::byte> bytesOf(const WebnnBytes& bytes, std::string_view what);

// Returns the bits of an enumeration, which may hold any value.
template <typename Enum>
std::uint32_t bitsOf(const Enum& value) {
  static_assert(sizeof(Enum) == sizeof(std::uint32_t));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// For enumerations whose C values are those of C++ plus one, because 0 is Undefined.
template <typename Enum>
Enum enumOf(std::uint32_t bits, std::size_t count, std::string_view what) {
  if (bits == 0) fail(ErrorKind::typeError, "{} is not set.", what);
  if (bits > count) fail(ErrorKind::typeError, "{} ({}) is not a value of its enumeration.", what, bits);
  return static_cast<Enum>(bits - 1);
}
template <typename Enum>
Enum enumOr(Enum otherwise, std::uint32_t bits, std::size_t count, std::string_view what) {
  return bits == 0 ? otherwise : enumOf<Enum>(bits, count, what);
}

// Converts a list that is present.
template <typename Item>
std::span<const Item> listOf(std::size_t count, const Item* items, std::string_view what) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Item))
    fail(ErrorKind::typeError, "{} has no valid count ({}).", what, count);
  if (count > 0 && !items) fail(ErrorKind::typeError, "{} is NULL but has {} items.", what, count);
  return {items, count};
}

Number numberOf(const WebnnNumber& number, std::string_view what);
DataType dataTypeOf(const WebnnOperandDataType& value, std::string_view what);
OperandDescriptor descriptorOf(const WebnnOperandDescriptor* descriptor, std::string_view what);
TensorDescriptor descriptorOf(const WebnnTensorDescriptor* descriptor, std::string_view what);

// Converts text to C.
inline WebnnStringView viewOf(std::string_view text) { return {text.data(), text.size()}; }
inline WebnnOperandDataType toC(DataType type) { return static_cast<WebnnOperandDataType>(static_cast<int>(type) + 1); }
inline WebnnUint32List toC(const Shape& shape) { return {shape.size(), shape.data()}; }

}  // namespace webnn::capi
