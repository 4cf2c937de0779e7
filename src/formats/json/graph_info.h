// Reads GraphInfo JSON: a list of operands, and operations that refer to operands by their index in this list. libwebnn does not
// write the format.
#pragma once

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Converts the parsed document `root`. A DataError gives the path of the invalid value. An operand without a name, or with the
// name of an earlier operand, is named "operand_<index>", with underscores appended if this name is taken.
GraphDocument readGraphInfo(const Json& root, ReadBudget& budget);

}  // namespace webnn::formats
