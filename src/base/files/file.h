#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include "webnn/graph_builder.h"

namespace webnn {

// Selects whether a file is mapped or read into memory.
enum class FileAccess {
  // Maps the file, so that pages are read when they are used. On POSIX systems, if the file is truncated while it is mapped,
  // reading a lost page kills the process with SIGBUS.
  map,
  read,  // the whole file is read when it is opened
};

// Returns the file's bytes, read-only. Throws NotFoundError if it does not exist, DataError if it is not a regular file,
// OperationError if it cannot be opened, mapped or read.
ExternalBytes mapFile(const std::filesystem::path& path, FileAccess access = FileAccess::map);

// Maps the file `path` below the directory `folder`, for paths from an untrusted source. A path that contains a symbolic link or
// leaves the directory throws a DataError, even if the directory is modified concurrently. Returns nullopt if the file does not
// exist.
std::optional<ExternalBytes> mapFileBelow(const std::filesystem::path& folder, const std::filesystem::path& path,
                                          FileAccess access = FileAccess::map);

// Returns the pages of a mapped file to the system, which reads them again if needed. Ignores bytes that are not from mapFile()
// or mapFileBelow().
void releaseMappedPages(std::span<const std::byte> bytes);

// Replaces several files together. No file changes before commit(). If the file system supports unnamed files (O_TMPFILE), a
// process that is killed before commit() leaves no temporary files. Throws OperationError, with the reason, on failure.
class Replacement {
 public:
  Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  // Calls `write` to write the new content of `path`. The file keeps its permissions. Exceptions of `write` are passed on.
  void add(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
  // Replaces the files. If the file system supports locks, processes that replace files in one directory wait for each other.
  void commit();

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
};

// Replaces one file, with the guarantees of Replacement.
void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace webnn
