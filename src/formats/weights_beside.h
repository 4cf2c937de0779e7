// The weights that are saved beside a graph or a program, under its name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "formats/document/weights.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Returns a text about a graph or program that would lose its weights if the weights of `path` were written to the file
// `weights`, because its weights are in that file now, or because load() would find the new file before its own. Also returns a
// text if `weights` is a symbolic link, or exists and is not known to belong to `path`. Otherwise returns an empty text.
std::string whoLoses(const std::filesystem::path& path, const std::filesystem::path& weights);

// Throws OperationError if writing `path` would replace or hide the weights, or their manifest, of another graph or program.
void requireNobodysWeights(const std::filesystem::path& path);

// Adds weights of `path` to the files that will be replaced, as NAME.safetensors, or NAME.weights and NAME.manifest.json.
// Throws TypeError if one of them is `path` itself. Weights that another graph or program uses are never replaced: if its file
// holds equal weights, both share the file; otherwise an OperationError is thrown.
void addWeightsBeside(Replacement& files, const std::filesystem::path& path, WeightsFormat format,
                      const std::vector<NamedWeights>& weights);
// Like addWeightsBeside(), for a safetensors file with the name `file`.
void addSafetensors(Replacement& files, const std::filesystem::path& path, const std::filesystem::path& file,
                    const std::vector<NamedWeights>& weights);

}  // namespace webnn::formats
