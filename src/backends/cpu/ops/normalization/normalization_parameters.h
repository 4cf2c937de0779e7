// The scales, biases, means and variances of normalizations, as floats.
#pragma once

#include <optional>

#include "backends/cpu/runtime/step.h"

namespace webnn::cpu {

// The elements of an optional float operand, which are constant or read in each run.
class ParameterSource {
 public:
  ParameterSource() = default;
  ParameterSource(const std::optional<Operand>& operand, Planner& planner);
  // Makes also a constant's bytes readable in runs: the bytes of a folded constant are released unless a slot holds them.
  void readInRuns(const std::optional<Operand>& operand, Planner& planner);

  bool isPresent() const { return isPresent_; }
  bool isConstant() const { return !isPresent_ || constant_ != nullptr; }
  // Returns the bytes in a run; a constant needs no frame.
  const std::byte* bytes(const Frame* frame) const { return constant_ ? constant_ : frame->in<std::byte>(slot_); }
  double value(const std::byte* bytes, std::size_t i) const;
  bool isFloat32() const { return !isHalf_; }
  Slot slot() const { return slot_; }

 private:
  bool isPresent_ = false, isHalf_ = false;
  const std::byte* constant_ = nullptr;
  Slot slot_;
};

// An optional operand as an array of floats: packed with the plan if constant, read in place if possible, or converted by
// prepare() in scratch.
class FloatParameter {
 public:
  FloatParameter() = default;
  // `order`: element i is element order[i] of the operand; empty: in order. Adds its needs to `scratchFloats`.
  FloatParameter(const std::optional<Operand>& operand, const std::vector<std::uint32_t>& order, Planner& planner,
                 std::size_t& scratchFloats);

  // `scratch`: the scratch of all parameters of the step, of `scratchFloats`.
  void prepare(const Frame& frame, float* scratch) const;
  // Null if the operand is absent.
  const float* at(const Frame& frame, const float* scratch) const;

 private:
  void copy(const std::byte* from, float* to) const;

  ParameterSource source_;
  std::vector<std::uint32_t> order_;
  std::size_t count_ = 0, scratchOffset_ = 0;
  const float* kept_ = nullptr;
  bool isCopied_ = false;
};

}  // namespace webnn::cpu
