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

// How a file's bytes are brought into memory.
enum class FileAccess {
  map,   // page by page when they are used. Truncating the file while it is mapped ends the process with SIGBUS
  read,  // all at once
};

// Returns the file's bytes, read-only. Throws NotFoundError if it does not exist, DataError if it is no regular file,
// OperationError if it cannot be opened.
ExternalBytes mapFile(const std::filesystem::path& path, FileAccess access = FileAccess::map);

// Maps a file that an untrusted source names: `path` below `folder`. Follows no symbolic link and leaves the directory in no way,
// even if it is modified concurrently; such paths are a DataError. nullopt if the file does not exist.
std::optional<ExternalBytes> mapFileBelow(const std::filesystem::path& folder, const std::filesystem::path& path,
                                          FileAccess access = FileAccess::map);

// Gives pages of a mapped file back to the system, which reads them again if needed. Ignores other bytes.
void releaseMappedPages(std::span<const std::byte> bytes);

// Replaces several files together. Until commit(), and if anything fails, nothing changes; on file systems with unnamed files, a
// killed process leaves nothing behind. OperationError says why it fails.
class Replacement {
 public:
  Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  // Calls `write` for the new content of `path`, which keeps its permissions. Exceptions of `write` pass through.
  void add(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
  // Processes that replace files of the same directory take turns.
  void commit();

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
};

// Replaces one file.
void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace webnn
