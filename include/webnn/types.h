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

// Element types of operands and tensors. int4 and uint4 go beyond the specification: two elements to a byte, the low
// nibble first, and an odd last nibble is zero. https://www.w3.org/TR/webnn/#enumdef-mloperanddatatype
enum class DataType : std::uint8_t { float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4 };

inline constexpr std::size_t kDataTypeCount = 10;

// The highest rank that operands may have.
inline constexpr std::size_t kMaxRank = 8;

// "float32", ... as the specification spells it.
std::string_view name(DataType type);
// Returns the type with that name; nullopt for other text.
std::optional<DataType> dataTypeFromName(std::string_view name);
// Bits of one element: 4 to 64.
std::size_t bitsPerElement(DataType type);
bool isFloat(DataType type);

using Shape = std::vector<std::uint32_t>;

// The shape in brackets: "[2, 3]", and "[]" for a scalar.
std::string toString(std::span<const std::uint32_t> shape);

// Type and shape of an operand. https://www.w3.org/TR/webnn/#api-mloperanddescriptor
struct OperandDescriptor {
  DataType dataType = DataType::float32;
  Shape shape;  // empty: a scalar

  bool operator==(const OperandDescriptor&) const = default;
};

// "float32[2, 3]".
std::string toString(const OperandDescriptor& descriptor);

// Number of elements. Throws TypeError when a dimension is 0, or a dimension or the product is above 2^31 - 1
// (the specification's "valid dimension"), or the rank is above kMaxRank.
std::size_t elementCount(const OperandDescriptor& descriptor);
// Bytes of the packed, row-major elements. Throws as elementCount does.
std::size_t byteLength(const OperandDescriptor& descriptor);

// The description of a tensor to create. https://www.w3.org/TR/webnn/#api-mltensordescriptor
struct TensorDescriptor {
  DataType dataType = DataType::float32;
  Shape shape;
  bool readable = false;
  bool writable = false;
};

// IEEE 754 binary16, stored as its bits. Conversions round to nearest, ties to even, once.
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

// A number that holds every value of every data type exactly. https://www.w3.org/TR/webnn/#api-mlnumber-typedef
class Number {
 public:
  Number() : value_(0.0) {}
  Number(double value) : value_(value) {}  // implicit on purpose, so that `.minValue = 0.5` works
  Number(int value) : value_(std::int64_t{value}) {}
  Number(unsigned value) : value_(std::uint64_t{value}) {}
  Number(long value) : value_(std::int64_t{value}) {}
  Number(unsigned long value) : value_(std::uint64_t{value}) {}
  Number(long long value) : value_(std::int64_t{value}) {}
  Number(unsigned long long value) : value_(std::uint64_t{value}) {}

  const std::variant<double, std::int64_t, std::uint64_t>& value() const { return value_; }
  double toDouble() const;
  // Compares the mathematical values; NaN equals NaN, -0 differs from +0.
  bool operator==(const Number& other) const;

 private:
  std::variant<double, std::int64_t, std::uint64_t> value_;
};

// "casting" of the specification: rounds half to even and clamps to the range of the type; NaN becomes 0 for integers.
// The result is exactly representable in `type`. https://www.w3.org/TR/webnn/#algorithms-casting
Number cast(const Number& number, DataType type);

// A sequence option that may be absent, which is not the same as present and empty: `.axes = {1, 2}` is present,
// `.axes = {}` is absent, `.axes = std::vector<std::uint32_t>{}` is present and empty.
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
