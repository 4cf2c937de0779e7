// Whether a file that is mapped has been written since.
#pragma once

#include <cstdint>
#include <filesystem>

namespace webnn {

// Which file a path leads to, whatever it is called. None where a system does not say it in numbers.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identityOf(const std::filesystem::path& path);

class FileStamp {
 public:
  // Of the file that a path leads to now; of none if there is none.
  explicit FileStamp(const std::filesystem::path& path);

  // False once that file has been written. A file that was removed or that another one has replaced is what it was for those who
  // have it open.
  bool isUnchanged() const;

 private:
  std::filesystem::path path_;
  bool exists_ = false;
  FileIdentity identity_;
  std::uintmax_t size_ = 0;
  std::filesystem::file_time_type written_{};
};

}  // namespace webnn
