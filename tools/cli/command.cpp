#include "cli/command.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/escape.h"
#include "base/files/file.h"
#include "base/files/open_file.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "context/reading_context.h"
#include "context/select_backend.h"
#include "formats/npy/npy.h"
#include "onnx/read/model.h"
#include "ops/sizes/open_sizes.h"

#ifndef WEBNN_VERSION
#define WEBNN_VERSION "unknown"
#endif

namespace webnn::cli {

namespace {

// Limits of a printed error message: bytes per line, and lines. Names in graphs, and so in messages, may be very long.
constexpr std::size_t kMaxLine = 2000, kMaxLines = 200;

std::uint32_t parseSize(const std::string& option, const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Misuse(formatText("{}: {} is not a size.", option, webnn::quoted(text)));
  }
  return value;
}

// Returns the prefix of messages on standard error.
std::string programName() { return hasColours(kStandardError) ? "\033[1;31mwebnn:\033[0m " : "webnn: "; }

// Prints the first line only, because some of CLI11's messages have several.
int reportMisuse(std::string_view message) {
  std::string line = escaped(message.substr(0, message.find('\n')), kMaxLine);
  if (!line.ends_with('.') && !line.ends_with('?')) line += '.';
  std::cerr << programName() + line + " Try --help.\n";
  return kMisuse;
}

// Prints all lines, because some messages list several problems.
int reportError(std::string_view message) {
  std::string text = programName();
  for (std::size_t lines = 0; !message.empty() && lines < kMaxLines; ++lines) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    text += escaped(message.substr(0, end), kMaxLine) + "\n";
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  std::cerr << text;
  return kFailed;
}

void addSubcommands(const Command& app, int& status) {
  addRun(app, status);
  addCheck(app, status);
  addConvert(app, status);
  addInspect(app, status);
  addView(app, status);
  addOps(app, status);
  addInfo(app, status);
  addBackends(app, status);
  addConformance(app, status);
  addDiff(app, status);
  addVerify(app, status);
#ifdef WEBNN_SERVICE
  addServe(app, status);
  addService(app, status);
#endif
  addBench(app, status);
}

int parseAndRun(int argc, const char* const* argv) {
  const ProgramText program{
      .name = "webnn",
      .summary = "Run, check, convert and inspect graphs of the Web Neural Network API.",
      .version = "webnn " WEBNN_VERSION,
      .footer =
          "Examples:\n"
          "  webnn run digits.webnn --image image=3.png --top 3 --labels labels.txt\n"
          "  webnn check digits.webnn\n"
          "Exit status: 0 fine, 1 failed, 2 wrong command line.",
  };
  int status = kFine;
  try {
    parse(
        program, [&](const Command& app) { addSubcommands(app, status); }, argc, argv);
    return status;
  } catch (const Misuse& misuse) {
    return reportMisuse(misuse.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return reportError(error.what());
  }
}

// Reads a .npy file for an input of an ONNX model. Throws if the types differ. The import checks the number of elements.
std::vector<std::byte> readValue(const std::filesystem::path& model, const std::string& name, const std::string& file) {
  formats::Array array = readingFrom(file, [&] { return formats::readNpy(mapFile(file).bytes); });
  const ExternalBytes bytes = mapFile(model);
  if (!formats::onnx::looksLikeModel(bytes.bytes)) return std::move(array.bytes);
  const formats::onnx::Model onnx = formats::onnx::readModel(bytes, model.parent_path());
  const auto input = std::ranges::find(onnx.graph.inputs, std::string_view(name), &formats::onnx::ValueInfo::name);
  if (input != onnx.graph.inputs.end() && onnx::dataTypeOf(input->type) != array.descriptor.dataType) {
    fail(ErrorKind::dataError, "--value: the input {} is of type {}, but {} holds {}.", webnn::quoted(name),
         onnx::name(input->type), webnn::quoted(file), toString(array.descriptor));
  }
  return std::move(array.bytes);
}

Limits limitsOf(const LimitOptions& options) {
  Limits limits = options.most;
  if (options.seconds > 0 && options.seconds < 9e9)
    limits.maxTime = std::chrono::nanoseconds(static_cast<std::int64_t>(options.seconds * 1e9));
  return limits;
}

// Returns the descriptor that the shell opened: 0 for "-" and "/dev/stdin", 3 for "/dev/fd/3"; nothing for other paths.
std::optional<int> descriptorOf(const std::string& model) {
  constexpr std::string_view kFolder = "/dev/fd/";
  if (model == "-" || model == "/dev/stdin") return 0;
  if (!model.starts_with(kFolder)) return std::nullopt;
  int descriptor = 0;
  const char* const end = model.data() + model.size();
  const auto [last, error] = std::from_chars(model.data() + kFolder.size(), end, descriptor);
  return error == std::errc() && last == end ? std::optional(descriptor) : std::nullopt;
}

}  // namespace

void addBackendOptions(const Command& app, BackendOptions& options) {
  app.option("--backend", options.name, "Name of the backend; by default, the first available one")
      .variable("WEBNN_BACKEND")
      .type("NAME")
      .example("reference");
  app.option("--threads", options.threads, "Maximum number of threads of a run; 0: the backend chooses")
      .range(0, 1024)
      .type("N")
      .example("4");
  addCommonOptions(app, options, false);
}

namespace {

struct CountLimit {
  const char* option;
  std::uint64_t Limits::*limit;
  const char *text, *example;
};
constexpr CountLimit kCountLimits[] = {
    {"--max-memory", &Limits::maxMemory, "Bytes for tensors, weights and intermediate results", "4GB"},
    {"--max-operations", &Limits::maxOperations, "Operations of one graph", "10000"},
    {"--max-elements", &Limits::maxElements, "Elements of all operands of one graph", "1000000000"},
    {"--max-compile-work", &Limits::maxCompileWork, "Elementary steps to compute constants before the first run", "1000000000"}};

// Checks and parses "4GB". readByteCount() alone would read -1 and values beyond 64 bits as "no limit".
std::string readSize(std::string& text) {
  constexpr std::size_t kMostDigits = 18;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0) return formatText("{} is not a number", webnn::quoted(text));
  if (digits > kMostDigits) return formatText("{} is too large", webnn::quoted(text));
  return readByteCount(text);
}

// Removes a suffix ":service" or ":service=ADDRESS" from `backend`. Returns "private" or ADDRESS; empty without such a suffix.
std::string takeService(std::string& backend) {
  constexpr std::string_view kService = ":service";
  const std::size_t at = backend.find(kService);
  if (at == std::string::npos) return {};
  const std::string rest = backend.substr(at + kService.size());
  if (!rest.empty() && rest[0] != '=') return {};
  backend.resize(at);
  return rest.size() > 1 ? rest.substr(1) : "private";
}

// Returns BACKEND if the setting is "BACKEND:KEY=VALUE"; nothing if it is "KEY=VALUE".
std::optional<std::string> scopeOf(const std::string& setting) {
  const std::size_t end = setting.find_first_of(":=");
  return end == std::string::npos || setting[end] == '=' ? std::nullopt : std::optional(setting.substr(0, end));
}

// Returns the error in a setting "[BACKEND:]KEY=VALUE"; empty if it is valid.
std::string checkSetting(std::string& text) {
  const std::optional<std::string> scope = scopeOf(text);
  const std::span<const BackendEntry> known = knownBackends();
  const auto entry = scope ? std::ranges::find(known, *scope, &BackendEntry::name) : known.end();
  if (scope && entry == known.end())
    return formatText("there is no backend {} in this build; it has: {}", webnn::quoted(*scope), namesOf(known));
  const std::string setting = scope ? text.substr(scope->size() + 1) : text;
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) return formatText("{} is not KEY=VALUE", webnn::quoted(setting));
  // Without BACKEND, the backend in use refuses unknown keys itself. With BACKEND, its keys are checked here, because the named
  // backend may never be created.
  const std::string key = setting.substr(0, equals);
  if (!scope || std::ranges::find(entry->options, key) != entry->options.end()) return "";
  return formatText("backend {} has no option {}", webnn::quoted(*scope), webnn::quoted(key));
}

}  // namespace

