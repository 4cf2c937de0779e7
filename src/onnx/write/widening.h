// Which type stands in for one that an operator does not take.
#pragma once

#include <optional>
#include <string_view>

#include "onnx/target.h"

namespace webnn::onnx {

struct StandIn {
  ElementType type{};
  // Whether all values are offset by the least int64, so that signed comparison orders them like uint64.
  bool biased = false;
};

// A type of `types` in which the operator does the same, up to the bits that a cast back to `type` drops; the smallest
// that there is. nullopt if there is none.
std::optional<StandIn> standInFor(std::string_view opType, ElementType type, ElementTypeSet types);

}  // namespace webnn::onnx
