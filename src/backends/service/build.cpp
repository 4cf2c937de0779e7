#include "backends/service/build.h"

#include "backends/cpu/cpu_backend.h"

namespace webnn::service {

std::string_view libraryVersion() { return WEBNN_VERSION; }

std::string instructionSet(std::string_view backend, const ContextOptions& options) {
  return backend == "cpu" ? cpu::spelling(cpu::settingsOf(options).compile.isa) : std::string();
}

}  // namespace webnn::service
