// Converts values between the C and C++ APIs. A function that has an argument `what` throws a TypeError whose message begins with
// it if the value is invalid.
#pragma once

#include <array>
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

// The beginning of an error message. Holds its parts without copying them, because a call joins them only if it fails.
class What {
 public:
  What(std::string_view text) : parts_{text} {}    // implicit on purpose
  What(const char* text) : parts_{text} {}         // implicit on purpose
  What(const std::string& text) : parts_{text} {}  // implicit on purpose
  // Begins with the method and the label of an operation.
  What(std::string_view method, std::string_view label) : method_(method), label_(label) {}

  // Appends one part. `*this` must have at most two parts.
  What operator+(std::string_view text) const {
    What longer = *this;
    for (std::string_view& part : longer.parts_) {
      if (!part.empty()) continue;
      part = text;
      break;
    }
    return longer;
  }
  std::string text() const;

 private:
  std::string_view method_, label_;
  std::array<std::string_view, 3> parts_;
};

void requireNoChain(const WebnnChainedStruct* chain, const What& what);

// Requires that the struct is not NULL and has no chained structs.
template <typename Struct>
const Struct& requireStruct(const Struct* pointer, const What& what) {
  if (!pointer) fail(ErrorKind::typeError, "{} is NULL.", what.text());
  requireNoChain(pointer->nextInChain, what);
  return *pointer;
}

// Requires that the pointer for a result is not NULL, and sets the result to its initial value (NULL or 0).
template <typename Result>
Result& requireResult(Result* pointer, const What& what) {
  if (!pointer) fail(ErrorKind::typeError, "{}: the pointer for the result is NULL.", what.text());
  return *pointer = Result{};
}

std::string textOf(WebnnStringView text, const What& what);
bool boolOf(WebnnBool value, const What& what);
std::span<const std::byte> bytesOf(const void* data, std::size_t size, const What& what);
std::span<std::byte> bytesOf(const WebnnBytes& bytes, const What& what);

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
Enum enumOf(std::uint32_t bits, std::size_t count, const What& what) {
  if (bits == 0) fail(ErrorKind::typeError, "{} is not set.", what.text());
  if (bits > count) fail(ErrorKind::typeError, "{} ({}) is not a value of its enumeration.", what.text(), bits);
  return static_cast<Enum>(bits - 1);
}
template <typename Enum>
Enum enumOr(Enum otherwise, std::uint32_t bits, std::size_t count, const What& what) {
  return bits == 0 ? otherwise : enumOf<Enum>(bits, count, what);
}

// Converts a list, which must not be absent.
template <typename Item>
std::span<const Item> listOf(std::size_t count, const Item* items, const What& what) {
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Item))
    fail(ErrorKind::typeError, "{} has no valid count ({}).", what.text(), count);
  if (count > 0 && !items) fail(ErrorKind::typeError, "{} is NULL but has {} items.", what.text(), count);
  return {items, count};
}

Number numberOf(const WebnnNumber& number, const What& what);
DataType dataTypeOf(const WebnnOperandDataType& value, const What& what);
OperandDescriptor descriptorOf(const WebnnOperandDescriptor* descriptor, const What& what);
TensorDescriptor descriptorOf(const WebnnTensorDescriptor* descriptor, const What& what);

// Convert text, types and shapes to C. The result refers to the argument.
inline WebnnStringView viewOf(std::string_view text) { return {text.data(), text.size()}; }
inline WebnnOperandDataType toC(DataType type) { return static_cast<WebnnOperandDataType>(static_cast<int>(type) + 1); }
inline WebnnUint32List toC(const Shape& shape) { return {shape.size(), shape.data()}; }

}  // namespace webnn::capi
