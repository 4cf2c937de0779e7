// A client of a broker and its worker.
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

// A worker as its broker sees it.
class WorkerProcess {
 public:
  // Starts it with one end of a socket for its client. Throws Error if the system refuses.
  WorkerProcess(const BrokerConfig& config, const Tenant& tenant, const std::filesystem::path& program,
                const std::filesystem::path& controlGroup = {});
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  // Kills it.
  ~WorkerProcess();

  int pidfd() const { return process_.pidfd.get(); }
  pid_t pid() const { return process_.pid; }
  const std::vector<std::string>& missing() const { return process_.missing; }
  // The client's end, once.
  FileDescriptor takeClientEnd() { return std::move(clientEnd_); }

  // Bytes that it uses, measured now: private and shared.
  std::uint64_t memory() const;
  std::uint64_t sharedMemory() const { return status_->sharedBytes; }
  // Returns the reason if something takes too long.
  std::optional<std::string> overdue(const TenantLimits& limits);
  void kill(std::string reason);
  bool isKilled() const { return killed_.has_value(); }
  // Why it ended, once it has.
  std::optional<std::string> endReason();
  // Returns whether it ended as workers do after their client left. The client's socket to the broker may close slightly later.
  bool hasLeft() const { return hasLeft_; }

 private:
  // The system's report about a worker.
  struct Condition {
    std::chrono::milliseconds processorTime{0};
    bool isStopped = false;  // by a signal
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

// Returns the index of the largest worker if the workers' memory together exceeds the limit.
std::optional<std::size_t> beyondMemory(std::span<const std::uint64_t> memories, std::uint64_t limit);

// "512 MiB", "1000 bytes"
std::string sizeText(std::uint64_t bytes);

enum class ClientState { greeting, refusing, served };

struct Client {
  FileDescriptor socket;
  uid_t uid = 0;
  pid_t pid = 0;
  ClientState state = ClientState::greeting;
  Clock::time_point deadline{};  // of its hello, of its refusal, or of its leaving
  std::string refusal;
  std::optional<std::string> loss;  // of a worker that has left: unless the client is gone by the deadline
  const Tenant* tenant = nullptr;
  std::unique_ptr<WorkerProcess> worker;
  std::uint64_t number = 0;  // for the log

  bool isDue(Clock::time_point now) const { return now > deadline; }
};

}  // namespace webnn::service
