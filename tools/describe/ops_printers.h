// The operation table in other languages. Each printer returns a whole document.
#pragma once

#include <span>
#include <string>

#include "describe/ops_model.h"
#include "describe/ops_python.h"

namespace webnn::describe {

// Markdown: a reference of all methods.
std::string printMarkdown(std::span<const Method> methods);
// Prints JSON.
std::string printJson(std::span<const Method> methods);
// Python type stubs: a class with the methods of MLGraphBuilder that are operations.
std::string printPyi(std::span<const Method> methods);
// TypeScript declarations of the specification's interfaces.
std::string printDts(std::span<const Method> methods);

// Cap'n Proto: src/service/webnn.capnp. NotSupportedError in a build without the service.
std::string printCapnp(std::span<const Method> methods);

// The operators of ONNX that the importer knows, a paragraph of Markdown for each domain.
std::string printOnnx();

}  // namespace webnn::describe
