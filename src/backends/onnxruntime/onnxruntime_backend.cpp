#include "backends/onnxruntime/onnxruntime_backend.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "backends/onnxruntime/device_tensors.h"
#include "backends/onnxruntime/session.h"
#include "base/text.h"
#include "graph/require_supported.h"

namespace webnn::onnxruntime {

namespace {

// The values of option `optimization` with ONNX Runtime's GraphOptimizationLevel.
constexpr std::array<std::pair<std::string_view, int>, 4> kOptimizations{
    {{"none", 0}, {"basic", 1}, {"extended", 2}, {"all", 99}}};

std::string listText(const auto& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(item);
  return text;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Splits a comma-separated list such as "cuda,CPU" and returns the names as the library spells them, ignoring case.
std::vector<std::string> providersOf(std::string_view list, const Library& library) {
  std::vector<std::string> providers;
  for (std::size_t end = 0; end != std::string_view::npos; list.remove_prefix(end == std::string_view::npos ? 0 : end + 1)) {
    end = list.find(',');
    const std::string_view name = list.substr(0, end);
    const auto& known = library.providers();
    const auto found = std::ranges::find_if(known, [&](const std::string& item) { return equalIgnoringCase(item, name); });
    if (found == known.end()) {
      fail(ErrorKind::notSupportedError, "backend \"onnxruntime\": there is no provider {}; ONNX Runtime {} has {}.",
           webnn::quoted(name), sanitized(library.version()), listText(known));
    }
    providers.push_back(*found);
  }
  return providers;
}

int optimizationOf(std::string_view name) {
  for (const auto& [known, level] : kOptimizations) {
    if (known == name) return level;
  }
  fail(ErrorKind::typeError, "backend \"onnxruntime\": option optimization is {}, not none, basic, extended or all.",
       webnn::quoted(name));
}

// Returns the value of backend option `name`, or `absent` if it is not set.
std::string optionOf(const ContextOptions& options, std::string_view name, std::string_view absent) {
  const auto found = options.backendOptions.find(std::string(name));
  return found == options.backendOptions.end() ? std::string(absent) : found->second;
}

void requireKnownOptions(const ContextOptions& options) {
  for (const auto& [name, value] : options.backendOptions) {
    if (std::ranges::find(kOptions, name) != kOptions.end()) continue;
    fail(ErrorKind::typeError, "backend \"onnxruntime\" has no option {}; it has: {}.", webnn::quoted(name), listText(kOptions));
  }
}

void removeFourBitTypes(TensorLimits& limits) {
  std::erase_if(limits.dataTypes, [](DataType type) { return bitsPerElement(type) == 4; });
}

// Returns the Device that allocates the context's tensors; null if `where` is "host". If `where` is empty, returns a Device only
// if the first provider is an NVIDIA one and the library has the CUDA provider.
std::shared_ptr<const Device> deviceOf(const std::string& where, const Library& library, const SessionSettings& settings) {
  if (!where.empty() && where != "host" && where != "device")
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option tensors is {}, not host or device.", webnn::quoted(where));
  const std::string& provider = settings.providers.front();
  const bool isOnCard = isNvidia(provider), hasCuda = std::ranges::find(library.providers(), kCuda) != library.providers().end();
  if (where == "host" || (where.empty() && !(isOnCard && hasCuda))) return nullptr;
  if (isOnCard ? !hasCuda : provider != "CPU")
    fail(ErrorKind::notSupportedError, "backend \"onnxruntime\": there are no tensors on the device of provider {}{}.", provider,
         isOnCard ? formatText(" without provider {}", kCuda) : "");
  return std::make_shared<const Device>(library, isOnCard ? std::string(kCuda) : provider, settings.provider);
}

// Returns the limits of the operation table, because the exporter converts types and emulates operators for which there is no
// kernel. Removes the 4-bit types if the library is too old to cast them.
OpSupportLimits limitsOf(const Library& library) {
  constexpr std::uint32_t kFirstWithFourBitCasts = 23;
  OpSupportLimits limits = tableLimits();
  if (library.minorVersion() >= kFirstWithFourBitCasts) return limits;
  for (TensorLimits* operand : {&limits.input, &limits.constant, &limits.output}) removeFourBitTypes(*operand);
  for (auto& [operation, operands] : limits.operations) {
    for (auto& [name, operand] : operands) removeFourBitTypes(operand);
  }
  return limits;
}

class OnnxRuntimeBackend final : public Backend {
 public:
  OnnxRuntimeBackend(const Library& library, SessionSettings settings, std::shared_ptr<const Device> device)
      : library_(library), settings_(std::move(settings)), device_(std::move(device)) {}

  std::string_view name() const override { return "onnxruntime"; }
  bool accelerated() const override {
    static constexpr std::string_view kOnProcessors[]{"CPU", "Xnnpack", "Dnnl", "ACL", "ArmNN"};
    return std::ranges::find(kOnProcessors, settings_.providers.front()) == std::end(kOnProcessors);
  }
  OpSupportLimits opSupportLimits() const override { return limitsOf(library_); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    requireSupported(*graph, opSupportLimits(), name());
    return makeSession(library_, std::move(graph), settings_, budget);
  }
  std::unique_ptr<DeviceMemory> allocateOnDevice(std::size_t size) const override {
    return device_ ? device_->allocate(size) : nullptr;
  }

 private:
  const Library& library_;
  SessionSettings settings_;
  std::shared_ptr<const Device> device_;
};

}  // namespace

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options) {
  requireKnownOptions(options);
  SessionSettings settings;
  settings.threads = options.threads;
  settings.optimization = optimizationOf(optionOf(options, "optimization", "all"));
  const SearchPlaces places = SearchPlaces::ofProcess(libraryKind(), options.backendOptions);
  const Library& library = Library::load(places);
  settings.providers = providersOf(optionOf(options, "providers", "CPU"), library);
  const std::string fallback = optionOf(options, "fallback", "");
  if (!fallback.empty() && fallback != "cpu")
    fail(ErrorKind::typeError, "backend \"onnxruntime\": option fallback is {}, not cpu.", webnn::quoted(fallback));
  settings.fallsBackToCpu = fallback == "cpu" || std::ranges::find(settings.providers, "CPU") != settings.providers.end();
  settings.provider = providerSettingsOf(options, settings.providers);
  std::shared_ptr<const Device> device = deviceOf(optionOf(options, "tensors", ""), library, settings);
  return std::make_shared<const OnnxRuntimeBackend>(library, std::move(settings), std::move(device));
}

}  // namespace webnn::onnxruntime
