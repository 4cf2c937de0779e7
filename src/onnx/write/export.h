// Exporting a graph as an ONNX model.
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
  // Constants of at least this many bytes stay outside the model.
  std::size_t externalFrom = 1024;
  // The file that they will be in, beside the model.
  std::string externalFile = "weights";
  // Writes addresses instead of file offsets, for readers that support ONNX Runtime's location for memory (kMemoryLocation), as
  // OpenVINO does.
  bool externalByAddress = false;
  // An output that is the input of its name stays that input. ONNX Runtime writes no such output to a tensor that it is given.
  bool passesInputsOn = true;
  // Names the nodes of unlabeled operations after their first result, so that a library can report where they run.
  bool namesAllNodes = false;
};

// A constant outside the model: in memory it is the graph's.
struct ExternalConstant {
  std::string name;  // of the initializer
  ElementType type{};
  std::vector<std::int64_t> dims;
  std::span<const std::byte> bytes;
  std::uint64_t offset = 0;  // in the file, a multiple of 4096
};

// The nodes of one operation of the graph.
struct ExportedOperation {
  std::vector<std::string> operators, names;  // "Conv", and the node's name: that of its first result if it has none
  std::vector<std::string> notes;             // "int8 is computed as int32."
};

struct ExportedModel {
  std::string proto;  // a ModelProto
  std::vector<ExternalConstant> external;
  // Inputs and outputs keep their order, types (booleans are uint8) and names, except an output with an input's name and another
  // value, because ONNX has one set of names. These are the outputs' names in the model.
  std::vector<std::string> outputs;
  // One sentence per deviation from the graph: `add "sum": int8 is computed as int32.`
  std::vector<std::string> notes;
  std::vector<ExportedOperation> operations;  // in the order of the graph
};

// Returns each operation's placement, all on this device.
std::vector<OperationPlacement> placementOf(const std::vector<ExportedOperation>& operations, const std::string& device);

// Exports any graph. The graph must outlive the result.
ExportedModel exportModel(const GraphDefinition& graph, const ExportOptions& options = {});

}  // namespace webnn::onnx
