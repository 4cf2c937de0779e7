// The program webnn-service. The library starts it as the broker of a private service. A broker starts it for each worker.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/as_errors.h"
#include "broker/broker.h"
#include "webnn/context.h"

namespace webnn::service {
namespace {

constexpr int kClient = 3;  // descriptor of a private broker's only client

// Returns this program's path. If /proc is missing, returns `name`, which is absolute because the library starts the program by
// its absolute path.
std::filesystem::path ownProgram(const char* name) {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path(name) : program;
}

int run(const char* name, const std::vector<std::string>& arguments) {
  if (arguments.empty()) fail(ErrorKind::typeError, "webnn-service is started by libwebnn; `webnn serve` runs a service.");
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (arguments[0] == kWorkerArgument) return runWorker(workerSettingsOf(rest));
  if (arguments[0] != "private") fail(ErrorKind::typeError, "webnn-service has no command {}.", webnn::quoted(arguments[0]));
  const WorkerSettings settings = workerSettingsOf(rest);
  BrokerConfig config{.helloTime = std::chrono::hours(1)};
  for (const auto& [backend, options] : settings.backends) config.backends[backend] = options;
  TenantLimits limits;
  limits.buildTime = limits.dispatchTime = limits.idleTime = std::chrono::milliseconds(0);
  limits.worker.threads = kMaxThreads;
  config.tenants.push_back({.name = "owner", .limits = limits});
  runPrivateBroker(FileDescriptor(kClient), config, ownProgram(name));
  return 0;
}

}  // namespace
}  // namespace webnn::service

int main(int argc, char** argv) {
  try {
    return webnn::service::run(argv[0], {argv + std::min(argc, 1), argv + argc});
  } catch (...) {
    std::fprintf(stderr, "webnn-service: %s\n", webnn::errorOfCurrentException("webnn-service").what());
    return 1;
  }
}
