#pragma once

namespace webnn {

// Returns freed memory to the system, if the C library supports it. Without this call, the C library may keep many freed blocks.
void trimHeap();

}  // namespace webnn
