// Which backend a context gets.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn {

enum class DeviceKind { cpu, gpu, npu };

// A backend that this build knows.
struct BackendEntry {
  std::string_view name;
  DeviceKind kind = DeviceKind::cpu;
  std::string unavailable;  // why it cannot be used here; empty if it can
  // NotSupportedError if it turns out not to be there, TypeError for a wrong option.
  std::function<std::shared_ptr<const Backend>(const ContextOptions&)> make;
  std::span<const std::string_view> options = {};  // that `make` knows, by name
};

// The backends of this build, the best of each kind first.
std::span<const BackendEntry> knownBackends();

// The entry for the options. A named backend is taken or refused (NotSupportedError). Otherwise, if accelerated, the
// first available NPU for low power, or GPU, or the other of the two; else the first available CPU backend.
const BackendEntry& selectBackend(const ContextOptions& options, std::span<const BackendEntry> backends);

// TypeError if the options ask for more than kMaxThreads.
void requireThreads(const ContextOptions& options);

// The backend in another process, if the options or WEBNN_SERVICE ask for one; else null. NotSupportedError if this build has
// none.
std::shared_ptr<const Backend> makeServiceBackend(const ContextOptions& options);

}  // namespace webnn
