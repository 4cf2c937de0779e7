#include "backends/onnxruntime/provider_settings.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/text.h"

namespace webnn::onnxruntime {

namespace {

struct Precisions {
  std::string_view provider;
  std::vector<std::string_view> names;
};

// The values of option `precision` per provider. TensorRT RTX has no float16 and int8, because it computes in the graph's types.
const std::vector<Precisions>& precisions() {
  static const std::vector<Precisions> all{
      {kCuda, {"float32", "tf32"}}, {kTensorRt, {"float32", "tf32", "float16", "int8"}}, {kTensorRtRtx, {"float32", "tf32"}}};
  return all;
}

bool has(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

std::string optionOf(const ContextOptions& options, std::string_view name) {
  const auto found = options.backendOptions.find(std::string(name));
  return found == options.backendOptions.end() ? std::string() : found->second;
}

std::string_view yes(bool condition) { return condition ? "1" : "0"; }

void requireDevice(const std::string& device) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (device.empty() || device.size() > 4 || !std::ranges::all_of(device, isDigit))
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option device is {}, not the number of a card.", webnn::quoted(device));
}

void requirePrecision(const std::string& precision, const std::vector<std::string>& providers) {
  std::string known;
  for (const auto& [provider, names] : precisions()) {
    if (!has(providers, provider)) continue;
    if (has(names, precision)) return;
    known += formatText("{}{} has", known.empty() ? "" : "; ", provider);
    for (const std::string_view name : names) known += formatText("{} {}", name == names.front() ? "" : ",", name);
  }
  fail(ErrorKind::typeError, "backend \"onnxruntime\": option precision is {}; {}.", webnn::quoted(precision), known);
}

void requireFolder(const std::string& folder, const std::vector<std::string>& providers) {
  if (!has(providers, kTensorRt) && !has(providers, kTensorRtRtx))
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option cache is for the providers {} and {} alone.", kTensorRt,
         kTensorRtRtx);
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option cache is {}, which is no folder.", webnn::quoted(folder));
}

// Throws if TensorRT would compute float32 with TF32, which has a 10-bit mantissa. Only an environment variable can prevent that.
void requireNoTf32(const std::vector<std::string>& providers) {
  const char* const variable = std::getenv("NVIDIA_TF32_OVERRIDE");
  if (variable && std::string_view(variable) == "0") return;
  for (const std::string_view provider : {kTensorRt, kTensorRtRtx}) {
    if (!has(providers, provider)) continue;
    fail(
        ErrorKind::notSupportedError,
        "backend \"onnxruntime\": provider {} computes float32 as float32 only where the environment has NVIDIA_TF32_OVERRIDE=0; "
        "the option precision=tf32 allows what it does without.",
        provider);
  }
}

// Computes a 128-bit hash from two 64-bit hashes. It is not secure against deliberate collisions.
class ModelHash {
 public:
  void add(std::span<const std::byte> bytes) {
    addWord(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
      addWord(word);
    }
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  std::string text() const { return formatText("{:016x}{:016x}", first_, second_); }

 private:
  void addWord(std::uint64_t word) {
    first_ = mixed(first_, word, 0x9E3779B97F4A7C15);
    second_ = mixed(second_, word, 0xC2B2AE3D27D4EB4F);
  }
  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word, std::uint64_t factor) {
    hash = (hash ^ word) * factor;
    return hash ^ hash >> 29;
  }

  std::uint64_t first_ = 1, second_ = 2;
};

}  // namespace

bool isNvidia(std::string_view provider) { return provider == kCuda || provider == kTensorRt || provider == kTensorRtRtx; }

ProviderSettings providerSettingsOf(const ContextOptions& options, const std::vector<std::string>& providers) {
  ProviderSettings settings;
  const bool hasCard = std::ranges::any_of(providers, isNvidia);
  for (const std::string_view name : kProviderOptions) {
    if (!hasCard && options.backendOptions.contains(std::string(name)))
      fail(ErrorKind::typeError, "backend \"onnxruntime\": option {} is for the providers {}, {} and {} alone.", name, kCuda,
           kTensorRt, kTensorRtRtx);
  }
  if (!hasCard) return settings;
  if (options.backendOptions.contains("device")) settings.device = optionOf(options, "device");
  requireDevice(settings.device);
  if (options.backendOptions.contains("precision")) settings.precision = optionOf(options, "precision");
  requirePrecision(settings.precision, providers);
  settings.cache = optionOf(options, "cache");
  if (options.backendOptions.contains("cache")) requireFolder(settings.cache, providers);
  if (settings.precision == "float32") requireNoTf32(providers);
  return settings;
}

