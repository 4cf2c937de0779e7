#include "formats/code/code.h"

#include <memory>

#include "base/text.h"
#include "formats/code/cpp.h"
#include "formats/code/javascript.h"
#include "formats/code/python.h"

namespace webnn::formats {

namespace {

std::unique_ptr<CodeWriter> makeWriter(const GraphDefinition& graph, Language language, std::string_view weightsFile,
                                       std::string_view space) {
  if (language == Language::javaScript) return std::make_unique<JavaScriptWriter>(graph, weightsFile);
  if (language == Language::python) return std::make_unique<PythonWriter>(graph, weightsFile);
  return std::make_unique<CppWriter>(graph, weightsFile, space);
}

}  // namespace

Program writeProgram(const GraphDefinition& graph, Language language, std::string_view weightsFile, std::string_view space) {
  const std::unique_ptr<CodeWriter> writer = makeWriter(graph, language, weightsFile, space);
  std::string text = writer->write();
  return {std::move(text), writer->weights()};
}

std::string weightsNote(std::string_view weightsFile) { return formatText("Its weights are in {}.", webnn::quoted(weightsFile)); }

}  // namespace webnn::formats
