#pragma once

namespace webnn {

// Returns freed memory to the system if the C library can; it may otherwise keep many small blocks.
void trimHeap();

}  // namespace webnn
