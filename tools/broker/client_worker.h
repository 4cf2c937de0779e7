#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/files/file_descriptor.h"
#include "broker/broker_config.h"
#include "broker/time_limits.h"
#include "service/process.h"
#include "service/shared_memory.h"
#include "service/worker_status.h"

namespace webnn::service {

// The broker's view of a worker process.
class WorkerProcess {
 public:
  // Starts the worker, connected to one end of a new socket pair; the client gets the other end. Throws Error if the system
  // refuses.
  WorkerProcess(const BrokerConfig& config, const Tenant& tenant, const std::filesystem::path& program,
                const std::filesystem::path& controlGroup = {});
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  // Kills the worker and waits for its end.
  ~WorkerProcess();

  int pidfd() const { return process_.pidfd.get(); }
  pid_t pid() const { return process_.pid; }
  const std::vector<std::string>& missing() const { return process_.missing; }
  // Returns the client's end of the socket pair. Call once.
  FileDescriptor takeClientEnd() { return std::move(clientEnd_); }

  // Returns the bytes of private and shared memory in use now.
  std::uint64_t memory() const;
  std::uint64_t sharedMemory() const { return status_->sharedBytes; }
  // Returns a text that names the exceeded time limit; nothing if there is none.
  std::optional<std::string> overdue(const TenantLimits& limits);
  void kill(std::string reason);
  bool isKilled() const { return killed_.has_value(); }
  // Returns the reason why the worker ended; nothing while it runs.
  std::optional<std::string> endReason();
  // Returns whether the worker ended because its client left. The broker may see the client's own socket close slightly later.
  bool hasLeft() const { return hasLeft_; }

 private:
  // The worker's state according to /proc/PID/stat.
  struct Condition {
    std::chrono::milliseconds processorTime{0};
    bool isStopped = false;  // stopped by SIGSTOP or a similar signal
  };
  Condition condition() const;

  SharedMemory statusMemory_;
  WorkerStatus* status_ = nullptr;
  FileDescriptor clientEnd_{-1};
  Spawned process_;
  const std::uint64_t memoryLimit_;
  std::optional<std::string> killed_;
  bool hasLeft_ = false;
  TimeLimits times_{Clock::now()};
};

// Returns the index of the largest worker if all workers together exceed `limit` bytes; otherwise nothing.
std::optional<std::size_t> beyondMemory(std::span<const std::uint64_t> memories, std::uint64_t limit);

// Formats a number of bytes as "512 MiB" or "1000 bytes".
std::string sizeText(std::uint64_t bytes);

enum class ClientState { greeting, refusing, served };

struct Client {
  FileDescriptor socket;
  uid_t uid = 0;
  pid_t pid = 0;
  ClientState state = ClientState::greeting;
  // The time at which the hello is overdue, the delayed refusal is sent or, if the worker has ended, the loss is reported.
  Clock::time_point deadline{};
  std::string refusal;
  std::optional<std::string> loss;  // reason why the worker ended; reported unless the client leaves by the deadline
  const Tenant* tenant = nullptr;
  std::unique_ptr<WorkerProcess> worker;
  std::uint64_t number = 0;  // number of the connection in log lines

  bool isDue(Clock::time_point now) const { return now > deadline; }
};

}  // namespace webnn::service