void addCommonOptions(const Command& app, BackendOptions& options, bool isList) {
  const std::string whose = isList ? "all backends but reference" : "the backend";
  app.option("--backend-option", options.settings, formatText("Setting of {}, or only of BACKEND", whose))
      .type("[BACKEND:]KEY=VALUE")
      .transform(checkSetting)
      .repeatable()
      .example("cpu:isa=avx2");
  app.flag("--service", options.service, "private",
           formatText("Run{} in another process: --service=unix:PATH in a running service, --service in one of its own; "
                      "WEBNN_SERVICE stands for it",
                      isList ? " all" : ""));
  for (const auto& [option, limit, text, example] : kCountLimits)
    app.option(option, options.limits.most.*limit, text).type("N").transform(readSize).group("Limits").example(example);
  app.option("--max-time", options.limits.seconds, "Seconds for one load, build or run")
      .positive()
      .type("SECONDS")
      .group("Limits")
      .example("10");
}

std::vector<std::string> commonArguments(const BackendOptions& options) {
  std::vector<std::string> arguments;
  for (const std::string& setting : options.settings) arguments.insert(arguments.end(), {"--backend-option", setting});
  if (!options.service.empty()) arguments.push_back("--service=" + options.service);
  for (const auto& [option, limit, text, example] : kCountLimits) {
    const std::uint64_t most = options.limits.most.*limit;
    if (most != Limits{}.*limit) arguments.insert(arguments.end(), {option, std::to_string(most)});
  }
  if (options.limits.seconds > 0) arguments.insert(arguments.end(), {"--max-time", formatText("{}", options.limits.seconds)});
  return arguments;
}

