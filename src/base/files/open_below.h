// Opens files below a directory that an untrusted user may modify concurrently.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace webnn {

// Opens `path` below `folder` for reading in one system call: no symbolic link and no ".." leads elsewhere. On failure errno is
// as for open(2); ELOOP or EXDEV for a link or "..".
FileDescriptor openBelow(const FileDescriptor& folder, const std::filesystem::path& path);

// Does the same component by component, for systems without openat2.
FileDescriptor openBelowByComponents(const FileDescriptor& folder, const std::filesystem::path& path);

}  // namespace webnn
