// Files: mapped or read whole, replaced whole.
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

// How a file's bytes come into memory.
enum class FileAccess {
  map,   // page by page when they are used. Nobody may truncate the file meanwhile: the process would die of SIGBUS
  read,  // all at once
};

// The file's bytes, read-only; empty for an empty file. NotFoundError if it is not there, DataError if it is no regular
// file, OperationError if it cannot be opened.
ExternalBytes mapFile(const std::filesystem::path& path, FileAccess access = FileAccess::map);

// The same of a file that nobody has named: `path` below `folder`. Nothing but what is there is opened, at once: no symbolic
// link on the way, and nothing outside, even if someone changes the folder meanwhile; that is a DataError. nullopt if there
// is no such file.
std::optional<ExternalBytes> mapFileBelow(const std::filesystem::path& folder, const std::filesystem::path& path,
                                          FileAccess access = FileAccess::map);

// Gives the pages of a part of a mapped file back to the system; they are read again if they are needed. Bytes that are not
// of a mapped file are left alone.
void releaseMappedPages(std::span<const std::byte> bytes);

// Files that take the places of others together. Until commit(), and if anything fails before its end, all is as it was, and
// where the file system has files without a name nothing is left behind even if the process is killed. OperationError says
// why it fails.
class Replacement {
 public:
  Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  // Calls `write` for the new content of `path`, which keeps its permissions. What `write` throws passes through.
  void add(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
  // Processes that replace files of the same folder do so one after the other.
  void commit();

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
};

// Replaces one file.
void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace webnn
