#include <sys/stat.h>

#include "base/files/file_stamp.h"

namespace webnn {

FileIdentity identityOf(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

}  // namespace webnn
