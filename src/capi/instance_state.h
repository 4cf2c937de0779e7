// The futures, callbacks and threads of an instance, which all its objects share.
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

// An asynchronous result whose callback is called once. The members that the callback reports must be set before
// InstanceState::complete() is called.
struct Event {
  explicit Event(const WebnnCallbackMode& callbackMode) : mode(callbackMode) {}
  virtual ~Event() = default;
  virtual void call() noexcept = 0;

  const WebnnCallbackMode mode;
  std::uint64_t id = 0;
  ErrorReference error;
};

// The state behind WebnnInstance. Thread safe. Calls callbacks without holding a lock.
class InstanceState : public std::enable_shared_from_this<InstanceState> {
 public:
  WebnnFuture begin(const std::shared_ptr<Event>& event);
  void complete(const std::shared_ptr<Event>& event) noexcept;
  // Runs `job`, which must not throw, on a thread of the instance, after earlier jobs.
  void post(std::function<void()> job);

  void processEvents();
  WebnnWaitStatus waitAny(std::span<WebnnFutureWaitInfo> futures, std::uint64_t timeoutNanoseconds);
  // Called after the application has released the instance, which then can no longer wait or process events.
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
  std::map<std::uint64_t, Entry> entries_;  // events whose callback has not returned yet
  std::uint64_t nextId_ = 1;
  bool isAbandoned_ = false;

  std::mutex timelineMutex_;
  std::unique_ptr<Timeline> callbacks_, jobs_;
};

// Throws TypeError unless `info` has a valid mode and a callback.
void requireCallback(const auto& info, const What& what) {
  requireNoChain(info.nextInChain, what);
  if (bitsOf(info.mode) > WebnnCallbackMode_AllowSpontaneous)
    fail(ErrorKind::typeError, "{}: mode ({}) is not a value of its enumeration.", what.text(), bitsOf(info.mode));
  if (!info.callback) fail(ErrorKind::typeError, "{}: callback is NULL.", what.text());
}

// Creates an event of type EventType and passes it to `body`, which must complete it. If `body` throws, the event is completed
// with that error. If an earlier step fails, the callback is called immediately and there is no future.
template <typename EventType, typename Info, typename FindState, typename Body>
WebnnFuture beginEvent(const Info& info, FindState&& findState, const What& what, Body&& body) noexcept {
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
