// The system's loader of libraries.
#pragma once

#include <filesystem>

namespace webnn {

// NotSupportedError for a file that the system's loader would answer with the wrong words, or with waiting: a pipe, and a library
// for another processor. Bare names are its own business.
void requireLoadable(const std::filesystem::path& path);

// Of a file, that it is for no other processor, where the system does not say so itself.
void requireOwnProcessor(const std::filesystem::path& path);

// Loads a library for the rest of this process: the same handle for the same file. A bare name is looked for where the system
// has its libraries. NotSupportedError says why it cannot be loaded.
void* loadLibrary(const std::filesystem::path& path);

// A function of a loaded library, or nullptr.
void* findSymbol(void* library, const char* name);

}  // namespace webnn
