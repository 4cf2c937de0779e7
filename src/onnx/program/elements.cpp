#include "onnx/program/elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/budget.h"
#include "base/text.h"
#include "base/unaligned.h"

namespace webnn::formats::onnx {

namespace {

// A floating-point type with a sign bit, `exponentBits` and `mantissaBits`. Sources: https://onnx.ai/onnx/technical/float8.html
// and float4.html; a bfloat16 is the upper half of a float32.
struct SmallFloat {
  enum class Top { infinity, nan, number };  // meaning of codes above `largest`; number: there are none
  int exponentBits, mantissaBits, bias;
  Top top;
  bool hasNegativeZero;   // false: the code of -0 is NaN
  std::uint32_t largest;  // the code of the largest finite number

  int bits() const { return 1 + exponentBits + mantissaBits; }
  std::uint32_t signBit() const { return std::uint32_t{1} << (bits() - 1); }
};

constexpr SmallFloat kBfloat16{8, 7, 127, SmallFloat::Top::infinity, true, 0x7F7F};
constexpr SmallFloat kE4m3fn{4, 3, 7, SmallFloat::Top::nan, true, 0x7E};
constexpr SmallFloat kE4m3fnuz{4, 3, 8, SmallFloat::Top::number, false, 0x7F};
constexpr SmallFloat kE5m2{5, 2, 15, SmallFloat::Top::infinity, true, 0x7B};
constexpr SmallFloat kE5m2fnuz{5, 2, 16, SmallFloat::Top::number, false, 0x7F};
constexpr SmallFloat kE2m1{2, 1, 1, SmallFloat::Top::number, true, 0x7};

const SmallFloat* smallFloatOf(ElementType type) {
  switch (type) {
    case ElementType::bfloat16: return &kBfloat16;
    case ElementType::float8e4m3fn: return &kE4m3fn;
    case ElementType::float8e4m3fnuz: return &kE4m3fnuz;
    case ElementType::float8e5m2: return &kE5m2;
    case ElementType::float8e5m2fnuz: return &kE5m2fnuz;
    case ElementType::float4e2m1: return &kE2m1;
    default: return nullptr;
  }
}

double decode(const SmallFloat& type, std::uint32_t code) {
  const bool isNegative = (code & type.signBit()) != 0;
  const std::uint32_t rest = code & (type.signBit() - 1);
  if (!type.hasNegativeZero && isNegative && rest == 0) return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  if (rest > type.largest) {
    const bool isInfinity = type.top == SmallFloat::Top::infinity && rest == type.largest + 1;
    number = isInfinity ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto exponent = static_cast<int>(rest >> type.mantissaBits);
    const std::uint32_t mantissa = rest & ((std::uint32_t{1} << type.mantissaBits) - 1);
    const std::uint32_t significand = exponent == 0 ? mantissa : mantissa | (std::uint32_t{1} << type.mantissaBits);
    number = std::ldexp(significand, std::max(exponent, 1) - type.bias - type.mantissaBits);
  }
  return isNegative ? -number : number;
}

std::uint32_t nanOf(const SmallFloat& type) {
  if (!type.hasNegativeZero) return type.signBit();
  return type.top == SmallFloat::Top::number ? 0 : type.signBit() - 1;  // float4e2m1 has no NaN
}

std::uint32_t encode(const SmallFloat& type, double number, bool saturates) {
  if (std::isnan(number)) return nanOf(type);
  const std::uint32_t sign = std::signbit(number) ? type.signBit() : 0;
  const double size = std::fabs(number);
  std::uint32_t code = type.largest + 1;
  if (std::isfinite(size)) {
    int exponent = size == 0 ? 1 - type.bias : std::max(std::ilogb(size), 1 - type.bias);
    double significand = std::nearbyint(std::ldexp(size, type.mantissaBits - exponent));
    if (significand == std::ldexp(1.0, type.mantissaBits + 1)) {
      significand /= 2;
      ++exponent;
    }
    const bool isNormal = significand >= std::ldexp(1.0, type.mantissaBits);
    const int field = isNormal ? exponent + type.bias : 0;
    const std::uint32_t mantissa = static_cast<std::uint32_t>(significand) & ((std::uint32_t{1} << type.mantissaBits) - 1);
    if (field < 1 << type.exponentBits) code = (static_cast<std::uint32_t>(field) << type.mantissaBits) | mantissa;
  }
  if (code > type.largest) {
    const bool isWide = &type == &kBfloat16;  // bfloat16 ignores `saturates`: numbers beyond its range become infinity
    if ((saturates && !isWide) || &type == &kE2m1)
      code = type.largest;
    else if (type.top == SmallFloat::Top::infinity)
      code = type.largest + 1;
    else
      return type.hasNegativeZero ? sign | nanOf(type) : nanOf(type);
  }
  return code == 0 && !type.hasNegativeZero ? 0 : sign | code;
}

// Decodes float8e8m0, which represents powers of two and no negative numbers.
double decodePower(std::uint8_t code) {
  return code == 0xFF ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, int{code} - 127);
}

std::uint8_t encodePower(double number, const NarrowRules& rules) {
  if (!std::isfinite(number)) return 0xFF;
  const double size = std::fabs(number);
  if (size < std::ldexp(1.0, -127)) return 0;
  int exponent = std::ilogb(size);
  const double rest = std::ldexp(size, -exponent);  // from 1 to 2
  if (rules.roundMode == "up" ? rest > 1 : rules.roundMode == "nearest" && rest >= 1.5) ++exponent;
  if (exponent > 127) return rules.saturates ? 0xFE : 0xFF;
  return static_cast<std::uint8_t>(exponent + 127);
}

std::uint32_t codeAt(std::span<const std::byte> bytes, std::size_t index, unsigned bits) {
  if (bits == 16) return loadUnaligned<std::uint16_t>(bytes.data() + index * 2);
  const std::size_t perByte = 8 / bits;
  const auto byte = std::to_integer<std::uint32_t>(bytes[index / perByte]);
  return (byte >> (index % perByte * bits)) & ((1U << bits) - 1);
}

// Writes an element's bits. If an element has at most 8 bits, all bytes must be 0 before the first call.
void setCode(std::byte* to, std::size_t index, unsigned bits, std::uint32_t code) {
  if (bits == 16) return storeUnaligned(to + index * 2, static_cast<std::uint16_t>(code));
  const std::size_t perByte = 8 / bits;
  to[index / perByte] |= static_cast<std::byte>((code & ((1U << bits) - 1)) << (index % perByte * bits));
}

bool isSignedSmall(ElementType type) { return type == ElementType::int4 || type == ElementType::int2; }

[[noreturn]] void failType(ElementType type) {
  fail(ErrorKind::notSupportedError, "the host does not compute with elements of type {}.", webnn::onnx::name(type));
}

// Calls `visit` with each index. Checks the budget of the run on this thread every 2^20 indices.
void eachIndex(std::size_t count, auto visit) {
  constexpr std::size_t kBetweenChecks = std::size_t{1} << 20;
  for (std::size_t begin = 0; begin < count; begin += kBetweenChecks) {
    if (begin > 0) BudgetScope::current().check();
    for (std::size_t i = begin, end = std::min(count, begin + kBetweenChecks); i < end; ++i) visit(i);
  }
}

// Calls `visit` with a zero of the C++ type that holds elements of `type`, uint8 for booleans. Returns false if there is no such
// type.
template <typename Visit>
bool visitNative(ElementType type, Visit visit) {
  switch (type) {
    case ElementType::float32: visit(float{}); return true;
    case ElementType::float64: visit(double{}); return true;
    case ElementType::float16: visit(Half{}); return true;
    case ElementType::boolean:
    case ElementType::uint8: visit(std::uint8_t{}); return true;
    case ElementType::int8: visit(std::int8_t{}); return true;
    case ElementType::uint16: visit(std::uint16_t{}); return true;
    case ElementType::int16: visit(std::int16_t{}); return true;
    case ElementType::int32: visit(std::int32_t{}); return true;
    case ElementType::uint32: visit(std::uint32_t{}); return true;
    case ElementType::int64: visit(std::int64_t{}); return true;
    case ElementType::uint64: visit(std::uint64_t{}); return true;
    default: return false;
  }
}

bool isSmallInteger(ElementType type) {
  return type == ElementType::int4 || type == ElementType::uint4 || type == ElementType::int2 || type == ElementType::uint2;
}

std::int64_t smallIntegerAt(ElementType type, std::span<const std::byte> bytes, std::size_t index) {
  const unsigned bits = webnn::onnx::bitsPerElement(type);
  const auto code = static_cast<std::int64_t>(codeAt(bytes, index, bits));
  return isSignedSmall(type) && code >= (1 << (bits - 1)) ? code - (1 << bits) : code;
}

template <typename Number>
std::vector<Number> convert(ElementType type, std::span<const std::byte> bytes, std::size_t count) {
  std::vector<Number> numbers(count);
  const bool isNative = visitNative(type, [&]<typename T>(T) {
    using Wide = std::conditional_t<std::is_same_v<T, Half>, double, T>;
    eachIndex(count, [&](std::size_t i) {
      numbers[i] = static_cast<Number>(static_cast<Wide>(loadUnaligned<T>(bytes.data() + i * sizeof(T))));
    });
  });
  if (isNative) return numbers;
  if (!isSmallInteger(type)) failType(type);
  eachIndex(count, [&](std::size_t i) { numbers[i] = static_cast<Number>(smallIntegerAt(type, bytes, i)); });
  return numbers;
}

// Truncates to int64. NaN and numbers beyond int64 become the least int64, as on x86. The cast to a narrower type then wraps.
std::int64_t integerOf(double number) {
  constexpr double kEnd = 9223372036854775808.0;
  return number >= -kEnd && number < kEnd ? static_cast<std::int64_t>(number) : std::numeric_limits<std::int64_t>::min();
}

template <typename T>
T castFrom(double number) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double kEnd = 18446744073709551616.0;
    if (std::is_same_v<T, std::uint64_t> && number >= 0 && number < kEnd)
      return static_cast<T>(static_cast<std::uint64_t>(number));
    return static_cast<T>(integerOf(number));
  } else {
    return static_cast<T>(number);
  }
}

}  // namespace