BackendOptions backendOf(std::string text, BackendOptions common) {
  if (std::string service = takeService(text); !service.empty()) common.service = std::move(service);
  const std::size_t colon = std::min(text.find(':'), text.size());
  common.name = text.substr(0, colon);
  if (common.name == "reference") std::erase_if(common.settings, [](const std::string& setting) { return !scopeOf(setting); });
  for (std::size_t at = colon; at < text.size();) {
    const std::size_t end = std::min(text.find(':', at + 1), text.size());
    common.settings.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return common;
}

std::map<std::string, std::string> settingsOf(const std::vector<std::string>& settings, std::string_view backend) {
  std::map<std::string, std::string> result;
  for (const std::string& setting : settings) {
    const std::optional<std::string> scope = scopeOf(setting);
    const auto [key, value] = nameAndValue("--backend-option", scope ? setting.substr(scope->size() + 1) : setting);
    if (scope && backend.empty()) backend = selectBackend({}, knownBackends()).name;
    if (!scope || *scope == backend) result[key] = value;
  }
  return result;
}

void addModelOptions(const Command& app, ModelOptions& options) {
  addGraphOptions(app, options);
  addBackendOptions(app, options.backend);
}

void addGraphOptions(const Command& app, ModelOptions& options) {
  app.option("MODEL", options.model, "The graph: .webnn or .webnnb, JSON, or ONNX; - is standard input").required().type("FILE");
  app.flag("--named-files-only", options.namedFilesOnly, "Open only files that this command line names");
  app.option("--weights", options.weights, "Weights (.safetensors or .weights); by default, searched for in MODEL's directory")
      .type("FILE")
      .example("model.safetensors");
  app.option("--manifest", options.manifest, "Manifest of a .weights file").type("FILE").example("model.manifest.json");
  app.option("--dim", options.dimensions, "Size of a dynamic dimension").type("NAME=SIZE").repeatable().example("batch=1");
  app.flag("--no-mmap", options.readsFiles, "Read files into memory instead of mapping them, if other programs may modify them");
  app.option("--value", options.values, "ONNX: makes an input on which shapes depend a constant")
      .type("NAME=FILE.npy")
      .repeatable()
      .example("shape=shape.npy");
}

ContextOptions contextOptionsOf(const BackendOptions& options) {
  return {.backend = options.name,
          .execution = Execution::callerThread,
          .service = options.service,
          .threads = options.threads,
          .backendOptions = settingsOf(options.settings, options.name),
          .limits = limitsOf(options.limits)};
}

Context makeContext(const BackendOptions& options) { return Context::create(contextOptionsOf(options)); }

Context makeReader(const BackendOptions& options) {
  return options.name.empty() ? makeReadingContext(limitsOf(options.limits)) : makeContext(options);
}

namespace {

LoadOptions loadOptionsOf(const ModelOptions& options) {
  LoadOptions load;
  load.mapFiles = !options.readsFiles;
  if (!options.weights.empty()) load.weights = options.weights;
  if (!options.manifest.empty()) load.manifest = options.manifest;
  for (const std::string& text : options.dimensions) {
    const auto [name, value] = nameAndValue("--dim", text);
    load.dimensions[name] = parseSize("--dim", value);
  }
  for (const std::string& text : options.values) {
    const auto [name, file] = nameAndValue("--value", text);
    load.values[name] = readValue(options.model, name, file);
  }
  load.namedFilesOnly = options.namedFilesOnly;
  return load;
}

// Reads the rest of an open file and keeps it for later calls, because a pipe can be read only once.
ExternalBytes readDescriptor(int descriptor, const Limits& limits, FileAccess access) {
  static std::map<int, ExternalBytes>& files = *new std::map<int, ExternalBytes>;
  const auto found = files.find(descriptor);
  if (found != files.end()) return found->second;
  const Budget budget("load", limits, std::make_shared<MemoryAccount>(limits.maxMemory), nullptr);
  return files[descriptor] = readOpenFile(descriptor, budget, access);
}

ExternalBytes readDescriptor(int descriptor, const ModelOptions& options, const LoadOptions& load) {
  return readDescriptor(descriptor, limitsOf(options.backend.limits), load.mapFiles ? FileAccess::map : FileAccess::read);
}

}  // namespace

FileDescription describeModel(const ModelOptions& options) {
  LoadOptions load = loadOptionsOf(options);
  load.limits = limitsOf(options.backend.limits);
  if (const std::optional<int> descriptor = descriptorOf(options.model.string()))
    return describeFile(readDescriptor(*descriptor, options, load), load);
  return describeFile(options.model, load);
}

namespace {

// Returns text as one argument of a POSIX shell. Names come from files, and double quotes would let the shell run `$(...)`.
std::string shellArgument(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string argument = "'";
  for (const char character : text) argument += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return argument + "'";
}

}  // namespace

std::string missingDimensions(const std::vector<DeclaredInput>& inputs, const ModelOptions& options) {
  std::map<std::string, std::uint32_t> sizes;
  for (const std::string& text : options.dimensions) {
    const auto [name, size] = nameAndValue("--dim", text);
    sizes[name] = parseSize("--dim", size);
  }
  std::vector<DeclaredDimension> missing;
  std::set<std::string> names;
  for (const DeclaredInput& input : inputs) {
    for (const DeclaredDimension& dimension : input.shape) {
      if (!dimension.name.empty() && names.insert(dimension.name).second && !sizes.contains(dimension.name))
        missing.push_back(dimension);
    }
  }
  const auto isExpression = [&](const DeclaredDimension& dimension) { return OpenSizes::isExpression(dimension.name, names); };
  for (const DeclaredDimension& dimension : missing) {
    if (!isExpression(dimension)) sizes[dimension.name] = std::max(dimension.min, 1U);
  }
  for (const DeclaredDimension& dimension : missing) {
    if (isExpression(dimension)) sizes[dimension.name] = OpenSizes::valueOf(dimension.name, sizes).value_or(1);
  }
  std::string text;
  for (const auto& [unused, name, least] : missing) {
    const std::string setting = formatText("{}={}", sanitized(name), sizes.at(name));
    text += (text.empty() ? "--dim " : " --dim ") + shellArgument(setting);
  }
  return text;
}

Graph loadModel(Context& context, const ModelOptions& options) {
  const LoadOptions load = loadOptionsOf(options);
  try {
    if (const std::optional<int> descriptor = descriptorOf(options.model.string()))
      return webnn::load(context, readDescriptor(*descriptor, options, load), load);
    return webnn::load(context, options.model, load);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::typeError) throw;
    std::string cure;
    try {
      cure = missingDimensions(describeModel(options).inputs, options);
    } catch (const Error&) {  // keep the error of load(), which says more
    }
    if (cure.empty()) throw;
    throw Error(error.kind(), formatText("{} Give the sizes, for instance {}.", error.what(), cure));
  }
}

