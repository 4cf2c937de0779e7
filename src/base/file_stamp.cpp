#include "base/file_stamp.h"

#include <sys/stat.h>

namespace webnn {

FileStamp::FileStamp(const std::filesystem::path& path) {
  std::error_code ignored;
  path_ = std::filesystem::absolute(path, ignored);  // the working directory may change
  struct stat status {};
  exists_ = ::stat(path_.c_str(), &status) == 0;
  device_ = status.st_dev;
  file_ = status.st_ino;
  size_ = status.st_size;
  written_ = std::filesystem::last_write_time(path_, ignored);
}

bool FileStamp::isUnchanged() const {
  const FileStamp now(path_);
  if (!exists_ || !now.exists_ || now.device_ != device_ || now.file_ != file_) return true;
  return now.size_ == size_ && now.written_ == written_;
}

}  // namespace webnn
