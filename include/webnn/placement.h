// Where the operations of a compiled graph run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace webnn {

enum class PlacementState : std::uint8_t {
  runs,
  constant,  // computed when the graph was compiled
  removed,   // nothing is left to do: its result is its operand's bytes, or nothing needs it
};

// Where and how one operation of a graph runs.
struct OperationPlacement {
  std::string operation, label;      // "conv2d", "stem"
  std::vector<std::string> outputs;  // names of its results: their own, else "operand_<n>"
  PlacementState state = PlacementState::runs;
  std::string device;                // "cpu", "onnxruntime CUDAExecutionProvider", "openvino CPU"; empty unless it runs
  std::vector<std::string> kernels;  // the engine's steps or the target's operators, in order
  std::vector<std::uint32_t> steps;  // our engine's step of each kernel; operations that share a step run as one
  std::vector<std::string> notes;    // what is computed otherwise than the graph says: "int8 is computed as int32."

  bool operator==(const OperationPlacement&) const = default;
};

}  // namespace webnn
