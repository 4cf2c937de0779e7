// The instructions of element programs.
#pragma once

#include <cstdint>

namespace webnn::compiler {

// All instructions compute in float32. Comparisons and logic return 0 or 1. Logic takes every operand that is not 0 as true. a, b
// and c are the operands of the instruction; p and q are its immediates.
enum class ElementCode : std::uint8_t {
  add,
  sub,
  mul,
  div,
  max,
  min,
  pow,  // a ** b
  equal,
  notEqual,
  greater,
  greaterOrEqual,
  lesser,
  lesserOrEqual,  // a <= b; likewise the other comparisons
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
  // gelu(a) * p * q. Rounds after each product, so that it overflows exactly if the separate operations would.
  geluOfProduct,
  hardSwishOfProduct,  // hardSwish(a) * p * q, rounded in the same way
  relu,
  sigmoid,
  silu,       // a * sigmoid(a)
  cubicSilu,  // a * sigmoid(p * a + q * a**3), q > 0; GELU with tanh
  softplus,
  softsign,
  tanh,
  elu,
  leakyRelu,  // p = alpha
  hardSigmoid,
  linear,        // p = alpha, q = beta
  clamp,         // p = minimum, q = maximum; NaN remains NaN
  toHalf,        // rounds to float16; the value stays float32
  dequantize,    // (a - q) * p: p = scale, q = zero point
  quantizeInt8,  // a / p, rounded half to even, plus q, clamped to int8; 0 for NaN. p = scale, q = zero point
  quantizeUint8,
};

// Instruction i computes value `inputs + i` from earlier values. Values 0 to inputs - 1 are the program's inputs.
struct ElementInstruction {
  ElementCode code{};
  std::uint16_t a = 0, b = 0, c = 0;
  float p = 0, q = 0;

  bool operator==(const ElementInstruction&) const = default;
};

}  // namespace webnn::compiler
