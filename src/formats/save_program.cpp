#include "formats/save_program.h"

#include "base/as_errors.h"
#include "base/file.h"
#include "formats/weights_beside.h"

namespace webnn::formats {

void saveProgram(const GraphDefinition& graph, Language language, const std::filesystem::path& path) try {
  const std::string stem = path.stem().string();
  const Program program = writeProgram(graph, language, stem + ".safetensors", stem);
  Replacement files;
  if (!program.weights.empty()) addWeightsBeside(files, path, WeightsFormat::safetensors, program.weights);
  files.add(path, [&](std::ostream& stream) { stream << program.text; });
  files.commit();
} catch (...) {
  throwAsError("save");
}

}  // namespace webnn::formats
