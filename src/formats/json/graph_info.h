// GraphInfo JSON: a list of operands, and operations that refer to operands by their index in it. Read only.
#pragma once

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Reads a parsed document. DataError gives the path of the error. Operands without a free name are named "operand_<id>".
GraphDocument readGraphInfo(const Json& root, ReadBudget& budget);

}  // namespace webnn::formats
