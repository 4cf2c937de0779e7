#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace webnn {

// Returns the files that match a shell pattern, sorted. * and ? match characters; POSIX also supports [...] and patterns in
// directory names.
std::vector<std::string> matchingFiles(const std::string& pattern);

// Returns the names in a directory except "." and "..", sorted; none if it cannot be read. Does not use
// std::filesystem::directory_iterator: libstdc++ calls std::terminate when allocation fails there.
std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder);

}  // namespace webnn
