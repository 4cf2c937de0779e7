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
  // They are read from memory instead, by whom knows the location that ONNX Runtime has for it (kMemoryLocation), as OpenVINO
  // does: an offset is an address.
  bool externalByAddress = false;
  // An output that is the input of its name stays that input. ONNX Runtime writes no such output to a tensor that it is given.
  bool passesInputsOn = true;
  // Nodes of operations without a label are called as their first result, so that a library can tell where they run.
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

// What an operation of the graph has become.
struct ExportedOperation {
  std::vector<std::string> operators, names;  // "Conv", and the node's name: that of its first result if it has none
  std::vector<std::string> notes;             // "int8 is computed as int32."
};

struct ExportedModel {
  std::string proto;  // a ModelProto
  std::vector<ExternalConstant> external;
  // Inputs and outputs keep their order, types (uint8 for what WebNN calls booleans) and names, but for an output that is
  // called as an input and is another value: ONNX has one set of names. These are the outputs' names in the model.
  std::vector<std::string> outputs;
  // What is computed otherwise than the graph says, a sentence each: `add "sum": int8 is computed as int32.`
  std::vector<std::string> notes;
  std::vector<ExportedOperation> operations;  // in the order of the graph
};

// What became of each operation, all of them on this device.
std::vector<OperationPlacement> placementOf(const std::vector<ExportedOperation>& operations, const std::string& device);

// Every graph can be exported. The graph must outlive what is returned.
ExportedModel exportModel(const GraphDefinition& graph, const ExportOptions& options = {});

}  // namespace webnn::onnx
