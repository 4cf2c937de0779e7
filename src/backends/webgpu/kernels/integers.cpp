#include "backends/webgpu/kernels/integers.h"

#include "base/text.h"

namespace webnn::webgpu {

namespace {

using ops::BinaryKind;

std::string call(Shader& shader, std::string_view function, const std::string& a, const std::string& b) {
  shader.use(function);
  return formatText("{}({}, {})", function, a, b);
}

std::string wideOperation(Shader& shader, BinaryKind kind, bool isSigned, const std::string& a, const std::string& b) {
  const std::string_view below = isSigned ? "belowSigned64" : "below64";
  switch (kind) {
    case BinaryKind::add: return call(shader, "add64", a, b);
    case BinaryKind::sub: return call(shader, "sub64", a, b);
    case BinaryKind::mul: return call(shader, "mul64", a, b);
    case BinaryKind::div: return call(shader, isSigned ? "divSigned64" : "div64", a, b);
    case BinaryKind::pow: return call(shader, isSigned ? "powSigned64" : "pow64", a, b);
    case BinaryKind::max: return formatText("select({}, {}, {})", a, b, call(shader, below, a, b));
    case BinaryKind::min: return formatText("select({}, {}, {})", a, b, call(shader, below, b, a));
    case BinaryKind::notEqual: return "!" + call(shader, "same64", a, b);
    case BinaryKind::greater: return call(shader, below, b, a);
    case BinaryKind::greaterOrEqual: return "!" + call(shader, below, a, b);
    case BinaryKind::lesser: return call(shader, below, a, b);
    case BinaryKind::lesserOrEqual: return "!" + call(shader, below, b, a);
    default: return call(shader, "same64", a, b);
  }
}

}  // namespace

bool isWide(DataType type) { return bitsPerElement(type) == 64; }

Lane arithmeticLane(DataType type) { return isWide(type) ? Lane::bits : laneOf(type); }

std::string integerOperation(Shader& shader, BinaryKind kind, DataType type, const std::string& a, const std::string& b) {
  const bool isSigned = laneOf(type) == Lane::i32;
  if (isWide(type)) return wideOperation(shader, kind, isSigned, a, b);
  switch (kind) {
    case BinaryKind::add: return a + " + " + b;
    case BinaryKind::sub: return a + " - " + b;
    case BinaryKind::mul: return a + " * " + b;
    case BinaryKind::div: return call(shader, isSigned ? "divSigned32" : "div32", a, b);
    case BinaryKind::pow: return call(shader, isSigned ? "powSigned32" : "pow32", a, b);
    case BinaryKind::max: return formatText("max({}, {})", a, b);
    case BinaryKind::min: return formatText("min({}, {})", a, b);
    case BinaryKind::equal: return a + " == " + b;
    case BinaryKind::notEqual: return a + " != " + b;
    case BinaryKind::greater: return a + " > " + b;
    case BinaryKind::greaterOrEqual: return a + " >= " + b;
    case BinaryKind::lesser: return a + " < " + b;
    case BinaryKind::lesserOrEqual: return a + " <= " + b;
    case BinaryKind::logicalAnd: return formatText("({} != 0) && ({} != 0)", a, b);
    case BinaryKind::logicalOr: return formatText("({} != 0) || ({} != 0)", a, b);
    case BinaryKind::logicalXor: return formatText("({} != 0) != ({} != 0)", a, b);
  }
  return a;
}

std::string integerLiteral(const Number& number, DataType type) {
  const std::uint64_t bits = std::visit(
      [](auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint64_t>) return value;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      },
      webnn::cast(number, type).value());
  const auto low = static_cast<std::uint32_t>(bits);
  if (isWide(type)) return formatText("vec2<u32>({}u, {}u)", low, bits >> 32);
  return laneOf(type) == Lane::i32 ? formatText("bitcast<i32>({}u)", low) : formatText("{}u", low);
}

}  // namespace webnn::webgpu
