// Detects that a mapped file was written.
#pragma once

#include <cstdint>
#include <filesystem>

namespace webnn {

// The identity of the file behind a path. Absent if the system has no such numbers.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identityOf(const std::filesystem::path& path);

class FileStamp {
 public:
  // Stamps the file that the path currently leads to, if any.
  explicit FileStamp(const std::filesystem::path& path);

  // Returns false once the file was written. A removed or replaced file is unchanged for processes that have it open.
  bool isUnchanged() const;

 private:
  std::filesystem::path path_;
  bool exists_ = false;
  FileIdentity identity_;
  std::uintmax_t size_ = 0;
  std::filesystem::file_time_type written_{};
};

}  // namespace webnn
