// Loading and saving graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "webnn/graph_builder.h"
#include "webnn/onnx_types.h"

namespace webnn {

// How to read a graph.
struct LoadOptions {
  // The weights (safetensors or .weights) and the manifest of a .weights file. Absent: looked for beside the graph.
  std::optional<std::filesystem::path> weights;
  std::optional<std::filesystem::path> manifest;
  // The sizes of the graph's dynamic dimensions, by name. Each must be fixed, and no other named.
  std::map<std::string, std::uint32_t> dimensions;
  // ONNX: inputs that become constants, by name, with their packed bytes. For inputs on whose values shapes depend.
  std::map<std::string, std::vector<std::byte>> values;
  // Opens only the graph and the files named here. NotFoundError, which names the missing file, if the graph refers to another
  // file.
  bool namedFilesOnly = false;
  // Whether files are mapped into memory or read. A mapped file must not be truncated while the graph lives: the process would
  // get SIGBUS. Read files that others may change.
  bool mapFiles = true;
  // For each limit, the stricter one of this and the context's applies. maxMemory also bounds the memory for reading.
  Limits limits;
  // How the load is ended early.
  CallOptions call;
};

// A file that the caller has opened for reading, and closes.
struct OpenFile {
  int descriptor = -1;
};

// Reads a graph and compiles it for `context`. The content decides the format: .webnn text, .webnnb, webnn-graph-json 1 and 2,
// GraphInfo JSON, or ONNX. NotFoundError for a missing file or weight, DataError (which says
// where) for a malformed one, TypeError for a graph that the specification forbids, NotSupportedError for an ONNX model
// that WebNN cannot express, with every node that is in the way.
Graph load(Context context, const std::filesystem::path& path, const LoadOptions& options = {});

// Loads a file's content, which the graph may reference instead of copying. Opens no other files: weights are in the content or
// named in the options, and external data of ONNX is a DataError.
Graph load(Context context, const ExternalBytes& content, const LoadOptions& options = {});
// Loads an open file from its beginning, or the rest of a pipe or socket. TypeError if it cannot be read.
Graph load(Context context, OpenFile file, const LoadOptions& options = {});

// An input as a file declares it.
struct DeclaredDimension {
  std::uint32_t size = 0;  // of a dynamic dimension: its largest size, or 0 if the file names none
  std::string name;        // of a dynamic dimension, for LoadOptions::dimensions; empty: the size is fixed
};
struct DeclaredInput {
  std::string name;
  DataType dataType{};
  std::vector<DeclaredDimension> shape;
  bool isBoolean = false;  // ONNX's type bool: uint8 of 0 and 1
  onnx::ElementType elementType{};  // a type that WebNN lacks, which a Session takes; `dataType` then means nothing
};

// An output, as far as a file declares it: only ONNX names types and shapes.
struct DeclaredOutput {
  std::string name;
  std::optional<DataType> dataType;
  std::optional<std::vector<DeclaredDimension>> shape;  // a size of 0 without a name: not known
  bool isBoolean = false;
  onnx::ElementType elementType{};  // a type that WebNN lacks
};

// An ONNX model's metadata.
struct ModelMetadata {
  std::string graphName, graphDescription, producerName, producerVersion, domain, description;
  std::int64_t version = 0;
  std::map<std::string, std::string> properties;
};

// Declarations of a graph file, before the sizes of its dynamic dimensions are known.
struct FileDescription {
  std::vector<DeclaredInput> inputs;         // in the order of the file, without those that options.values name
  std::vector<DeclaredOutput> outputs;       // in the order of the file
  ModelMetadata metadata;                    // of an ONNX model
  std::vector<std::filesystem::path> files;  // all that load() would read: the graph itself, then its weights or external data
};

// Reads a file's declarations without checking operations or weights. Throws NotFoundError and DataError like load(), and
// NotSupportedError for an ONNX input that is no tensor or of no known rank.
FileDescription describeFile(const std::filesystem::path& path, const LoadOptions& options = {});
// Describes a file's content. `files` is empty unless the options name weights.
FileDescription describeFile(const ExternalBytes& content, const LoadOptions& options = {});

// Estimates the memory that a file's graph needs: reads and validates it, but does not compile it. Throws the errors of load().
MemoryEstimate estimateMemory(const std::filesystem::path& path, const LoadOptions& options = {});

enum class GraphFormat {
  webnnText,    // .webnn
  graphJson,    // webnn-graph-json version 2
  onnx,         // ONNX, opset 21; large constants in NAME.onnx.data unless the weights are inlineBytes
  webnnBinary,  // .webnnb: a Cap'n Proto message. NotSupportedError in a build without it
  coreMl,       // a folder, .mlpackage: an ML Program of Core ML, which load() does not read. NotSupportedError that lists each
                // operation that it cannot express
};

enum class WeightsFormat {
  safetensors,  // NAME.safetensors
  manifest,     // NAME.weights and NAME.manifest.json
  inlineBytes,  // in the graph itself
};

// How to write a graph.
struct SaveOptions {
  std::optional<GraphFormat> graph;      // absent: what the path's suffix says, and TypeError if it says none
  std::optional<WeightsFormat> weights;  // absent: inlineBytes for webnnBinary, else safetensors
};

// Writes a graph to `path`, and its weights beside it or into it. load() reads back an equal graph. No file is left half written.
void save(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options = {});

// The graph in Graphviz's language: kinds of operations coloured, types and shapes on the edges.
std::string toDot(const Graph& graph);
// The graph as a picture in SVG, for bright and dark pages, in layers from the inputs to the outputs. The work is about linear in
// the size of the graph.
std::string toSvg(const Graph& graph);

}  // namespace webnn
