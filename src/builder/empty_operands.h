// Operations over operands without elements, which WebNN does not have: their results as NumPy and ONNX define them.
#pragma once

#include <vector>

#include "ops/operand_record.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn {

bool isEmpty(const OperandDescriptor& descriptor);
// Makes an operand without elements, which belongs to no builder.
Operand emptyOperand(const OperandDescriptor& descriptor);

// Appends operations that compute `operation`. Some of its operands, sizes or results are empty. Returns its results; those
// without elements are emptyOperand(). Throws the errors of GraphBuilder::append(), and a NotSupportedError if a result is not
// defined.
std::vector<Operand> appendWithEmpty(GraphBuilder& builder, Operation operation);

}  // namespace webnn
