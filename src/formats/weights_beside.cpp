#include "formats/weights_beside.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "formats/code/code.h"

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

// Whether the file is a program that webnn convert has written, with its weights in this file.
bool isProgramWith(const std::filesystem::path& file, const std::filesystem::path& weights) {
  const ExternalBytes content = mapFile(file);
  const std::string_view text(reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size());
  return text.substr(0, text.find('\n')).ends_with(weightsNote(weights.filename().string()));
}

// Whether there is a graph or a program that has its weights from this file.
bool reads(const std::filesystem::path& path, const std::filesystem::path& weights) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    if (isProgramWith(path, weights)) return true;
    return std::ranges::any_of(describeFile(path).files, [&](const auto& file) { return isSameFile(file, weights); });
  } catch (const Error&) {
    return false;
  }
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
  std::vector<std::filesystem::path> lost;
  if (std::filesystem::is_regular_file(weights, ignored)) lost.push_back(weights);
  if (weights.extension() == ".safetensors") {  // which load() takes before these
    lost.push_back(weights);
    lost.back().replace_extension(".weights");
  }
  for (const std::string_view suffix : {".webnn", ".webnnb", ".json", ".js", ".mjs", ".py", ".cpp", ".cc", ".cxx"}) {
    std::filesystem::path other = path;
    other.replace_extension(suffix);
    if (isSameFile(other, path)) continue;
    for (const std::filesystem::path& file : lost) {
      if (reads(other, file))
        return formatText("{} would lose its weights, which are in {}", sanitized(other.string()), sanitized(file.string()));
    }
  }
  if (!std::filesystem::is_regular_file(weights, ignored) || reads(path, weights)) return {};
  return formatText("{}, where the weights would go, is there already with others", sanitized(weights.string()));
}

namespace {

// Whether the weights are to be written; not if others have the file, and these weights are in it. OperationError if they are
// not.
bool areNew(const std::filesystem::path& path, const std::filesystem::path& file, const std::filesystem::path& manifest,
            const std::vector<NamedWeights>& weights) {
  std::string loser = whoLoses(path, file);
  if (loser.empty() && !manifest.empty()) loser = whoLoses(path, manifest);
  if (loser.empty()) return true;
  if (!holds(file, manifest, weights))
    fail(ErrorKind::operationError, "save: {}; save under another name, or with the weights inline.", loser);
  return false;
}

}  // namespace

void addSafetensors(Replacement& files, const std::filesystem::path& path, const std::filesystem::path& file,
                    const std::vector<NamedWeights>& weights) {
  if (areNew(path, file, {}, weights)) writeSafetensors(files, file, weights);
}

void addWeightsBeside(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                      const std::vector<NamedWeights>& weights) {
  if (format == WeightsFormat::safetensors) return addSafetensors(files, path, beside(path, ".safetensors"), weights);
  const std::filesystem::path file = beside(path, ".weights"), manifest = beside(path, ".manifest.json");
  requireNotHidden(beside(path, ".safetensors"));
  if (areNew(path, file, manifest, weights)) writeManifest(files, manifest, file, weights);
}

}  // namespace webnn::formats
