// What execution providers of NVIDIA are told: the options device, cache and precision.
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

// By their names in the library's list. Others take no settings.
inline constexpr std::string_view kCuda = "CUDA", kTensorRt = "Tensorrt", kTensorRtRtx = "NvTensorRTRTX";

struct ProviderSettings {
  std::string device = "0";           // the number of the card
  std::string cache;                  // a folder; empty: none
  std::string precision = "float32";  // what float32 is computed in
};

// Of a context's options. TypeError for a value that there is not, or that fits none of the providers. NotSupportedError if one
// of them cannot compute float32 as float32.
ProviderSettings providerSettingsOf(const ContextOptions& options, const std::vector<std::string>& providers);

// Whether a provider runs on a card.
bool isNvidia(std::string_view provider);

// The folder for what providers keep of this model, which it makes; empty without a cache. ONNX Runtime knows an engine again by
// the names in its graph alone, and would take that of a model with other weights: each model has a folder of its own.
std::string cacheFolderOf(const Library& library, const ProviderSettings& settings, const onnx::ExportedModel& model);

// What a provider is told, as ONNX Runtime documents it.
using ProviderEntries = std::vector<std::pair<std::string, std::string>>;
ProviderEntries providerEntries(std::string_view provider, const ProviderSettings& settings, const std::string& cacheFolder);

// Adds a provider to a session's options. NotSupportedError with ONNX Runtime's words if it cannot be used.
void appendProvider(const Library& library, OrtSessionOptions* options, const std::string& provider,
                    const ProviderEntries& entries);

}  // namespace webnn::onnxruntime