LoadedGraph loadToShow(Context& context, const ModelOptions& options, bool needsSizes) {
  if (needsSizes || !options.dimensions.empty()) return {loadModel(context, options), nullptr, {}};
  const Session session = openSession(context, options);
  const auto isOpen = [](const DeclaredDimension& dimension) { return !dimension.name.empty(); };
  const auto hasOpen = [&](const DeclaredInput& input) { return std::ranges::any_of(input.shape, isOpen); };
  if (std::ranges::none_of(session.inputs(), hasOpen)) return {session.graph({}), nullptr, {}};
  if (auto open = readingFrom(options.model, [&] { return session.openGraph(); }))
    return {Graph(), std::move(open), session.inputs()};
  return {loadModel(context, options), nullptr, {}};  // an ONNX model: the error lists the sizes to give
}

Session openSession(Context& context, const ModelOptions& options, std::optional<std::uint64_t> seed) {
  const LoadOptions load = loadOptionsOf(options);
  const SessionOptions session{.load = load, .seed = seed};
  if (const std::optional<int> descriptor = descriptorOf(options.model.string()))
    return Session::load(context, readDescriptor(*descriptor, options, load), session);
  return Session::load(context, options.model, session);
}

ExternalBytes readBytes(const std::filesystem::path& path) {
  return path == "-" ? readDescriptor(kStandardInput, {}, FileAccess::read) : mapFile(path);
}

