// Opens files below a directory that an untrusted user may modify concurrently.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace webnn {

// Opens `path` below `folder` for reading, in one system call if possible. Fails if the path contains a symbolic link (errno is
// ELOOP) or leaves the directory (EXDEV). Other failures set errno as open(2) does.
FileDescriptor openBelow(const FileDescriptor& folder, const std::filesystem::path& path);

// Works like openBelow(), but opens component by component, for systems without openat2. Refuses every ".." (EXDEV).
FileDescriptor openBelowByComponents(const FileDescriptor& folder, const std::filesystem::path& path);

}  // namespace webnn
