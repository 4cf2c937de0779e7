#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace webnn {

// Makes a directory, which only this user can access, in the system's temporary directory. The new directory's name starts with
// `prefix`.
std::filesystem::path makeTemporaryFolder(const std::string& prefix, std::error_code& error);

}  // namespace webnn
