// Folders for files that are soon removed again.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace webnn {

// A new folder where the system has such files, which only this user may enter; its name starts with `prefix`.
std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error);

}  // namespace webnn
