// How the conformance vectors compare an output with what is expected: the rules of web-platform-tests.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

enum class Metric {
  ulp,       // distance in units in the last place; in units for integers
  absolute,  // "ATOL": |actual - expected| in double precision
};

// The largest distance that passes. `units` counts for Metric::ulp, `distance` for Metric::absolute.
struct Tolerance {
  Metric metric = Metric::ulp;
  std::uint64_t units = 0;
  double distance = 0;
};

struct ExpectedTensor {
  OperandDescriptor descriptor;
  // As written, not rounded to the type; integers may be out of its range. One value stands for all elements.
  std::vector<Number> values;
};

// The first element that fails.
struct Mismatch {
  std::size_t index = 0;
  std::string actual, expected, distance;
};

// nullopt if the packed elements `actual`, of the expected descriptor, are within the tolerance. The rules:
// - float32 by ULP: the bits of |x|, negated if x < 0, of both rounded to float32. -0 equals 0, and NaN equals NaN.
// - float16 by ULP: the bits as unsigned 16-bit numbers, and no more than that: a tiny negative number is 32768 away from
//   a tiny positive one. Only zeros are equal whatever their sign. A written NaN stands for the bits of Infinity.
// - integers by ULP: |actual - expected|.
// - absolute: NaN never passes, equal infinities do.
// One expected value for many elements: only the first 1000 are looked at.
std::optional<Mismatch> compare(const ExpectedTensor& expected, std::span<const std::byte> actual, const Tolerance& tolerance);

// What web-platform-tests make of a written number of this type: integers wrap, as they do in typed arrays and in packed
// nibbles, and the conversion to float16 turns NaN into the bits of Infinity.
Number asWritten(DataType type, const Number& value);

// How far two tensors of one descriptor are apart.
struct Distance {
  std::uint64_t ulp = 0;  // largest, as above; for integers in units
  double absolute = 0;    // largest |actual - expected|; infinite if one is NaN or infinite and the other is not the same
  double relative = 0;    // absolute / the largest finite |expected|; absolute if that is 0
  std::size_t index = 0;  // of the element that is farthest off in absolute terms
};
Distance measure(const OperandDescriptor& descriptor, std::span<const std::byte> actual, std::span<const std::byte> expected);

}  // namespace webnn::cli
