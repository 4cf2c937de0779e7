#pragma once

#include "base/budget.h"
#include "base/files/file.h"
#include "webnn/graph_builder.h"

namespace webnn {

// Returns the bytes of an open file: mapped if it is a regular file and may be mapped, else the rest of the file, pipe or socket,
// at most budget.limits().maxMemory bytes. The descriptor stays open. Throws TypeError if it cannot be read, OperationError for
// more bytes.
ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access);

}  // namespace webnn
