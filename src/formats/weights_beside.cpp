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

void requireOwn(const Replacement& files, const std::filesystem::path& path, const std::filesystem::path& weights) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(weights, ignored) || !files.changes(weights)) return;
  for (const std::string_view suffix : {".webnn", ".webnnb", ".json"}) {
    std::filesystem::path other = path;
    other.replace_extension(suffix);
    if (isSameFile(other, path) || !reads(other, weights)) continue;
    fail(ErrorKind::operationError,
         "save: {} would lose its weights, which are in {}; save under another name, or with the weights inline.",
         sanitized(other.string()), sanitized(weights.string()));
  }
  if (isOwner(path, weights)) return;
  fail(ErrorKind::operationError,
       "save: {}, where the weights would go, is there already with others; save under another name, or with the weights inline, "
       "or "
       "remove it.",
       sanitized(weights.string()));
}

}  // namespace

void addWeightsBeside(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                      const std::vector<NamedWeights>& weights) {
  if (format == WeightsFormat::safetensors) {
    const std::filesystem::path file = beside(path, ".safetensors");
    writeSafetensors(files, file, weights);
    requireOwn(files, path, file);
    return;
  }
  const std::filesystem::path manifest = beside(path, ".manifest.json"), file = beside(path, ".weights");
  requireNotHidden(beside(path, ".safetensors"));
  writeManifest(files, manifest, file, weights);
  requireOwn(files, path, file);
}

}  // namespace webnn::formats
