#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/types.h"

namespace webnn::coreml {

// Core ML's MLMultiArrayDataType constants.
enum class ArrayType : std::int64_t { float16 = 0x10000 | 16, float32 = 0x10000 | 32, int32 = 0x20000 | 32 };

std::size_t elementSize(ArrayType type);

// Describes an MLMultiArray over our memory.
struct Array {
  std::string name;  // name of the model's input or output
  ArrayType type = ArrayType::float32;
  std::vector<std::int64_t> shape, strides;  // strides in elements
  std::byte* data = nullptr;                 // owned by the caller; not written if the array is an input

  std::size_t count() const;
};

// Describes a tensor as a packed array of rank 1 to 5 in the type in which Core ML computes. `data` is null.
Array arrayOf(std::string name, const OperandDescriptor& descriptor);

// Returns whether Core ML can use a tensor of this type directly, without converting its elements.
bool isShared(DataType type);

// Converts integers to int32. Throws OperationError, which names the input, for values outside int32.
void toInt32(DataType type, std::span<const std::byte> from, std::span<std::int32_t> to, std::string_view input);

// Converts int32 results to `type`: sign-extends to 64 bits and wraps to uint32. Throws OperationError, which names the output,
// if a value does not fit in 8 or 4 bits.
void fromInt32(DataType type, std::span<const std::int32_t> from, std::span<std::byte> to, std::string_view output);

// An output array that Core ML allocated itself instead of using the memory that we gave it.
struct ForeignArray {
  std::int64_t type = 0;  // an MLMultiArrayDataType value
  std::vector<std::int64_t> shape, strides;
  std::span<const std::byte> bytes;
};

// Copies `from` into the packed array `to`. Returns the error in `from`, or an empty string. Must not throw into Core ML.
std::string_view copyPacked(const ForeignArray& from, const Array& to) noexcept;

}  // namespace webnn::coreml
