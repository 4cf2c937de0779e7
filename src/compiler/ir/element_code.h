// The instructions of element programs.
#pragma once

#include <cstdint>

namespace webnn::compiler {

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
  hardSwishOfProduct,  // hardSwish(a) * p * q, rounded in the same way
  relu,
  sigmoid,
  softplus,
  softsign,
  tanh,
  elu,
  leakyRelu,  // p = alpha
  hardSigmoid,
  linear,        // p = alpha, q = beta
  clamp,         // p = minimum, q = maximum; NaN stays
  toHalf,        // rounds to float16 (and back)
  dequantize,    // (a - q) * p: p = scale, q = zero point
  quantizeInt8,  // a / p, rounded half to even, plus q, clamped to what int8 holds; 0 for NaN. p = scale, q = zero point
  quantizeUint8,
};

// One instruction. Instruction i computes value `inputs + i` from earlier values; values 0 to inputs - 1 are the inputs.
struct ElementInstruction {
  ElementCode code{};
  std::uint16_t a = 0, b = 0, c = 0;
  float p = 0, q = 0;

  bool operator==(const ElementInstruction&) const = default;
};

}  // namespace webnn::compiler
