// The files beside an ONNX model that hold its large tensors.
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

// The place of a tensor's bytes outside the model.
struct ExternalPlace {
  std::string_view location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

// Opens each file of external data once. Locations are relative and hold no "..". Thread safe.
class ExternalFiles {
 public:
  // Returns the bytes of the file at a location, or throws load()'s errors.
  using Open = std::function<ExternalBytes(const std::filesystem::path& location)>;
  explicit ExternalFiles(Open open) : open_(std::move(open)) {}

  // `length` bytes at the place. DataError if the location is not allowed or the file does not reach that far,
  // NotFoundError if it is not there.
  ExternalBytes bytesAt(const ExternalPlace& place, std::uint64_t length);

 private:
  ExternalBytes file(std::string_view location);

  const Open open_;
  std::mutex mutex_;
  std::map<std::string, ExternalBytes, std::less<>> byLocation_;
};

// Files inside the model's directory, mapped or read; locations follow no symbolic link. An empty folder: the model is in no
// file, and every location is a DataError. `namedFilesOnly`: every location is a NotFoundError.
std::shared_ptr<ExternalFiles> externalFilesIn(std::filesystem::path folder, FileAccess access = FileAccess::map,
                                               bool namedFilesOnly = false);

}  // namespace webnn::formats::onnx
