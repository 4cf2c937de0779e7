// The parts of Replacement that all systems share.
#pragma once

#include <cerrno>
#include <filesystem>

#include "base/files/file.h"
#include "base/files/file_descriptor.h"
#include "base/text.h"

namespace webnn {

// A new file that is being written and will replace `target`.
struct ReplacingFile {
  explicit ReplacingFile(const std::filesystem::path& replaced);
  ReplacingFile(const ReplacingFile&) = delete;
  ReplacingFile& operator=(const ReplacingFile&) = delete;

  std::filesystem::path path;       // the path that the caller gave
  std::filesystem::path target;     // `path` with links resolved: the file that a link refers to is replaced, not the link
  std::filesystem::path temporary;  // empty while the new file has no name
  FileDescriptor descriptor{-1};

  std::filesystem::path folder() const { return target.has_parent_path() ? target.parent_path() : "."; }

  // Calls create(name) with new file names in the directory until it returns true. `create` must return false and set errno on
  // failure; EEXIST leads to another attempt, any other error is thrown.
  void nameWith(auto&& create) {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      std::filesystem::path name = folder() / newName();
      if (create(name)) {
        temporary = std::move(name);
        return;
      }
      if (errno != EEXIST) failWithErrno(path, "created", errno);
    }
    fail(ErrorKind::operationError, "the folder {} is full of temporary files.", webnn::quoted(folder().string()));
  }

 private:
  static std::string newName();
};

}  // namespace webnn
