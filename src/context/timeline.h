// Runs tasks in the order in which they were posted.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "webnn/error.h"

namespace webnn {

// A task. An error that it returns is passed to the reporter.
using Task = std::function<std::optional<Error>()>;
// Notifies the waiters of a task, in the order of the tasks. When it is called, a posted task no longer occupies the timeline,
// so that the waiter's next call finds the timeline idle unless other tasks are queued. May be empty.
using Announcement = std::function<void()>;
using ErrorReporter = std::function<void(const Error&)>;

// A queue of tasks. Thread safe. If the timeline has a thread, post() and tryRun() throw InvalidStateError in a forked child
// process. The reporter, announcements and the destructors of tasks are never called under a lock.
class Timeline {
 public:
  virtual ~Timeline() = default;
  virtual void post(Task task, Announcement announce = {}) = 0;
  // Runs a task on the calling thread and returns true. A timeline with a thread does nothing and returns false if a task is
  // queued or running, if this thread is running an announcement, or if `announce` would have to wait for another announcement.
  virtual bool tryRun(const Task& task, const Announcement& announce = {}) = 0;
  // Returns after all queued tasks have run. No task may be posted after this call. On the timeline's own thread, it returns
  // immediately, and the thread ends after it has run the queue. The destructor calls finish() if necessary.
  virtual void finish() = 0;
};

// Creates a timeline that runs tasks on its own thread.
std::unique_ptr<Timeline> makeWorkerTimeline(ErrorReporter reporter);
// Creates a timeline whose post() runs the task before it returns.
std::unique_ptr<Timeline> makeCallerThreadTimeline(ErrorReporter reporter);

}  // namespace webnn
