// Graphs as programs that build them.
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
  std::vector<NamedWeights> weights;  // what it reads from a safetensors file; their bytes are the graph's
};

// The program. `weightsFile` is what it calls the file of its weights, `space` its namespace in C++. Names of inputs and outputs,
// labels and options are the graph's; other names are comments at most, as the API of the web has none.
// TypeError for a name that is not UTF-8.
Program writeProgram(const GraphDefinition& graph, Language language, std::string_view weightsFile, std::string_view space);

// What the first line of a program with weights says of them: which file it has them from.
std::string weightsNote(std::string_view weightsFile);

}  // namespace webnn::formats
