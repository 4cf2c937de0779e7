// Runs tasks one after the other, in the order in which they were posted.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "webnn/error.h"

namespace webnn {

// A task, which may return an error for the reporter.
using Task = std::function<std::optional<Error>()>;
// Tells whoever waits for a task, in the order of the tasks. What they do next, other than waiting for another task, finds the
// timeline idle. May be empty.
using Announcement = std::function<void()>;
using ErrorReporter = std::function<void(const Error&)>;

// Thread safe. After fork(), a call in the child is an InvalidStateError if the timeline has a thread. The reporter,
// announcements and the destructors of tasks are never called under a lock.
class Timeline {
 public:
  virtual ~Timeline() = default;
  virtual void post(Task task, Announcement announce = {}) = 0;
  // Runs a task on the calling thread, which waits for it, unless something is queued or running, or this thread announces.
  // False if so, and nothing is done.
  virtual bool tryRun(const Task& task, const Announcement& announce = {}) = 0;
  // Returns once everything that is queued has run; nothing may be posted any more. On the timeline's own thread it returns at
  // once, and that thread runs what is queued and ends by itself. The destructor does so, too, unless it was done.
  virtual void finish() = 0;
};

// On a thread of its own.
std::unique_ptr<Timeline> makeWorkerTimeline(ErrorReporter reporter);
// On the posting thread, before post() returns.
std::unique_ptr<Timeline> makeCallerThreadTimeline(ErrorReporter reporter);

}  // namespace webnn
