// The location of a value during a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::compiler {

// A byte offset in one of the run's bases (MemoryPlan): the arena, an input, an output or a constant. Inputs, outputs,
// constants, slices and parts may have any alignment of their type; all other values are aligned to 64 bytes.
struct Slot {
  std::uint32_t base = 0;
  std::size_t offset = 0;
};

}  // namespace webnn::compiler
