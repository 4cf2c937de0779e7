// What an exported model may use: the ONNX standard, or what one runtime's kernels take.
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
  std::uint32_t inputs = ~std::uint32_t{0};  // bit i: input i is of T. The other inputs are left alone.
};

// An operator without a rule takes the types of the standard; if that has no rule either, all that the exporter gives it.
// Which inputs are of T is always the standard's business.
struct Target {
  std::string_view name;
  std::span<const TypeRule> rules;  // sorted by opType
  // Integers of 8 bits that are cast to float go by way of int32, unless they are matrices with constant scales.
  bool distrustsBytes = false;
  // What is computed of constants is computed by the exporter.
  bool foldsConstants = false;
  // Operators that `rules` does not name follow these rules. Null: those of the standard.
  const Target* base = nullptr;
  // Kernels of CUDA: Resize interpolates the last two dimensions only, ConvTranspose takes symmetric padding only, GRU and LSTM
  // have their default activations only, GRU applies its reset gate last, and Gelu takes no scalar.
  bool isCuda = false;

  const TypeRule* find(std::string_view opType) const;
};

// The standard, opset 21.
const Target& standardTarget();

}  // namespace webnn::onnx
