#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

using webnn::onnx::dataTypeOf;

template <Term::Unary method>
void importPredicate(NodeContext& node) {
  if (setIfEmpty(node, ElementType::boolean)) return;
  node.setBoolean(0, Term::apply(method, input(node, 0)));
}

void importAbs(NodeContext& node) {
  if (setIfEmpty(node, node.value(0).type)) return;
  const Term x = input(node, 0);
  node.set(0, isUnsigned(x.dataType()) ? x : abs(x));
}

void importSign(NodeContext& node) {
  const Term x = input(node, 0);
  if (isUnsigned(x.dataType())) return node.set(0, min(x, 1));
  node.set(0, isFloat(x.dataType()) ? where(isNaN(x), x, sign(x)) : sign(x));  // keep NaN, because WebNN's sign(NaN) is 0
}

void importIsInf(NodeContext& node) {
  const Term x = input(node, 0), infinite = isInfinite(x);
  const bool positive = node.flag("detect_positive", true), negative = node.flag("detect_negative", true);
  if (positive && negative) return node.setBoolean(0, infinite);
  if (!positive && !negative) return node.setBoolean(0, node.expand(node.scalar(DataType::uint8, 0), node.shape(0)));
  node.setBoolean(0, infinite & (positive ? x > 0 : x < 0));
}

void importIdentity(NodeContext& node) { node.set(0, node.tensorOrSequence(0)); }

Operand toBoolean(NodeContext& node, const Operand& x) {
  const bool is4Bit = bitsPerElement(x.dataType()) == 4;
  return Term(node, is4Bit ? node.cast(x, DataType::int32) : x) != 0;
}

// Casts to a number type. ONNX does not define overflow from floats. Its tests of 4-bit types expect the low bits, so casts from
// floats to these types go through int32.
Operand toNumber(NodeContext& node, const Operand& x, DataType type) {
  const bool wraps = isFloat(x.dataType()) && bitsPerElement(type) == 4;
  return node.cast(wraps ? node.cast(x, DataType::int32) : x, type);
}

// Returns integers modulo 2^16, as signed or unsigned 16-bit values in int32.
Operand low16Bits(NodeContext& node, const Operand& x, bool isSigned) {
  const Term bits = cast(Term(node, x), DataType::uint32);
  const Term low = cast(bits - bits / 65536 * 65536, DataType::int32);
  return isSigned ? where(low >= 32768, low - 65536, low) : low;
}

// Returns the elements as values of `type`, which WebNN lacks. The operand keeps a WebNN type that holds them.
ImportedValue held(NodeContext& node, const ImportedValue& value, ElementType type) {
  const Operand x = node.operand(value);
  const DataType from = x.dataType();
  const bool is16Bit = type == ElementType::int16 || type == ElementType::uint16, isSigned = type == ElementType::int16;
  // A float64 is not held as a 64-bit integer, because a cast to float64 rounds to 53 bits.
  const bool is64Bit = from == DataType::int64 || from == DataType::uint64;
  node.require(is16Bit || (type == ElementType::float64 && !is64Bit), "WebNN has no type {}", webnn::onnx::name(type));
  if (!is16Bit) return {type, value.dims, isFloat(from) ? node.cast(x, DataType::float32) : x};
  // `fits`: no value needs to wrap. Floats count as fitting, because ONNX does not define their overflow.
  const bool fits = isFloat(from) || from == DataType::uint8 || (isSigned && from == DataType::int8);
  return {type, value.dims, fits ? node.cast(x, DataType::int32) : low16Bits(node, x, isSigned)};
}

void castTo(NodeContext& node, ElementType type) {
  ImportedValue value = node.value(0);
  if (value.type == type) return node.set(0, value);
  if (value.asFloat && type == ElementType::float32) return node.set(0, value.asFloat);
  if (value.isEmpty()) return node.set(0, emptyValue(type, value.dims));
  const auto dataType = dataTypeOf(type);
  if (!dataTypeOf(value.type) && value.bytes) {
    const bool isInteger = value.type == ElementType::int16 || value.type == ElementType::uint16;
    // Numbers that become integers are first cast to a wide type; the following cast to a narrower type then wraps.
    const bool wraps = dataType && type != ElementType::boolean && (isInteger || !isFloat(*dataType));
    const ElementType step = !wraps                        ? type
                             : isInteger                   ? ElementType::int32
                             : type == ElementType::uint64 ? type
                                                           : ElementType::int64;
    value = valueOf(node, step, value.dims, node.allNumbers(value));
    if (step == type) return node.set(0, value);
  }
  if (!dataType && node.isConstant(0)) return node.set(0, valueOf(node, type, value.dims, node.numbers(0)));
  if (!dataType) return node.set(0, held(node, value, type));
  const Operand x = node.operand(value);
  if (type == ElementType::boolean) return node.setBoolean(0, toBoolean(node, x));
  node.set(0, toNumber(node, x, *dataType));
}

