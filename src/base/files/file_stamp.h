// Detects whether a mapped file has been written.
#pragma once

#include <cstdint>
#include <filesystem>

namespace webnn {

// The identity of the file at a path. Empty on systems without device and file numbers.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identityOf(const std::filesystem::path& path);

class FileStamp {
 public:
  // Records the state of the file that `path` refers to, if any.
  explicit FileStamp(const std::filesystem::path& path);

  // Returns false if the file has been written since. Returns true if the path was removed or replaced, because the opened file
  // then stays as it is.
  bool isUnchanged() const;

 private:
  std::filesystem::path path_;
  bool exists_ = false;
  FileIdentity identity_;
  std::uintmax_t size_ = 0;
  std::filesystem::file_time_type written_{};
};

}  // namespace webnn
