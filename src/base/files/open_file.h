#pragma once

#include "base/budget.h"
#include "base/files/file.h"
#include "webnn/graph_builder.h"

namespace webnn {

// Returns the bytes of an open file. With FileAccess::map, maps a regular file from its beginning. Otherwise, reads from the
// current position to the end, into memory that is charged to the budget's account. Does not close the descriptor. Throws
// TypeError if it cannot be read, OperationError if the account's limit would be exceeded, and the budget's error if the budget
// is exceeded.
ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access);

}  // namespace webnn
