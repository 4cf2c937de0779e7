// Assigns memory to every value of a run: inputs and outputs lie in the caller's memory, views in their source, the parts of a
// concatenation in its result, and all others in one arena whose memory is reused.
#pragma once

#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/alignment.h"
#include "compiler/plan/slot.h"

namespace webnn::compiler {

// Bases of a frame: the arena, the module's inputs, its outputs, then the constants.
struct MemoryPlan {
  std::vector<Slot> slots;                // by operand index
  std::vector<std::size_t> rowStrides;    // by operand index: row stride of the last dimension in elements; 0: its size
  std::vector<bool> isView;               // by node: its output is already in place, so the node need not run
  std::vector<const Operand*> constants;  // by base, counted from the first constant's
  std::size_t arenaBytes = 0;             // without scratch
  std::size_t unsharedBytes = 0;          // size of the arena without reuse

  std::uint32_t inputBase() const { return 1; }
  std::uint32_t outputBase = 0, constantBase = 0;
};

// Makes every output of the module a distinct value that a node computes: inputs, constants and repeated outputs are copied.
void separateOutputs(Module& module);

MemoryPlan planMemory(const Module& module);

// The same for tests: nothing is computed in place and no memory is reused; only views still lie in their source. In the arena,
// values are `guardBytes` apart, a multiple of kAlignment.
MemoryPlan planApart(const Module& module, std::size_t guardBytes);

}  // namespace webnn::compiler
