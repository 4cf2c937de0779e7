// Checks operations that only move elements, with every data type.
#pragma once

#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn::test {

// Stands for an element of value 0, in a list of element numbers.
inline constexpr int kZero = -1;

// Returns the i-th distinct value of a data type, for i below 16. Values that conversions would change come first.
inline Number distinctValue(DataType type, int i) {
  constexpr double specials[] = {-0.0, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(),
                                 0x1p-24};
  switch (type) {
    case DataType::float32:
    case DataType::float16: return i < 4 ? specials[i] : i + 0.5;
    case DataType::int32: return std::numeric_limits<std::int32_t>::min() + i;
    case DataType::uint32: return std::numeric_limits<std::uint32_t>::max() - static_cast<std::uint32_t>(i);
    case DataType::int64: return std::numeric_limits<std::int64_t>::min() + 1 + i;  // not exact as a double
    case DataType::uint64: return std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(i);
    case DataType::int8: return i % 256 - 128;
    case DataType::uint8: return 255 - i % 256;
    case DataType::int4: return i % 16 - 8;
    case DataType::uint4: break;
  }
  return 15 - i % 16;
}

using MakeOperand = std::function<Operand(Fixture&, const std::vector<Operand>&)>;

// Makes constants of the given shapes, whose elements are numbered consecutively across all constants, and applies `make`.
// Expects that the result has exactly the elements with the given numbers. Tests all ten data types.
inline void expectMoves(const std::vector<Shape>& shapes, const MakeOperand& make, const std::vector<int>& expected) {
  for (std::size_t t = 0; t < kDataTypeCount; ++t) {
    const auto type = static_cast<DataType>(t);
    SCOPED_TRACE(name(type));
    Fixture fixture;
    std::vector<Operand> operands;
    int next = 0;
    for (const Shape& shape : shapes) {
      std::vector<Number> values(elementCount({type, shape}));
      for (Number& value : values) value = distinctValue(type, next++);
      operands.push_back(fixture.constant(type, shape, values));
    }
    const std::vector<Number> actual = evaluate(fixture, std::vector{make(fixture, operands)})[0];
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_EQ(actual[i], expected[i] == kZero ? Number(0) : distinctValue(type, expected[i])) << "at " << i;
    }
  }
}

}  // namespace webnn::test
