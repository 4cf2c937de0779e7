// Compares outputs with expected values by the rules of web-platform-tests.
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
  // As written, not rounded to the type; integers may be out of range. One value stands for all elements.
  std::vector<Number> values;
};

// The first element that fails.
struct Mismatch {
  std::size_t index = 0;
  std::string actual, expected, distance;
};

// Returns nullopt if the packed elements `actual`, of the expected descriptor, are within the tolerance. The rules:
// - float32 by ULP: the bits of |x|, negated if x < 0, of both rounded to float32. -0 equals 0, and NaN equals NaN.
// - float16 by ULP: the bits as unsigned 16-bit numbers: a tiny negative number is 32768 away from a tiny positive one. Only
// zeros ignore the sign. A written NaN stands for the bits of Infinity.
// - integers by ULP: |actual - expected|.
// - absolute: NaN never passes, equal infinities do.
// One expected value for many elements: only the first 1000 are compared.
std::optional<Mismatch> compare(const ExpectedTensor& expected, std::span<const std::byte> actual, const Tolerance& tolerance);

// Returns web-platform-tests' conversion of a written number: integers wrap, as in typed arrays and packed nibbles, and NaN
// becomes the bits of Infinity as float16.
Number asWritten(DataType type, const Number& value);

// The distance between two tensors of one descriptor.
struct Distance {
  std::uint64_t ulp = 0;  // largest, as above; for integers in units
  double absolute = 0;    // largest |actual - expected|; infinite if one is NaN or infinite and the other is not the same
  double relative = 0;    // absolute / the largest finite |expected|; absolute if that is 0
  std::size_t index = 0;  // of the element with the largest absolute difference
};
Distance measure(const OperandDescriptor& descriptor, std::span<const std::byte> actual, std::span<const std::byte> expected);

}  // namespace webnn::cli
