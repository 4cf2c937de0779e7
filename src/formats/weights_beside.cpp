#include "formats/weights_beside.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace webnn::formats {

namespace {

// NAME.graph -> NAME<suffix>; TypeError if that is the graph itself.
std::filesystem::path beside(const std::filesystem::path& path, std::string_view suffix) {
  std::filesystem::path result = path;
  result.replace_filename(path.stem().string() + std::string(suffix));
  if (result == path) fail(ErrorKind::typeError, "save: the graph and its weights would both be {}.", sanitized(path.string()));
  return result;
}

// load() takes safetensors before other weights of the same name (see openWeights). OperationError if they are there.
void requireNotHidden(const std::filesystem::path& earlier) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(earlier, ignored))) return;
  fail(ErrorKind::operationError,
       "save: load() would read {} instead of the weights of this graph; remove it, or save elsewhere.",
       sanitized(earlier.string()));
}

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

// Whether there is a graph that has its weights from this file.
bool reads(const std::filesystem::path& graph, const std::filesystem::path& weights) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(graph, ignored)) return false;
  try {
    return std::ranges::any_of(describeFile(graph).files, [&](const auto& file) { return isSameFile(file, weights); });
  } catch (const Error&) {
    return false;
  }
}

// Of a graph, that it reads them; of a program, that it is there.
bool isOwner(const std::filesystem::path& path, const std::filesystem::path& weights) {
  static constexpr std::string_view kPrograms[] = {".js", ".mjs", ".py", ".cpp"};
  std::error_code ignored;
  if (std::ranges::find(kPrograms, path.extension().string()) != std::end(kPrograms))
    return std::filesystem::exists(path, ignored);
  return reads(path, weights);
}

// Whether the file has all these weights.
bool holds(const std::filesystem::path& file, const std::filesystem::path& manifest, const std::vector<NamedWeights>& weights) {
  try {
    const ExternalBytes index = manifest.empty() ? ExternalBytes{} : mapFile(manifest);
    const std::string_view text(reinterpret_cast<const char*>(index.bytes.data()), index.bytes.size());
    const auto reader = manifest.empty() ? readSafetensors(mapFile(file)) : readManifest(text, mapFile(file));
    return std::ranges::all_of(weights, [&](const NamedWeights& tensor) {
      return std::ranges::equal(reader->find(tensor.key, tensor.descriptor).bytes, tensor.bytes);
    });
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string whoLoses(const std::filesystem::path& path, const std::filesystem::path& weights) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(weights, ignored)) return {};
  for (const std::string_view suffix : {".webnn", ".webnnb", ".json"}) {
    std::filesystem::path other = path;
    other.replace_extension(suffix);
    if (isSameFile(other, path) || !reads(other, weights)) continue;
    return formatText("{} would lose its weights, which are in {}", sanitized(other.string()), sanitized(weights.string()));
  }
  if (isOwner(path, weights)) return {};
  return formatText("{}, where the weights would go, is there already with others", sanitized(weights.string()));
}

void addWeightsBeside(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                      const std::vector<NamedWeights>& weights) {
  const bool isSafetensors = format == WeightsFormat::safetensors;
  const std::filesystem::path file = beside(path, isSafetensors ? ".safetensors" : ".weights");
  const std::filesystem::path manifest = isSafetensors ? std::filesystem::path() : beside(path, ".manifest.json");
  if (!isSafetensors) requireNotHidden(beside(path, ".safetensors"));
  if (const std::string loser = whoLoses(path, file); !loser.empty()) {
    if (holds(file, manifest, weights)) return;
    fail(ErrorKind::operationError, "save: {}; save under another name, or with the weights inline.", loser);
  }
  if (isSafetensors) {
    writeSafetensors(files, file, weights);
  } else {
    writeManifest(files, manifest, file, weights);
  }
}

}  // namespace webnn::formats
