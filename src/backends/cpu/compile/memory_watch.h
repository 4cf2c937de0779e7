// Checks in tests which memory steps write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "compiler/plan/memory_plan.h"

namespace webnn::cpu {

inline constexpr std::size_t kGuardBytes = 256;  // before and after each watched value, where values are kept apart

// Before a run, the arena and the outputs are filled with a pattern, so that results show reads of unwritten memory: bytes of
// 0xFF (NaN and -1), and of 0x55 in every other run. Scratch memory is filled before each step. After each step, every byte of
// the arena, the inputs and the outputs that is not in the step's outputs or scratch must be unchanged.
class MemoryWatch {
 public:
  MemoryWatch(const Module& module, const MemoryPlan& plan);

  // Adds the next step's node and scratch size; the scratch follows the plan's arena.
  void addStep(const ModuleNode& node, const MemoryPlan& plan, std::size_t scratchBytes);
  void setArena(std::size_t bytes) { regions_[0].bytes = bytes; }  // with scratch and a guard

  // Watches one run. All its frames use the same memory.
  class Run {
   public:
    Run(const MemoryWatch& watch, const Frame& frame, std::size_t number);  // of the run: even or odd
    void before(std::size_t step) const;
    // Throws Error (unknownError) that names the step if it wrote anywhere else.
    void after(std::size_t step);

   private:
    const MemoryWatch& watch_;
    const std::byte* const* sources_;
    std::byte* const* targets_;
    std::byte pattern_;
    std::vector<std::vector<std::byte>> copies_;  // of the regions
  };

 private:
  struct Region {
    std::size_t bytes = 0;
    bool isFilled = false;
  };
  // `rows` times `bytes` bytes, `stride` apart.
  struct Write {
    std::size_t base = 0, offset = 0, bytes = 0, rows = 1, stride = 0;
  };
  struct WatchedStep {
    std::string text;
    std::vector<Write> writes;  // the last one is the scratch
  };

  std::vector<Region> regions_;  // by base: the arena, inputs, outputs
  std::vector<WatchedStep> steps_;
};

}  // namespace webnn::cpu
