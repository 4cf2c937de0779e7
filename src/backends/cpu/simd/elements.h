// Kernels for element programs: the instructions, each on arrays of floats, and the loads and stores of other types.
#pragma once

#include <array>
#include <cstddef>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/isa.h"
#include "compiler/ir/element_code.h"

namespace webnn::cpu {

inline constexpr std::size_t kElementCodes = static_cast<std::size_t>(ElementCode::quantizeUint8) + 1;

// y[i] = f(a[i], b[i], c[i]) with the immediates p and q, for i < n. Operands that the code does not take are not read.
// y may be one of the operands. Any alignment.
using ElementFunction = void (*)(const float* a, const float* b, const float* c, float* y, std::size_t n, float p, float q);

struct ElementKernels {
  std::array<ElementFunction, kElementCodes> functions;  // indexed by ElementCode
  ElementFunction addImmediate, mulImmediate;            // addImmediate: the code `linear` with p = 1; mulImmediate: with q = -0

  // Convert between arrays of n floats and tensors of float32, float16 (rounded), uint8 and int8 at any alignment. Values stored
  // to uint8 and int8 must fit.
  void (*loadFloat)(const std::byte* from, float* to, std::size_t n);
  void (*loadHalf)(const std::byte* from, float* to, std::size_t n);
  void (*loadByte)(const std::byte* from, float* to, std::size_t n);
  void (*loadSignedByte)(const std::byte* from, float* to, std::size_t n);
  void (*storeFloat)(const float* from, std::byte* to, std::size_t n);
  void (*storeHalf)(const float* from, std::byte* to, std::size_t n);
  void (*storeByte)(const float* from, std::byte* to, std::size_t n);
  void (*storeSignedByte)(const float* from, std::byte* to, std::size_t n);
  void (*fill)(float value, float* to, std::size_t n);
  // Write `rows` contiguous rows of `columns` floats. Their sources are `stride` floats apart, at any alignment: one float that
  // is repeated, or as many floats as there are columns.
  void (*repeatRows)(const std::byte* from, std::size_t stride, float* to, std::size_t rows, std::size_t columns);
  void (*copyRows)(const std::byte* from, std::size_t stride, float* to, std::size_t rows, std::size_t columns);
};

const ElementKernels& elementKernels(Isa isa);

inline ElementFunction elementFunction(Isa isa, ElementCode code) {
  return elementKernels(isa).functions[static_cast<std::size_t>(code)];
}
// Returns the fastest function for an instruction.
ElementFunction elementFunction(Isa isa, const ElementInstruction& instruction);

}  // namespace webnn::cpu
