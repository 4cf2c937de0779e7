#include "onnxruntime/library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>

#include "base/text.h"

namespace webnn::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileName = "libonnxruntime.so";
constexpr const char* kSystemNames[] = {"libonnxruntime.so.1", "libonnxruntime.so"};
constexpr std::string_view kAdvice =
    "Set WEBNN_ONNXRUNTIME or the backend option library to the path of a libonnxruntime.so of version 1.20 or later; "
    "the option search=python finds that of `pip install onnxruntime`.";

// The entries of a folder whose names start with `prefix`, sorted; none if there is no such folder.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  return found;
}

class Search {
 public:
  void addFolder(const fs::path& folder) {
    for (fs::path& file : entries(folder, kFileName)) found.push_back(std::move(file));
  }
  // A file, or a folder: the library may be in its subfolder lib, as in the archives of releases.
  void addGiven(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.push_back(fs::exists(path, error) ? fs::absolute(path, error) : path);
      return;
    }
    addFolder(path);
    addFolder(path / "lib");
  }
  // The wheels in the folders python3.* of `folder`.
  void addWheels(const fs::path& folder, const char* packages) {
    for (const fs::path& python : entries(folder, "python3")) addFolder(python / packages / "onnxruntime/capi");
  }
  std::vector<fs::path> found;
};

fs::path environmentPath(const char* name) {
  const char* value = std::getenv(name);
  return value ? fs::path(value) : fs::path();
}

// "1.20.1" -> 20; 0 for anything that is not 1.x.
std::uint32_t minorOf(std::string_view version) {
  std::uint32_t minor = 0;
  if (version.starts_with("1.")) std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

// What the system's loader answers with the wrong words, or with waiting: a pipe, and a library for another processor. Bare
// names are its own business.
void requireLoadable(const fs::path& path) {
  std::error_code error;
  if (!path.has_parent_path() || !fs::exists(path, error)) return;
  if (!fs::is_regular_file(path, error)) fail(ErrorKind::notSupportedError, "{} is no file", webnn::quoted(path.string()));
  const auto headerOf = [](const fs::path& file) {
    ElfW(Ehdr) header{};
    std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
    return header;
  };
  const ElfW(Ehdr) header = headerOf(path), own = headerOf("/proc/self/exe");
  const bool isElf = std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG);
  if (isElf && own.e_machine != 0 && header.e_machine != own.e_machine)
    fail(ErrorKind::notSupportedError, "{} is for another processor", webnn::quoted(path.string()));
}

void ignoreLog(void*, int, const char*, const char*, const char*, const char*) {}

[[noreturn]] void failToFind(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  fail(ErrorKind::notSupportedError, "backend \"onnxruntime\": there is no ONNX Runtime library that can be used: {}. {}", text,
       kAdvice);
}

}  // namespace

SearchPlaces SearchPlaces::ofProcess(const std::map<std::string, std::string>& backendOptions) {
  const auto option = [&](const char* name) {
    const auto found = backendOptions.find(name);
    return found == backendOptions.end() ? std::string() : found->second;
  };
  SearchPlaces places;
  places.option = option("library");
  places.variable = environmentPath("WEBNN_ONNXRUNTIME");
  const std::string search = option("search");
  if (search.empty()) return places;
  if (search != "python") {
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option search is {}, not python.", webnn::quoted(search));
  }
  places.virtualEnvironment = environmentPath("VIRTUAL_ENV");
  places.home = environmentPath("HOME");
  places.root = "/";
  return places;
}

std::vector<fs::path> candidates(const SearchPlaces& places) {
  Search search;
  if (const fs::path& given = places.option.empty() ? places.variable : places.option; !given.empty()) {
    search.addGiven(given);
    return search.found;
  }
  if (places.systemLoader) search.found.assign(std::begin(kSystemNames), std::end(kSystemNames));
  if (!places.virtualEnvironment.empty()) search.addWheels(places.virtualEnvironment / "lib", "site-packages");
  if (!places.home.empty()) search.addWheels(places.home / ".local/lib", "site-packages");
  if (!places.root.empty()) {
    search.addWheels(places.root / "usr/local/lib", "dist-packages");
    search.addWheels(places.root / "usr/local/lib", "site-packages");
    search.addFolder(places.root / "usr/lib/python3/dist-packages/onnxruntime/capi");
  }
  return search.found;
}

const Library& Library::load(const SearchPlaces& places) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::vector<std::pair<SearchPlaces, const Library*>>;
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(known, places, &std::pair<SearchPlaces, const Library*>::first);
  if (found != known.end()) return *found->second;
  const Library& library = find(places);
  known.emplace_back(places, &library);
  return library;
}

const Library& Library::find(const SearchPlaces& places) {
  std::vector<std::string> reasons;
  for (const fs::path& path : candidates(places)) {
    try {
      return open(path);
    } catch (const Error& error) {
      reasons.emplace_back(error.what());
    }
  }
  if (!places.option.empty() || !places.variable.empty()) {
    if (!reasons.empty()) failToFind(reasons);
    const bool isOption = !places.option.empty();
    failToFind({formatText("{} (the {}) holds no {}", webnn::quoted((isOption ? places.option : places.variable).string()),
                           isOption ? "option library" : "variable WEBNN_ONNXRUNTIME", kFileName)});
  }
  if (!places.root.empty()) reasons.emplace_back("there is none in the Python packages of VIRTUAL_ENV, the user and the system");
  failToFind(reasons);
}

const Library& Library::open(const fs::path& path) {
  requireLoadable(path);
  // Never destroyed, nor are the libraries: what they hold ends with the process, in whatever order that is.
  static std::mutex& mutex = *new std::mutex;
  static auto& libraries = *new std::map<void*, std::unique_ptr<const Library>>;
  const std::lock_guard lock(mutex);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // the same handle for the same file
  if (!handle) fail(ErrorKind::notSupportedError, "{}", sanitized(dlerror()));
  if (const auto known = libraries.find(handle); known != libraries.end()) return *known->second;
  return *libraries.emplace(handle, make(handle, path)).first->second;
}

std::unique_ptr<const Library> Library::make(void* handle, const fs::path& path) {
  const auto getBase = reinterpret_cast<const ApiBase* (*)()>(dlsym(handle, "OrtGetApiBase"));
  const ApiBase* const base = getBase ? getBase() : nullptr;
  const char* const version = base ? base->getVersionString() : nullptr;
  if (!version) fail(ErrorKind::notSupportedError, "{} is not ONNX Runtime", webnn::quoted(path.string()));
  // Asked for a version that it has not, the library prints.
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

// What a message says, without the place in ONNX Runtime's source and the condition that did not hold there.
std::string_view essenceOf(std::string_view message) {
  for (const std::string_view start : {"Status Message: ", " was false. "}) {
    const std::size_t found = message.rfind(start);
    if (found != std::string_view::npos) message.remove_prefix(found + start.size());
  }
  return message;
}

// "Gather" of "... returned while running Gather node. Name:'x' Status Message: ..."
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
