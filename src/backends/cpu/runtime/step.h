// The steps of a compiled graph, and the Planner with which each family's `plan` makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/precision.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/runtime/weight_memory.h"
#include "base/function_ref.h"
#include "base/unaligned.h"
#include "compiler/plan/slot.h"
#include "graph/backend.h"
#include "ops/operand_record.h"

namespace webnn::cpu {

// An output that a step writes as an input with a few changes: the bases of both, and the ranges in which their memory differs
// before and after the step. The step adds ranges to `after`, and resets it if it is full.
struct UpdatedBase {
  std::uint32_t input, output;
  const ByteDifference* before;
  ByteDifference* after;
};

// The memory of a run, by base: `sources` to read from and `targets` to write to. Targets of inputs and constants are null.
struct Frame {
  const std::byte* const* sources;
  std::byte* const* targets;
  Team& team;
  std::span<const UpdatedBase> updated{};

  template <typename T>
  const T* in(Slot slot) const {
    return reinterpret_cast<const T*>(sources[slot.base] + slot.offset);
  }
  template <typename T>
  T* out(Slot slot) const {
    return reinterpret_cast<T*>(targets[slot.base] + slot.offset);
  }
};

// One operation, ready to run: its sizes, slots, packed weights and kernels are fixed. Immutable; several threads may run it
// concurrently in frames of their own. run() allocates nothing, does not throw, reads nothing beyond its operands and writes
// only its outputs and scratch. Once the run is over (Team::isOver), it returns within a few milliseconds, with arbitrary
// results.
class Step {
 public:
  virtual ~Step() = default;
  virtual void run(const Frame& frame) const = 0;
  // Returns a description for traces and dumps: "gemm f32 128x768x768 avx512".
  virtual std::string describe() const { return {}; }
};
using StepPtr = std::unique_ptr<const Step>;

// Makes a step from a function object f(const Frame&).
template <typename F>
StepPtr makeStep(std::string description, F f) {
  struct Plain final : Step {
    Plain(std::string text, F function) : description(std::move(text)), run_(std::move(function)) {}
    void run(const Frame& frame) const override { run_(frame); }
    std::string describe() const override { return description; }
    std::string description;
    F run_;
  };
  return std::make_unique<const Plain>(std::move(description), std::move(f));
}

inline ConstantKey keyOf(const Operand& constant) {
  const OperandRecord& record = constant.record();
  return {record.bytes.data(), record.bytes.size(), record.keepAlive};
}

// The interface through which `plan` plans one node.
class Planner {
 public:
  virtual ~Planner() = default;
  virtual Isa isa() const = 0;
  virtual Precision precision() const { return Precision::float32; }
  // Returns the cache sizes, which decide how work is split into blocks.
  virtual const CacheSizes& caches() const { return systemCaches(); }
  // Returns the largest number of threads of a run.
  virtual unsigned threads() const = 0;

  // Return the slot of an operand of the node, or of its i-th output.
  virtual Slot slot(const Operand& operand) = 0;
  virtual Slot output(std::size_t i = 0) = 0;
  virtual const Operand& outputOperand(std::size_t i = 0) const = 0;
  // Returns the row stride of the first output in elements: the size of its last dimension, unless writesStrided(node).
  virtual std::size_t outputStride() const = 0;

  // Scratch memory for this step alone, aligned to 64, with arbitrary contents at the start of a run. Call it at most once.
  virtual Slot scratch(std::size_t bytes) = 0;

  // Accounts for memory that the step allocates itself, such as tables of positions. Call it before allocating.
  virtual void charge(std::size_t /*bytes*/) {}

  // Memory for packed weights that lives as long as the plan, aligned to 64, in huge pages where available. It must be written
  // before `plan` returns. Constants are released unless some step asks for their slot.
  virtual std::byte* keep(std::size_t bytes) = 0;
  // Returns memory like keep()'s that `pack` has written. Does not call `pack` if a step of this plan, or of another living plan of
  // the backend, has weights under an equal key.
  virtual const std::byte* packWeights(std::size_t bytes, PackKey key, FunctionRef<void(std::byte*)> pack) = 0;

  // Returns the bytes of a constant operand of the node, at any alignment. They are valid until `plan` returns; a step that reads
  // a constant during runs uses its slot. If memory is watched (tests), they are a copy that is overwritten afterwards.
  virtual std::span<const std::byte> constantBytes(const Operand& operand) { return operand.record().bytes; }

  // Calls work with the context's threads, or with the caller alone while a run holds them. For packing weights; the result must
  // not depend on the number of threads.
  virtual void withTeam(const std::function<void(Team&)>& work) { work(singleThread()); }
};

}  // namespace webnn::cpu
