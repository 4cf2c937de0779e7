#include <array>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "formats/weights.h"

namespace webnn::formats {

namespace {

using std::filesystem::path;

// `file` beside the graph, or nullopt if nothing of that name is there. Nobody has asked for this file, so a link that
// leads out of the folder is not followed.
std::optional<path> discover(const path& folder, const std::string& file) {
  const path candidate = folder / file;
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(candidate, error))) return std::nullopt;
  const path target = std::filesystem::canonical(candidate, error);
  if (error) {
    fail(ErrorKind::notFoundError, "the file {} cannot be opened ({}).", webnn::quoted(candidate.string()), error.message());
  }
  const path root = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  const path relative = target.lexically_relative(root);
  if (error || relative.empty() || *relative.begin() == "..") {
    fail(ErrorKind::dataError, "{} leads out of the folder of the graph; name it explicitly to use it.",
         webnn::quoted(candidate.string()));
  }
  return target;
}

// The first of `files` that is there.
std::optional<path> discoverFirst(const path& folder, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::optional<path> found = discover(folder, file)) return found;
  }
  return std::nullopt;
}

// Content decides; the name only decides which error a file of neither kind gives. (A safetensors header whose length
// reads "WGWT" would be above that format's limit.)
bool isBlob(const path& name, std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with("WGWT") || name.extension() == ".weights";
}

}  // namespace

std::unique_ptr<WeightsReader> openWeights(const path& graphPath, const LoadOptions& options) {
  const path folder = graphPath.parent_path();
  const std::string stem = graphPath.stem().string();
  // A path of the options may lead anywhere; it is relative to the graph's folder.
  std::optional<path> manifest = options.manifest ? std::optional(folder / *options.manifest) : std::nullopt;
  const ExternalBytes manifestBytes = manifest ? mapFile(*manifest) : ExternalBytes{};
  const auto textOf = [](const ExternalBytes& file) {
    return std::string_view(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  };

  // The graph's own name first: other tools look for model.safetensors before it, but then what is saved beside another
  // model would not read back.
  if (!options.weights && options.namedFilesOnly) {
    fail(ErrorKind::notFoundError, "the graph {} needs weights, which are not named, and only named files are opened.",
         webnn::quoted(graphPath.string()));
  }
  const std::optional<path> weights =
      options.weights ? std::optional(folder / *options.weights)
                      : discoverFirst(folder, {stem + ".safetensors", stem + ".weights", "model.safetensors", "model.weights"});
  if (!weights && manifest) {
    fail(ErrorKind::notFoundError, "there are no weights beside {} for the manifest {}.", webnn::quoted(graphPath.string()),
         webnn::quoted(manifest->string()));
  }
  if (!weights) return nullptr;
  ExternalBytes bytes = mapFile(*weights);
  if (!isBlob(*weights, bytes.bytes)) return readSafetensors(std::move(bytes));
  if (manifest) return readManifest(textOf(manifestBytes), std::move(bytes));
  if (!options.namedFilesOnly) manifest = discoverFirst(folder, {stem + ".manifest.json", "manifest.json"});
  if (!manifest) {
    fail(ErrorKind::notFoundError, "the weights {} need a manifest: {}.manifest.json or manifest.json.",
         webnn::quoted(weights->string()), sanitized(stem));
  }
  return readManifest(textOf(mapFile(*manifest)), std::move(bytes));
}

}  // namespace webnn::formats
