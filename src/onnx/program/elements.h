// Converts elements of ONNX's types to numbers and back, for operators that the host computes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// Returns whether ONNX has the type and WebNN has no type for its elements. Booleans are uint8 in WebNN.
bool isForeign(ElementType type);
bool isIntegerType(ElementType type);  // booleans too

// Returns the bytes of `count` packed elements. Throws NotSupportedError for types without a packed form, such as strings.
std::size_t packedBytes(ElementType type, std::size_t count);

// Converts packed elements. Throws NotSupportedError for types without numbers; toIntegers() also for floating-point types.
std::vector<double> toNumbers(ElementType type, std::span<const std::byte> bytes, std::size_t count);
std::vector<std::int64_t> toIntegers(ElementType type, std::span<const std::byte> bytes, std::size_t count);

// Returns the least and the greatest number of an integer type of up to 32 bits.
std::array<double, 2> rangeOf(ElementType type);

// Rules for conversions to a floating-point type of at most 8 bits. See ONNX's operator Cast.
struct NarrowRules {
  bool saturates = true;              // numbers beyond the range become the largest number; otherwise infinity or NaN
  std::string_view roundMode = "up";  // rounding of float8e8m0: up, down, nearest
};
// Converts numbers to packed elements. Rounds to the nearest float, ties to even (float8e8m0: as `rules` say), and to integers
// toward 0; integers wrap.
void fromNumbers(ElementType type, std::span<const double> numbers, std::byte* to, const NarrowRules& rules = {});
void fromIntegers(ElementType type, std::span<const std::int64_t> integers, std::byte* to, const NarrowRules& rules = {});

}  // namespace webnn::formats::onnx
