// The steps of a compiled graph, and the Planner interface that each operation's plan() uses to create them.
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

// A graph output that equals a graph input except for a few bytes, so that the step that writes the output copies only the bytes
// that differ. `input` and `output` are the Slot::base of the graph input and the graph output. `before` lists the bytes in which
// their memory differs before the step, or is nullopt (unknown). The step adds the bytes that it changes to `after`, or sets
// `after` to nullopt when its capacity is used up.
struct UpdatedBase {
  std::uint32_t input, output;
  const ByteDifference* before;
  ByteDifference* after;
};

// The memory of a run. Slot::base indexes `sources` (to read) and `targets` (to write; null for inputs and constants).
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

// A unit of work of a compiled graph: one or several fused operations, with fixed sizes, slots, packed weights and kernels.
// Immutable; several threads may run it concurrently in different frames. run() must not allocate or throw, reads only its
// operands, and writes only its outputs and scratch. If the run is cancelled or out of time (Team::isOver), it returns within a
// few milliseconds with arbitrary results.
class Step {
 public:
  virtual ~Step() = default;
  virtual void run(const Frame& frame) const = 0;
  // Returns a text for traces and dumps, such as "gemm f32 128x768x768 avx512".
  virtual std::string describe() const { return {}; }
};
using StepPtr = std::unique_ptr<const Step>;

// Makes a step that calls f(const Frame&).
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

// Passed to plan() to create the step of one node.
class Planner {
 public:
  virtual ~Planner() = default;
  virtual Isa isa() const = 0;
  virtual Precision precision() const { return Precision::float32; }
  virtual const CacheSizes& caches() const { return systemCaches(); }
  // Returns the largest number of threads in a run.
  virtual unsigned threads() const = 0;

  // Return the slot of an operand or of the i-th output of the node.
  virtual Slot slot(const Operand& operand) = 0;
  virtual Slot output(std::size_t i = 0) = 0;
  virtual const Operand& outputOperand(std::size_t i = 0) const = 0;
  // Returns the distance between rows of the first output, in elements. The distance is the size of the last dimension; it may be
  // larger only if writesStrided(node).
  virtual std::size_t outputStride() const = 0;

  // Reserves scratch memory for this step, aligned to 64 bytes, with arbitrary contents at the start of a run. Call at most once.
  virtual Slot scratch(std::size_t bytes) = 0;

  // Charges memory that the step will allocate itself, such as tables of positions. Throws if the limit is exceeded.
  virtual void charge(std::size_t /*bytes*/) {}

  // Allocates memory for packed weights that lives as long as the compiled graph, aligned to 64 bytes, in huge pages if
  // available. The caller fills the memory before plan() returns.
  virtual std::byte* keep(std::size_t bytes) = 0;
  // Allocates memory as keep() does, lets `pack` write weights to it, and returns it. If a step of this plan, or of another
  // living plan of the backend, already has weights under an equal key, returns those weights without calling `pack`.
  // MemoryMode::watched and apart always pack.
  virtual const std::byte* packWeights(std::size_t bytes, PackKey key, FunctionRef<void(std::byte*)> pack) = 0;

  // Returns a constant's bytes, which may be unaligned. They are valid until plan() returns; steps that read a constant during
  // runs must use its slot. In MemoryMode::watched and apart, returns a copy that is overwritten after planning.
  virtual std::span<const std::byte> constantBytes(const Operand& operand) { return operand.record().bytes; }

  // Calls `work` with the context's team, or with a team of only the calling thread if the context's team is in use. Meant for
  // packing weights. The result must not depend on the number of threads.
  virtual void withTeam(const std::function<void(Team&)>& work) { work(singleThread()); }
};

}  // namespace webnn::cpu
