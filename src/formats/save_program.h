// Writes the source code of a program that builds a graph.
#pragma once

#include <filesystem>

#include "formats/code/code.h"

namespace webnn::formats {

// Writes the program to `path`, such as net.py, and its weights beside it: to net.safetensors, or to net.py.safetensors if
// net.safetensors may belong to another graph (see whoLoses()). Leaves no partial files. Throws the errors of save(). Sizes may
// be handles of open dimensions (see OpenSizes).
void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path);

}  // namespace webnn::formats
