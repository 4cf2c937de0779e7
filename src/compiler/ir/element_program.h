// A fused element-wise program on floats. The CPU engine executes it on tiles that fit in the cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/element_code.h"

namespace webnn::compiler {

// A program without branches, whose last value is the result. A program without instructions returns input 0.
struct ElementProgram {
  std::uint16_t inputs = 1;
  std::vector<ElementInstruction> instructions;

  bool empty() const { return instructions.empty(); }
  std::uint16_t result() const { return static_cast<std::uint16_t>(inputs + instructions.size() - 1); }
  bool operator==(const ElementProgram&) const = default;
};

std::string_view name(ElementCode code);
// Returns the number of operands (among a, b and c) of an instruction.
unsigned operandCount(ElementCode code);
// Returns the program as text: "v2 = mul v0 v1; v3 = clamp v2 0 6".
std::string toString(const ElementProgram& program);

}  // namespace webnn::compiler
