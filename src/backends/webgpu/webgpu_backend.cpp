#include "backends/webgpu/webgpu_backend.h"

#include <algorithm>

#include "backends/webgpu/device.h"
#include "backends/webgpu/executable.h"
#include "base/text.h"
#include "graph/require_supported.h"

namespace webnn::webgpu {

namespace {

void requireKnownOptions(const ContextOptions& options) {
  for (const auto& [name, value] : options.backendOptions) {
    if (std::ranges::find(kOptions, name) != kOptions.end()) continue;
    std::string known;
    for (const std::string_view option : kOptions) known += (known.empty() ? "" : ", ") + std::string(option);
    fail(ErrorKind::typeError, "backend \"webgpu\" has no option {}; it has: {}.", webnn::quoted(name), known);
  }
}

const Library& libraryFor(const ContextOptions& options) {
  return Library::load(SearchPlaces::ofProcess(libraryKind(), options.backendOptions));
}

AdapterEntry adapterFor(const ContextOptions& options, const Library& library) {
  const auto named = options.backendOptions.find("adapter");
  return chooseAdapter(library, named == options.backendOptions.end() ? std::string() : named->second, options.powerPreference);
}

class WebGpuBackend final : public Backend {
 public:
  explicit WebGpuBackend(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

  std::string_view name() const override { return "webgpu"; }
  bool accelerated() const override { return !device_->adapter().isSoftware(); }
  // Returns the limits of the operation table, with the maximum buffer size of the device.
  OpSupportLimits opSupportLimits() const override {
    OpSupportLimits limits = tableLimits();
    limits.maxTensorByteLength = std::min(limits.maxTensorByteLength, device_->traits().maxBufferBytes);
    return limits;
  }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    requireSupported(*graph, opSupportLimits(), name());
    return std::make_unique<WebGpuExecutable>(device_, *graph, budget);
  }
  std::unique_ptr<DeviceMemory> allocateOnDevice(std::size_t size) const override {
    return std::make_unique<DeviceTensor>(device_, size);
  }
  void whenLost(std::function<void(const std::string& reason)> lose) const override { device_->whenLost(std::move(lose)); }

 private:
  std::shared_ptr<const Device> device_;
};

}  // namespace

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options) {
  requireKnownOptions(options);
  const Library& library = libraryFor(options);
  return std::make_shared<const WebGpuBackend>(std::make_shared<const Device>(library, adapterFor(options, library)));
}

std::vector<std::string> adapterNames() {
  std::vector<std::string> names;
  try {
    for (const AdapterEntry& adapter : listAdapters(libraryFor({}))) names.push_back(toString(adapter));
  } catch (const Error&) {  // the library is not available
  }
  return names;
}

}  // namespace webnn::webgpu
