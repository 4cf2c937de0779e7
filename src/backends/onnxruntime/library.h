// The ONNX Runtime library: where it is looked for, and loading it.
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

// What to look for.
const LibraryKind& libraryKind();

// A loaded library with its one environment. Never unloaded. Thread safe.
class Library {
 public:
  // The first fit candidate; where one was found before, that, without a look. NotSupportedError lists where was looked, and why
  // not, and how to get a library.
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
  // Of what the system's loader made of the file.
  static std::unique_ptr<const Library> make(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  OrtEnv* environment_ = nullptr;
  OrtMemoryInfo* cpuMemory_ = nullptr;
  std::vector<std::string> providers_;
};

}  // namespace webnn::onnxruntime
