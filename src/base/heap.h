#pragma once

namespace webnn {

// Returns freed memory to the system, if the C library supports it. Otherwise the C library may keep many small blocks.
void trimHeap();

}  // namespace webnn
