// Placement: the device and kernels on which each operation of a compiled graph runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace webnn {

enum class PlacementState : std::uint8_t {
  runs,
  constant,  // computed when the graph was compiled
  removed,   // needs no work, because its result has the same bytes as its operand or is not used
};

// Where and how one operation of a graph runs.
struct OperationPlacement {
  std::string operation, label;      // "conv2d", "stem"
  std::vector<std::string> outputs;  // the names of its results; a result without a name is "operand_<n>"
  PlacementState state = PlacementState::runs;
  std::string device;                // "cpu", "onnxruntime CUDAExecutionProvider", "openvino CPU"; empty unless state is `runs`
  std::vector<std::string> kernels;  // the steps of "cpu" or "webgpu", or another runtime's operators, in order of execution
  std::vector<std::uint32_t> steps;  // "cpu" and "webgpu": the step of each kernel. Operations with the same step are fused.
  std::vector<std::string> notes;    // deviations from the graph: "int8 is computed as int32."

  bool operator==(const OperationPlacement&) const = default;
};

}  // namespace webnn
