#include "base/files/temporary_folder.h"

#include <random>

namespace webnn {

// Each user has a folder of temporary files.
std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error) {
  const std::filesystem::path root = std::filesystem::temp_directory_path(error);
  for (std::random_device number; !error;) {
    std::filesystem::path folder = root / (prefix + std::to_string(number()));
    if (std::filesystem::create_directory(folder, error)) return folder;  // false without an error: it exists already
  }
  return {};
}

}  // namespace webnn
