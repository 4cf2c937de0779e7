#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/openvino/api.h"
#include "base/files/library_search.h"
#include "webnn/error.h"

namespace webnn::openvino {

// Returns file names, environment variable and advice for finding the OpenVINO library.
const LibraryKind& libraryKind();

// A loaded OpenVINO library and its only ov_core, which all graphs share. It is never unloaded. Thread safe.
class Library {
 public:
  // Loads the first suitable library among `places`. Later calls with equal places return that library without a new search. If
  // there is none, throws a NotSupportedError that lists the searched paths, why each was rejected, and how to get a library.
  static const Library& load(const SearchPlaces& places);

  const Api& api() const { return api_; }
  const ov_core* core() const { return core_; }
  // Returns the release, such as "2026.4.1".
  const std::string& version() const { return version_; }
  // Returns OpenVINO's names of the devices in this machine, such as "CPU" or "GPU.0".
  std::vector<std::string> devices() const;

  // Throws an Error of `kind` with `prefix` and OpenVINO's last error message if `status` is not kOk.
  void check(int status, ErrorKind kind, std::string_view prefix) const;

 private:
  Library(void* handle, const std::filesystem::path& path);

  Api api_;
  std::string version_;
  ov_core* core_ = nullptr;
};

}  // namespace webnn::openvino
