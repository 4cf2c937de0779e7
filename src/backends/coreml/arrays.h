// Maps tensors to Core ML's arrays: types, element conversion and memory layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/types.h"

namespace webnn::coreml {

// By the numbers of MLMultiArrayDataType.
enum class ArrayType : std::int64_t { float16 = 0x10000 | 16, float32 = 0x10000 | 32, int32 = 0x20000 | 32 };

std::size_t elementSize(ArrayType type);

// Memory that an MLMultiArray is made over.
struct Array {
  std::string name;  // of the input or output of the model
  ArrayType type = ArrayType::float32;
  std::vector<std::int64_t> shape, strides;  // strides in elements
  std::byte* data = nullptr;                 // of an input, it is not written

  std::size_t count() const;
};

// Returns the array of a tensor: packed, in the type in which Core ML computes it, of rank 1 to 5, without memory.
Array arrayOf(std::string name, const OperandDescriptor& descriptor);

// Returns whether a tensor of the type can share its memory with the array.
bool isShared(DataType type);

// Converts elements of other types to int32. Throws OperationError, which names the input, for values beyond int32.
void toInt32(DataType type, std::span<const std::byte> from, std::span<std::int32_t> to, std::string_view input);

// Converts int32 back. Extends the sign for 64 bits and wraps for uint32; throws OperationError, which names the output, for
// values beyond a type of 8 or 4 bits.
void fromInt32(DataType type, std::span<const std::int32_t> from, std::span<std::byte> to, std::string_view output);

// An array that Core ML returned instead of writing into the given output.
struct ForeignArray {
  std::int64_t type = 0;  // an MLMultiArrayDataType
  std::vector<std::int64_t> shape, strides;
  std::span<const std::byte> bytes;
};

// Copies it to the output. Returns a description of the error, or an empty string. Throws nothing, because Core ML calls it.
std::string_view copyPacked(const ForeignArray& from, const Array& to) noexcept;

}  // namespace webnn::coreml
