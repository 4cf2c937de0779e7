#pragma once

#include <filesystem>

namespace webnn {

// Throws NotSupportedError for files on which dlopen would block (a pipe) or fail with a misleading message (a library for
// another processor). Ignores bare names.
void requireLoadable(const std::filesystem::path& path);

// Throws NotSupportedError if a library is for another processor. Does nothing on systems whose loader reports that itself.
void requireOwnProcessor(const std::filesystem::path& path);

// Loads a library, which stays loaded until the process ends. Returns the same handle for the same file. The system's loader
// searches for bare names. Throws NotSupportedError, with the reason, if it cannot be loaded.
void* loadLibrary(const std::filesystem::path& path);

// Returns the address of a function in a loaded library, or nullptr.
void* findSymbol(void* library, const char* name);

}  // namespace webnn
