// Finds and loads the ONNX Runtime library.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/onnxruntime/api.h"
#include "base/files/library_search.h"
#include "webnn/error.h"

namespace webnn::onnxruntime {

// Describes the library to search for.
const LibraryKind& libraryKind();

// A loaded library with its one environment. Never unloaded. Thread safe.
class Library {
 public:
  // Returns the first suitable candidate, or the one found before without another search. NotSupportedError lists the searched
  // places, the reasons, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  const OrtEnv* environment() const { return environment_; }
  const OrtMemoryInfo* cpuMemory() const { return cpuMemory_; }
  const std::string& version() const { return version_; }
  // The 20 of "1.20.1".
  std::uint32_t minorVersion() const;
  // Returns the library's execution providers, including "CPU".
  const std::vector<std::string>& providers() const { return providers_; }

  // Releases the status, if there is one, and throws Error of `kind` with its message after `prefix`.
  void check(OrtStatus* status, ErrorKind kind, std::string_view prefix) const;

 private:
  Library(const Api& api, std::string version);
  // Makes a library from the loader's handle.
  static std::unique_ptr<const Library> make(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  OrtEnv* environment_ = nullptr;
  OrtMemoryInfo* cpuMemory_ = nullptr;
  std::vector<std::string> providers_;
};

}  // namespace webnn::onnxruntime
