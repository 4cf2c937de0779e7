// Scales, biases, means and variances of normalizations, read as floats.
#pragma once

#include <optional>

#include "backends/cpu/runtime/step.h"

namespace webnn::cpu {

// An optional float32 or float16 operand that is a constant or is read in each run.
class ParameterSource {
 public:
  ParameterSource() = default;
  ParameterSource(const std::optional<Operand>& operand, Planner& planner);
  // Makes the bytes readable in runs even if the operand is a constant, whose bytes are otherwise valid only until plan()
  // returns.
  void readInRuns(const std::optional<Operand>& operand, Planner& planner);

  bool isPresent() const { return isPresent_; }
  bool isConstant() const { return !isPresent_ || constant_ != nullptr; }
  // Returns the operand's bytes. `frame` may be null if the operand is a constant.
  const std::byte* bytes(const Frame* frame) const { return constant_ ? constant_ : frame->in<std::byte>(slot_); }
  double value(const std::byte* bytes, std::size_t i) const;
  bool isFloat32() const { return !isHalf_; }
  Slot slot() const { return slot_; }

 private:
  bool isPresent_ = false, isHalf_ = false;
  const std::byte* constant_ = nullptr;
  Slot slot_;
};

// An optional operand as an array of floats. A constant is converted at build time. Other operands are read in place if possible,
// or converted to scratch memory by prepare().
class FloatParameter {
 public:
  FloatParameter() = default;
  // Element i of the array is element order[i] of the operand, or element i if `order` is empty. Adds the needed floats to
  // `scratchFloats`.
  FloatParameter(const std::optional<Operand>& operand, const std::vector<std::uint32_t>& order, Planner& planner,
                 std::size_t& scratchFloats);

  // Converts the operand if necessary. `scratch` belongs to all parameters of the step and has `scratchFloats` floats.
  void prepare(const Frame& frame, float* scratch) const;
  // Returns the array, or null if the operand is absent.
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
