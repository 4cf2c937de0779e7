// Opens files on a desktop.
#pragma once

#include <filesystem>
#include <string_view>

namespace webnn::cli {

// The program for it; empty where none is started.
std::string_view fileOpener();

// Returns whether a display is available.
bool hasDisplay();

// Returns whether it opened the file.
bool openFile(const std::filesystem::path& file);

}  // namespace webnn::cli