std::string readText(const std::filesystem::path& path) {
  const ExternalBytes file = readBytes(path);
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

void writeText(const std::filesystem::path& path, std::string_view text) {
  if (path.empty() || path == "-") return print(text);
  replaceFile(path, [&](std::ostream& stream) { stream << text; });
}

void requireOther(std::string_view option, const std::filesystem::path& output,
                  const std::vector<std::filesystem::path>& inputs) {
  std::error_code ignored;
  for (const std::filesystem::path& input : inputs) {
    if (std::filesystem::equivalent(input, output, ignored))
      throw Misuse(formatText("{}: {} is what the command reads; name another file.", option, webnn::quoted(output.string())));
  }
}

void print(std::string_view text) { std::cout << text; }

std::pair<std::string, std::string> nameAndValue(std::string_view option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Misuse(formatText("{}: {} is not NAME=VALUE.", option, webnn::quoted(text)));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Json descriptorJson(const OperandDescriptor& descriptor) {
  Json shape = Json::array();
  for (const std::uint32_t size : descriptor.shape)
    shape.push(isOpen(size) ? Json(OpenScope::current()->text(size)) : Json(size));
  return {{"dataType", webnn::name(descriptor.dataType)}, {"shape", shape}};
}

std::string byteText(std::uint64_t bytes) {
  static constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB"};
  if (bytes < 1000) return formatText("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; amount >= 999.95 && unit + 1 < std::size(kUnits); ++unit) amount /= 1000;
  return formatText("{:.1f} {}", amount, kUnits[unit]);
}

std::string_view programVersion() { return WEBNN_VERSION; }

std::string jsonText(const Json& json) { return json.dump({.indent = 2, .ascii = true, .replaces = true}) + "\n"; }

void makeFolders(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  fail(ErrorKind::operationError, "the folder {} cannot be created ({}).", webnn::quoted(folder.string()), error.message());
}

namespace {

int runParsed(int argc, const char* const* argv) {
  int result = parseAndRun(argc, argv);
  std::cout.flush();
  if (!std::cout && result == kFine) {
    std::cerr << "webnn: standard output cannot be written.\n";
    result = kFailed;
  }
  return result;
}

}  // namespace

int runTool(int argc, const char* const* argv) {
  try {
    return runParsed(argc, argv);
  } catch (const std::exception&) {  // std::bad_alloc, perhaps while reporting an error
    std::cerr << "webnn: there is not enough memory.\n";
    return kFailed;
  }
}

}  // namespace webnn::cli
