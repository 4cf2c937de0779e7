#include "cli/diff/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/checked.h"
#include "base/text.h"
#include "cli/elements.h"

namespace webnn::cli {

namespace {

constexpr std::size_t kLookedAtOfScalar = 1000;

std::uint64_t difference(std::int64_t a, std::int64_t b) {
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

// Returns the position of a number, rounded to float32, among all float32 values; 0.0 has position 0.
std::int64_t orderOf(double value) {
  const auto rounded = static_cast<float>(value);
  if (std::isnan(rounded)) return std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  const std::int64_t bits = std::bit_cast<std::uint32_t>(std::fabs(rounded));
  return rounded < 0 ? -bits : bits;
}

std::uint64_t halfDistance(const Number& actual, const Number& expected) {
  constexpr std::uint16_t kSign = 0x8000;
  const std::uint16_t a = Half(actual.toDouble()).bits(), b = Half(asWritten(DataType::float16, expected).toDouble()).bits();
  if ((a & ~kSign) == 0 && (b & ~kSign) == 0) return 0;
  return difference(a, b);
}

struct SignedMagnitude {
  bool negative;
  std::uint64_t magnitude;
};

SignedMagnitude magnitudeOf(const Number& number) {
  if (const auto* real = std::get_if<double>(&number.value())) {
    return {*real < 0, static_cast<std::uint64_t>(std::llround(std::fabs(*real)))};
  }
  if (const auto* integer = std::get_if<std::int64_t>(&number.value())) {
    const auto bits = static_cast<std::uint64_t>(*integer);
    return {*integer < 0, *integer < 0 ? 0 - bits : bits};
  }
  return {false, std::get<std::uint64_t>(number.value())};
}

// Returns |actual - expected|, or the largest uint64 if the difference has 65 bits.
std::uint64_t integerDistance(const Number& actual, const Number& expected) {
  const SignedMagnitude a = magnitudeOf(actual), b = magnitudeOf(expected);
  if (a.negative == b.negative) return std::max(a.magnitude, b.magnitude) - std::min(a.magnitude, b.magnitude);
  return checkedAdd(a.magnitude, b.magnitude).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t ulpDistance(DataType type, const Number& actual, const Number& expected) {
  if (type == DataType::float32) return difference(orderOf(actual.toDouble()), orderOf(expected.toDouble()));
  if (type == DataType::float16) return halfDistance(actual, expected);
  return integerDistance(actual, expected);
}

// Returns the distance as text if it exceeds the tolerance; else nullopt.
std::optional<std::string> excess(DataType type, const Number& actual, const Number& expected, const Tolerance& tolerance) {
  if (tolerance.metric == Metric::ulp) {
    const std::uint64_t distance = ulpDistance(type, actual, expected);
    if (distance <= tolerance.units) return std::nullopt;
    return formatText("{} ULP > {}", distance, tolerance.units);
  }
  const double a = actual.toDouble(), b = expected.toDouble();
  if (a == b || std::fabs(a - b) <= tolerance.distance) return std::nullopt;
  return formatText("{} > {}", std::fabs(a - b), tolerance.distance);
}

}  // namespace

Number asWritten(DataType type, const Number& value) {
  if (type == DataType::float16 && std::isnan(value.toDouble())) return std::numeric_limits<double>::infinity();
  if (isFloat(type) || std::holds_alternative<double>(value.value())) return value;
  const auto* negative = std::get_if<std::int64_t>(&value.value());
  return elementOfBits(type, negative ? static_cast<std::uint64_t>(*negative) : std::get<std::uint64_t>(value.value()));
}

std::optional<Mismatch> compare(const ExpectedTensor& expected, std::span<const std::byte> actual, const Tolerance& tolerance) {
  const DataType type = expected.descriptor.dataType;
  const std::size_t count = elementCount(expected.descriptor);
  const bool scalar = expected.values.size() == 1 && count > 1;
  if (actual.size() != byteLength(expected.descriptor) || (!scalar && expected.values.size() != count)) {
    fail(ErrorKind::dataError, "{} bytes and {} expected values are not those of {}.", actual.size(), expected.values.size(),
         toString(expected.descriptor));
  }
  for (std::size_t i = 0; i < (scalar ? std::min(count, kLookedAtOfScalar) : count); ++i) {
    const Number value = elementAt(type, actual, i);
    const Number& wanted = expected.values[scalar ? 0 : i];
    if (const auto distance = excess(type, value, wanted, tolerance)) {
      return Mismatch{i, elementText(type, value), elementText(type, wanted), *distance};
    }
  }
  return std::nullopt;
}

Distance measure(const OperandDescriptor& descriptor, std::span<const std::byte> actual, std::span<const std::byte> expected) {
  const DataType type = descriptor.dataType;
  const std::size_t count = elementCount(descriptor);
  Distance distance;
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Number x = elementAt(type, actual, i), y = elementAt(type, expected, i);
    const double a = x.toDouble(), b = y.toDouble();
    if (std::isfinite(b)) largest = std::max(largest, std::fabs(b));
    if (x == y || (std::isnan(a) && std::isnan(b))) continue;
    const double difference = isFloat(type) ? std::fabs(a - b) : static_cast<double>(integerDistance(x, y));
    distance.ulp = std::max(distance.ulp, ulpDistance(type, x, y));
    const double absolute = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    if (absolute <= distance.absolute) continue;
    distance.absolute = absolute;
    distance.index = i;
  }
  distance.relative = largest > 0 ? distance.absolute / largest : distance.absolute;
  return distance;
}

}  // namespace webnn::cli
