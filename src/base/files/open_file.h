// Files that somebody else has opened.
#pragma once

#include "base/budget.h"
#include "base/files/file.h"
#include "webnn/graph_builder.h"

namespace webnn {

// The bytes of a file that is open for reading: mapped if it is a regular file and may be, else what is left of it, of the pipe
// or socket, of at most budget.limits().maxMemory bytes. The descriptor stays open. TypeError if it cannot be read;
// OperationError for more bytes.
ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access);

}  // namespace webnn
