// Properties shared by the graphs of a seed: sizes, and tensor values.
#pragma once

#include "random/choices.h"
#include "random/elements.h"

namespace webnn::random {

struct Style {
  bool hasIntegers = false;   // floats are small integers, scales are powers of two: most results are exact
  bool hasSpecials = false;   // some floats are NaN, infinite, -0, tiny or huge, some integers the extremes of their type
  bool isWide = false;        // patterns are of huge and tiny numbers, and factors
  bool isQuantized = false;   // many floats are dequantized, many results quantized and dequantized again
  bool isOpen = false;        // operations that jump take anything: nobody can say what is right, but it must be the same always
  bool isLarge = false;       // enough work for several threads
  bool hasConstants = false;  // most operands that are not computed are constants
  std::vector<std::uint32_t> sizes;  // frequent dimensions
  std::size_t operations = 1;
  std::size_t mostElements = 2048;  // of a tensor
  std::size_t mostWork = 1 << 18;   // products of an operation
  std::uint32_t namesOneIn = 8;     // of values that are used: how many are outputs too
};

Style makeStyle(Choices& choose);

// Bounds of the values of a tensor. Positive ones are scales or divisors.
struct Range {
  double low = -2, high = 2;
};

// Random elements.
Bytes fill(const OperandDescriptor& descriptor, const Style& style, Range range, std::uint64_t seed);

}  // namespace webnn::random
