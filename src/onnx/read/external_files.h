// The files beside an ONNX model that hold its large tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "base/file.h"

namespace webnn::formats::onnx {

// Where a tensor's bytes lie outside the model.
struct ExternalPlace {
  std::string_view location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

// Maps or reads each file of external data once. Only files inside the model's folder: locations are relative, hold no ".." and
// lead through no symbolic link.
class ExternalFiles {
 public:
  // An empty folder: the model is in no file, and every location a DataError. `namedFilesOnly`: every one is a NotFoundError.
  explicit ExternalFiles(std::filesystem::path folder, FileAccess access = FileAccess::map, bool namedFilesOnly = false)
      : folder_(std::move(folder)), access_(access), namedFilesOnly_(namedFilesOnly) {}

  // `length` bytes at the place. DataError if the location is not allowed or the file does not reach that far,
  // NotFoundError if it is not there.
  ExternalBytes bytesAt(const ExternalPlace& place, std::uint64_t length);

 private:
  const ExternalBytes& file(std::string_view location);

  std::filesystem::path folder_;
  FileAccess access_;
  bool namedFilesOnly_;
  std::map<std::string, ExternalBytes, std::less<>> byLocation_;
};

}  // namespace webnn::formats::onnx
