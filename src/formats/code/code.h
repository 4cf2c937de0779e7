#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/document/weights.h"
#include "graph/graph_definition.h"

namespace webnn::formats {

enum class Language { javaScript, python, cpp };

struct Program {
  std::string text;
  std::vector<NamedWeights> weights;  // weights for the safetensors file; the graph owns the bytes
};

// Writes the program. `weightsFile` is the name of its weights file, `space` its C++ namespace. The calls have the graph's
// labels, options, and names of inputs and outputs. Names of other operands only become names of variables, because the web API
// has no names for them. Throws TypeError for a name that is not UTF-8.
Program writeProgram(const GraphDefinition& graph, Language language, std::string_view weightsFile, std::string_view space);

// Returns the sentence that names the weights file, in the comment on a program's first line.
std::string weightsNote(std::string_view weightsFile);

}  // namespace webnn::formats
