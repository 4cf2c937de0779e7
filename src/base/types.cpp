#include "webnn/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/checked.h"
#include "base/enum_table.h"
#include "base/text.h"
#include "webnn/element_type.h"

namespace webnn {

namespace {

struct TypeFacts {
  std::string_view name;
  std::size_t bits;
};
constexpr EnumTable<DataType, TypeFacts, kDataTypeCount> kTypes{{
    {DataType::float32, {"float32", 32}},
    {DataType::float16, {"float16", 16}},
    {DataType::int32, {"int32", 32}},
    {DataType::uint32, {"uint32", 32}},
    {DataType::int64, {"int64", 64}},
    {DataType::uint64, {"uint64", 64}},
    {DataType::int8, {"int8", 8}},
    {DataType::uint8, {"uint8", 8}},
    {DataType::int4, {"int4", 4}},
    {DataType::uint4, {"uint4", 4}},
}};

struct Range {
  std::int64_t min;
  std::uint64_t max;
};

Range rangeOf(DataType type) {
  const std::size_t bits = bitsPerElement(type);
  const bool isSigned = name(type)[0] == 'i';
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (!isSigned) return {0, all};
  return {-static_cast<std::int64_t>(all / 2) - 1, all / 2};
}

Number castToInteger(const Number& number, DataType type) {
  const Range range = rangeOf(type);
  if (const double* value = std::get_if<double>(&number.value())) {
    if (std::isnan(*value)) return Number(0);
    const double rounded = std::nearbyint(*value);
    if (rounded <= static_cast<double>(range.min)) return Number(std::int64_t{range.min});
    if (rounded >= static_cast<double>(range.max)) return Number(std::uint64_t{range.max});
    return rounded < 0 ? Number(static_cast<std::int64_t>(rounded)) : Number(static_cast<std::uint64_t>(rounded));
  }
  if (const std::int64_t* value = std::get_if<std::int64_t>(&number.value()); value && *value < 0) {
    return Number(std::max(*value, range.min));
  }
  const std::uint64_t value = std::holds_alternative<std::uint64_t>(number.value())
                                  ? std::get<std::uint64_t>(number.value())
                                  : static_cast<std::uint64_t>(std::get<std::int64_t>(number.value()));
  return Number(std::min(value, range.max));
}

// Rounds a 64-bit integer to float32 once. Converting through double could round twice.
float toFloat(const Number& number) {
  return std::visit([](auto value) { return static_cast<float>(value); }, number.value());
}

}  // namespace

std::string_view name(DataType type) { return kTypes[type].name; }

std::optional<DataType> dataTypeFromName(std::string_view text) {
  return kTypes.find([&](const TypeFacts& facts) { return facts.name == text; });
}

std::size_t bitsPerElement(DataType type) { return kTypes[type].bits; }

bool isFloat(DataType type) { return type == DataType::float32 || type == DataType::float16; }

thread_local constinit internal::PrintSize internal::printSize = nullptr;

std::string toString(std::span<const std::uint32_t> shape) {
  const auto print = [](std::uint32_t size) { return internal::printSize ? internal::printSize(size) : std::to_string(size); };
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + print(shape[i]);
  return text + "]";
}

std::string toString(const OperandDescriptor& descriptor) {
  return formatText("{}{}", name(descriptor.dataType), toString(descriptor.shape));
}

std::size_t elementCount(const OperandDescriptor& descriptor) {
  if (descriptor.shape.size() > kMaxRank) {
    fail(ErrorKind::typeError, "rank ({}) of {} is above {}.", descriptor.shape.size(), toString(descriptor), kMaxRank);
  }
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < descriptor.shape.size(); ++i) {
    const std::uint32_t dimension = descriptor.shape[i];
    if (dimension == 0 || dimension > kMaxDimension) {
      fail(ErrorKind::typeError, "dimension {} ({}) of {} is not between 1 and {}.", i, dimension, toString(descriptor),
           kMaxDimension);
    }
    count *= dimension;  // both factors are below 2^31
    if (count > kMaxDimension) {
      fail(ErrorKind::typeError, "the number of elements of {} is above {}.", toString(descriptor), kMaxDimension);
    }
  }
  return static_cast<std::size_t>(count);
}

std::size_t byteLength(const OperandDescriptor& descriptor) {
  const std::uint64_t bytes = (std::uint64_t{elementCount(descriptor)} * bitsPerElement(descriptor.dataType) + 7) / 8;
  if (bytes > kMaxTensorBytes) {
    fail(ErrorKind::typeError, "the byte length ({}) of {} is above {}.", bytes, toString(descriptor), kMaxTensorBytes);
  }
  return static_cast<std::size_t>(bytes);
}

double Number::toDouble() const {
  return std::visit([](auto value) { return static_cast<double>(value); }, value_);
}

bool Number::operator==(const Number& other) const {
  const auto isDouble = [](const Number& number) { return std::holds_alternative<double>(number.value()); };
  if (isDouble(*this) && isDouble(other)) {
    const double a = std::get<double>(value_), b = std::get<double>(other.value_);
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
  if (isDouble(*this)) return other == *this;
  if (isDouble(other)) {
    const double b = std::get<double>(other.value_);
    if (b != std::trunc(b) || (b == 0 && std::signbit(b)) || std::fabs(b) >= 0x1p64) return false;
    return toDouble() == b && castToInteger(other, b < 0 ? DataType::int64 : DataType::uint64) == *this;
  }
  return std::visit(
      [](auto a, auto b) { return (a < 0) == (b < 0) && static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b); }, value_,
      other.value_);
}

Number cast(const Number& number, DataType type) {
  switch (type) {
    case DataType::float32: return Number(static_cast<double>(toFloat(number)));
    // Integers within float16's finite range are exact as doubles.
    case DataType::float16: return Number(static_cast<double>(Half(number.toDouble())));
    default: return castToInteger(number, type);
  }
}

void detail::failElement(std::string_view method, std::string_view elements, DataType type) {
  fail(ErrorKind::typeError, "{}: elements of {} are not {}.", method, elements, name(type));
}

}  // namespace webnn
