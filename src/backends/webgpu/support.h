#pragma once

#include "webnn/op_support_limits.h"

namespace webnn::webgpu {

// Returns the operations, types and ranks that the backend supports: those of the table in support.cpp, as far as the operation
// table allows them.
OpSupportLimits supportLimits(std::uint64_t maxTensorBytes);

}  // namespace webnn::webgpu
