// Chooses the type that replaces a type that an operator does not take.
#pragma once

#include <optional>
#include <string_view>

#include "onnx/target.h"

namespace webnn::onnx {

struct StandIn {
  ElementType type{};
  // Whether the minimum int64 is added to all values, so that signed comparison orders them as uint64.
  bool biased = false;
};

// Returns one of `types` in which the operator has the same results after a cast back to `type`; nullopt if there is none.
// Prefers integers to floats as stand-ins for integers, and small types to large ones.
std::optional<StandIn> standInFor(std::string_view opType, ElementType type, ElementTypeSet types);

}  // namespace webnn::onnx
