// Declares when steps read their operands and how they may lay out their results. The memory plan uses it to share memory, and
// the verifier to check plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

enum class ReadTime : std::uint8_t {
  any,      // until the step ends: the operand must not be overwritten
  element,  // element i is read no later than element i of the first output is written, so both may share memory
  part,     // a part of the first output: it may lie exactly there, and is not read then
};

// An operand that a step reads. If the node has an operand twice, it is listed twice.
struct Reading {
  const Operand* operand = nullptr;
  ReadTime time = ReadTime::any;
  std::size_t offset = 0;     // of a part: its offset in the output, in bytes
  std::size_t rowStride = 0;  // for a part: row stride of its last dimension in the output, in elements; 0: the dimension's size
};

// Unless declared otherwise, operands are read at any time, in particular scales, biases, addends of an epilogue and broadcast
// operands.
std::vector<Reading> readingsOf(const ModuleNode& node);

// Returns the operand whose unchanged bytes are the node's result, so that no step is needed; null if there is none.
const Operand* viewed(const ModuleNode& node);

// Returns whether the step can write the first output with gaps between rows (Planner::outputStride), and so directly into a
// concatenation's result.
bool writesStrided(const ModuleNode& node);

}  // namespace webnn::compiler
