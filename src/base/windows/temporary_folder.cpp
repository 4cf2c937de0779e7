#include "base/files/temporary_folder.h"

#include <random>

namespace webnn {

// On Windows, the temporary directory belongs to the user, so a directory in it needs no special permissions.
std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error) {
  const std::filesystem::path root = std::filesystem::temp_directory_path(error);
  for (std::random_device number; !error;) {
    std::filesystem::path folder = root / (prefix + std::to_string(number()));
    if (std::filesystem::create_directory(folder, error)) return folder;  // false without an error: the directory already exists
  }
  return {};
}

}  // namespace webnn
