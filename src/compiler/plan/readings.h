// Declares when steps read their operands and how they can lay out their results. The memory plan uses this to share memory, and
// the verifier checks plans against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

// When a step reads an operand.
enum class ReadTime : std::uint8_t {
  any,      // the operand may be read until the step ends, so it must not be overwritten
  element,  // element i is read before element i of the first output is written, so the operand and the output may share memory
  part,     // the operand is a part of the first output; if it is already at its position there, the step does not read it
};

// An operand that a step reads. An operand that the node has twice is listed twice.
struct Reading {
  const Operand* operand = nullptr;
  ReadTime time = ReadTime::any;
  std::size_t offset = 0;     // for a part, its offset in the output in bytes
  std::size_t rowStride = 0;  // for a part, its row stride in the output in elements; 0: rows are contiguous
};

// Returns how the node's step reads each operand. The default is ReadTime::any, for instance for scales, biases, addends of an
// epilogue and broadcast operands.
std::vector<Reading> readingsOf(const ModuleNode& node);

// Returns the operand whose bytes are the node's result, so that no step is needed; null if there is none.
const Operand* viewed(const ModuleNode& node);

// A range of an operand's bytes.
struct Cut {
  const Operand* operand = nullptr;
  std::size_t offset = 0;  // in bytes
};

// Returns the range that is the node's result if the node is a slice of contiguous elements. The result needs no step if it is
// placed in the operand's memory.
std::optional<Cut> cutOf(const ModuleNode& node);

// Returns whether the step can write its first output with gaps between rows (Planner::outputStride). Such a step can write
// directly into the result of a concatenation.
bool writesStrided(const ModuleNode& node);

}  // namespace webnn::compiler
