#pragma once

#include <type_traits>

#include "compiler/ir/operations.h"

namespace webnn::compiler {

template <typename T, typename... Ts>
concept OneOf = (std::is_same_v<T, Ts> || ...);

// Operations that compute a function of each element of their only operand, `input`.
template <typename Op>
concept UnaryElementWise =
    OneOf<Op, ops::Unary, ops::Cast, ops::Clamp, ops::Activation, ops::Elu, ops::LeakyRelu, ops::HardSigmoid, ops::Linear>;

}  // namespace webnn::compiler
