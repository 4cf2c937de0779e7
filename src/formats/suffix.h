// What a graph file's suffix says of its format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "webnn/formats.h"

namespace webnn::formats {

// ".onnx" of "MODEL.ONNX".
std::string lowerSuffix(const std::filesystem::path& path);

// By the suffix, whatever its case; nullopt if it says none.
std::optional<GraphFormat> formatOfSuffix(const std::filesystem::path& path);

// For messages: ".webnn, .webnnb, .json, .onnx or .mlpackage".
std::string listSuffixes();

}  // namespace webnn::formats
