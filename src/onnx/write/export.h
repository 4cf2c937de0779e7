#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"
#include "onnx/target.h"
#include "webnn/placement.h"

namespace webnn::onnx {

inline constexpr std::string_view kMemoryLocation = "*/_ORT_MEM_ADDR_/*";

struct ExportOptions {
  const Target& target = standardTarget();
  // The graph's constants of at least this many bytes stay outside the model. Constants that the export adds are always inside.
  std::size_t externalFrom = 1024;
  // The name of the file, beside the model, for constants of at least externalFrom bytes.
  std::string externalFile = "weights";
  // Writes addresses instead of file offsets, for readers that support ONNX Runtime's location for memory (kMemoryLocation), as
  // OpenVINO does.
  bool externalByAddress = false;
  // If an output is the unchanged input of the same name, the model declares the input itself as that output. Must be false for
  // backends that bind output tensors, because ONNX Runtime does not write such an output to the caller's tensor.
  bool passesInputsOn = true;
  // Names the nodes of unlabeled operations after their first result, so that a library can report where they run.
  bool namesAllNodes = false;
};

// A constant stored outside the model. Its bytes are in the graph's memory.
struct ExternalConstant {
  std::string name;  // name of the initializer
  ElementType type{};
  std::vector<std::int64_t> dims;
  std::span<const std::byte> bytes;
  std::uint64_t offset = 0;  // position in the file, a multiple of 4096
};

// The nodes of one operation of the graph.
struct ExportedOperation {
  std::vector<std::string> operators, names;  // types such as "Conv"; names of the nodes, see namesAllNodes
  std::vector<std::string> notes;             // deviations from the graph, such as "int8 is computed as int32."
};

struct ExportedModel {
  std::string proto;  // a ModelProto
  std::vector<ExternalConstant> external;
  // The names of the graph's outputs in the model. Inputs and outputs keep their order, types (booleans are uint8) and names,
  // except that an output with an input's name is renamed, because ONNX has one namespace for both. See also passesInputsOn.
  std::vector<std::string> outputs;
  // One sentence per deviation from the graph, such as `add "sum": int8 is computed as int32.`
  std::vector<std::string> notes;
  std::vector<ExportedOperation> operations;  // the graph's operations in order
};

// Returns each operation's placement; operations that became nodes run on `device`.
std::vector<OperationPlacement> placementOf(const std::vector<ExportedOperation>& operations, const std::string& device);

// Exports a graph. The graph must outlive the result. Throws NotSupportedError for open sizes or numbers of recurrent steps
// that ONNX cannot express.
ExportedModel exportModel(const GraphDefinition& graph, const ExportOptions& options = {});

}  // namespace webnn::onnx
