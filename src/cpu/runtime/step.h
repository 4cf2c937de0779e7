// What a compiled graph is made of, and how a family's `plan` makes it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cpu/runtime/caches.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/threads.h"
#include "ops/operand_record.h"

namespace webnn::cpu {

// Where a value lies during a run. Memory of inputs, outputs and constants may have any alignment; the rest has 64.
struct Slot {
  std::uint32_t base = 0;
  std::size_t offset = 0;
};

// What a step sees of a run: by base, where memory is read, and where it is written, which is null for inputs and constants.
struct Frame {
  const std::byte* const* sources;
  std::byte* const* targets;
  Team& team;

  template <typename T>
  const T* in(Slot slot) const {
    return reinterpret_cast<const T*>(sources[slot.base] + slot.offset);
  }
  template <typename T>
  T* out(Slot slot) const {
    return reinterpret_cast<T*>(targets[slot.base] + slot.offset);
  }
};

// One operation, ready to run: sizes, slots, packed weights and kernels are settled. Immutable; several threads may run it
// at once in frames of their own. run() allocates nothing, does not throw, reads nothing beyond its operands and writes
// nothing but its outputs and scratch. Once the team is over, it returns within some milliseconds, with any results.
class Step {
 public:
  virtual ~Step() = default;
  virtual void run(const Frame& frame) const = 0;
  // What it does, for traces and dumps: "gemm f32 128x768x768 avx512".
  virtual std::string describe() const { return {}; }
};
using StepPtr = std::unique_ptr<const Step>;

// A step of a function object f(const Frame&).
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

// What packed weights are of, and whatever else their bytes depend on.
struct PackKey {
  std::string_view packing;                 // who packs, a literal
  std::vector<const std::byte*> constants;  // keyOf each; null where there is none
  std::vector<std::size_t> sizes;
  auto operator<=>(const PackKey&) const = default;
};
// Equal for constants that share their bytes.
inline const std::byte* keyOf(const Operand& constant) { return constant.record().bytes.data(); }

// What `plan` is given for one node.
class Planner {
 public:
  virtual ~Planner() = default;
  virtual Isa isa() const = 0;
  // By which work is cut into blocks.
  virtual const CacheSizes& caches() const { return systemCaches(); }
  // The most threads that a run will have.
  virtual unsigned threads() const = 0;

  // Where an operand of the node lies, or its i-th output.
  virtual Slot slot(const Operand& operand) = 0;
  virtual Slot output(std::size_t i = 0) = 0;
  virtual const Operand& outputOperand(std::size_t i = 0) const = 0;
  // Elements from one row of the first output's last dimension to the next: its size, except where writesStrided(node).
  virtual std::size_t outputStride() const = 0;

  // `bytes` of memory for this step alone, aligned to 64, holding anything at the start of the run. Call it once.
  virtual Slot scratch(std::size_t bytes) = 0;

  // Accounts for memory that the step holds beside what it is given here, before it is allocated: tables of positions.
  virtual void charge(std::size_t /*bytes*/) {}

  // Memory that lives as long as the plan, aligned to 64, in large pages where they are there: for packed weights. Written
  // before `plan` returns. A constant whose slot nobody asks for is released.
  virtual std::byte* keep(std::size_t bytes) = 0;
  // The same from the plan's weight cache: the second caller with a key gets what the first one wrote, and `isNew` is false.
  virtual std::byte* cacheWeights(std::size_t bytes, PackKey key, bool& isNew) = 0;

  // The bytes of a constant operand of the node, at any alignment, to be read before `plan` returns: then they may be gone. A
  // step that reads a constant in runs asks for its slot. Where memory is watched, they are a copy, of which nothing is left
  // then.
  virtual std::span<const std::byte> constantBytes(const Operand& operand) { return operand.record().bytes; }

  // Calls work with the threads of the context, or with the caller alone while a run has them: for packing weights. What it
  // computes must not depend on their number.
  virtual void withTeam(const std::function<void(Team&)>& work) { work(singleThread()); }
};

// Loads and stores at any alignment.
template <typename T>
T loadUnaligned(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <typename T>
void storeUnaligned(void* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

}  // namespace webnn::cpu
