#pragma once

#include <string_view>

#include "backends/coreml/framework.h"
#include "webnn/context.h"
#include "webnn/op_support_limits.h"

namespace webnn::coreml {

// Returns the value of option `units` for these units: "all", "cpu", "cpuAndGPU" or "cpuAndNeuralEngine".
std::string_view name(ComputeUnits units);

// Returns the units requested by option `units`. Throws TypeError for an unknown value and NotSupportedError if the device is
// missing. Without the option, follows WebNN's hints: the CPU if acceleration is not wanted or not possible; else, for low power,
// the Neural Engine (the GPU if the machine has no Neural Engine); for high performance, the GPU (the Neural Engine if it has no
// GPU); without a preference, all units.
ComputeUnits unitsOf(const ContextOptions& options, const Devices& devices);

// Returns whether `units` includes a GPU or Neural Engine that the machine has.
bool isAccelerated(ComputeUnits units, const Devices& devices);

// Returns the newest model specification version (7 or later) that this macOS version runs, or 0 if it runs none.
int newestSpecification(OsVersion version);
// Throws NotSupportedError, which names the required macOS version, if macOS `version` cannot run models of `specification`.
void requireSpecification(int specification, OsVersion version);

// Returns the types that Core ML computes as WebNN specifies. Core ML computes all integers as int32. So uint32 and 64-bit
// integers are only allowed as the input of cast, and for operations whose results fit in int32 if their operands do.
OpSupportLimits limitsOf(OsVersion version);

}  // namespace webnn::coreml
