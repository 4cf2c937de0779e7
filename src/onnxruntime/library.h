// The ONNX Runtime library: where it is looked for, and loading it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "onnxruntime/api.h"
#include "webnn/error.h"

namespace webnn::onnxruntime {

// Where the library is looked for. An empty path is left out. Loading a library runs its code, so that nothing depends on the
// working folder.
struct SearchPlaces {
  std::filesystem::path option;    // the backend option `library`: a file or a folder, and nothing else is tried
  std::filesystem::path variable;  // WEBNN_ONNXRUNTIME: the same
  bool systemLoader = true;
  std::filesystem::path virtualEnvironment, home, root;  // that hold Python packages

  // Those of this process, by the backend options `library` and `search`: without `search=python`, no Python packages.
  // TypeError for another value of `search`.
  static SearchPlaces ofProcess(const std::map<std::string, std::string>& backendOptions = {});
  bool operator==(const SearchPlaces&) const = default;
};

// What to load, in this order: files, and bare names for the system's loader.
std::vector<std::filesystem::path> candidates(const SearchPlaces& places);

// A loaded library with its one environment. Never unloaded. Thread safe.
class Library {
 public:
  // The first fit candidate; where one was found before, that, without a look: a process may have given up its right to open
  // files since. NotSupportedError lists where was looked, and why not, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  const OrtEnv* environment() const { return environment_; }
  const OrtMemoryInfo* cpuMemory() const { return cpuMemory_; }
  const std::string& version() const { return version_; }
  // The 20 of "1.20.1".
  std::uint32_t minorVersion() const;
  // The execution providers of this library, "CPU" among them.
  const std::vector<std::string>& providers() const { return providers_; }

  // Throws Error of `kind` with the status's message after `prefix`, and releases the status, if there is one.
  void check(OrtStatus* status, ErrorKind kind, std::string_view prefix) const;

 private:
  Library(const Api& api, std::string version);
  static const Library& find(const SearchPlaces& places);
  static const Library& open(const std::filesystem::path& path);
  // Of what the system's loader made of the file.
  static std::unique_ptr<const Library> make(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  OrtEnv* environment_ = nullptr;
  OrtMemoryInfo* cpuMemory_ = nullptr;
  std::vector<std::string> providers_;
};

}  // namespace webnn::onnxruntime
