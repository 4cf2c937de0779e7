// Graph formats by file extension.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "webnn/formats.h"

namespace webnn::formats {

// Returns the file extension in lower case, such as ".onnx" for "MODEL.ONNX".
std::string lowerSuffix(const std::filesystem::path& path);

// Returns the format by file extension, ignoring case; nullopt if unknown.
std::optional<GraphFormat> formatOfSuffix(const std::filesystem::path& path);

// Returns a list for messages: ".webnn, .webnnb, .json, .onnx or .mlpackage".
std::string listSuffixes();

}  // namespace webnn::formats
