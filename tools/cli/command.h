// Used by all subcommands: exit statuses, common options, reading and printing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "builder/open_graph.h"
#include "cli/command_line.h"
#include "context/graph_state.h"
#include "formats/document/json_value.h"
#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/graph.h"
#include "webnn/session.h"

namespace webnn::cli {

using formats::Json;

inline constexpr int kFine = 0;
inline constexpr int kFailed = 1;
inline constexpr int kMisuse = 2;

// An invalid command line. The tool reports it and exits with status 2.
struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Limits that apply to loading, building and running a graph.
struct LimitOptions {
  Limits most;
  double seconds = 0;  // time of one load, build or run; 0: no limit
};

// Options of subcommands that create a context.
struct BackendOptions {
  std::string name;  // empty: the best available backend
  std::uint32_t threads = 0;
  std::vector<std::string> settings;  // "[BACKEND:]KEY=VALUE"
  std::string service;                // "private" or "unix:PATH"; empty: from WEBNN_SERVICE
  LimitOptions limits;
};

// Options of subcommands that read a graph.
struct ModelOptions {
  std::filesystem::path model;
  BackendOptions backend;
  std::filesystem::path weights, manifest;
  std::vector<std::string> dimensions;  // open dimensions: "NAME=VALUE"
  std::vector<std::string> values;      // constants from files: "NAME=FILE.npy"
  bool namedFilesOnly = false;
  bool readsFiles = false;
};

// Declares the options of addGraphOptions() and addBackendOptions().
void addModelOptions(const Command& app, ModelOptions& options);
// Declares MODEL, --weights, --manifest, --dim, --value, --named-files-only and --no-mmap.
void addGraphOptions(const Command& app, ModelOptions& options);
// Declares --backend (default: WEBNN_BACKEND), --threads and the options of addCommonOptions().
void addBackendOptions(const Command& app, BackendOptions& options);
// Declares --backend-option, --service and the limits. `isList`: the subcommand runs several backends.
void addCommonOptions(const Command& app, BackendOptions& options, bool isList = true);
// Returns the command line arguments that set the options of addCommonOptions().
std::vector<std::string> commonArguments(const BackendOptions& options);

// Parses "NAME[:KEY=VALUE...][:service[=ADDRESS]]", one backend of a list, and adds the options common to the list. Settings
// without a BACKEND scope are not given to the reference backend, because it has no settings.
BackendOptions backendOf(std::string text, BackendOptions common);
// Returns the settings that apply to `backend`; if `backend` is empty, to the default backend. If a key is repeated, its last
// value wins.
std::map<std::string, std::string> settingsOf(const std::vector<std::string>& settings, std::string_view backend);
// Returns options for a context that computes on the calling thread.
ContextOptions contextOptionsOf(const BackendOptions& options);

Context makeContext(const BackendOptions& options);
// Returns the context of makeContext() if a backend is named, otherwise a context that only reads graphs and compiles nothing.
Context makeReader(const BackendOptions& options);
// Loads the graph. If sizes of open dimensions are missing, the error lists the --dim options to give.
Graph loadModel(Context& context, const ModelOptions& options);
// A graph to show or convert, but not to run.
struct LoadedGraph {
  Graph graph;                            // refers to nothing if `open` is set
  std::shared_ptr<const OpenGraph> open;  // the graph with its open dimensions
  std::vector<DeclaredInput> openInputs;  // the inputs of `open`

  // Calls show(definition). During the call, shapes are printed with the names of their open dimensions.
  auto show(auto&& show) const { return open ? printed(*open, show) : show(definitionOf(graph)); }
};
// Loads the graph. Without --dim, open dimensions stay open. With `needsSizes`, and for ONNX models, missing sizes are an error
// as in loadModel().
LoadedGraph loadToShow(Context& context, const ModelOptions& options, bool needsSizes = false);
// Reads the model's inputs and other declarations without loading the graph.
FileDescription describeModel(const ModelOptions& options);
// Opens the model as a session, which also runs models that no single graph can hold. `seed` is for operators that draw random
// numbers. Throws the errors of Session::load().
Session openSession(Context& context, const ModelOptions& options, std::optional<std::uint64_t> seed = {});
// Returns "--dim batch=1 --dim 'batch * 2=2'" for open input dimensions without a size, to paste into a POSIX shell; empty if
// there are none. The sizes agree with each other and with the sizes that `options` has.
std::string missingDimensions(const std::vector<DeclaredInput>& inputs, const ModelOptions& options);

// Returns the bytes of a file. "-" means standard input, which is read once and kept.
ExternalBytes readBytes(const std::filesystem::path& path);

// Returns the file as text. Throws NotFoundError if it does not exist.
std::string readText(const std::filesystem::path& path);
// Returns the result of `read`. Errors thrown by `read` get the file's name as a prefix.
template <typename Read>
auto readingFrom(const std::filesystem::path& path, Read&& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

// Returns JSON in ASCII for standard output, so that names cannot contain terminal escape sequences.
std::string jsonText(const Json& json);

void makeFolders(const std::filesystem::path& folder);

// Writes the text to a file; to standard output if the path is empty or "-".
void writeText(const std::filesystem::path& path, std::string_view text);
// Throws Misuse if the output file of `option` is also an input file.
void requireOther(std::string_view option, const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs);
void print(std::string_view text);

// Splits "NAME=VALUE" at the first '='. Throws Misuse if there is none, or if NAME is empty.
std::pair<std::string, std::string> nameAndValue(std::string_view option, const std::string& text);

// Returns {"dataType": "float32", "shape": [2, 3]}. Open sizes are texts.
Json descriptorJson(const OperandDescriptor& descriptor);

// Formats a number of bytes as "82.4 KB".
std::string byteText(std::uint64_t bytes);

// Returns the version, such as "0.1.0".
std::string_view programVersion();

// Each function adds its subcommand, which stores its exit status in `status` when it runs.
void addRun(const Command& app, int& status);
void addCheck(const Command& app, int& status);
void addConvert(const Command& app, int& status);
void addInspect(const Command& app, int& status);
void addOps(const Command& app, int& status);
void addConformance(const Command& app, int& status);
void addDiff(const Command& app, int& status);
void addVerify(const Command& app, int& status);
void addBench(const Command& app, int& status);
void addView(const Command& app, int& status);
void addInfo(const Command& app, int& status);
void addBackends(const Command& app, int& status);
#ifdef WEBNN_SERVICE
void addServe(const Command& app, int& status);
void addService(const Command& app, int& status);
#endif

// Runs the tool: parses arguments, runs the subcommand, reports errors on standard error. Returns the exit status.
int runTool(int argc, const char* const* argv);

}  // namespace webnn::cli
