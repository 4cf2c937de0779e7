#include "formats/save_program.h"

#include "base/as_errors.h"
#include "base/files/file.h"
#include "base/text.h"
#include "formats/weights_beside.h"

namespace webnn::formats {

void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path) try {
  const std::string stem = path.stem().string();
  std::filesystem::path weights = path;
  weights.replace_filename(stem + ".safetensors");
  if (weights == path) fail(ErrorKind::typeError, "save: the graph and its weights would both be {}.", sanitized(path.string()));
  requireNobodysWeights(path);
  if (!whoLoses(path, weights).empty()) weights.replace_filename(path.filename().string() + ".safetensors");
  const Program program = writeProgram(graph, language, weights.filename().string(), stem);
  Replacement files;
  if (!program.weights.empty()) addSafetensors(files, path, weights, program.weights);
  files.add(path, [&](std::ostream& stream) { stream << program.text; });
  files.commit();
} catch (...) {
  throwAsError("save");
}

}  // namespace webnn::formats
