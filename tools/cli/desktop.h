// What opens files on a desktop.
#pragma once

#include <filesystem>
#include <string_view>

namespace webnn::cli {

// The program for it; empty where none is started.
std::string_view fileOpener();

// Whether somebody could see what it opens.
bool hasDisplay();

// Whether it took this one.
bool openFile(const std::filesystem::path& file);

}  // namespace webnn::cli
