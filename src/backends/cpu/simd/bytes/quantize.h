// Kernels between floats and quantized numbers, and between nibbles and bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "webnn/types.h"

namespace webnn::cpu {

// Elements of one run: `scale` and `zeroPoint` are of one element for all, or one for each. Types are those of the table
// that the kernel is from; any alignment.
using QuantizeRun = void (*)(const void* input, const void* scale, const void* zeroPoint, std::size_t count, void* output);

struct QuantizeKernels {
  // By whether the float type is float16; by the quantized type (int8, uint8, int32, uint32); by whether each element has a
  // scale of its own.
  QuantizeRun quantize[2][4][2];
  QuantizeRun dequantize[2][4][2];
  // Whole bytes of two nibbles each: 2 * count elements.
  void (*unpackNibbles)(const std::uint8_t* packed, std::size_t count, bool isSigned, std::uint8_t* elements);
  void (*packNibbles)(const std::uint8_t* elements, std::size_t count, std::uint8_t* packed);
  // to[i] = table[from[i]]; in place too.
  void (*lookUp)(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to);
  decltype(lookUp) lookUpVbmi;  // with AVX512-VBMI, else null
};

const QuantizeKernels& quantizeKernels(Isa isa);

// The place of a quantized type in the tables.
constexpr std::size_t quantizedIndex(DataType type) {
  return type == DataType::int8 ? 0 : type == DataType::uint8 ? 1 : type == DataType::int32 ? 2 : 3;
}

}  // namespace webnn::cpu
