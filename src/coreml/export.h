// Exports a graph as an ML Program of Core ML. MIL (Model Intermediate Language) is the language of these programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_definition.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/placement.h"

namespace webnn::coreml {

// A part of the weights file: the bytes of one constant, which the graph or `keepAlive` owns.
struct WeightPart {
  std::uint64_t offset = 0;      // offset of the record that describes the part; a multiple of 64
  std::uint32_t type = 0;        // the type's number in the weights file
  std::uint64_t unusedBits = 0;  // number of unused bits at the end of the part, if elements are smaller than 8 bits
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keepAlive;
};

struct ExportedModel {
  std::string proto;  // a serialized CoreML.Specification.Model
  std::vector<WeightPart> weights;
  int specificationVersion = 7;
  // The names of the graph's inputs and outputs, each with its name in the model. MIL only allows letters, digits and "_".
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
  // One sentence per deviation from the graph.
  std::vector<std::string> notes;
  // For each operation of the graph, the MIL operations that compute it, without constants.
  std::vector<OperationPlacement> placement;
};

// Throws a NotSupportedError that lists all operations that MIL cannot express, with labels and reasons. The graph must outlive
// the result.
ExportedModel exportModel(const GraphDefinition& graph);
// Exports a graph whose shapes may be handles of `sizes`. Each open dimension has at least the size 1 in Core ML. The model's
// metadata keeps the shapes of inputs and outputs with the names of the dimensions.
ExportedModel exportModel(const GraphDefinition& graph, OpenSizes sizes);

// Writes the directory `path`, an .mlpackage; weights are streamed. Files of an existing package are replaced atomically and
// synced to disk. Returns the notes of the export.
std::vector<std::string> savePackage(const GraphDefinition& graph, const std::filesystem::path& path);
std::vector<std::string> savePackage(const GraphDefinition& graph, const OpenSizes& sizes, const std::filesystem::path& path);

// Writes a package that is only used temporarily: files are neither replaced atomically nor synced.
void writePackage(const ExportedModel& model, const std::filesystem::path& path);

}  // namespace webnn::coreml
