// Kernels that quantize and dequantize, pack and unpack nibbles, and look bytes up in a table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "webnn/types.h"

namespace webnn::cpu {

// Converts `count` elements. `scale` and `zeroPoint` have one element for all, or one for each. The kernel's indices in
// QuantizeKernels determine the types. Pointers may have any alignment.
using QuantizeRun = void (*)(const void* input, const void* scale, const void* zeroPoint, std::size_t count, void* output);

struct QuantizeKernels {
  // Indexed by whether floats are float16, by quantized type (int8, uint8, int32, uint32), and by whether each element has its
  // own scale.
  QuantizeRun quantize[2][4][2];
  QuantizeRun dequantize[2][4][2];
  // Unpacks `count` bytes of two nibbles each, the low one first, to 2 * count elements.
  void (*unpackNibbles)(const std::uint8_t* packed, std::size_t count, bool isSigned, std::uint8_t* elements);
  void (*packNibbles)(const std::uint8_t* elements, std::size_t count, std::uint8_t* packed);
  // to[i] = table[from[i]]; `to` may be `from`.
  void (*lookUp)(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to);
  decltype(lookUp) lookUpVbmi;  // for processors with AVX512-VBMI; null below AVX-512
};

const QuantizeKernels& quantizeKernels(Isa isa);

constexpr std::size_t quantizedIndex(DataType type) {
  return type == DataType::int8 ? 0 : type == DataType::uint8 ? 1 : type == DataType::int32 ? 2 : 3;
}

}  // namespace webnn::cpu
