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
  // Names of the graph's inputs and outputs with those that the model gives them: MIL allows letters, digits and "_" only.
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
  // What is computed otherwise than the graph says, a sentence each.
  std::vector<std::string> notes;
  // What each operation of the graph has become: the MIL operations, without constants.
  std::vector<OperationPlacement> placement;
};

// NotSupportedError that lists each operation that MIL cannot express, its label and the reason.
// The graph must outlive what is returned.
ExportedModel exportModel(const GraphDefinition& graph);

// Writes the folder `path`, an .mlpackage, streaming the weights from where they are. What is there is replaced as a whole, and
// on the disk in the end. The notes of the export come back.
std::vector<std::string> savePackage(const GraphDefinition& graph, const std::filesystem::path& path);

// The same for a new folder that will not be kept.
void writePackage(const ExportedModel& model, const std::filesystem::path& path);

}  // namespace webnn::coreml
