// Converts values between the C and C++ APIs. Each function throws a TypeError whose message begins with `what`.
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

// Requires that the struct is not NULL and has no chained structs.
template <typename Struct>
const Struct& requireStruct(const Struct* pointer, std::string_view what) {
  if (!pointer) fail(ErrorKind::typeError, "{} is NULL.", what);
  requireNoChain(pointer->nextInChain, what);
  return *pointer;
}

// Requires that the pointer for a result is not NULL, and sets the result to its initial value (NULL or 0).
template <typename Result>
Result& requireResult(Result* pointer, std::string_view what) {
  if (!pointer) fail(ErrorKind::typeError, "{}: the pointer for the result is NULL.", what);
  return *pointer = Result{};
}

std::string textOf(WebnnStringView text, std::string_view what);
bool boolOf(WebnnBool value, std::string_view what);
std::span<const std::byte> bytesOf(const void* data, std::size_t size, std::string_view what);
std::span<std::byte> bytesOf(const WebnnBytes& bytes, std::string_view what);

// Returns the bits of a C enumeration, which may hold any value.
template <typename Enum>
std::uint32_t bitsOf(const Enum& value) {
  static_assert(sizeof(Enum) == sizeof(std::uint32_t));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Converts a C enumeration to C++. The C value is the C++ value plus one, because 0 is Undefined.
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

// Converts a list, which must not be absent.
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

// Convert text, types and shapes to C. The result refers to the argument.
inline WebnnStringView viewOf(std::string_view text) { return {text.data(), text.size()}; }
inline WebnnOperandDataType toC(DataType type) { return static_cast<WebnnOperandDataType>(static_cast<int>(type) + 1); }
inline WebnnUint32List toC(const Shape& shape) { return {shape.size(), shape.data()}; }

}  // namespace webnn::capi
