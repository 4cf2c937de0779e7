#include "backends/coreml/temporary_folder.h"

#include <system_error>

#include "base/files/temporary_folder.h"
#include "base/text.h"

namespace webnn::coreml {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  path_ = makeTemporaryFolder("webnn-coreml-", error);
  if (error) fail(ErrorKind::operationError, "build: there can be no temporary folder: {}.", error.message());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace webnn::coreml
