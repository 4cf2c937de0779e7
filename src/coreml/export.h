// Exporting a graph as an ML Program of Core ML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_definition.h"
#include "webnn/placement.h"

namespace webnn::coreml {

// A part of the file of weights; in memory it is the graph's.
struct WeightPart {
  std::uint64_t offset = 0;      // of the record that describes it, a multiple of 64
  std::uint32_t type = 0;        // as the file numbers types
  std::uint64_t unusedBits = 0;  // at its end, of elements below 8 bits
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keepAlive;
};

struct ExportedModel {
  std::string proto;  // a Model of CoreML.Specification
  std::vector<WeightPart> weights;
  int specificationVersion = 7;
  // The names of the graph's inputs and outputs and those in the model: MIL allows only letters, digits and "_".
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
  // One sentence per deviation from the graph.
  std::vector<std::string> notes;
  // Per operation of the graph: its MIL operations, without constants.
  std::vector<OperationPlacement> placement;
};

// Throws NotSupportedError that lists each operation that MIL cannot express, with label and reason. The graph must outlive the
// result.
ExportedModel exportModel(const GraphDefinition& graph);

// Writes the directory `path`, an .mlpackage, and streams the weights. An existing one is replaced atomically and synced to disk.
// Returns the export's notes.
std::vector<std::string> savePackage(const GraphDefinition& graph, const std::filesystem::path& path);

// Writes a temporary package.
void writePackage(const ExportedModel& model, const std::filesystem::path& path);

}  // namespace webnn::coreml
