// Data types, descriptors and numbers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace webnn {

// Element types of operands and tensors. int4 and uint4 are not in the specification: a byte holds two elements, the first in the
// low nibble. If the count is odd, the last high nibble is zero. https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype
enum class DataType : std::uint8_t { float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4 };

inline constexpr std::size_t kDataTypeCount = 10;

// The highest rank that operands may have.
inline constexpr std::size_t kMaxRank = 8;

// Returns the specification's text of a data type: "float32", ...
std::string_view name(DataType type);
// Returns the data type that is spelled `name`, or nullopt.
std::optional<DataType> dataTypeFromName(std::string_view name);
// Returns the size of one element in bits: 4 to 64.
std::size_t bitsPerElement(DataType type);
bool isFloat(DataType type);

using Shape = std::vector<std::uint32_t>;

// Returns the shape as text: "[2, 3]", or "[]" for a scalar.
std::string toString(std::span<const std::uint32_t> shape);

// The data type and shape of an operand. https://www.w3.org/TR/webnn/#api-mloperanddescriptor
struct OperandDescriptor {
  DataType dataType = DataType::float32;
  Shape shape;  // empty: a scalar

  bool operator==(const OperandDescriptor&) const = default;
};

// Returns the descriptor as text: "float32[2, 3]".
std::string toString(const OperandDescriptor& descriptor);

// Returns the number of elements. Throws TypeError if a dimension or the number of elements is not a "valid dimension" of the
// specification (1 to 2^31 - 1), or if the rank is above kMaxRank.
std::size_t elementCount(const OperandDescriptor& descriptor);
// Returns the size of the packed elements in bytes. Throws the errors of elementCount(), and TypeError if the size does not fit
// in std::ptrdiff_t (on 32-bit platforms: above 2^31 - 1).
std::size_t byteLength(const OperandDescriptor& descriptor);

// The argument of Context::createTensor(). https://www.w3.org/TR/webnn/#api-mltensordescriptor
struct TensorDescriptor {
  DataType dataType = DataType::float32;
  Shape shape;
  bool readable = false;
  bool writable = false;
};

// An IEEE 754 binary16 number, stored as its bits. Conversions round once, to nearest, ties to even.
class Half {
 public:
  Half() = default;
  explicit Half(double value);
  explicit operator double() const;
  static Half fromBits(std::uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }
  std::uint16_t bits() const { return bits_; }

 private:
  std::uint16_t bits_ = 0;
};

// A number that can represent every value of every data type exactly. https://www.w3.org/TR/webnn/#api-mlnumber-typedef
class Number {
 public:
  Number() : value_(0.0) {}
  Number(double value) : value_(value) {}  // these conversions are implicit so that `.minValue = 0.5` compiles
  Number(int value) : value_(std::int64_t{value}) {}
  Number(unsigned value) : value_(std::uint64_t{value}) {}
  Number(long value) : value_(std::int64_t{value}) {}
  Number(unsigned long value) : value_(std::uint64_t{value}) {}
  Number(long long value) : value_(std::int64_t{value}) {}
  Number(unsigned long long value) : value_(std::uint64_t{value}) {}

  const std::variant<double, std::int64_t, std::uint64_t>& value() const { return value_; }
  double toDouble() const;
  // Compares mathematical values, but NaN equals NaN and -0 differs from +0.
  bool operator==(const Number& other) const;

 private:
  std::variant<double, std::int64_t, std::uint64_t> value_;
};

// Casts a number to a data type, as the specification's "casting" algorithm: rounds half to even and clamps to the range of
// `type`; NaN becomes 0 for integers. The result is exactly representable in `type`.
// https://www.w3.org/TR/webnn/#algorithms-casting
Number cast(const Number& number, DataType type);

// A sequence option that may be absent. Absent and empty are different: `.axes = {1, 2}` is present, `.axes = {}` is absent,
// `.axes = std::vector<std::uint32_t>{}` is present and empty.
template <typename T>
class OptionalSequence : public std::optional<std::vector<T>> {
 public:
  using std::optional<std::vector<T>>::optional;
  OptionalSequence() = default;
  OptionalSequence(std::initializer_list<T> items) : std::optional<std::vector<T>>(std::vector<T>(items)) {}

  friend bool operator==(const OptionalSequence& a, const OptionalSequence& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }
  friend bool operator==(const OptionalSequence& a, const std::vector<T>& b) { return a && *a == b; }
};
using OptionalSizes = OptionalSequence<std::uint32_t>;

}  // namespace webnn
