#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/files/file.h"

namespace webnn::formats::onnx {

// The position of a tensor's bytes in an external data file.
struct ExternalPlace {
  std::string_view location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

// Opens each external data file once and keeps it open. Locations must be relative and contain no "..". Thread safe.
class ExternalFiles {
 public:
  // Returns the bytes of the file at a location, or throws load()'s errors.
  using Open = std::function<ExternalBytes(const std::filesystem::path& location)>;
  explicit ExternalFiles(Open open) : open_(std::move(open)) {}

  // Returns `length` bytes at the given location and offset. Throws DataError if the location is not allowed or the file is too
  // short, NotFoundError if the file does not exist.
  ExternalBytes bytesAt(const ExternalPlace& place, std::uint64_t length);

 private:
  ExternalBytes file(std::string_view location);

  const Open open_;
  std::mutex mutex_;
  std::map<std::string, ExternalBytes, std::less<>> byLocation_;
};

// Returns the files inside the model's directory, mapped or read; symbolic links are not followed. An empty `folder` means that
// the model is in memory: every location throws a DataError. With `namedFilesOnly` (see LoadOptions), no external file may be
// opened: every location throws a NotFoundError.
std::shared_ptr<ExternalFiles> externalFilesIn(std::filesystem::path folder, FileAccess access = FileAccess::map,
                                               bool namedFilesOnly = false);

}  // namespace webnn::formats::onnx
