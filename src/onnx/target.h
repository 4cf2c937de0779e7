// The operators and types of an exported model's target: the ONNX standard, or one runtime's kernels.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "onnx/schema.h"

namespace webnn::onnx {

class ElementTypeSet {
 public:
  constexpr ElementTypeSet() = default;
  constexpr ElementTypeSet(std::initializer_list<ElementType> types) {
    for (ElementType type : types) bits_ |= bit(type);
  }
  constexpr bool contains(ElementType type) const { return (bits_ & bit(type)) != 0; }
  constexpr ElementTypeSet operator|(ElementTypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  static constexpr std::uint32_t bit(ElementType type) { return std::uint32_t{1} << static_cast<unsigned>(type); }
  std::uint32_t bits_ = 0;
};

// The types that an operator takes for its type parameter T.
struct TypeRule {
  std::string_view opType;
  ElementTypeSet types;
  std::uint32_t inputs = ~std::uint32_t{0};  // bit i: input i has type T. The other inputs may have any type.
};

// The types that a target's operators take. Operators without a rule take the standard's types; without a standard rule, any
// type. The standard always defines which inputs have type T.
struct Target {
  std::string_view name;
  std::span<const TypeRule> rules;  // sorted by opType
  // The target computes wrongly with some 8-bit integers. The exporter therefore casts integers of at most 8 bits to float via
  // int32, and dequantizes them via int32 if they have rank 4, or if the scale or the zero point is not constant.
  bool distrustsBytes = false;
  // The exporter, not the target, computes operations on constants.
  bool foldsConstants = false;
  // Rules for operators that `rules` does not name. Null: the standard's.
  const Target* base = nullptr;
  // Whether the target runs CUDA kernels: Resize interpolates the last two dimensions only, ConvTranspose takes symmetric padding
  // only, GRU and LSTM have their default activations only, GRU needs resetAfter, and Gelu takes no scalar.
  bool isCuda = false;

  const TypeRule* find(std::string_view opType) const;
};

// The standard, opset 21.
const Target& standardTarget();

}  // namespace webnn::onnx
