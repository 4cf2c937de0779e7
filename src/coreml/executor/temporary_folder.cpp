#include "coreml/executor/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/text.h"

namespace webnn::coreml {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::temp_directory_path(error);
  std::string pattern = (root / "webnn-coreml-XXXXXX").string();
  if (!error && !::mkdtemp(pattern.data())) error = {errno, std::generic_category()};
  if (error) fail(ErrorKind::operationError, "build: there can be no temporary folder: {}.", error.message());
  path_ = std::move(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace webnn::coreml
