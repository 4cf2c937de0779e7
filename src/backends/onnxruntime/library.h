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

// Returns file names, environment variable and advice for finding the ONNX Runtime library.
const LibraryKind& libraryKind();

// A loaded ONNX Runtime library and its only OrtEnv, which all sessions share. It is never unloaded. Thread safe.
class Library {
 public:
  // Loads the first suitable library among `places`. Later calls with equal places return that library without a new search. If
  // there is none, throws a NotSupportedError that lists the searched paths, why each was rejected, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  const OrtEnv* environment() const { return environment_; }
  const OrtMemoryInfo* cpuMemory() const { return cpuMemory_; }
  const std::string& version() const { return version_; }
  // Returns 20 for version "1.20.1".
  std::uint32_t minorVersion() const;
  // Returns the names of the execution providers that the library was built with, such as "CUDA"; always includes "CPU".
  const std::vector<std::string>& providers() const { return providers_; }

  // Returns if `status` is null (success). Otherwise frees `status` and throws an Error of `kind` with `prefix` and the message
  // of `status`.
  void check(OrtStatus* status, ErrorKind kind, std::string_view prefix) const;

 private:
  Library(const Api& api, std::string version);
  // Checks the version of the library behind a dlopen handle and reads its API table. Throws NotSupportedError if it is unusable.
  static std::unique_ptr<const Library> make(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  OrtEnv* environment_ = nullptr;
  OrtMemoryInfo* cpuMemory_ = nullptr;
  std::vector<std::string> providers_;
};

}  // namespace webnn::onnxruntime
