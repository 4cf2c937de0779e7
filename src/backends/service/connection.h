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

struct Address {
  std::string path;   // path of the broker's socket; empty: start a private broker and worker
  std::string token;  // 32 hexadecimal digits in lower case, or empty
};

// A mutex with a timeout. Replaces std::timed_mutex, which ThreadSanitizer does not understand.
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

// The id of the graph, and the tensors of one dispatch.
struct Command {
  std::uint32_t graph = 0;
  bool isProfile = false;
  std::vector<TensorReference> inputs, outputs;
};

// The expected kind of a worker's reply, and a function that reads it.
struct Answer {
  schema::Reply::Which which = schema::Reply::DONE;
  std::function<void(schema::Reply::Reader)> read;  // empty if the reply has no fields to read
};

// A client's connection to its broker and worker. The worker is not trusted: a malformed reply ends the context. Thread safe.
class Connection {
 public:
  // The longest wait for a reply to a request that cannot be cancelled. A broker stops and starts a worker in less time.
  static constexpr std::chrono::seconds kAnswerTime{60};

  // Takes over the connections to the broker and to the worker after the broker admitted the client.
  Connection(BrokerLink broker, LocalDescriptor worker, std::chrono::milliseconds answerTime = kAnswerTime);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Shares the mailbox, the memory through which run() sends dispatches, with the worker. Must be called before any other
  // request.
  void shareMailbox();
  // Sends a request that `fill` writes and reads the reply with `answer`. Throws the worker's errors. Without `cancel`, a
  // worker that does not reply in time is lost. With `cancel`, the reply may take any time. If the budget is exceeded before
  // the reply, sets the mailbox flag `cancel` and waits for the reply for a limited time. An error reply then throws the budget's
  // error, a successful reply is accepted, and without a reply, the worker is lost.
  using Fill = std::function<void(schema::Request::Builder)>;
  void ask(const Fill& fill, const Answer& answer = {}, int descriptor = -1, const Budget& budget = Budget::none(),
           std::atomic<bool> Mailbox::*cancel = nullptr);
  // Runs a dispatch in the worker and waits for its end. Throws the worker's errors and the budget's.
  void run(const Command& command, Waiter& waiter, const Budget& budget);

  // Release objects in the worker: graphs and large memory immediately, unless a request is in flight; other memory with the
  // next request.
  void dropGraph(std::uint32_t graph) noexcept;
  void dropMemory(std::uint32_t memory, bool isLarge = false) noexcept;
  std::uint32_t newNumber() { return ++numbers_; }
  // Returns false in a forked child, which must not take locks that other threads may have held, nor end the parent's context.
  bool isHere() const { return process_.isHere(); }

  // Sets a function to call with the reason when the worker is lost. It is called on the watcher thread, or on this thread if
  // the worker is already lost. Once close() has been called, the watcher thread does not call it.
  void whenLost(std::function<void(const std::string&)> lose);
  // Closes the connections, which terminates the worker.
  void close() noexcept;

 private:
  // Throws InvalidStateError in a forked child.
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
  std::optional<std::string> reason_;  // set when the worker is lost
  std::function<void(const std::string&)> lose_;
  std::thread watcher_;
};

// Connects to the service at `address` or starts a private one. Throws NotSupportedError if the service is missing or does not
// answer; the broker's error if it refuses the client, such as OperationError for a quota; and TypeError for an invalid address
// or token, or for an option that only the administrator of a running service can set.
std::shared_ptr<Connection> connect(const Address& address, const ContextOptions& options);

// Parses "unix:PATH" or "private"; empty text means "private". Throws TypeError for other text.
Address addressOf(std::string_view text, std::string token);
// Returns the text that addressOf() parses to `address`, without the token.
std::string textOf(const Address& address);

// Sends the broker a request that needs no worker and returns the answer.
std::string askBroker(const Address& address, Wish wish);

}  // namespace webnn::service
