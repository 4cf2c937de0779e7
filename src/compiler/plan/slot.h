// The location of a value during a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::compiler {

// A byte offset in one of the run's bases (MemoryPlan): the arena, an input, an output or a constant. A value in the arena is
// aligned to 64 bytes, unless it is a slice or part, or shares the memory of one. Other values may have any alignment of their
// type.
struct Slot {
  std::uint32_t base = 0;
  std::size_t offset = 0;
};

}  // namespace webnn::compiler
