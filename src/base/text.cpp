#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/escape.h"

namespace webnn {

CodePoint decodeUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, length};
}

bool isHarmless(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool format = (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
                      c == 0x61C || c == 0xFEFF || (c >= 0xE0000 && c < 0xE1000) || (c >= 0xFFF9 && c <= 0xFFFB);
  return !control && !format;
}

namespace {

std::string hexadecimal(std::uint32_t value, std::size_t leastDigits, std::string_view digits = "0123456789ABCDEF") {
  std::string text;
  for (; value > 0; value >>= 4) text.insert(text.begin(), digits[value & 15]);
  return std::string(leastDigits - std::min(leastDigits, text.size()), '0') + text;
}

std::string jsonEscape(std::uint32_t unit) { return "\\u" + hexadecimal(unit, 4, "0123456789abcdef"); }

}  // namespace

std::string sanitized(std::string_view text) { return escaped(text, 200); }

std::string escapedJson(std::string_view json) {
  std::string result;
  while (!json.empty()) {
    const CodePoint c = decodeUtf8(json);
    const std::size_t length = std::max<std::size_t>(c.length, 1);
    if (c.length == 0 || isHarmless(c.value) || c.value == '\n') {
      result += json.substr(0, length);
    } else {
      const std::uint32_t beyond = c.value - 0x10000;  // encoded as a surrogate pair, as in UTF-16
      result +=
          c.value < 0x10000 ? jsonEscape(c.value) : jsonEscape(0xD800 + (beyond >> 10)) + jsonEscape(0xDC00 + (beyond & 0x3FF));
    }
    json.remove_prefix(length);
  }
  return result;
}

std::string escaped(std::string_view text, std::size_t limit) {
  std::string result;
  while (!text.empty()) {
    if (result.size() > limit) return result + "...";
    const CodePoint c = decodeUtf8(text);
    if (c.length == 0) {
      result += "\\x" + hexadecimal(static_cast<std::uint8_t>(text[0]), 2);
      text.remove_prefix(1);
      continue;
    }
    if (isHarmless(c.value)) {
      result += text.substr(0, c.length);
    } else {
      result += "\\u{" + hexadecimal(c.value, 4) + "}";
    }
    text.remove_prefix(c.length);
  }
  return result;
}

std::string quoted(std::string_view text) { return "\"" + sanitized(text) + "\""; }

}  // namespace webnn
