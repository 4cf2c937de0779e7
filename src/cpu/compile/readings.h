// When steps read their operands, and how they may leave their results: the one place that says so. The memory plan decides by
// it what may lie where, and the verifier checks plans by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/ir/module.h"

namespace webnn::cpu {

enum class ReadTime : std::uint8_t {
  any,      // until the step ends: nothing may be written over the operand
  element,  // element i no later than element i of the first output is written, which may then lie exactly there
  part,     // it is a part of the first output: it may lie exactly there, and is not read then
};

// An operand that a step reads; one that the node has twice is there twice.
struct Reading {
  const Operand* operand = nullptr;
  ReadTime time = ReadTime::any;
  std::size_t offset = 0;     // of a part: where it lies in the output, in bytes
  std::size_t rowStride = 0;  // of a part: elements from one row of its last dimension to the next there; 0: its size
};

// Whatever is not said to be read earlier is read at any time: a scale, a bias, an addend of an epilogue and whatever is
// broadcast, too.
std::vector<Reading> readingsOf(const ModuleNode& node);

// The operand whose bytes are the node's result, unchanged, so that no step is needed; null if there is none.
const Operand* viewed(const ModuleNode& node);

// Whether the step of the node's first output can leave gaps between the rows of its last dimension (Planner::outputStride):
// it is then computed where a concatenation needs it.
bool writesStrided(const ModuleNode& node);

}  // namespace webnn::cpu
