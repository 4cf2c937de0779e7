#include "backends/coreml/coreml_backend.h"

#include <algorithm>

#include "backends/coreml/compiled_model.h"
#include "backends/coreml/settings.h"
#include "base/text.h"
#include "graph/require_supported.h"

namespace webnn::coreml {

namespace {

void requireKnownOptions(const ContextOptions& options) {
  for (const auto& [option, value] : options.backendOptions) {
    if (std::ranges::find(kOptions, option) != kOptions.end()) continue;
    fail(ErrorKind::typeError, "backend \"coreml\" has no option {}; it has: {}.", webnn::quoted(option), kOptions.front());
  }
}

class CoreMlBackend final : public Backend {
 public:
  CoreMlBackend(const Framework& framework, ComputeUnits units)
      : framework_(framework), units_(units), isAccelerated_(coreml::isAccelerated(units, framework.devices())) {}

  std::string_view name() const override { return "coreml"; }
  bool accelerated() const override { return isAccelerated_; }
  OpSupportLimits opSupportLimits() const override { return limitsOf(framework_.osVersion()); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    requireSupported(*graph, opSupportLimits(), name());
    return std::make_unique<CompiledModel>(framework_, *graph, units_, budget);
  }

 private:
  const Framework& framework_;
  const ComputeUnits units_;
  const bool isAccelerated_;
};

}  // namespace

std::string whyUnavailable(const Framework& framework) {
  const OsVersion version = framework.osVersion();
  if (newestSpecification(version) != 0) return {};
  return formatText("Core ML runs ML Programs as they are written here from macOS 13 on; this is macOS {}.{}.", version.major,
                    version.minor);
}

std::string whyUnavailable() {
#ifdef WEBNN_COREML
  return whyUnavailable(appleFramework());
#else
  return "Core ML is a part of macOS, and this is not a build for it.";
#endif
}

std::shared_ptr<const Backend> makeBackend([[maybe_unused]] const ContextOptions& options) {
  const std::string reason = whyUnavailable();
  if (!reason.empty()) fail(ErrorKind::notSupportedError, "backend \"coreml\" is not available: {}", reason);
#ifdef WEBNN_COREML
  return makeBackendIn(appleFramework(), options);
#else
  return nullptr;  // unreachable: whyUnavailable() returned a reason
#endif
}

std::shared_ptr<const Backend> makeBackendIn(const Framework& framework, const ContextOptions& options) {
  requireKnownOptions(options);
  return std::make_shared<const CoreMlBackend>(framework, unitsOf(options, framework.devices()));
}

}  // namespace webnn::coreml
