#pragma once

#include <filesystem>

namespace webnn {

// Throws NotSupportedError for files on which dlopen would block (a pipe) or report misleadingly (another processor's library).
// Ignores bare names.
void requireLoadable(const std::filesystem::path& path);

// Checks that a library is not for another processor, if the system's loader does not report that.
void requireOwnProcessor(const std::filesystem::path& path);

// Loads a library for the rest of the process; returns the same handle for the same file. Bare names are searched in the system's
// places. NotSupportedError says why it cannot be loaded.
void* loadLibrary(const std::filesystem::path& path);

// A function of a loaded library, or nullptr.
void* findSymbol(void* library, const char* name);

}  // namespace webnn
