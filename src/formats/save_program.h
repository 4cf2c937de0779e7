// Writes the source code of a program that builds a graph.
#pragma once

#include <filesystem>

#include "formats/code/code.h"

namespace webnn::formats {

// Writes the program to `path` and its weights beside it: to NAME.safetensors, or FILE.safetensors if that is in use. Leaves no
// partial files. Throws the errors of save(). Sizes may be handles of the current OpenSizes.
void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path);

}  // namespace webnn::formats
