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

// Options of load(), describeFile(), estimateMemory() and Session::load().
struct LoadOptions {
  // The paths of the weights file (safetensors or .weights) and of the manifest of a .weights file. If absent, load() looks for
  // them beside the graph.
  std::optional<std::filesystem::path> weights;
  std::optional<std::filesystem::path> manifest;
  // The sizes of the graph's open dimensions, by name. load() needs all of them; Session::load() may leave some open. A name that
  // the graph does not have throws a TypeError.
  std::map<std::string, std::uint32_t> dimensions;
  // ONNX: inputs to be replaced by constants, by name, with their packed bytes. Needed for inputs whose values determine shapes.
  std::map<std::string, std::vector<std::byte>> values;
  // Opens only the graph and the files that these options name. Throws NotFoundError if the graph needs another file.
  bool namedFilesOnly = false;
  // Whether files are memory-mapped (true) or read. A mapped file must not be truncated during the graph's lifetime, or the
  // process gets SIGBUS. Use false for files that another process may modify.
  bool mapFiles = true;
  // For each limit, the stricter of this value and the context's value applies. maxMemory also bounds the memory for parsing.
  Limits limits;
  // Cancellation, timeout and progress of the load.
  CallOptions call;
};

// A file that the caller has opened for reading. The library does not close it.
struct OpenFile {
  int descriptor = -1;
};

// Reads a graph and compiles it for `context`. The format is recognized by the content: .webnn text, .webnnb, webnn-graph-json 1
// and 2, GraphInfo JSON, or ONNX. Throws NotFoundError for a missing file or weight, DataError (usually with the position) for a
// malformed file, TypeError for a graph that the specification forbids, NotSupportedError for an ONNX model that WebNN cannot
// express, with a list of the unsupported nodes (at most 100).
Graph load(Context context, const std::filesystem::path& path, const LoadOptions& options = {});

// Loads the content of a graph file. The graph may keep references into `content` instead of copying. Opens only files that the
// options name; other external data of ONNX throws a DataError.
Graph load(Context context, const ExternalBytes& content, const LoadOptions& options = {});
// Loads an open file: from its beginning if it is mapped, otherwise (mapFiles = false, a pipe or a socket) from its current
// position. Throws TypeError if it cannot be read.
Graph load(Context context, OpenFile file, const LoadOptions& options = {});

// A dimension as a file declares it: fixed if `name` is empty, otherwise open.
struct DeclaredDimension {
  std::uint32_t size = 0;  // for an open dimension: its maximum size, or 0 if the file does not declare a maximum
  std::string name;        // the key of an open dimension in LoadOptions::dimensions
  std::uint32_t min = 1;   // the smallest size of an open dimension
};
// An input as a file declares it.
struct DeclaredInput {
  std::string name;
  DataType dataType{};
  std::vector<DeclaredDimension> shape;
  bool isBoolean = false;  // declared as ONNX bool, which is passed as uint8 with the values 0 and 1
  // Set if WebNN lacks the declared type. Then `dataType` is unused, and only a Session can load the file.
  onnx::ElementType elementType{};
  // Set if the input is an ONNX map: the type of its keys. `dataType` and `elementType` then describe its values.
  onnx::ElementType keyType{};
  std::string onnxType{};  // the ONNX type of an input that is no tensor, such as "seq(tensor(float))"; else empty
};

// An output as a file declares it. Only ONNX files declare types and shapes.
struct DeclaredOutput {
  std::string name;
  std::optional<DataType> dataType;
  std::optional<std::vector<DeclaredDimension>> shape;  // an unknown dimension has size 0 and no name
  bool isBoolean = false;
  onnx::ElementType elementType{};  // set if WebNN lacks the declared type
  std::string onnxType{};           // the ONNX type of an output that is no tensor, such as "seq(tensor(float))"; else empty
};

// An ONNX model's metadata.
struct ModelMetadata {
  std::string graphName, graphDescription, producerName, producerVersion, domain, description;
  std::int64_t version = 0;
  std::map<std::string, std::string> properties;
};

// The declarations in a graph file. They can be read before the sizes of its open dimensions are chosen.
struct FileDescription {
  std::vector<DeclaredInput> inputs;         // in the order of the file, without inputs that LoadOptions::values replaces
  std::vector<DeclaredOutput> outputs;       // in the order of the file
  ModelMetadata metadata;                    // empty unless the file is an ONNX model
  std::vector<std::filesystem::path> files;  // the files that load() would read: the graph, then its weights or external data
};

// Reads a file's declarations without checking operations or weights. Throws NotFoundError and DataError like load(), and
// NotSupportedError for an ONNX input of an unsupported type, such as complex numbers or a sequence of maps.
FileDescription describeFile(const std::filesystem::path& path, const LoadOptions& options = {});
// Describes the content of a graph file. FileDescription::files is empty unless the options name weights.
FileDescription describeFile(const ExternalBytes& content, const LoadOptions& options = {});

// Estimates the memory that the graph in a file needs. Reads and validates the graph, but does not compile it. Throws the errors
// of load().
MemoryEstimate estimateMemory(const std::filesystem::path& path, const LoadOptions& options = {});

enum class GraphFormat {
  webnnText,    // .webnn
  graphJson,    // webnn-graph-json version 2
  onnx,         // ONNX, opset 20 (21 with 4-bit types); large constants go to NAME.onnx.data unless weights is inlineBytes
  webnnBinary,  // .webnnb, a Cap'n Proto message. In a build without Cap'n Proto, save() and load() throw NotSupportedError.
  coreMl,       // an .mlpackage directory with a Core ML program, which load() cannot read. If Core ML cannot express some
                // operations, save() throws a NotSupportedError that lists them.
};

// The format of a graph's weights. GraphFormat::coreMl ignores it: a package contains its weights.
enum class WeightsFormat {
  safetensors,  // NAME.safetensors; for ONNX, constants of at least 1024 bytes in NAME.onnx.data
  manifest,     // NAME.weights and NAME.manifest.json; for ONNX, like safetensors
  inlineBytes,  // in the graph itself
};

// Options of save().
struct SaveOptions {
  std::optional<GraphFormat> graph;      // absent: chosen by the path's suffix; throws TypeError if the suffix is unknown
  std::optional<WeightsFormat> weights;  // absent: inlineBytes for webnnBinary, else safetensors
};

// Writes a graph to `path`, and its weights into the same file or beside it. From the formats of WebNN (.webnn, JSON, .webnnb),
// load() reads back an equal graph. A call that fails leaves no partial file.
void save(const Graph& graph, const std::filesystem::path& path, const SaveOptions& options = {});

// Returns the graph in Graphviz's language, with a color per kind of operation, and types and shapes on the edges.
std::string toDot(const Graph& graph);
// Returns the graph as an SVG image for light and dark pages, with layers from the inputs to the outputs. The time is about
// linear in the size of the graph.
std::string toSvg(const Graph& graph);

}  // namespace webnn
