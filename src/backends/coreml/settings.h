// What the executor chooses: compute units by the options of a context, and what a version of macOS can run.
#pragma once

#include <string_view>

#include "backends/coreml/framework.h"
#include "webnn/context.h"
#include "webnn/op_support_limits.h"

namespace webnn::coreml {

// "all", "cpu", "cpuAndGPU", "cpuAndNeuralEngine"
std::string_view name(ComputeUnits units);

// By the option `units`: these or an error (TypeError for another word, NotSupportedError for a device that the machine lacks).
// Without it by the hints: the CPU unless accelerated, else for low power the Neural Engine, otherwise the GPU, or what there is
// of the two; by default all, of which Core ML chooses.
ComputeUnits unitsOf(const ContextOptions& options, const Devices& devices);

// Whether a GPU or a Neural Engine may be used.
bool isAccelerated(ComputeUnits units, const Devices& devices);

// The newest specification version of models that macOS runs, which the export counts from 7; 0: none of these.
int newestSpecification(OsVersion version);
// NotSupportedError, which names the version of macOS that is needed, if a model of the specification cannot run.
void requireSpecification(int specification, OsVersion version);

// What is computed as WebNN says. All integers are int32 there: of wider ones only what cannot leave it.
OpSupportLimits limitsOf(OsVersion version);

}  // namespace webnn::coreml
