#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/onnxruntime/library.h"
#include "onnx/write/export.h"
#include "webnn/context.h"

namespace webnn::onnxruntime {

inline constexpr std::array<std::string_view, 3> kProviderOptions{"cache", "device", "precision"};

// NVIDIA's providers, spelled as in the library's list of providers. Only they take kProviderOptions.
inline constexpr std::string_view kCuda = "CUDA", kTensorRt = "Tensorrt", kTensorRtRtx = "NvTensorRTRTX";

struct ProviderSettings {
  std::string device = "0";           // GPU index
  std::string cache;                  // directory for compiled TensorRT engines; empty: no cache
  std::string precision = "float32";  // precision for float32 operations, such as "tf32"
};

// Reads the context's `device`, `cache` and `precision` options. Throws TypeError for an invalid value, and for an option or
// value that no provider in `providers` takes. Throws NotSupportedError if the precision is float32 and TensorRT would compute
// with TF32.
ProviderSettings providerSettingsOf(const ContextOptions& options, const std::vector<std::string>& providers);

bool isNvidia(std::string_view provider);

// Creates and returns the subdirectory of `settings.cache` for this model's compiled engines; empty without a cache. Each model
// needs its own directory: ONNX Runtime looks engines up by graph names only, so it would reuse the engine of a model with other
// weights.
std::string cacheFolderOf(const Library& library, const ProviderSettings& settings, const onnx::ExportedModel& model);

// Keys and values of a provider's options, as documented by ONNX Runtime.
using ProviderEntries = std::vector<std::pair<std::string, std::string>>;
ProviderEntries providerEntries(std::string_view provider, const ProviderSettings& settings, const std::string& cacheFolder);

// Adds an execution provider to session options. Throws NotSupportedError with ONNX Runtime's message if it cannot be used.
void appendProvider(const Library& library, OrtSessionOptions* options, const std::string& provider,
                    const ProviderEntries& entries);

}  // namespace webnn::onnxruntime
