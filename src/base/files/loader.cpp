#include "base/files/loader.h"

#include "base/text.h"

namespace webnn {

void requireLoadable(const std::filesystem::path& path) {
  std::error_code error;
  if (!path.has_parent_path() || !std::filesystem::exists(path, error)) return;
  if (!std::filesystem::is_regular_file(path, error))
    fail(ErrorKind::notSupportedError, "{} is no file", webnn::quoted(path.string()));
  requireOwnProcessor(path);
}

}  // namespace webnn
