#include "base/files/matching_files.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/windows/system.h"

namespace webnn {

namespace {

std::vector<std::filesystem::path> namesOf(const std::filesystem::path& pattern) {
  std::vector<std::filesystem::path> names;
  WIN32_FIND_DATAW entry{};
  const HANDLE found = ::FindFirstFileW(pattern.c_str(), &entry);
  if (found == INVALID_HANDLE_VALUE) return names;
  const std::unique_ptr<void, decltype(&::FindClose)> search(found, &::FindClose);
  do {
    std::filesystem::path name(entry.cFileName);
    if (name != "." && name != "..") names.push_back(std::move(name));
  } while (::FindNextFileW(search.get(), &entry));
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<std::string> matchingFiles(const std::string& pattern) {
  const std::filesystem::path path(pattern);
  std::vector<std::string> files;
  for (const std::filesystem::path& name : namesOf(path)) files.push_back((path.parent_path() / name).string());
  return files;
}

std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder) { return namesOf(folder / "*"); }

}  // namespace webnn
