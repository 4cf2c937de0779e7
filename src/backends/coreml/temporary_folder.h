// A new directory in the system's temporary directory. The destructor removes it with its contents.
#pragma once

#include <filesystem>

namespace webnn::coreml {

class TemporaryFolder {
 public:
  TemporaryFolder();  // throws OperationError if it cannot be created
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace webnn::coreml
