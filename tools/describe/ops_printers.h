// Prints the operation table in other languages, each as a complete document, and a list of the supported ONNX operators.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"
#include "describe/ops_python.h"

namespace webnn::describe {

// Returns a Markdown reference of all methods.
std::string printMarkdown(std::span<const Method> methods);
std::string printJson(std::span<const Method> methods);
// Returns Python type stubs: a class with the methods of MLGraphBuilder that are operations.
std::string printPyi(std::span<const Method> methods);
// Returns TypeScript declarations of the specification's interfaces.
std::string printDts(std::span<const Method> methods);

// Returns the Cap'n Proto schema, src/service/webnn.capnp. Throws NotSupportedError in a build without the service.
std::string printCapnp(std::span<const Method> methods);

// Returns the ONNX operators that the importer supports, in Markdown, with one paragraph per domain.
std::string printOnnx();

}  // namespace webnn::describe
