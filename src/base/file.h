// Files: mapped for reading, replaced whole for writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <ostream>
#include <span>
#include <string>

#include "webnn/graph_builder.h"

namespace webnn {

// The file's bytes, memory-mapped read-only; empty for an empty file. Nobody may truncate the file while it is mapped.
// NotFoundError if it is not there, DataError if it is no regular file, OperationError if it cannot be opened.
ExternalBytes mapFile(const std::filesystem::path& path);

// Gives the pages of a part of a mapped file back to the system; they are read again if they are needed. Bytes that are not
// of a mapped file are left alone.
void releaseMappedPages(std::span<const std::byte> bytes);

// Calls `write` on a temporary file beside `path`, which then takes the place of `path`, with its permissions. If
// anything fails, `path` is as it was. OperationError says why; what `write` throws passes through.
void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace webnn
