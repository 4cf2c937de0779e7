#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace webnn {

// Makes a directory in the system's temporary directory that only this user can access. The new name starts with `prefix`.
std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error);

}  // namespace webnn
