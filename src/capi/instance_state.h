// Futures, callbacks and threads, shared by all objects of an instance.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "capi/error.h"
#include "capi/values.h"
#include "context/timeline.h"
#include "webnn/webnn.h"

namespace webnn::capi {

// An asynchronous result whose callback is called once. Results are set before InstanceState::complete.
struct Event {
  explicit Event(const WebnnCallbackMode& callbackMode) : mode(callbackMode) {}
  virtual ~Event() = default;
  virtual void call() noexcept = 0;

  const WebnnCallbackMode mode;
  std::uint64_t id = 0;
  ErrorReference error;
};

// Thread safe. Callbacks are called without a lock held.
class InstanceState : public std::enable_shared_from_this<InstanceState> {
 public:
  WebnnFuture begin(const std::shared_ptr<Event>& event);
  void complete(const std::shared_ptr<Event>& event) noexcept;
  // Runs `job`, which must not throw, on a thread of the instance, in sequence.
  void post(std::function<void()> job);

  void processEvents();
  WebnnWaitStatus waitAny(std::span<WebnnFutureWaitInfo> futures, std::uint64_t timeoutNanoseconds);
  // Called when nobody can wait or process events any more.
  void abandon();

 private:
  enum class Progress { pending, due, running };
  struct Entry {
    std::shared_ptr<Event> event;
    Progress progress = Progress::pending;
  };

  void callIfDue(std::uint64_t id);
  void callOnThread(std::uint64_t id) noexcept;
  Timeline& timeline(std::unique_ptr<Timeline>& place);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Entry> entries_;  // those with pending callbacks
  std::uint64_t nextId_ = 1;
  bool isAbandoned_ = false;

  std::mutex timelineMutex_;
  std::unique_ptr<Timeline> callbacks_, jobs_;
};

// Throws TypeError unless the callback can be called.
void requireCallback(const auto& info, std::string_view what) {
  requireNoChain(info.nextInChain, what);
  if (bitsOf(info.mode) > WebnnCallbackMode_AllowSpontaneous)
    fail(ErrorKind::typeError, "{}: mode ({}) is not a value of its enumeration.", what, bitsOf(info.mode));
  if (!info.callback) fail(ErrorKind::typeError, "{}: callback is NULL.", what);
}

// Begins an EventType of `info` and passes it to `body`, which completes it; an exception of `body` completes it too. Earlier
// errors are reported at once, without a future.
template <typename EventType, typename Info, typename FindState, typename Body>
WebnnFuture beginEvent(const Info& info, FindState&& findState, std::string_view what, Body&& body) noexcept {
  std::shared_ptr<InstanceState> state;
  std::shared_ptr<EventType> event;
  WebnnFuture future{0};
  try {
    state = findState();
    requireCallback(info, what);
    event = std::make_shared<EventType>(info);
    future = state->begin(event);
  } catch (...) {
    EventType refused(info);
    refused.error = currentError();
    refused.call();
    return future;
  }
  try {
    body(event);
  } catch (...) {
    event->error = currentError();
    state->complete(event);
  }
  return future;
}

}  // namespace webnn::capi
