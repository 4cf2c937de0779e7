// A client's connection to a worker of the service.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backends/service/private_service.h"
#include "base/budget.h"
#include "base/files/file_descriptor.h"
#include "base/fork.h"
#include "service/futex.h"
#include "service/hello.h"
#include "service/mailbox.h"
#include "service/message.h"
#include "service/shared_memory.h"
#include "webnn/context.h"

namespace webnn::service {

// Where the service is.
struct Address {
  std::string path;   // of its socket; empty: a private broker and worker
  std::string token;  // 32 hexadecimal digits, or empty
};

// A lock with a timeout. ThreadSanitizer does not understand std::timed_mutex.
class TurnMutex {
 public:
  bool try_lock() { return try_lock_for(std::chrono::milliseconds(0)); }
  bool try_lock_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, time, [&] { return !isTaken_; })) return false;
    isTaken_ = true;
    return true;
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      isTaken_ = false;
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool isTaken_ = false;
};

// The operands of a dispatch.
struct Command {
  std::uint32_t graph = 0;
  bool isProfile = false;
  std::vector<TensorReference> inputs, outputs;
};

// An expected reply of a worker, and its reader.
struct Answer {
  schema::Reply::Which which = schema::Reply::DONE;
  std::function<void(schema::Reply::Reader)> read;  // empty if the reply has no content
};

// Thread safe. The worker is not trusted: replies are checked, and a malformed one loses the context.
class Connection {
 public:
  // The longest time for a reply, except to builds: more than a broker allows for stopping and starting a worker.
  static constexpr std::chrono::seconds kAnswerTime{60};

  // Called after the broker admitted the client, with its socket and the worker's.
  Connection(BrokerLink broker, LocalDescriptor worker, std::chrono::milliseconds answerTime = kAnswerTime);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Must be the first request.
  void shareMailbox();
  // Sends a request and reads the reply with `read`. Throws the worker's errors. A cancellable request may take any time: once
  // the budget is exhausted, sends `cancel`, still waits for the reply, and throws the budget's error. A worker that does not
  // reply to other requests counts as lost.
  using Fill = std::function<void(schema::Request::Builder)>;
  void ask(const Fill& fill, const Answer& answer = {}, int descriptor = -1, const Budget& budget = Budget::none(),
           std::atomic<bool> Mailbox::*cancel = nullptr);
  // Runs a command in the worker and waits. Throws the worker's errors and the budget's.
  void run(const Command& command, Waiter& waiter, const Budget& budget);

  // Release objects of the worker: at once unless a request is in flight, small memory with the next request.
  void dropGraph(std::uint32_t graph) noexcept;
  void dropMemory(std::uint32_t memory, bool isLarge = false) noexcept;
  std::uint32_t newNumber() { return ++numbers_; }
  // Returns false in a child forked since: other threads may have held any lock, and the child must not end anything.
  bool isHere() const { return process_.isHere(); }

  // Calls `lose` with the reason, on a thread of the connection, once the worker is gone, unless close() was called first.
  void whenLost(std::function<void(const std::string&)> lose);
  // Ends the worker.
  void close() noexcept;

 private:
  // Throws InvalidStateError in a child forked since.
  void requireSameProcess() const;
  void watch();
  void endWith(std::string reason);
  [[noreturn]] void throwLost();
  void sendDrops();
  void sendDropsNow();
  void waitForReply();
  void receiveReply(std::uint64_t id, const Answer& answer);

  const ProcessOfOrigin process_;
  const std::chrono::milliseconds answerTime_;
  BrokerLink broker_;
  LocalDescriptor worker_;
  SharedMemory mailboxMemory_;
  Mailbox* mailbox_ = nullptr;
  std::atomic<std::uint32_t> numbers_{0};
  std::atomic<bool> isClosed_{false}, isLost_{false};

  TurnMutex askMutex_;
  std::uint64_t requests_ = 0;
  TurnMutex runMutex_;
  std::uint32_t commands_ = 0;
  std::mutex dropMutex_;
  std::vector<std::uint32_t> droppedGraphs_, droppedMemories_;

  std::mutex stateMutex_;
  std::condition_variable stateChanged_;
  std::optional<std::string> reason_;  // once lost
  std::function<void(const std::string&)> lose_;
  std::thread watcher_;
};

// Connects to the service at `address` or starts a private one. Throws NotSupportedError with the reason if it refuses or is not
// there, TypeError for an option that a running service decides itself.
std::shared_ptr<Connection> connect(const Address& address, const ContextOptions& options);

// "unix:PATH" or "private"; TypeError for anything else.
Address addressOf(std::string_view text, std::string token);
// The same text again.
std::string textOf(const Address& address);

// Returns the broker's answer to a request that needs no worker.
std::string askBroker(const Address& address, Wish wish);

}  // namespace webnn::service
