// Files of named tensors beside a graph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"
#include "webnn/formats.h"
#include "webnn/graph_builder.h"

namespace webnn::formats {

// The tensors of a weights file.
class WeightsReader {
 public:
  virtual ~WeightsReader() = default;
  // Returns the packed bytes of the tensor `key`. If no tensor has this key, looks for the only tensor whose key is equal once
  // "::" becomes "__" and "." becomes "_" in both keys. Throws NotFoundError if there is none or more than one, DataError if
  // type, shape or length differ from `descriptor`. BF16 data is widened if the descriptor is float32.
  virtual ExternalBytes find(std::string_view key, const OperandDescriptor& descriptor) const = 0;
};

// A file of weights with the manifest that it may need.
struct WeightsFiles {
  struct File {
    std::filesystem::path name;
    ExternalBytes content;
  };
  File weights;
  std::optional<File> manifest;  // lists the tensors of a .weights file; safetensors files have no manifest
};
// Finds the weights files of the graph at `graphPath` as openWeights() does. Nullopt if there are none.
std::optional<WeightsFiles> findWeights(const std::filesystem::path& graphPath, const LoadOptions& options);

// Returns the weights of the graph at `graphPath`: those in the options, else those beside it. Null if there are none.
// Throws NotFoundError if a named file or a required manifest does not exist, or if LoadOptions::namedFilesOnly is set and the
// options name no weights.
std::unique_ptr<WeightsReader> openWeights(const std::filesystem::path& graphPath, const LoadOptions& options);

// Readers of whole files. They check every count and offset before use, and throw DataError for a malformed file.
std::unique_ptr<WeightsReader> readSafetensors(ExternalBytes file);
std::unique_ptr<WeightsReader> readManifest(std::string_view manifest, ExternalBytes weights);

struct NamedWeights {
  std::string key;
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;  // packed
};

// Returns `name` as a key of a safetensors file; if safetensors reserves it, a similar key that is not in `names`.
std::string safetensorsKey(const std::string& name, std::span<const std::string> names);
// Writes a safetensors file. Like writeManifest(), throws TypeError for a duplicate key or a wrong byte count. safetensors has no
// 4-bit types: int4 and uint4 are stored packed, as U8 of shape [byteLength].
void writeSafetensors(Replacement& files, const std::filesystem::path& path, std::span<const NamedWeights> tensors);
// The layout of a file that writeSafetensors() writes: the offsets of the tensors' bytes, and the file's length.
struct SafetensorsLayout {
  std::vector<std::uint64_t> offsets;
  std::uint64_t size = 0;
};
SafetensorsLayout safetensorsLayout(std::span<const NamedWeights> tensors);
void writeManifest(Replacement& files, const std::filesystem::path& manifestPath, const std::filesystem::path& weightsPath,
                   std::span<const NamedWeights> tensors);

}  // namespace webnn::formats
