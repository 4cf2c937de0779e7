// Opens files with the desktop's programs.
#pragma once

#include <filesystem>
#include <string_view>

namespace webnn::cli {

// Returns the program that opens files on this system; empty if the build starts no processes.
std::string_view fileOpener();

bool hasDisplay();

// Opens the file with fileOpener(). Returns whether that succeeded.
bool openFile(const std::filesystem::path& file);

}  // namespace webnn::cli
