// Replaces format.cpp in WebAssembly by the part of fmt that error messages need. fmt would be 5 % of the module's size.
#include <emscripten/em_js.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/text.h"

// Writes the shortest decimal that parses to `number`, in fmt's format, to `text`, which has room for 32 characters. Returns its
// length.
// clang-format off
EM_JS(int, webnn_decimal, (double number, bool isFloat, char* text), {
  let scientific = number.toExponential();
  for (let places = 0; isFloat && Math.fround(scientific = number.toExponential(places)) !== number;) ++places;
  const [digits, power] = scientific.split('e');
  const isFixed = -4 <= power && power < 16;
  const result = isFixed ? String(Number(scientific)) : digits + 'e' + power[0] + power.slice(1).padStart(2, '0');
  for (let i = 0; i < result.length; ++i) HEAPU8[text + i] = result.charCodeAt(i);
  return result.length;
})
// clang-format on

namespace webnn {

namespace {

std::string decimal(double number, bool isFloat) {
  if (!std::isfinite(number)) return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
  if (number == 0) return std::signbit(number) ? "-0" : "0";  // JavaScript prints no sign for -0
  std::array<char, 32> text;
  return {text.data(), static_cast<std::size_t>(webnn_decimal(number, isFloat, text.data()))};
}

}  // namespace

// Supports only fields {}. Formats such as {:.3g} occur only in code that the web package does not call.
std::string formatArguments(fmt::string_view format, fmt::format_args arguments) {
  const std::string_view pattern(format.data(), format.size());
  std::string text;
  const auto append = [&]<typename Value>(Value value) {
    if constexpr (std::same_as<Value, bool>)
      text += value ? "true" : "false";
    else if constexpr (std::same_as<Value, char> || std::same_as<Value, const char*>)
      text += value;
    else if constexpr (std::integral<Value>)
      text += std::to_string(value);
    else if constexpr (std::same_as<Value, float> || std::same_as<Value, double>)
      text += decimal(value, std::same_as<Value, float>);
    else if constexpr (std::same_as<Value, fmt::string_view>)
      text.append(value.data(), value.size());
    else if constexpr (std::same_as<Value, const void*>)
      text += std::to_string(reinterpret_cast<std::uintptr_t>(value));
    else
      throw std::logic_error("format_web.cpp: a type that it does not print");
  };
  int argument = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool isBrace = pattern[i] == '{' || pattern[i] == '}';
    if (isBrace && pattern[i + 1] != pattern[i]) {
      fmt::visit_format_arg(append, arguments.get(argument++));
      i = pattern.find('}', i);
    } else {
      text += pattern[i];
      if (isBrace) ++i;  // {{ prints {, and }} prints }
    }
  }
  return text;
}

}  // namespace webnn
