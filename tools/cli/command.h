// Shared by the subcommands: exit statuses, options, reading and printing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/command_line.h"
#include "formats/document/json_value.h"
#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/session.h"
#include "webnn/graph.h"

namespace webnn::cli {

using formats::Json;

inline constexpr int kFine = 0;
inline constexpr int kFailed = 1;
inline constexpr int kMisuse = 2;

// A command line that makes no sense: exit status 2.
struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Limits of a graph, a load, a build and a run.
struct LimitOptions {
  Limits most;
  double seconds = 0;  // of one load, build or run; 0: for ever
};

// Options of every subcommand that has a context.
struct BackendOptions {
  std::string name;  // the best backend if empty
  std::uint32_t threads = 0;
  std::vector<std::string> settings;  // "[BACKEND:]KEY=VALUE"
  std::string service;                // "private", "unix:PATH"; empty: as WEBNN_SERVICE says
  LimitOptions limits;
};

// Options of every subcommand that reads a graph.
struct ModelOptions {
  std::filesystem::path model;
  BackendOptions backend;
  std::filesystem::path weights, manifest;
  std::vector<std::string> dimensions;  // "NAME=VALUE"
  std::vector<std::string> values;      // "NAME=FILE.npy"
  bool namedFilesOnly = false;
  bool readsFiles = false;
};

// Declares MODEL, --weights, --manifest, --dim, and the options of backends and limits.
void addModelOptions(const Command& app, ModelOptions& options);
// The same without the backend options.
void addGraphOptions(const Command& app, ModelOptions& options);
// Declares --backend, with WEBNN_BACKEND as its default, --threads, and those of addCommonOptions().
void addBackendOptions(const Command& app, BackendOptions& options);
// Declares --backend-option, --service and the limits.
void addCommonOptions(const Command& app, BackendOptions& options, bool isList = true);
// Returns the arguments that give addCommonOptions() these options.
std::vector<std::string> commonArguments(const BackendOptions& options);

// Returns a list's "NAME[:KEY=VALUE...][:service[=ADDRESS]]" with the options that all backends of the list share. Settings
// without a scope are not for the reference, which has none.
BackendOptions backendOf(std::string text, BackendOptions common);
// Returns the settings "[BACKEND:]KEY=VALUE" for `backend`, or if that is empty, for the best backend. The last of one key
// counts.
std::map<std::string, std::string> settingsOf(const std::vector<std::string>& settings, std::string_view backend);
// The context works on the calling thread.
ContextOptions contextOptionsOf(const BackendOptions& options);

Context makeContext(const BackendOptions& options);
// The same, but a context that only reads graphs if no backend is named, so that nothing is compiled.
Context makeReader(const BackendOptions& options);
// Loads the graph of the options. Errors about dimensions list the --dim options.
Graph loadModel(Context& context, const ModelOptions& options);
// Returns the file's declarations.
FileDescription describeModel(const ModelOptions& options);
// Returns "--dim batch=1 --dim length=1" for open input dimensions without a size; empty if there are none.
// Opens the model as a session, which also runs models that no single graph can hold. Throws the errors of Session::load().
Session openSession(Context& context, const ModelOptions& options);
std::string missingDimensions(const std::vector<DeclaredInput>& inputs, const ModelOptions& options);

// Returns the bytes of a file, or of standard input for "-", which is read once and kept.
ExternalBytes readBytes(const std::filesystem::path& path);

// The file as text. NotFoundError if it is not there.
std::string readText(const std::filesystem::path& path);
// Returns the result of `read`; its errors begin with the file's name.
template <typename Read>
auto readingFrom(const std::filesystem::path& path, Read&& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

// JSON for standard output, in ASCII: no terminal obeys a name in it.
std::string jsonText(const Json& json);

// Creates a directory and its parents if necessary.
void makeFolders(const std::filesystem::path& folder);

// Writes the file, or standard output if the path is empty or "-".
void writeText(const std::filesystem::path& path, std::string_view text);
// Throws Misuse if the file of `option` is one of the input files.
void requireOther(std::string_view option, const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs);
// Writes to standard output.
void print(std::string_view text);

// Splits "NAME=VALUE"; the name contains no '='. Throws Misuse if there is no '='.
std::pair<std::string, std::string> nameAndValue(std::string_view option, const std::string& text);

// {"dataType": "float32", "shape": [2, 3]}
Json descriptorJson(const OperandDescriptor& descriptor);

// "82.4 KB"
std::string byteText(std::uint64_t bytes);

// "0.1.0"
std::string_view programVersion();

// Each adds its subcommand; running it stores the exit status.
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

// The whole tool: parses the arguments, runs, reports errors on standard error and returns the exit status.
int runTool(int argc, const char* const* argv);

}  // namespace webnn::cli
