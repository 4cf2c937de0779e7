#include "base/matching_files.h"

#include <glob.h>

namespace webnn {

std::vector<std::string> matchingFiles(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  return files;
}

}  // namespace webnn
