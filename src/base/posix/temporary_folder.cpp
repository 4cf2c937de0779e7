#include "base/files/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace webnn {

std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error) {
  const std::filesystem::path root = std::filesystem::temp_directory_path(error);
  std::string pattern = (root / (prefix + "XXXXXX")).string();
  if (!error && !::mkdtemp(pattern.data())) error = {errno, std::generic_category()};
  return error ? std::filesystem::path() : std::filesystem::path(std::move(pattern));
}

}  // namespace webnn
