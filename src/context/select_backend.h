// Selects a context's backend.
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

// A backend of this build.
struct BackendEntry {
  std::string_view name;
  DeviceKind kind = DeviceKind::cpu;
  std::string unavailable;  // the reason why it is unavailable; empty if available
  // Throws NotSupportedError if it turns out to be unavailable, TypeError for a wrong option.
  std::function<std::shared_ptr<const Backend>(const ContextOptions&)> make;
  std::span<const std::string_view> options = {};  // names of its options
  std::string_view unservable = {};                // the reason why no worker of the service runs it; empty if one can
};

// Returns the backends of this build, best of each kind first.
std::span<const BackendEntry> knownBackends();
// Returns "cpu, reference".
std::string namesOf(std::span<const BackendEntry> backends);

// Returns the entry for the options. A named backend is returned or refused (NotSupportedError). Otherwise, if accelerated, the
// first available NPU for low power, else GPU, or the other kind; else the first available CPU backend.
const BackendEntry& selectBackend(const ContextOptions& options, std::span<const BackendEntry> backends);

// Throws TypeError for more than kMaxThreads threads.
void requireThreads(const ContextOptions& options);

// Returns the backend in another process if the options or WEBNN_SERVICE request one, else null. NotSupportedError if this build
// has none.
std::shared_ptr<const Backend> makeServiceBackend(const ContextOptions& options);

}  // namespace webnn
