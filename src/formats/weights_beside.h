// The weights that are saved beside a graph or a program, under its name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "formats/document/weights.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Returns the graph or program that would lose its weights if the weights of `path` were written to the file `weights`: the file
// holds them, or the new file would be found first. Empty: none.
std::string whoLoses(const std::filesystem::path& path, const std::filesystem::path& weights);

// OperationError if a file that takes this place replaces or hides the weights of a graph or program, or their manifest.
void requireNobodysWeights(const std::filesystem::path& path);

// Adds weights of `path` to the files that will be replaced, as NAME.safetensors, or NAME.weights and NAME.manifest.json.
// TypeError if that is `path` itself. Weights of another graph called NAME or of another program are never replaced:
// equal weights are shared, and others are an OperationError.
void addWeightsBeside(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                      const std::vector<NamedWeights>& weights);
// The same of a safetensors file of another name.
void addSafetensors(Replacement& files, const std::filesystem::path& path, const std::filesystem::path& file,
                    const std::vector<NamedWeights>& weights);

}  // namespace webnn::formats
