// Files by patterns of their names, and in folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace webnn {

// The files that match a pattern as shells have them, sorted: * and ? stand for characters, POSIX has [...] besides and takes all
// of them in the names of folders too.
std::vector<std::string> matchingFiles(const std::string& pattern);

// The names in a folder but for "." and "..", sorted; none if it cannot be read. Not by std::filesystem::directory_iterator, as
// that of libstdc++ ends the process where memory is short.
std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder);

}  // namespace webnn
