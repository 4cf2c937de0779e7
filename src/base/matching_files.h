// Patterns of names of files.
#pragma once

#include <string>
#include <vector>

namespace webnn {

// The files that match a pattern as shells have them, sorted: * and ? stand for characters, POSIX has [...] besides and takes all
// of them in the names of folders too.
std::vector<std::string> matchingFiles(const std::string& pattern);

}  // namespace webnn
