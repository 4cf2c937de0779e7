// Chooses compute units from a context's options, and lists the features of each macOS version.
#pragma once

#include <string_view>

#include "backends/coreml/framework.h"
#include "webnn/context.h"
#include "webnn/op_support_limits.h"

namespace webnn::coreml {

// "all", "cpu", "cpuAndGPU", "cpuAndNeuralEngine"
std::string_view name(ComputeUnits units);

// Returns the units of the option `units` or throws (TypeError for another word, NotSupportedError for a missing device). Without
// the option, the hints decide: the CPU unless accelerated; for low power the Neural Engine, otherwise the GPU, or the one that
// exists; by default all.
ComputeUnits unitsOf(const ContextOptions& options, const Devices& devices);

// Returns whether a GPU or a Neural Engine may be used.
bool isAccelerated(ComputeUnits units, const Devices& devices);

// Returns the newest model specification version that this macOS runs, counted from 7; 0 if none.
int newestSpecification(OsVersion version);
// Throws NotSupportedError, which names the required macOS version, if this system cannot run the specification version.
void requireSpecification(int specification, OsVersion version);

// Returns the types that Core ML computes as WebNN specifies. Core ML computes integers as int32, so wider integers are limited
// to operations that cannot leave that range.
OpSupportLimits limitsOf(OsVersion version);

}  // namespace webnn::coreml
