// Where every value lies during a run: inputs and outputs in the caller's memory, views in what they view, the parts of a
// concatenation in its result, the rest in one arena that is used again and again.
#pragma once

#include <vector>

#include "cpu/ir/module.h"
#include "cpu/runtime/alignment.h"
#include "cpu/runtime/step.h"

namespace webnn::cpu {

// Bases of a frame: the arena, the module's inputs, its outputs, then the constants.
struct MemoryPlan {
  std::vector<Slot> slots;                // by operand index
  std::vector<std::size_t> rowStrides;    // by operand index: elements between rows of the last dimension; 0: its size
  std::vector<bool> isView;               // by node: its output is where it belongs already, so it need not run
  std::vector<const Operand*> constants;  // by base, counted from the first constant's
  std::size_t arenaBytes = 0;             // without scratch
  std::size_t unsharedBytes = 0;          // what the arena would take if nothing were used again

  std::uint32_t inputBase() const { return 1; }
  std::uint32_t outputBase = 0, constantBase = 0;
};

// Makes every output of the module a value of its own that a node computes: inputs, constants and repeated ones are copied.
void separateOutputs(Module& module);

MemoryPlan planMemory(const Module& module);

// The same for tests: nothing is computed in place or lies where anything else has lain, but views in what they view; in the
// arena, values are `guardBytes` apart, a multiple of kAlignment.
MemoryPlan planApart(const Module& module, std::size_t guardBytes);

}  // namespace webnn::cpu
