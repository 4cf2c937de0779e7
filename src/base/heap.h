// The memory that malloc has.
#pragma once

namespace webnn {

// Gives freed memory back to the system, where the C library can: many small blocks may be kept otherwise.
void trimHeap();

}  // namespace webnn
