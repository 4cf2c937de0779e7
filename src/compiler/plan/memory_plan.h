// Assigns memory to every value of a run. Inputs and outputs are in the caller's memory, constants in their own. A view shares
// the memory of its source; a contiguous slice may do so. A part of a concatenation or pad may be in its result, and a result may
// overwrite an operand that is not read later. All values that share no memory with an input, output or constant are in one
// arena, whose memory is reused.
#pragma once

#include <vector>

#include "compiler/ir/module.h"
#include "compiler/plan/alignment.h"
#include "compiler/plan/slot.h"

namespace webnn::compiler {

// The bases of a run's memory are, in this order: the arena, the module's inputs, its outputs, and its constants.
struct MemoryPlan {
  std::vector<Slot> slots;  // indexed by operand
  // indexed by operand: stride between rows (of the last dimension) in elements; 0: rows are contiguous
  std::vector<std::size_t> rowStrides;
  std::vector<bool> isView;               // indexed by node: its output is already in place, so the node need not run
  std::vector<const Operand*> constants;  // indexed by base - constantBase
  std::size_t arenaBytes = 0;             // excluding scratch memory
  std::size_t unsharedBytes = 0;          // the size that the arena would have without reuse

  std::uint32_t inputBase() const { return 1; }
  std::uint32_t outputBase = 0, constantBase = 0;
};

// Makes every output of the module a distinct value that a node computes. Inserts copies of outputs that are inputs, constants,
// other outputs, or views of such values.
void separateOutputs(Module& module);

MemoryPlan planMemory(const Module& module);

// Plans without in-place results and without reuse of memory, for tests. Only views still share memory with their source. Values
// in the arena are `guardBytes` apart; `guardBytes` must be a multiple of kAlignment.
MemoryPlan planApart(const Module& module, std::size_t guardBytes);

}  // namespace webnn::compiler
