// Operators that choose by order. Runtimes get some of them wrong for integers of 64 bits (on x86, ONNX Runtime compares
// the halves of int64 badly), but not the comparisons: a target that leaves such a type out of a rule gets those.
#pragma once

#include <string_view>

#include "onnx/exporter.h"

namespace webnn::onnx {

// Whether an operator is to be composed of others: the target has it neither for the type nor for one that can stand in.
inline bool isComposed(std::string_view opType, const Value& x, const Exporter& out) { return !out.canTake(opType, x.type); }

inline Value compare(std::string_view opType, const Value& a, const Value& b, Exporter& out) {
  return out.add(opType, {a, b}, {}, ElementType::boolean);
}

inline Value maximum(const Value& a, const Value& b, Exporter& out) {
  return isComposed("Max", a, out) ? out.add("Where", {compare("Greater", a, b, out), a, b}) : out.add("Max", {a, b});
}
inline Value minimum(const Value& a, const Value& b, Exporter& out) {
  return isComposed("Min", a, out) ? out.add("Where", {compare("Less", a, b, out), a, b}) : out.add("Min", {a, b});
}

inline Value clip(const Value& x, const Value& lowest, const Value& highest, Exporter& out) {
  if (isComposed("Clip", x, out)) return minimum(maximum(x, lowest, out), highest, out);
  return out.add("Clip", {x, lowest, highest});
}

inline Value sign(const Value& x, Exporter& out) {
  if (!isComposed("Sign", x, out)) return out.add("Sign", {x});
  const Value zero = out.scalar(x.type, 0);
  return out.add("Sub", {out.cast(compare("Greater", x, zero, out), x.type), out.cast(compare("Less", x, zero, out), x.type)});
}

}  // namespace webnn::onnx
