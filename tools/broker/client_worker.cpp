#include "broker/client_worker.h"

#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/text.h"
#include "broker/broker.h"
#include "broker/spawn.h"
#include "service/packet.h"
#include "worker/sandbox.h"

namespace webnn::service {

namespace {

// RLIMIT_NOFILE. Few descriptors suffice, because a worker closes those that its client sends.
constexpr std::uint64_t kMostDescriptors = 256;

constexpr std::uint64_t kMostShared = std::uint64_t{1} << 50;  // caps the bytes that a worker reports, to avoid overflow

// Returns the limit of threads and processes: two for each compute thread, and 32 for libraries' threads.
std::uint64_t processesOf(const WorkerLimits& limits) { return std::uint64_t{2} * limits.threads + 32; }

}  // namespace

std::string sizeText(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  return bytes % kMebibyte == 0 ? formatText("{} MiB", bytes / kMebibyte) : formatText("{} bytes", bytes);
}

WorkerProcess::WorkerProcess(const BrokerConfig& config, const Tenant& tenant, const std::filesystem::path& program,
                             const std::filesystem::path& controlGroup)
    : statusMemory_(makeSharedMemory(sizeof(WorkerStatus), "webnn status")), memoryLimit_(tenant.limits.memory) {
  status_ = new (statusMemory_.mapping.bytes().data()) WorkerStatus{};
  auto [clientEnd, workerEnd] = packetSocketPair();
  WorkerSettings settings{
      .limits = tenant.limits.worker, .backends = config.backends, .requiresFullSandbox = config.requiresFullSandbox};
  if (tenant.limits.memory != 0) settings.limits.memory = std::min(settings.limits.memory, tenant.limits.memory);
  SpawnOptions options;
  options.program = program;
  options.arguments = toArguments(settings);
  options.arguments.insert(options.arguments.begin(), kWorkerArgument);
  options.descriptors = {{workerEnd.get(), kWorkerSocket}, {statusMemory_.descriptor.get(), kWorkerStatus}};
  options.environment = environmentOfBackends();
  options.requireFull = config.requiresFullSandbox;
  if (tenant.user) options.user = UserIds{*tenant.user, *tenant.user};
  if (tenant.limits.memory != 0) options.limits.data = tenant.limits.memory;
  options.limits.processes = processesOf(tenant.limits.worker);
  options.limits.descriptors = kMostDescriptors;
  options.controlGroup = controlGroup;
  process_ = spawnIsolated(options);
  // Close the descriptor and keep the mapping: with thousands of workers, open descriptors would exhaust the limit.
  statusMemory_.descriptor = FileDescriptor(-1);
  clientEnd_ = std::move(clientEnd);
}

WorkerProcess::~WorkerProcess() {
  if (!process_.pidfd) return;
  ::syscall(SYS_pidfd_send_signal, process_.pidfd.get(), SIGKILL, nullptr, 0);
  static_cast<void>(waitFor(process_.pidfd.get()));
}

std::uint64_t WorkerProcess::memory() const {
  std::ifstream file(formatText("/proc/{}/status", process_.pid));
  const std::uint64_t shared = std::min(sharedMemory(), kMostShared);
  for (std::string line; std::getline(file, line);) {  // the process's name (first line) has no line break
    unsigned long long kibibytes = 0;
    if (std::sscanf(line.c_str(), "RssAnon: %llu", &kibibytes) == 1) return kibibytes * 1024 + shared;
  }
  return shared;
}

WorkerProcess::Condition WorkerProcess::condition() const {
  std::ifstream file(formatText("/proc/{}/stat", process_.pid));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t end = text.rfind(')');  // end of the process's name, which may itself contain ')'
  if (end == std::string::npos) return {};
  char state = 0;
  unsigned long user = 0, system = 0;
  if (std::sscanf(text.c_str() + end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
    return {};
  static const long ticks = ::sysconf(_SC_CLK_TCK);
  return {std::chrono::milliseconds((user + system) * 1000 / static_cast<unsigned long>(ticks)), state == 'T'};
}

std::optional<std::string> WorkerProcess::overdue(const TenantLimits& limits) {
  // Read the counters before the phases: if a run ends and another begins between the reads, the next check sees a new counter.
  const std::uint32_t runs = status_->runs, builds = status_->builds;
  const Condition now = condition();
  return times_.exceeded({.time = Clock::now(),
                          .processorTime = now.processorTime,
                          .isRunning = status_->run == Phase::running,
                          .isBuilding = status_->build == Phase::building,
                          .hasContext = status_->hasContext != 0,
                          .isStopped = now.isStopped,
                          .runs = runs,
                          .builds = builds},
                         limits);
}

std::optional<std::size_t> beyondMemory(std::span<const std::uint64_t> memories, std::uint64_t limit) {
  if (std::accumulate(memories.begin(), memories.end(), std::uint64_t{0}) <= limit) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::max_element(memories) - memories.begin());
}

void WorkerProcess::kill(std::string reason) {
  if (killed_) return;
  killed_ = std::move(reason);
  ::syscall(SYS_pidfd_send_signal, process_.pidfd.get(), SIGKILL, nullptr, 0);
}

std::optional<std::string> WorkerProcess::endReason() {
  const auto end = endOf(process_.pidfd.get());
  if (!end) return std::nullopt;
  process_.pidfd = FileDescriptor(-1);
  if (killed_) return "worker was killed: " + *killed_;
  status_->text[sizeof(status_->text) - 1] = '\0';
  hasLeft_ = !end->signal && end->status == 0;
  std::string reason = "worker ended: " + sanitized(status_->text);
  if (end->status == kAbortStatus) {
    reason = "worker was killed by " + ProcessEnd{.status = {}, .signal = SIGABRT}.text();
  } else if (status_->text[0] == '\0') {
    reason = (end->signal ? "worker was killed by " : "worker ended: ") + end->text();
    // If there is too little memory to load the program, it ends with SIGSEGV or status 127, and without a message.
    if (status_->build == Phase::starting && (end->signal == SIGSEGV || end->status == 127) && memoryLimit_ != 0)
      reason += formatText(" as it started. Its limit of memory is {}", sizeText(memoryLimit_));
  }
  return reason;
}

}  // namespace webnn::service
