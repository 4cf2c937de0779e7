// A fused element-wise program on floats, run tile by tile in cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/element_code.h"

namespace webnn::compiler {

// A program without branches; the last value is the result. A program without instructions returns input 0.
struct ElementProgram {
  std::uint16_t inputs = 1;
  std::vector<ElementInstruction> instructions;

  bool empty() const { return instructions.empty(); }
  std::uint16_t result() const { return static_cast<std::uint16_t>(inputs + instructions.size() - 1); }
  bool operator==(const ElementProgram&) const = default;
};

std::string_view name(ElementCode code);
// Returns the number of operands (a, b and c) that the code takes.
unsigned operandCount(ElementCode code);
// "v2 = mul v0 v1; v3 = clamp v2 0 6".
std::string toString(const ElementProgram& program);

}  // namespace webnn::compiler
