#include "context/select_backend.h"

#include <array>
#include <cstdlib>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "base/text.h"
#ifndef __EMSCRIPTEN__
#include "backends/coreml/coreml_backend.h"
#include "backends/onnxruntime/onnxruntime_backend.h"
#include "backends/openvino/openvino_backend.h"
#include "backends/webgpu/webgpu_backend.h"
#endif
#ifdef WEBNN_SERVICE
#include "backends/service/service_backend.h"
#endif

namespace webnn {

namespace {

const BackendEntry* firstAvailable(std::span<const BackendEntry> backends, DeviceKind kind) {
  for (const BackendEntry& entry : backends) {
    if (entry.kind == kind && entry.unavailable.empty()) return &entry;
  }
  return nullptr;
}

std::shared_ptr<const Backend> makeReference(const ContextOptions& options) {
  if (!options.backendOptions.empty()) {
    fail(ErrorKind::typeError, "backend \"reference\" has no option {}.", webnn::quoted(options.backendOptions.begin()->first));
  }
  return std::make_shared<const reference::ReferenceBackend>();
}

}  // namespace

std::span<const BackendEntry> knownBackends() {
  static const std::array backends{
      BackendEntry{"cpu", DeviceKind::cpu, "", cpu::makeBackend, cpu::kOptions},
      BackendEntry{"reference", DeviceKind::cpu, "", makeReference},
#ifndef __EMSCRIPTEN__
      BackendEntry{"onnxruntime", DeviceKind::cpu, "", onnxruntime::makeBackend, onnxruntime::kOptions},
      BackendEntry{"openvino", DeviceKind::cpu, "", openvino::makeBackend, openvino::kOptions,
                   "OpenVINO opens files for each graph, which no worker may."},
      // This backend can only be selected by name until it has run on a GPU. It is listed as a CPU backend, because
      // ContextOptions::accelerated would otherwise select it.
      BackendEntry{"webgpu", DeviceKind::cpu, "", webgpu::makeBackend, webgpu::kOptions,
                   "the driver of the GPU opens files, which no worker may.", webgpu::adapterNames},
      // This backend can only be selected by name, because it has never run on a Mac. It is listed as a CPU backend, because
      // ContextOptions::accelerated would otherwise select it.
      BackendEntry{"coreml", DeviceKind::cpu, coreml::whyUnavailable(), coreml::makeBackend, coreml::kOptions},
#endif
  };
  return backends;
}

std::string namesOf(std::span<const BackendEntry> backends) {
  std::string names;
  for (const BackendEntry& entry : backends) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

std::shared_ptr<const Backend> makeServiceBackend(const ContextOptions& options) {
  std::string address = options.service;
  if (address.empty() && options.execution == Execution::service) address = "private";
#ifdef WEBNN_SERVICE
  const auto variable = [](const char* name) {
    const char* const value = ::secure_getenv(name);
    return std::string(value ? value : "");
  };
  if (address.empty()) address = variable("WEBNN_SERVICE");
  if (address.empty()) return nullptr;
  const std::string token = options.serviceToken.empty() ? variable("WEBNN_SERVICE_TOKEN") : options.serviceToken;
  return service::makeBackend(options, service::addressOf(address, token));
#else
  // If another process is requested, there is no fallback to this process.
  const char* const variable = std::getenv("WEBNN_SERVICE");
  if (address.empty() && (!variable || !*variable)) return nullptr;
  fail(ErrorKind::notSupportedError, "this build has no service.");
#endif
}

void requireThreads(const ContextOptions& options) {
  if (options.threads > kMaxThreads)
    fail(ErrorKind::typeError, "createContext: threads ({}) is greater than {}.", options.threads, kMaxThreads);
}

const BackendEntry& selectBackend(const ContextOptions& options, std::span<const BackendEntry> backends) {
  if (!options.backend.empty()) {
    for (const BackendEntry& entry : backends) {
      if (entry.name != options.backend) continue;
      if (!entry.unavailable.empty()) {
        fail(ErrorKind::notSupportedError, "backend {} is not available: {}", webnn::quoted(options.backend), entry.unavailable);
      }
      return entry;
    }
    fail(ErrorKind::notSupportedError, "there is no backend {} in this build; it has: {}.", webnn::quoted(options.backend),
         namesOf(backends));
  }
  if (options.accelerated) {
    const bool lowPower = options.powerPreference == PowerPreference::lowPower;
    for (DeviceKind kind : {lowPower ? DeviceKind::npu : DeviceKind::gpu, lowPower ? DeviceKind::gpu : DeviceKind::npu}) {
      if (const BackendEntry* entry = firstAvailable(backends, kind)) return *entry;
    }
  }
  if (const BackendEntry* entry = firstAvailable(backends, DeviceKind::cpu)) return *entry;
  fail(ErrorKind::notSupportedError, "no backend is available; this build has: {}.", namesOf(backends));
}

}  // namespace webnn
