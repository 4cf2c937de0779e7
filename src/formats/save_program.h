// Programs in files.
#pragma once

#include <filesystem>

#include "formats/code/code.h"

namespace webnn::formats {

// Writes the program to `path`, and its weights to NAME.safetensors beside it. Nothing is left half written. The errors of
// save().
void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path);

}  // namespace webnn::formats
