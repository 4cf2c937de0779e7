// Tensors as Core ML's arrays: which of its types each type is, how elements are converted, and how they lie in memory.
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

// How a tensor lies in an array: packed, in the type that Core ML computes it in, of rank 1 to 5. Without memory.
Array arrayOf(std::string name, const OperandDescriptor& descriptor);

// Whether elements of the type are those of its array, so that memory can be shared.
bool isShared(DataType type);

// Elements of any other type as int32. OperationError, which names the input, for one that int32 does not hold.
void toInt32(DataType type, std::span<const std::byte> from, std::span<std::int32_t> to, std::string_view input);

// The way back. int32 goes on to 64 bits with its sign and wraps in uint32; OperationError, which names the output, for one that
// a type of 8 or 4 bits does not hold.
void fromInt32(DataType type, std::span<const std::int32_t> from, std::span<std::byte> to, std::string_view output);

// What Core ML made instead of writing an output where it should be.
struct ForeignArray {
  std::int64_t type = 0;  // an MLMultiArrayDataType
  std::vector<std::int64_t> shape, strides;
  std::span<const std::byte> bytes;
};

// Copies it to where the output should be. What is wrong with it; empty if nothing is. Throws nothing: Core ML calls it.
std::string_view copyPacked(const ForeignArray& from, const Array& to) noexcept;

}  // namespace webnn::coreml
