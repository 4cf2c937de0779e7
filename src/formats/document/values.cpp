#include "formats/document/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/enum_table.h"
#include "base/progress.h"

namespace webnn::formats {

namespace {

constexpr EnumNames<DataType, kDataTypeCount> kShortNames{{
    {DataType::float32, "f32"},
    {DataType::float16, "f16"},
    {DataType::int32, "i32"},
    {DataType::uint32, "u32"},
    {DataType::int64, "i64"},
    {DataType::uint64, "u64"},
    {DataType::int8, "i8"},
    {DataType::uint8, "u8"},
    {DataType::int4, "i4"},
    {DataType::uint4, "u4"},
}};

std::size_t digits(std::string_view text, std::size_t from) {
  std::size_t count = 0;
  for (Progress progress; from + count < text.size() && text[from + count] >= '0' && text[from + count] <= '9'; ++count)
    progress.count();
  return count;
}

template <typename T>
std::optional<T> convert(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

#ifndef __cpp_lib_to_chars
// libc++ before 20 lacks from_chars for floating point. Callers have checked the form of `text`, so strtod accepts all of it. In
// Emscripten, strtod does not depend on the locale.
template <>
std::optional<double> convert(std::string_view text) {
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  const bool isZero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
  // too large or too small: nullopt, as from_chars would report
  if (std::isinf(value) || (value == 0 && !isZero)) return std::nullopt;
  return value;
}
#endif

// Returns the length of the UTF-8 sequence at the start of `text`, or 0 if there is none.
// https://www.unicode.org/versions/latest/ table 3-7
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0}; };
  const auto within = [](std::uint8_t value, int low, int high) { return value >= low && value <= high; };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const std::size_t length = within(lead, 0xC2, 0xDF) ? 2 : within(lead, 0xE0, 0xEF) ? 3 : within(lead, 0xF0, 0xF4) ? 4 : 0;
  if (length == 0 || !within(byte(1), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!within(byte(i), 0x80, 0xBF)) return 0;
  }
  return length;
}

}  // namespace

std::size_t numberLength(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t whole = digits(text, at);
  if (whole == 0) return 0;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits(text, at + 1);
    if (fraction > 0) at += 1 + fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
    const std::size_t exponent = digits(text, at + 1 + sign);
    if (exponent > 0) at += 1 + sign + exponent;
  }
  return at;
}

std::optional<Number> parseNumber(std::string_view text) {
  if (text.empty() || numberLength(text) != text.size()) return std::nullopt;
  if (text.find_first_of(".eE") == std::string_view::npos) {
    if (const auto value = convert<std::int64_t>(text)) return Number(*value);
    if (const auto value = convert<std::uint64_t>(text)) return Number(*value);
  }
  if (const auto value = convert<double>(text)) return Number(*value);
  return std::nullopt;
}

std::string_view shortName(DataType type) { return kShortNames[type]; }

std::optional<DataType> dataTypeFromShortName(std::string_view name) { return kShortNames.fromName(name); }

std::size_t zeroByte(std::string_view text) {
  constexpr std::size_t kAtOnce = 1 << 20;
  Progress progress;
  for (std::size_t at = 0; at < text.size(); at += kAtOnce) {
    const std::size_t found = text.substr(at, kAtOnce).find('\0');
    if (found != std::string_view::npos) return at + found;
    progress.count(kAtOnce);
  }
  return text.size();
}

std::size_t validUtf8Length(std::string_view text) {
  std::size_t at = 0;
  for (Progress progress; at < text.size(); progress.count()) {
    const std::size_t length = sequenceLength(text.substr(at, 4));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace webnn::formats
