#include "formats/weights_beside.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/files/matching_files.h"
#include "base/text.h"
#include "formats/code/code.h"
#include "formats/suffix.h"

namespace webnn::formats {

namespace {

// Returns NAME<suffix> for the file NAME.graph; throws TypeError if that is the graph itself.
std::filesystem::path beside(const std::filesystem::path& path, std::string_view suffix) {
  std::filesystem::path result = path;
  result.replace_filename(path.stem().string() + std::string(suffix));
  if (result == path) fail(ErrorKind::typeError, "save: the graph and its weights would both be {}.", sanitized(path.string()));
  return result;
}

// Throws OperationError if the safetensors file `earlier` exists, because load() would read it instead of the .weights file (see
// findWeights).
void requireNotHidden(const std::filesystem::path& earlier) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(earlier, ignored))) return;
  fail(ErrorKind::operationError,
       "save: load() would read {} instead of the weights of this graph; remove it, or save elsewhere.",
       sanitized(earlier.string()));
}

std::filesystem::path folderOf(const std::filesystem::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

// Returns whether `file` is a program that webnn convert has written, perhaps edited since, with its weights in the file
// `weights`.
bool isProgramWith(const std::filesystem::path& file, const std::filesystem::path& weights) {
  constexpr std::size_t kBeginning = 1 << 16;
  const ExternalBytes content = mapFile(file);
  const std::string_view text(reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size());
  return text.substr(0, kBeginning).find(weightsNote(weights.filename().string())) != std::string_view::npos;
}

// Returns whether the file extension is that of a program. This check avoids reading every file of a directory.
bool mayBeProgram(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 6> kLanguageSuffixes{".js", ".mjs", ".py", ".cpp", ".cc", ".cxx"};
  return std::ranges::find(kLanguageSuffixes, lowerSuffix(file)) != kLanguageSuffixes.end();
}

enum class Readers { programs, all };

// Returns whether `path` is a graph or program that reads its weights from `weights`, which is another file.
bool reads(const std::filesystem::path& path, const std::filesystem::path& weights, Readers readers = Readers::all) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || isSameFile(path, weights)) return false;
  try {
    if (isProgramWith(path, weights)) return true;
    if (readers == Readers::programs) return false;
    return std::ranges::any_of(describeFile(path).files, [&](const auto& file) { return isSameFile(file, weights); });
  } catch (const Error&) {
    return false;
  }
}

// Returns whether `file` is `path`, the file that is being saved, perhaps by another name on a file system that ignores case.
bool isSaved(const std::filesystem::path& file, const std::filesystem::path& path) {
  std::error_code ignored;
  if (file.filename() == path.filename()) return true;
  return isSameFile(file, path) && std::filesystem::hard_link_count(file, ignored) == 1;
}

// Returns whether a graph called `graph` may read its weights or manifest from `file`, whatever the suffix of `file` is.
bool mayBeFor(const std::filesystem::path& graph, const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  if (name.starts_with("model.") || name == "manifest.json") return true;  // see findWeights
  return name.starts_with(graph.stem().string() + ".") || name == graph.stem();
}

// Returns the files that load() reads as weights or manifest only if `weights` does not exist (see findWeights).
std::vector<std::filesystem::path> hiddenBy(const std::filesystem::path& weights) {
  std::vector<std::string> names;
  const bool isSafetensors = weights.extension() == ".safetensors";
  if (isSafetensors) names.push_back(weights.stem().string() + ".weights");
  if (isSafetensors || weights.extension() == ".weights") names.insert(names.end(), {"model.safetensors", "model.weights"});
  if (weights.filename().string().ends_with(".manifest.json")) names.emplace_back("manifest.json");
  std::vector<std::filesystem::path> hidden;
  for (const std::string& name : names) hidden.push_back(weights.parent_path() / name);
  return hidden;
}

std::string losing(const std::filesystem::path& graph, const std::filesystem::path& weights) {
  return formatText("{} would lose its weights, which are in {}", sanitized(graph.string()), sanitized(weights.string()));
}

// Returns a text about a graph or program that would lose its weights if the file `weights` were written for `path`; an empty
// text if no graph or program would.
std::string loserOf(const std::filesystem::path& path, const std::filesystem::path& weights) {
  std::error_code ignored;
  std::vector<std::filesystem::path> lost = hiddenBy(weights);
  lost.insert(lost.begin(), weights);
  std::erase_if(lost, [&](const std::filesystem::path& file) { return !std::filesystem::is_regular_file(file, ignored); });
  if (lost.empty()) return {};
  for (const std::filesystem::path& name : namesIn(folderOf(path))) {
    const std::filesystem::path other = path.parent_path() / name;
    // A program names its weights, so a program of any name may read them.
    const Readers readers = mayBeFor(name, path) ? Readers::all : Readers::programs;
    if (isSaved(other, path) || (readers == Readers::programs && !mayBeProgram(name))) continue;
    for (const std::filesystem::path& file : lost) {
      if (reads(other, file, readers)) return losing(other, file);
    }
  }
  return {};
}

// Returns an error text if `weights` is a symbolic link, which load() does not follow, or if `path` is a link to a graph that
// would lose its weights; otherwise an empty text.
std::string whoLosesByLink(const std::filesystem::path& path, const std::filesystem::path& weights) {
  std::error_code error;
  if (std::filesystem::is_symlink(weights, error))
    return formatText("{}, where the weights would go, is a symbolic link, which load() does not follow",
                      sanitized(weights.string()));
  if (!std::filesystem::is_symlink(path, error)) return {};
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error || (target.stem() == path.stem() && isSameFile(target.parent_path(), folderOf(path)))) return {};
  return formatText("{} would lose its weights, which would be in {}, beside a symbolic link to it", sanitized(target.string()),
                    sanitized(weights.string()));
}

bool isGraph(const std::filesystem::path& file) {
  try {
    describeFile(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Returns whether the file holds equal bytes for all of `weights`. `manifest` is empty for a safetensors file.
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
  std::string loser = whoLosesByLink(path, weights);
  if (loser.empty()) loser = loserOf(path, weights);
  std::error_code ignored;
  if (!loser.empty() || !std::filesystem::is_regular_file(weights, ignored)) return loser;
  if (reads(path, weights) && !isGraph(weights)) return {};
  return formatText("{}, where the weights would go, is there already with others", sanitized(weights.string()));
}

void requireNobodysWeights(const std::filesystem::path& path) {
  std::error_code error;
  std::string loser = loserOf(path, path);
  if (loser.empty() && std::filesystem::is_symlink(path, error)) {
    const std::filesystem::path target = std::filesystem::canonical(path, error);
    if (!error) loser = loserOf(target, target);
  }
  if (!loser.empty()) fail(ErrorKind::operationError, "save: {}; save under another name.", loser);
}

namespace {

// Returns whether the weights must be written. If another graph or program uses the file, returns false if the file already holds
// these weights, and throws an OperationError otherwise.
bool areNew(const std::filesystem::path& path, const std::filesystem::path& file, const std::filesystem::path& manifest,
            const std::vector<NamedWeights>& weights) {
  std::string loser = whoLoses(path, file);
  if (loser.empty() && !manifest.empty()) loser = whoLoses(path, manifest);
  if (loser.empty()) return true;
  const bool isByLink = !whoLosesByLink(path, file).empty() || !whoLosesByLink(path, manifest).empty();
  if (isByLink || !holds(file, manifest, weights))
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
