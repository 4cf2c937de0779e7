#pragma once

#include <memory>
#include <string>

#include "backends/webgpu/api.h"
#include "base/files/library_search.h"

namespace webnn::webgpu {

// Returns file names, environment variable and advice for finding the wgpu-native library.
const LibraryKind& libraryKind();

// A loaded wgpu-native library and its only instance, which all devices share. It is never unloaded. Thread safe.
class Library {
 public:
  // Loads the first suitable library among `places`. Later calls with equal places return that library without a new search. If
  // there is none, throws a NotSupportedError that lists the searched paths, why each was rejected, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  Instance instance() const { return instance_; }
  // Returns the version, such as "29.0.0.0".
  const std::string& version() const { return version_; }

 private:
  Library(void* handle, const std::filesystem::path& path);

  Api api_;
  Instance instance_ = nullptr;
  std::string version_;
};

}  // namespace webnn::webgpu
