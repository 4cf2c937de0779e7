#include "formats/code/code.h"

#include <memory>

#include "base/as_errors.h"
#include "base/file.h"
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

void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path) try {
  std::filesystem::path weights = path;
  weights.replace_filename(path.stem().string() + ".safetensors");
  if (weights == path) fail(ErrorKind::typeError, "save: the graph and its weights would both be {}.", sanitized(path.string()));
  const Program program = writeProgram(graph, language, weights.filename().string(), path.stem().string());
  Replacement files;
  if (!program.weights.empty()) writeSafetensors(files, weights, program.weights);
  files.add(path, [&](std::ostream& stream) { stream << program.text; });
  files.commit();
} catch (...) {
  throwAsError("save");
}

}  // namespace webnn::formats
