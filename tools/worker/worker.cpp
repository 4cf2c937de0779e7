#include "worker/worker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>

#include "backends/cpu/runtime/processors.h"
#include "base/as_errors.h"
#include "base/text.h"
#include "context/select_backend.h"
#include "service/packet.h"
#include "worker/dispatches.h"
#include "worker/sandbox.h"
#include "worker/session.h"

namespace webnn::service {

namespace {

constexpr std::size_t kMostDescriptors = 1;

WorkerStatus& mapStatus() {
  void* const address = ::mmap(nullptr, sizeof(WorkerStatus), PROT_READ | PROT_WRITE, MAP_SHARED, kWorkerStatus, 0);
  if (address == MAP_FAILED) fail(ErrorKind::unknownError, "a worker has no status to write.");
  return *static_cast<WorkerStatus*>(address);
}

// Returns the paths that the worker must read after beforeThreads(): ONNX Runtime, its dependencies and system files. ONNX
// Runtime is loaded after that call, because the call would not restrict threads that the library has already started.
std::vector<std::filesystem::path> readableByLibraries(const WorkerSettings& settings) {
  std::vector<std::filesystem::path> readable{"/usr", "/lib", "/lib64", "/opt", "/etc/ld.so.cache", "/proc", "/sys"};
  const auto addFolderOf = [&](const std::filesystem::path& given) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(given, error);
    if (!error) readable.push_back(std::filesystem::is_directory(path, error) ? path : path.parent_path());
  };
  const auto& options = settings.backends.at("onnxruntime");
  if (const auto library = options.find("library"); library != options.end()) addFolderOf(library->second);
  for (const char* const name : {"WEBNN_ONNXRUNTIME", "VIRTUAL_ENV"}) {
    if (const char* const value = std::getenv(name)) addFolderOf(value);
  }
  if (const char* const home = std::getenv("HOME")) addFolderOf(std::filesystem::path(home) / ".local/lib");
  const char* const search = std::getenv("LD_LIBRARY_PATH");
  for (std::istringstream folders(search ? search : ""); !folders.eof();) {
    std::string folder;
    std::getline(folders, folder, ':');
    if (!folder.empty()) addFolderOf(folder);
  }
  return readable;
}

// Stores the reason for the worker's end where the broker reads it.
void say(WorkerStatus& status, const char* text) { std::strncpy(status.text, text, sizeof(status.text) - 1); }

// Loads backends and reads processor information, before the sandbox denies access to files. Returns errors by backend name.
std::map<std::string, Error> loadBackends(const WorkerSettings& settings) {
  static_cast<void>(cpu::usableProcessors());
  std::map<std::string, Error> failures;
  for (const auto& [name, backendOptions] : settings.backends) {
    const auto entry = std::ranges::find(knownBackends(), name, &BackendEntry::name);
    if (entry == knownBackends().end()) continue;
    try {
      if (!entry->unservable.empty())
        fail(ErrorKind::notSupportedError, "backend {}: {}", webnn::quoted(name), entry->unservable);
      static_cast<void>(entry->make({.threads = 1, .backendOptions = backendOptions}));
    } catch (const Error& error) {
      failures.emplace(name, error);
    }
  }
  return failures;
}

int serve(const WorkerSettings& settings, std::map<std::string, Error> failures, WorkerStatus& status) {
  WorkerState state(status);
  state.memoryLimit = settings.limits.memory;
  Session session(settings, std::move(failures), state);
  Packet packet;
  bool dispatches = false;
  while (receivePacket(kWorkerSocket, packet, kMostPacketBytes, kMostDescriptors) == Received::packet) {
    status.builds.fetch_add(1, std::memory_order_relaxed);
    status.build.store(Phase::building, std::memory_order_relaxed);
    const auto reply = session.answer(std::move(packet));
    status.build.store(Phase::idle, std::memory_order_relaxed);
    if (!reply) fail(ErrorKind::dataError, "the client sent an invalid request, or a request out of order.");
    if (!sendPacket(kWorkerSocket, *reply)) break;
    if (session.mailbox() && !dispatches) {
      dispatches = true;
      try {
        std::thread([&state, mailbox = session.mailbox()] { Dispatcher(state, mailbox).serve(); }).detach();
      } catch (const std::system_error&) {
        fail(ErrorKind::unknownError, "there is not enough memory for a thread.");
      }
    }
  }
  say(status, "the client has closed its connection.");
  // Skip all destructors, because other threads may still be running.
  ::_exit(0);
}

}  // namespace

int runWorker(const WorkerSettings& settings) {
  WorkerStatus* status = nullptr;
  try {
    status = &mapStatus();
    SandboxReport report;
    beforeLibraries(report, {kWorkerSocket, kWorkerStatus});
    if (settings.backends.contains("onnxruntime")) beforeThreads(report, readableByLibraries(settings));
    std::map<std::string, Error> failures = loadBackends(settings);
    beforeThreads(report);
    lockSystemCalls(report);
    if (settings.requiresFullSandbox && !isFull(report))
      fail(ErrorKind::notSupportedError, "the sandbox lacks {}.", report.missing.empty() ? "a layer" : report.missing[0]);
    return serve(settings, std::move(failures), *status);
  } catch (...) {
    const Error error = withMemoryLimit(errorOfCurrentException("a worker"), settings.limits.memory);
    if (status) say(*status, error.what());
    ::_exit(3);
  }
}

}  // namespace webnn::service
