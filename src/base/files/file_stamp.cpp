#include "base/files/file_stamp.h"

namespace webnn {

FileStamp::FileStamp(const std::filesystem::path& path) {
  std::error_code error;
  path_ = std::filesystem::absolute(path, error);  // absolute, because the working directory may change
  identity_ = identityOf(path_);
  written_ = std::filesystem::last_write_time(path_, error);
  size_ = std::filesystem::file_size(path_, error);
  exists_ = !error;
}

bool FileStamp::isUnchanged() const {
  const FileStamp now(path_);
  if (!exists_ || !now.exists_ || now.identity_ != identity_) return true;
  return now.size_ == size_ && now.written_ == written_;
}

}  // namespace webnn
