// Compiles a graph to the dispatches of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/webgpu/kernels/planner.h"
#include "base/budget.h"
#include "graph/graph_definition.h"
#include "webnn/placement.h"

namespace webnn::webgpu {

// A dispatch, and the operation and label of its node.
struct PlannedDispatch {
  Dispatch dispatch;
  std::string operation, label;
};

// The index of a buffer in a run. Each value between dispatches is at the beginning of a buffer; values that are not needed at
// the same time may share one.
using BufferIndex = std::uint32_t;

// The dispatches of a graph in their order, and the buffers of its values.
struct CompiledGraph {
  std::vector<PlannedDispatch> dispatches;
  std::vector<std::uint64_t> bufferBytes;          // sizes of all buffers except those of constants
  std::vector<BufferIndex> inputs, outputs;        // the buffers of the graph's inputs and outputs
  std::vector<std::vector<BufferIndex>> bindings;  // for each dispatch, the buffers in the order of its bindings
  std::vector<Operand> constants;                  // buffer bufferBytes.size() + i has constant i
  std::vector<OperationPlacement> placement;       // placement of each operation of the graph
};

// Throws NotSupportedError if an operation exceeds the limits of the device or of its kernel.
CompiledGraph compileGraph(const GraphDefinition& graph, const KernelLimits& limits, const Budget& budget);

}  // namespace webnn::webgpu
