// Chains of element-wise operations on floats, run tile by tile in cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace webnn::cpu {

// All compute in float32. Comparisons and logic give 0 or 1 and take anything but 0 for true. p and q are immediates.
enum class ElementCode : std::uint8_t {
  add,
  sub,
  mul,
  div,
  max,
  min,
  pow,  // a, b
  equal,
  notEqual,
  greater,
  greaterOrEqual,
  lesser,
  lesserOrEqual,  // a, b
  logicalAnd,
  logicalOr,
  logicalXor,
  logicalNot,
  isNaN,
  isInfinite,
  where,  // a ? b : c
  prelu,  // a < 0 ? a * b : a
  abs,
  ceil,
  cos,
  erf,
  exp,
  floor,
  log,
  neg,
  reciprocal,
  roundEven,
  sin,
  sign,
  sqrt,
  tan,
  gelu,
  hardSwish,
  geluOfProduct,       // gelu(a) * p * q, rounded after each, so that a product as written is infinite where it would be
  hardSwishOfProduct,  // the same of hardSwish
  relu,
  sigmoid,
  softplus,
  softsign,
  tanh,
  elu,
  leakyRelu,  // p = alpha
  hardSigmoid,
  linear,  // p = alpha, q = beta
  clamp,   // p = minimum, q = maximum; NaN stays
  toHalf,  // rounds to float16 (and back)
};

// Computes value `inputs + i` of the program, i being its place, from values before it: 0 to inputs - 1 are the inputs.
struct ElementInstruction {
  ElementCode code{};
  std::uint16_t a = 0, b = 0, c = 0;
  float p = 0, q = 0;

  bool operator==(const ElementInstruction&) const = default;
};

// A straight program; the last value is the result. Without instructions: input 0.
struct ElementProgram {
  std::uint16_t inputs = 1;
  std::vector<ElementInstruction> instructions;

  bool empty() const { return instructions.empty(); }
  std::uint16_t result() const { return static_cast<std::uint16_t>(inputs + instructions.size() - 1); }
  bool operator==(const ElementProgram&) const = default;
};

std::string_view name(ElementCode code);
// How many of a, b and c the code takes.
unsigned operandCount(ElementCode code);
// "v2 = mul v0 v1; v3 = clamp v2 0 6".
std::string toString(const ElementProgram& program);

}  // namespace webnn::cpu
