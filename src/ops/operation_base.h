// Declarations that every family header of the operation table needs.
// An operation is a plain aggregate: its operands and method arguments, then `options`, spelled as in the specification.
// `visitFields` visits each field once, in the order of the method's signature: `visit.argument(name, field)` for arguments,
// `visit.option(name, field)` for options except the label. The field types are Operand, std::optional<Operand>,
// std::vector<Operand>, DataType, std::uint32_t, std::int32_t, bool, double, Number, std::optional<Number>,
// std::vector<std::uint32_t>, OptionalSizes, OptionalSequence<float>, OptionalSequence<RecurrentNetworkActivation>, the type of
// Split::splits and the enums of webnn/options.h.
// `rows` has the operation's rows of the table: one row, or one per value of its `kind`. `infer` performs the specification's
// validation steps that the row does not express, resolves absent options and returns the outputs. It throws webnn::Error and is
// idempotent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/operation_row.h"
#include "webnn/error.h"
#include "webnn/operand.h"
#include "webnn/options.h"

namespace webnn::ops {

using Outputs = std::vector<OperandDescriptor>;

// Returns the row of an operation: the only row of its type, or the row of its `kind`.
template <typename Op>
const OperationRow& rowOf(const Op& op) {
  if constexpr (requires { op.kind; }) {
    return Op::rows[static_cast<std::size_t>(op.kind)];
  } else {
    return Op::rows[0];
  }
}

}  // namespace webnn::ops