std::string cacheFolderOf(const Library& library, const ProviderSettings& settings, const onnx::ExportedModel& model) {
  if (settings.cache.empty()) return {};
  ModelHash hash;
  hash.add(library.version());
  hash.add(settings.precision);
  hash.add(model.proto);
  for (const onnx::ExternalConstant& constant : model.external) hash.add(constant.bytes);
  const std::filesystem::path folder = std::filesystem::path(settings.cache) / hash.text();
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error)
    fail(ErrorKind::notSupportedError, "build: the folder {} cannot be made: {}.", webnn::quoted(folder.string()),
         error.message());
  return folder.string();
}

ProviderEntries providerEntries(std::string_view provider, const ProviderSettings& settings, const std::string& cacheFolder) {
  ProviderEntries entries;
  const auto add = [&](const char* key, std::string_view value) { entries.emplace_back(key, value); };
  if (!isNvidia(provider)) return entries;
  add("device_id", settings.device);
  if (provider == kCuda) add("use_tf32", yes(settings.precision == "tf32"));
  if (provider == kTensorRt) {
    add("trt_fp16_enable", yes(settings.precision == "float16"));
    add("trt_int8_enable", yes(settings.precision == "int8"));
    add("trt_engine_cache_enable", yes(!cacheFolder.empty()));
    add("trt_timing_cache_enable", yes(!cacheFolder.empty()));
    if (!cacheFolder.empty()) {
      add("trt_engine_cache_path", cacheFolder);
      add("trt_timing_cache_path", cacheFolder);
    }
  }
  if (provider == kTensorRtRtx && !cacheFolder.empty()) add("nv_runtime_cache_path", cacheFolder);
  return entries;
}

namespace {

struct KeysAndValues {
  explicit KeysAndValues(const ProviderEntries& entries) {
    for (const auto& [key, value] : entries) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys, values;
};

OrtStatus* appendCuda(const Api& api, OrtSessionOptions* options, const KeysAndValues& entries) {
  OrtCUDAProviderOptionsV2* made = nullptr;
  if (OrtStatus* status = api.CreateCUDAProviderOptions(&made)) return status;
  const Owned<OrtCUDAProviderOptionsV2> owned(made, api.ReleaseCUDAProviderOptions);
  if (OrtStatus* status = api.UpdateCUDAProviderOptions(made, entries.keys.data(), entries.values.data(), entries.keys.size()))
    return status;
  return api.SessionOptionsAppendExecutionProvider_CUDA_V2(options, made);
}

OrtStatus* appendTensorRt(const Api& api, OrtSessionOptions* options, const KeysAndValues& entries) {
  OrtTensorRTProviderOptionsV2* made = nullptr;
  if (OrtStatus* status = api.CreateTensorRTProviderOptions(&made)) return status;
  const Owned<OrtTensorRTProviderOptionsV2> owned(made, api.ReleaseTensorRTProviderOptions);
  if (OrtStatus* status =
          api.UpdateTensorRTProviderOptions(made, entries.keys.data(), entries.values.data(), entries.keys.size()))
    return status;
  return api.SessionOptionsAppendExecutionProvider_TensorRT_V2(options, made);
}

OrtStatus* append(const Api& api, OrtSessionOptions* options, const std::string& provider, const KeysAndValues& entries) {
  if (provider == kCuda) return appendCuda(api, options, entries);
  if (provider == kTensorRt) return appendTensorRt(api, options, entries);
  // Some providers must be appended under another name than GetAvailableProviders returns.
  const std::string name = provider == "Azure"        ? "AZURE"
                           : provider == "Xnnpack"    ? "XNNPACK"
                           : provider == "WebGpu"     ? "WebGPU"
                           : provider == kTensorRtRtx ? "NvTensorRtRtx"
                                                      : provider;
  return api.SessionOptionsAppendExecutionProvider(options, name.c_str(), entries.keys.data(), entries.values.data(),
                                                   entries.keys.size());
}

}  // namespace

void appendProvider(const Library& library, OrtSessionOptions* options, const std::string& provider,
                    const ProviderEntries& entries) {
  library.check(append(library.api(), options, provider, KeysAndValues(entries)), ErrorKind::notSupportedError,
                formatText("backend \"onnxruntime\": provider {} cannot be used: ", provider));
}

}  // namespace webnn::onnxruntime
