// Compares outputs with expected values by the rules of web-platform-tests, and measures distances between outputs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

enum class Metric {
  ulp,       // units in the last place; for integers |actual - expected|
  absolute,  // "ATOL" in conformance vectors: |actual - expected| in double precision
};

// The largest distance that passes: `units` for Metric::ulp, `distance` for Metric::absolute.
struct Tolerance {
  Metric metric = Metric::ulp;
  std::uint64_t units = 0;
  double distance = 0;
};

struct ExpectedTensor {
  OperandDescriptor descriptor;
  // As written in the conformance vector, not rounded to the type. Integers may be out of range. A single value stands for all
  // elements.
  std::vector<Number> values;
};

// The first element that exceeds the tolerance.
struct Mismatch {
  std::size_t index = 0;
  std::string actual, expected, distance;
};

// Compares packed elements with the expected ones. Returns nullopt if all are within the tolerance. Rules:
// - float32 by ULP: positions among all float32 values after rounding both values. -0 equals 0, and NaN equals NaN.
// - float16 by ULP: differences of the 16 bits as unsigned numbers, so that small numbers of different sign are 32768 apart. But
// -0 equals 0. An expected NaN is compared as Infinity.
// - integers by ULP: |actual - expected|.
// - absolute: NaN never passes; equal infinities pass.
// If one expected value stands for many elements, only the first 1000 are compared.
std::optional<Mismatch> compare(const ExpectedTensor& expected, std::span<const std::byte> actual, const Tolerance& tolerance);

// Converts a number of a conformance vector as web-platform-tests does: integers wrap around, as in typed arrays and packed
// nibbles. A float16 NaN becomes the bits of Infinity.
Number asWritten(DataType type, const Number& value);

// The distance between two tensors of the same type and shape.
struct Distance {
  std::uint64_t ulp = 0;  // largest ULP distance, as in compare(); for integers |actual - expected|
  double absolute = 0;    // largest |actual - expected|; infinite if NaN or infinities do not match
  double relative = 0;    // `absolute` / largest finite |expected|; `absolute` if the divisor is 0
  std::size_t index = 0;  // index of the element with the largest absolute difference
};
Distance measure(const OperandDescriptor& descriptor, std::span<const std::byte> actual, std::span<const std::byte> expected);

}  // namespace webnn::cli
