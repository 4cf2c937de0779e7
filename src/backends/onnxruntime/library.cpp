#include "backends/onnxruntime/library.h"

#include <charconv>

#include "base/files/loader.h"
#include "base/text.h"

namespace webnn::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemNames[] = {"libonnxruntime.so.1", "libonnxruntime.so"};

// Returns the minor version, such as 20 for "1.20.1", or 0 if the major version is not 1.
std::uint32_t minorOf(std::string_view version) {
  std::uint32_t minor = 0;
  if (version.starts_with("1.")) std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

void ignoreLog(void*, int, const char*, const char*, const char*, const char*) {}

}  // namespace

const LibraryKind& libraryKind() {
  static constexpr LibraryKind kKind{
      .backend = "onnxruntime",
      .product = "ONNX Runtime",
      .fileName = "libonnxruntime.so",
      .systemNames = kSystemNames,
      .wheelFolder = "onnxruntime/capi",
      .variable = "WEBNN_ONNXRUNTIME",
      .advice =
          "Set WEBNN_ONNXRUNTIME or the backend option library to the path of a libonnxruntime.so of version 1.20 or later; "
          "the option search=python finds that of `pip install onnxruntime`."};
  return kKind;
}

const Library& Library::load(const SearchPlaces& places) {
  static auto& opened = *new OpenedLibraries<Library>;
  return opened.load(libraryKind(), places, make);
}

std::unique_ptr<const Library> Library::make(void* handle, const fs::path& path) {
  const auto getBase = reinterpret_cast<const ApiBase* (*)()>(findSymbol(handle, "OrtGetApiBase"));
  const ApiBase* const base = getBase ? getBase() : nullptr;
  const char* const version = base ? base->getVersionString() : nullptr;
  if (!version) fail(ErrorKind::notSupportedError, "{} is not ONNX Runtime", webnn::quoted(path.string()));
  // GetApi prints to stderr if the library does not know the requested version, so check the version first.
  if (minorOf(version) < kApiVersion) {
    fail(ErrorKind::notSupportedError, "{} is of version {}, older than 1.{}", webnn::quoted(path.string()), sanitized(version),
         kApiVersion);
  }
  const void* const table = base->getApi(kApiVersion);
  if (!table) {
    fail(ErrorKind::notSupportedError, "{} is of version {}, but has no API of version {}", webnn::quoted(path.string()),
         sanitized(version), kApiVersion);
  }
  return std::unique_ptr<const Library>(new Library(Api::of(table, minorOf(version)), version));
}

Library::Library(const Api& api, std::string version) : api_(api), version_(std::move(version)) {
  const auto require = [&](OrtStatus* status) { check(status, ErrorKind::notSupportedError, "ONNX Runtime cannot start: "); };
  require(api_.CreateEnvWithCustomLogger(ignoreLog, nullptr, kLogWarning, "webnn", &environment_));
  require(api_.DisableTelemetryEvents(environment_));
  require(api_.CreateCpuMemoryInfo(kDeviceAllocator, kDefaultMemory, &cpuMemory_));
  char** names = nullptr;
  int count = 0;
  require(api_.GetAvailableProviders(&names, &count));
  constexpr std::string_view kSuffix = "ExecutionProvider";
  for (int i = 0; i < count; ++i) {
    std::string name = names[i];
    if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
    providers_.push_back(std::move(name));
  }
  require(api_.ReleaseAvailableProviders(names, count));
}

std::uint32_t Library::minorVersion() const { return minorOf(version_); }

namespace {

// Returns an ONNX Runtime message without the C++ source location and failed assertion that precede its reason.
std::string_view essenceOf(std::string_view message) {
  for (const std::string_view start : {"Status Message: ", " was false. "}) {
    const std::size_t found = message.rfind(start);
    if (found != std::string_view::npos) message.remove_prefix(found + start.size());
  }
  return message;
}

// Extracts the operator as a prefix: "Gather: " from "... returned while running Gather node. Name:'x' Status Message: ...".
std::string operatorOf(std::string_view message) {
  constexpr std::string_view kStart = "while running ", kEnd = " node.";
  const std::size_t start = message.find(kStart), end = message.find(kEnd);
  if (start == std::string_view::npos || end == std::string_view::npos || end < start) return {};
  return std::string(message.substr(start + kStart.size(), end - start - kStart.size())) + ": ";
}

}  // namespace

void Library::check(OrtStatus* status, ErrorKind kind, std::string_view prefix) const {
  if (!status) return;
  const std::string_view words = api_.GetErrorMessage(status);
  const std::string message = sanitized(operatorOf(words) + std::string(essenceOf(words)));
  api_.ReleaseStatus(status);
  fail(kind, "{}{}", prefix, message);
}

}  // namespace webnn::onnxruntime
