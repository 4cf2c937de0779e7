// Files below a folder that someone untrusted may have made, and may be changing.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace webnn {

// Opens a file for reading, as `path` says from `folder` on, in one step of the system: no symbolic link and no ".." leads
// anywhere else, whatever happens meanwhile. Not there: errno as of open(2); ELOOP or EXDEV where a link or ".." is in the way.
FileDescriptor openBelow(const FileDescriptor& folder, const std::filesystem::path& path);

// The same one component after the other, for systems without openat2.
FileDescriptor openBelowByComponents(const FileDescriptor& folder, const std::filesystem::path& path);

}  // namespace webnn
