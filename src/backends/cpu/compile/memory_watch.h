// Checks in tests that steps write only to their outputs and scratch memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::cpu {

inline constexpr std::size_t kGuardBytes = 256;  // guard before and after each value in the arena, in MemoryMode::apart

// To reveal reads of unwritten memory, fills the arena and outputs before each run: with 0xFF (NaN and -1) in even runs and 0x55
// in odd runs. Scratch memory is filled before each step. After each step, all bytes of the arena, inputs and outputs must be
// unchanged, except the step's own outputs and scratch.
class MemoryWatch {
 public:
  MemoryWatch(const Module& module, const MemoryPlan& plan);

  // Adds the next step. Its scratch memory follows the plan's arena.
  void addStep(const ModuleNode& node, const MemoryPlan& plan, std::size_t scratchBytes);
  void setArena(std::size_t bytes) { regions_[0].bytes = bytes; }  // `bytes` includes scratch and a guard

  // Watches one run. The frame's addresses must not change during the run.
  class Run {
   public:
    Run(const MemoryWatch& watch, const Frame& frame, std::size_t number);  // `number` selects the fill pattern
    void before(std::size_t step) const;
    // Throws Error (unknownError), which names the step, if the step wrote to memory other than its outputs and scratch.
    void after(std::size_t step);

   private:
    const MemoryWatch& watch_;
    const std::byte* const* sources_;
    std::byte* const* targets_;
    std::byte pattern_;
    std::vector<std::vector<std::byte>> copies_;  // expected contents of the regions
  };

 private:
  struct Region {
    std::size_t bytes = 0;
    bool isFilled = false;
  };
  // The memory that a step may write: `rows` pieces of `bytes` bytes, `stride` bytes apart.
  struct Write {
    std::size_t base = 0, offset = 0, bytes = 0, rows = 1, stride = 0;
  };
  struct WatchedStep {
    std::string text;
    std::vector<Write> writes;  // the last element is the scratch memory
  };

  std::vector<Region> regions_;  // indexed by Slot::base: arena, inputs, outputs
  std::vector<WatchedStep> steps_;
};

}  // namespace webnn::cpu
