#include "cli/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/text.h"

namespace webnn::cli {

namespace {

// Returns the element's bits, zero-extended.
std::uint64_t bitsAt(DataType type, std::span<const std::byte> packed, std::size_t index) {
  const std::size_t bits = bitsPerElement(type);
  if (bits == 4) return (static_cast<std::uint64_t>(packed[index / 2]) >> (index % 2 * 4)) & 0xF;
  std::uint64_t element = 0;
  std::memcpy(&element, packed.data() + index * bits / 8, bits / 8);
  return element;
}

bool isSignedInteger(DataType type) {
  return type == DataType::int32 || type == DataType::int64 || type == DataType::int8 || type == DataType::int4;
}

std::string nonFiniteText(double value) { return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"; }

}  // namespace

Number elementAt(DataType type, std::span<const std::byte> packed, std::size_t index) {
  return elementOfBits(type, bitsAt(type, packed, index));
}

Number elementOfBits(DataType type, std::uint64_t bits) {
  if (type == DataType::float32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type == DataType::float16) return static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(bits)));
  const std::size_t unused = 64 - bitsPerElement(type);
  if (isSignedInteger(type)) return static_cast<std::int64_t>(bits << unused) >> unused;
  return bits << unused >> unused;
}

std::string elementText(DataType type, const Number& value) {
  if (!isFloat(type)) return std::visit([](auto number) { return formatText("{}", number); }, value.value());
  const double number = value.toDouble();
  if (!std::isfinite(number)) return nonFiniteText(number);
  return type == DataType::float32 ? formatText("{}", static_cast<float>(number)) : formatText("{:.5g}", number);
}

}  // namespace webnn::cli
