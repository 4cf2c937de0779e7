#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn {

enum class DeviceKind { cpu, gpu, npu };

// A backend that this build contains.
struct BackendEntry {
  std::string_view name;
  DeviceKind kind = DeviceKind::cpu;
  std::string unavailable;  // the reason why it is unavailable; empty if available
  // Creates the backend. Throws NotSupportedError if it turns out to be unavailable, TypeError for an invalid option.
  std::function<std::shared_ptr<const Backend>(const ContextOptions&)> make;
  std::span<const std::string_view> options = {};   // the names of its options
  std::string_view unservable = {};                 // the reason why a worker of the service cannot run it; empty if it can
  std::vector<std::string> (*devices)() = nullptr;  // lists the backend's devices, if it can
};

// Returns the backends of this build. Among backends of one device kind, the best is first.
std::span<const BackendEntry> knownBackends();
// Returns the names of the backends, such as "cpu, reference".
std::string namesOf(std::span<const BackendEntry> backends);

// Returns the backend that the options select. If they name a backend, returns it or throws NotSupportedError. If they ask for
// acceleration, returns the first available GPU backend, else the first NPU backend; with PowerPreference::lowPower, NPU before
// GPU. If they do not, or if there is neither, returns the first available CPU backend.
const BackendEntry& selectBackend(const ContextOptions& options, std::span<const BackendEntry> backends);

// Throws TypeError if more than kMaxThreads threads are requested.
void requireThreads(const ContextOptions& options);

// Returns a backend in another process if the options or WEBNN_SERVICE request one, else null. Throws NotSupportedError if this
// build does not contain the service.
std::shared_ptr<const Backend> makeServiceBackend(const ContextOptions& options);

}  // namespace webnn
