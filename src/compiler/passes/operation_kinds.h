#pragma once

#include <type_traits>
#include <utility>

#include "base/one_of.h"
#include "compiler/ir/operations.h"

namespace webnn::compiler {

// Operations that compute a function of each element of their only operand, `input`.
template <typename Op>
concept UnaryElementWise =
    OneOf<Op, ops::Unary, ops::Cast, ops::Clamp, ops::Activation, ops::Elu, ops::LeakyRelu, ops::HardSigmoid, ops::Linear>;

// Returns an operation of the specification or of the engine as an EngineOperation.
template <typename Op>
EngineOperation asEngineOperation(Op op) {
  if constexpr (std::is_constructible_v<EngineVariant, std::in_place_type_t<Op>, Op>) {
    return EngineOperation(std::move(op));
  } else {
    return EngineOperation(Operation(std::move(op)));
  }
}

}  // namespace webnn::compiler