bool isForeign(ElementType type) { return type != ElementType::undefined && !dataTypeOf(type); }

bool isIntegerType(ElementType type) {
  const auto dataType = dataTypeOf(type);
  if (dataType) return !isFloat(*dataType);
  return isSmallInteger(type) || type == ElementType::int16 || type == ElementType::uint16;
}

std::array<double, 2> rangeOf(ElementType type) {
  const unsigned bits = webnn::onnx::bitsPerElement(type);
  const bool isUnsigned = type == ElementType::uint8 || type == ElementType::uint16 || type == ElementType::uint4 ||
                          type == ElementType::uint2 || type == ElementType::uint32 || type == ElementType::boolean;
  if (isUnsigned) return {0, std::ldexp(1.0, static_cast<int>(bits)) - 1};
  return {-std::ldexp(1.0, static_cast<int>(bits) - 1), std::ldexp(1.0, static_cast<int>(bits) - 1) - 1};
}

std::size_t packedBytes(ElementType type, std::size_t count) {
  const unsigned bits = webnn::onnx::bitsPerElement(type);
  if (bits == 0) failType(type);
  return bits >= 8 ? count * (bits / 8) : (count + 8 / bits - 1) / (8 / bits);
}

std::vector<double> toNumbers(ElementType type, std::span<const std::byte> bytes, std::size_t count) {
  std::vector<double> numbers;
  if (const SmallFloat* const small = smallFloatOf(type)) {
    eachIndex(count,
              [&](std::size_t i) { numbers.push_back(decode(*small, codeAt(bytes, i, webnn::onnx::bitsPerElement(type)))); });
    return numbers;
  }
  if (type != ElementType::float8e8m0) return convert<double>(type, bytes, count);
  eachIndex(count, [&](std::size_t i) { numbers.push_back(decodePower(std::to_integer<std::uint8_t>(bytes[i]))); });
  return numbers;
}

