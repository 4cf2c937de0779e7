// The options device, cache and precision of NVIDIA's execution providers.
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

// Their names in the library's list. Other providers take no settings.
inline constexpr std::string_view kCuda = "CUDA", kTensorRt = "Tensorrt", kTensorRtRtx = "NvTensorRTRTX";

struct ProviderSettings {
  std::string device = "0";           // the number of the card
  std::string cache;                  // a folder; empty: none
  std::string precision = "float32";  // what float32 is computed in
};

// Reads a context's options. Throws TypeError for an invalid value or one that fits none of the providers, and NotSupportedError
// if a provider cannot compute float32 as float32.
ProviderSettings providerSettingsOf(const ContextOptions& options, const std::vector<std::string>& providers);

// Returns whether a provider runs on a GPU.
bool isNvidia(std::string_view provider);

// Creates and returns the directory in which providers cache engines of this model; empty without a cache. ONNX Runtime
// recognises an engine only by names in its graph, and would reuse that of a model with other weights, so each model has its own
// directory.
std::string cacheFolderOf(const Library& library, const ProviderSettings& settings, const onnx::ExportedModel& model);

// A provider's settings, as ONNX Runtime documents them.
using ProviderEntries = std::vector<std::pair<std::string, std::string>>;
ProviderEntries providerEntries(std::string_view provider, const ProviderSettings& settings, const std::string& cacheFolder);

// Adds a provider to a session's options. NotSupportedError with ONNX Runtime's words if it cannot be used.
void appendProvider(const Library& library, OrtSessionOptions* options, const std::string& provider,
                    const ProviderEntries& entries);

}  // namespace webnn::onnxruntime
