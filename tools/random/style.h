// Properties shared by all parts of one random graph: sizes and tensor values.
#pragma once

#include "random/choices.h"
#include "random/elements.h"

namespace webnn::random {

struct Style {
  bool hasIntegers = false;   // floats are small integers and scales powers of two, so that most results are exact
  bool hasSpecials = false;   // some floats are NaN, infinite, -0, tiny or huge, and some integers extreme
  bool isWide = false;        // patterns contain huge and tiny numbers and factors
  bool isQuantized = false;   // many values are dequantized, and many results quantized and dequantized again
  bool isOpen = false;        // discontinuous operations take any operand: results are not predictable but must be reproducible
  bool isLarge = false;       // enough work for several threads
  bool hasConstants = false;  // most operands that are not results of other operations are constants
  std::vector<std::uint32_t> sizes;  // preferred dimensions
  std::size_t operations = 1;
  std::size_t mostElements = 2048;  // maximum number of elements of a random shape; other tensors may have four times as many
  std::size_t mostWork = 1 << 18;   // maximum number of products of an operation
  std::uint32_t namesOneIn = 8;     // a result that others use is also an output with probability 1 / namesOneIn
};

Style makeStyle(Choices& choose);

// Bounds of a tensor's values. Positive bounds are for scales and divisors.
struct Range {
  double low = -2, high = 2;
};

// Returns packed random elements in this style: within the range, except for special values.
Bytes fill(const OperandDescriptor& descriptor, const Style& style, Range range, std::uint64_t seed);

}  // namespace webnn::random