std::vector<std::int64_t> toIntegers(ElementType type, std::span<const std::byte> bytes, std::size_t count) {
  if (!isIntegerType(type)) failType(type);
  return convert<std::int64_t>(type, bytes, count);
}

void fromNumbers(ElementType type, std::span<const double> numbers, std::byte* to, const NarrowRules& rules) {
  if (type == ElementType::boolean) {
    eachIndex(numbers.size(), [&](std::size_t i) { to[i] = std::byte{numbers[i] != 0}; });
    return;
  }
  const bool isNative = visitNative(type, [&]<typename T>(T) {
    eachIndex(numbers.size(), [&](std::size_t i) { storeUnaligned(to + i * sizeof(T), castFrom<T>(numbers[i])); });
  });
  if (isNative) return;
  const SmallFloat* const small = smallFloatOf(type);
  if (type == ElementType::float8e8m0) {
    eachIndex(numbers.size(), [&](std::size_t i) { to[i] = std::byte{encodePower(numbers[i], rules)}; });
  } else if (small || isSmallInteger(type)) {
    eachIndex(numbers.size(), [&](std::size_t i) {
      const std::uint32_t code =
          small ? encode(*small, numbers[i], rules.saturates) : static_cast<std::uint32_t>(integerOf(numbers[i]));
      setCode(to, i, webnn::onnx::bitsPerElement(type), code);
    });
  } else {
    failType(type);
  }
}

void fromIntegers(ElementType type, std::span<const std::int64_t> integers, std::byte* to, const NarrowRules& rules) {
  if (!isIntegerType(type) || type == ElementType::boolean) {
    std::vector<double> numbers;
    for (const std::int64_t integer : integers) numbers.push_back(static_cast<double>(integer));
    return fromNumbers(type, numbers, to, rules);
  }
  const bool isNative = visitNative(type, [&]<typename T>(T) {
    eachIndex(integers.size(), [&](std::size_t i) {
      if constexpr (std::is_integral_v<T>) storeUnaligned(to + i * sizeof(T), static_cast<T>(integers[i]));
    });
  });
  if (isNative) return;
  eachIndex(integers.size(),
            [&](std::size_t i) { setCode(to, i, webnn::onnx::bitsPerElement(type), static_cast<std::uint32_t>(integers[i])); });
}

}  // namespace webnn::formats::onnx
