#pragma once

#include "base/one_of.h"
#include "compiler/ir/operations.h"

namespace webnn::compiler {

// Operations that compute a function of each element of their only operand, `input`.
template <typename Op>
concept UnaryElementWise =
    OneOf<Op, ops::Unary, ops::Cast, ops::Clamp, ops::Activation, ops::Elu, ops::LeakyRelu, ops::HardSigmoid, ops::Linear>;

}  // namespace webnn::compiler
