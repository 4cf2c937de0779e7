// Whether a file that is mapped has been written since.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace webnn {

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
  dev_t device_ = 0;
  ino_t file_ = 0;
  off_t size_ = 0;
  std::filesystem::file_time_type written_{};
};

}  // namespace webnn
