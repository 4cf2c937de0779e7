// Loads the OpenVINO library.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/openvino/api.h"
#include "base/files/library_search.h"
#include "webnn/error.h"

namespace webnn::openvino {

// Describes the library to search for.
const LibraryKind& libraryKind();

// A loaded library with its one core. Never unloaded. Thread safe.
class Library {
 public:
  // Returns the first suitable candidate, or the one found before without another search. NotSupportedError lists the searched
  // places, the reasons, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  const ov_core* core() const { return core_; }
  // "2026.4.1"
  const std::string& version() const { return version_; }
  // "CPU", "GPU.0", ...
  std::vector<std::string> devices() const;

  // Throws Error of `kind` with the library's words after `prefix` unless `status` is OK.
  void check(int status, ErrorKind kind, std::string_view prefix) const;

 private:
  Library(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  ov_core* core_ = nullptr;
};

}  // namespace webnn::openvino
