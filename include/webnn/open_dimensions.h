// Open dimensions: sizes of inputs that are chosen at each run. An extension of the specification.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "webnn/types.h"

namespace webnn {

// A dimension of an operand: a number, or an open dimension. An open dimension is a name, or an expression over names such as
// "past + 1" or "floor(height / 2)"; GraphBuilder::openSize() describes the grammar. The same name always means the same size.
struct Dimension {
  std::uint32_t size = 0;  // the size if `text` is empty
  std::string text{};      // the name or expression of an open dimension
  // The smallest and the largest size, inclusive. Both may be set for names, not for expressions. A size of 0 is useful for a
  // cache before its first step.
  std::uint32_t min = 0, max = 0x7FFFFFFF;

  template <std::integral Integer>
  Dimension(Integer number) : size(static_cast<std::uint32_t>(number)) {}
  Dimension(std::string nameOrExpression, std::uint32_t smallest = 0, std::uint32_t largest = 0x7FFFFFFF)
      : text(std::move(nameOrExpression)), min(smallest), max(largest) {}
  Dimension(const char* nameOrExpression, std::uint32_t smallest = 0, std::uint32_t largest = 0x7FFFFFFF)
      : Dimension(std::string(nameOrExpression), smallest, largest) {}

  bool operator==(const Dimension&) const = default;
};

// Returns the shape as text: "[batch, past + 1, 64]".
std::string toString(const std::vector<Dimension>& shape);

// The data type and shape of an input with open dimensions.
struct OpenDescriptor {
  DataType dataType = DataType::float32;
  std::vector<Dimension> shape;
};

}  // namespace webnn