// Returns the type with this name. Before version 6, Cast names its type by text.
ElementType typeNamed(const NodeContext& node, std::string_view text) {
  constexpr std::array<std::string_view, 14> kNames{"UNDEFINED", "FLOAT",  "UINT8", "INT8",    "UINT16", "INT16",  "INT32",
                                                    "INT64",     "STRING", "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64"};
  const auto found = std::ranges::find(kNames, text);
  node.require(found != kNames.end(), "WebNN has no type {}", webnn::quoted(text));
  return static_cast<ElementType>(found - kNames.begin());
}

void importCast(NodeContext& node) {
  castTo(node, node.version < 6 ? typeNamed(node, node.text("to", "")) : static_cast<ElementType>(node.integer("to", 0)));
}

void importCastLike(NodeContext& node) { castTo(node, node.value(1).type); }

// Reinterprets bits. Supported only between equal types, and between integers of one width, for which a cast keeps the bits.
void importBitCast(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const auto to = static_cast<ElementType>(node.integer("to", 0));
  if (value.type == to) return node.set(0, value);
  const auto toType = dataTypeOf(to);
  node.require(toType.has_value(), "WebNN has no type {}", webnn::onnx::name(to));
  const Operand x = node.operand(0);
  const DataType from = x.dataType();
  node.require(!isFloat(from) && !isFloat(*toType), "WebNN cannot read the bits of {} as {}", name(from), name(*toType));
  node.require(bitsPerElement(from) == bitsPerElement(*toType), "{} and {} differ in size", name(from), name(*toType));
  if (to == ElementType::boolean) return node.setBoolean(0, toBoolean(node, x));
  node.set(0, node.cast(x, *toType));
}

// Returns whether a clamp bound is absent, or a constant that WebNN's clamp takes exactly: not NaN and not a 64-bit integer.
bool isPlainBound(const NodeContext& node, std::size_t index) {
  if (!node.has(index)) return true;
  const ElementType type = node.value(index).type;
  return node.isConstant(index) && type != ElementType::int64 && type != ElementType::uint64 && !std::isnan(node.number(index));
}

void clamp(NodeContext& node, std::optional<double> lower, std::optional<double> upper) {
  if (!lower && !upper) return node.set(0, node.value(0));
  if (lower && upper && *lower > *upper) lower = upper;  // ONNX defines Clip as min(max(x, lower), upper)
  ClampOptions options;
  if (lower) options.minValue = *lower;
  if (upper) options.maxValue = *upper;
  node.set(0, node.builder.clamp(node.operand(0), options));
}

void importClip(NodeContext& node) {
  const auto bound = [&](std::size_t index, std::string_view attribute) -> std::optional<double> {
    if (node.version >= 11) return node.has(index) ? std::optional(node.number(index)) : std::nullopt;
    if (node.version < 6 && !node.find(attribute)) return std::nullopt;
    const double largest = std::numeric_limits<float>::max();
    return node.number(attribute, index == 1 ? -largest : largest);
  };
  if (node.version < 11 || (isPlainBound(node, 1) && isPlainBound(node, 2))) return clamp(node, bound(1, "min"), bound(2, "max"));
  Term x = input(node, 0);
  if (node.has(1)) x = max(x, Term(node, node.reshape(node.operand(1), {})));
  if (node.has(2)) x = min(x, Term(node, node.reshape(node.operand(2), {})));
  node.set(0, x);
}

}  // namespace

std::span<const OperatorImport> elementwiseUnaryOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Abs", importAbs},
      {"", "Ceil", importUnary<&GraphBuilder::ceil>},
      {"", "Floor", importUnary<&GraphBuilder::floor>},
      {"", "Round", importUnary<&GraphBuilder::roundEven>},
      {"", "Neg", importUnary<&GraphBuilder::neg>},
      {"", "Sign", importSign},
      {"", "Sqrt", importUnary<&GraphBuilder::sqrt>},
      {"", "Reciprocal", importUnary<&GraphBuilder::reciprocal>},
      {"", "Exp", importUnary<&GraphBuilder::exp>},
      {"", "Log", importUnary<&GraphBuilder::log>},
      {"", "Sin", importUnary<&GraphBuilder::sin>},
      {"", "Cos", importUnary<&GraphBuilder::cos>},
      {"", "Tan", importUnary<&GraphBuilder::tan>},
      {"", "Erf", importUnary<&GraphBuilder::erf>},
      {"", "Not", importPredicate<&GraphBuilder::logicalNot>},
      {"", "IsNaN", importPredicate<&GraphBuilder::isNaN>},
      {"", "IsInf", importIsInf},
      {"", "Identity", importIdentity, true},
      {"", "Cast", importCast, true},
      {"", "CastLike", importCastLike, true},
      {"", "BitCast", importBitCast},
      {"", "Clip", importClip},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
