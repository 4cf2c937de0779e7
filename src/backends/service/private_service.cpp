#include "backends/service/private_service.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "service/packet.h"
#include "service/process.h"

namespace webnn::service {

namespace {

constexpr const char* kProgram = "webnn-service";
constexpr std::array<std::string_view, 4> kOptionsOfService{"library", "providers", "search", "pin"};

// Returns the program or shared library that contains this code.
std::filesystem::path ownFile() {
  Dl_info info{};
  std::error_code error;
  // Read the link, because dladdr may return a program's name relative to a former working directory.
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (::dladdr(reinterpret_cast<const void*>(&kOptionsOfService), &info) == 0 || !info.dli_fname) return program;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
  return error ? program : file;
}

}  // namespace

// Without WEBNN_SERVICE_PROGRAM, searches this library's directory (as in packages), then the directories libexec/webnn near
// it, then the installation directory.
std::filesystem::path findServiceProgram() {
  if (const char* const variable = ::secure_getenv("WEBNN_SERVICE_PROGRAM"); variable && *variable) {
    std::filesystem::path program = std::filesystem::absolute(variable);
    if (::access(program.c_str(), X_OK) == 0) return program;
    fail(ErrorKind::notSupportedError, "WEBNN_SERVICE_PROGRAM is {}: that is no program.", webnn::quoted(program.string()));
  }
  const std::filesystem::path folder = ownFile().parent_path();
  for (const char* const place : {".", "../libexec/webnn", "../../libexec/webnn", WEBNN_LIBEXEC}) {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::canonical(folder / place / kProgram, error);
    if (!error && ::access(program.c_str(), X_OK) == 0) return program;
  }
  fail(ErrorKind::notSupportedError, "the program {} is not in {}, ../libexec/webnn or {}; WEBNN_SERVICE_PROGRAM may name it.",
       kProgram, webnn::quoted(folder.string()), webnn::quoted(WEBNN_LIBEXEC));
}

bool isOfService(std::string_view backendOption) {
  return std::ranges::find(kOptionsOfService, backendOption) != kOptionsOfService.end();
}

AdoptedBroker::~AdoptedBroker() {
  constexpr std::chrono::seconds kMostTime{2};
  if (pidfd_.get() >= 0 && waitReadable(pidfd_.get(), kMostTime)) static_cast<void>(endOf(pidfd_.get()));
}

BrokerLink startPrivateService(const ContextOptions& options) {
  ProgramOptions program{.program = findServiceProgram(), .arguments = {"private"}};
  if (!options.backend.empty()) {
    program.arguments.push_back("backend=" + options.backend);
    for (const auto& [name, value] : options.backendOptions) {
      if (isOfService(name)) program.arguments.push_back("option=" + name + "=" + value);
    }
  }
  program.environment = environmentOfBackends();
  auto [ours, theirs] = packetSocketPair();
  BrokerLink broker{std::nullopt, LocalDescriptor(std::move(ours))};
  constexpr int kClient = 3;
  program.descriptors = {{theirs.get(), kClient}};
  Spawned spawned = spawnProgram(program);
  if (isChild(spawned.pidfd.get())) broker.adopted.emplace(std::move(spawned.pidfd));
  return broker;
}

}  // namespace webnn::service
