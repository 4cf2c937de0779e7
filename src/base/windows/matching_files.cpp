#include "base/matching_files.h"

#include <algorithm>
#include <filesystem>

#include "base/windows/system.h"

namespace webnn {

std::vector<std::string> matchingFiles(const std::string& pattern) {
  const std::filesystem::path path(pattern);
  std::vector<std::string> files;
  WIN32_FIND_DATAW entry{};
  const HANDLE search = ::FindFirstFileW(path.c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) return files;
  do {
    const std::filesystem::path name(entry.cFileName);
    if (name != "." && name != "..") files.push_back((path.parent_path() / name).string());
  } while (::FindNextFileW(search, &entry));
  ::FindClose(search);
  std::ranges::sort(files);
  return files;
}

}  // namespace webnn
