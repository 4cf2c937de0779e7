// A new directory below the system's temporary directory, removed with its contents.
#pragma once

#include <filesystem>

namespace webnn::coreml {

class TemporaryFolder {
 public:
  TemporaryFolder();  // OperationError if there can be none
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace webnn::coreml
