// GraphInfo JSON: a list of operands, and operations that refer to them by their place in it. Read only.
#pragma once

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Reads a parsed document. DataError with the path of what is wrong. An operand that has no name of its own, or one that
// is taken, is named "operand_<id>".
GraphDocument readGraphInfo(const Json& root, ReadBudget& budget);

}  // namespace webnn::formats
