#include "base/files/matching_files.h"

#include <dirent.h>
#include <glob.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace webnn {

std::vector<std::string> matchingFiles(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  return files;
}

std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> names;
  const auto close = [](DIR* opened) { ::closedir(opened); };
  const std::unique_ptr<DIR, decltype(close)> opened(::opendir(folder.c_str()));
  if (!opened) return names;
  while (const dirent* entry = ::readdir(opened.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace webnn
