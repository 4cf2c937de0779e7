#pragma once

#include "base/budget.h"
#include "base/files/file.h"
#include "webnn/graph_builder.h"

namespace webnn {

// Returns the bytes of an open file: the whole file (mapped, if `access` allows it) if it is a regular file, else the remaining
// data of a pipe or socket, at most budget.limits().maxMemory bytes. Does not close the descriptor. Throws TypeError if it cannot
// be read, OperationError if there are more bytes.
ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access);

}  // namespace webnn
