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
  // The packed bytes of the tensor `key`, or of the one key that is equal after "::" became "__" and "." became "_".
  // NotFoundError if there is none or more than one, DataError if its type, shape or length is not that of `descriptor`.
  // BF16 data is widened to float32 where the descriptor says float32.
  virtual ExternalBytes find(std::string_view key, const OperandDescriptor& descriptor) const = 0;
};

// A file of weights with the manifest that it may need.
struct WeightsFiles {
  struct File {
    std::filesystem::path name;
    ExternalBytes content;
  };
  File weights;
  std::optional<File> manifest;  // of a file without a header of its own
};
// The files that belong to the graph at `graphPath`, as openWeights() finds them.
std::optional<WeightsFiles> findWeights(const std::filesystem::path& graphPath, const LoadOptions& options);

// The weights that belong to the graph at `graphPath`: those of the options, else found beside it as FORMATS says.
// Null if there are none. NotFoundError if the options name a file that is not there.
std::unique_ptr<WeightsReader> openWeights(const std::filesystem::path& graphPath, const LoadOptions& options);

// Readers of whole files. Every count and offset is checked before use. DataError says what is wrong, and where.
std::unique_ptr<WeightsReader> readSafetensors(ExternalBytes file);
std::unique_ptr<WeightsReader> readManifest(std::string_view manifest, ExternalBytes weights);

struct NamedWeights {
  std::string key;
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;  // packed
};

// The name as a key; where safetensors reserves it, another one that is not among the names.
std::string safetensorsKey(const std::string& name, std::span<const std::string> names);
// Writers. TypeError if a key repeats or bytes are not as many as their descriptor says.
// safetensors has no 4-bit types: there, int4 and uint4 are their packed bytes as U8 of shape [byteLength].
void writeSafetensors(Replacement& files, const std::filesystem::path& path, std::span<const NamedWeights> tensors);
// Where the bytes of each tensor begin in that file, and its length.
struct SafetensorsLayout {
  std::vector<std::uint64_t> offsets;
  std::uint64_t size = 0;
};
SafetensorsLayout safetensorsLayout(std::span<const NamedWeights> tensors);
void writeManifest(Replacement& files, const std::filesystem::path& manifestPath, const std::filesystem::path& weightsPath,
                   std::span<const NamedWeights> tensors);

}  // namespace webnn::formats
