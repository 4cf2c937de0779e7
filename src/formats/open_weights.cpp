#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/text.h"
#include "formats/document/weights.h"

namespace webnn::formats {

namespace {

using std::filesystem::path;

using File = WeightsFiles::File;

// Opens a file named by the options; nullopt if they name none. Relative paths begin in the graph's directory.
std::optional<File> named(const path& folder, const std::optional<path>& file, FileAccess access) {
  if (!file) return std::nullopt;
  return File{folder / *file, mapFile(folder / *file, access)};
}

// Opens the first of `files` that exists beside the graph; nullopt if none exists.
std::optional<File> discover(const path& folder, const std::vector<std::string>& files, FileAccess access) {
  for (const std::string& file : files) {
    if (auto content = mapFileBelow(folder, file, access)) return File{folder / file, std::move(*content)};
  }
  return std::nullopt;
}

std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// Returns whether the file is in the .weights format. The content decides; the name only decides which error is reported for a
// file of neither format. (A safetensors header whose length reads "WGWT" would exceed that format's limit.)
bool isBlob(const File& file) { return textOf(file.content).starts_with("WGWT") || file.name.extension() == ".weights"; }

}  // namespace

std::optional<WeightsFiles> findWeights(const path& graphPath, const LoadOptions& options) {
  const path folder = graphPath.parent_path();
  const std::string stem = graphPath.stem().string();
  const FileAccess access = options.mapFiles ? FileAccess::map : FileAccess::read;
  std::optional<File> manifest = named(folder, options.manifest, access);
  if (!options.weights && options.namedFilesOnly) {
    fail(ErrorKind::notFoundError, "the graph {} needs weights, which are not named, and only named files are opened.",
         webnn::quoted(graphPath.string()));
  }
  std::optional<File> weights = named(folder, options.weights, access);
  // Tries the graph's own name first. Other tools prefer model.safetensors, but then a graph saved beside another model would not
  // read back.
  if (!weights) {
    weights = discover(folder, {stem + ".safetensors", stem + ".weights", "model.safetensors", "model.weights"}, access);
  }
  if (!weights && manifest) {
    fail(ErrorKind::notFoundError, "there are no weights beside {} for the manifest {}.", webnn::quoted(graphPath.string()),
         webnn::quoted(manifest->name.string()));
  }
  if (!weights) return std::nullopt;
  if (!isBlob(*weights)) return WeightsFiles{std::move(*weights), {}};
  if (!manifest && !options.namedFilesOnly) manifest = discover(folder, {stem + ".manifest.json", "manifest.json"}, access);
  if (!manifest) {
    fail(ErrorKind::notFoundError, "the weights {} need a manifest: {}.manifest.json or manifest.json.",
         webnn::quoted(weights->name.string()), sanitized(stem));
  }
  return WeightsFiles{std::move(*weights), std::move(manifest)};
}

std::unique_ptr<WeightsReader> openWeights(const path& graphPath, const LoadOptions& options) {
  std::optional<WeightsFiles> found = findWeights(graphPath, options);
  if (!found) return nullptr;
  if (!found->manifest) return readSafetensors(std::move(found->weights.content));
  return readManifest(textOf(found->manifest->content), std::move(found->weights.content));
}

}  // namespace webnn::formats
