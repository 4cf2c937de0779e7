// Runs tasks in the order in which they were posted.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "webnn/error.h"

namespace webnn {

// A task; it may return an error for the reporter.
using Task = std::function<std::optional<Error>()>;
// Notifies waiters of a task, in task order. A waiter's next call, except waiting for another task, finds the timeline idle. May
// be empty.
using Announcement = std::function<void()>;
using ErrorReporter = std::function<void(const Error&)>;

// Thread safe. After fork(), a call in the child is an InvalidStateError if the timeline has a thread. The reporter,
// announcements and the destructors of tasks are never called under a lock.
class Timeline {
 public:
  virtual ~Timeline() = default;
  virtual void post(Task task, Announcement announce = {}) = 0;
  // Runs a task on the calling thread and waits, unless something is queued or running or this thread is announcing; then returns
  // false without doing anything.
  virtual bool tryRun(const Task& task, const Announcement& announce = {}) = 0;
  // Returns after all queued tasks; nothing may be posted afterwards. On the timeline's own thread it returns at once, and the
  // thread runs the queue and ends by itself. The destructor does the same if necessary.
  virtual void finish() = 0;
};

// Makes a timeline on a thread of its own.
std::unique_ptr<Timeline> makeWorkerTimeline(ErrorReporter reporter);
// Makes a timeline that runs tasks on the posting thread before post() returns.
std::unique_ptr<Timeline> makeCallerThreadTimeline(ErrorReporter reporter);

}  // namespace webnn
