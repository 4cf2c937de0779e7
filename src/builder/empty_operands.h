// Operations on empty operands, which WebNN does not support. Their results are those of NumPy and ONNX.
#pragma once

#include <vector>

#include "ops/operand_record.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

bool isEmpty(const OperandDescriptor& descriptor);
// Makes an operand without elements, which belongs to no builder.
Operand emptyOperand(const OperandDescriptor& descriptor);

// Appends operations that compute `operation`, some of whose operands, sizes or results are empty. Returns its results; empty
// results are made by emptyOperand(). Throws the errors of GraphBuilder::append(), and a NotSupportedError if a result is not
// defined.
std::vector<Operand> appendWithEmpty(GraphBuilder& builder, Operation operation);

}  // namespace webnn
