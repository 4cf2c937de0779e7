#include "context/timeline.h"

#include <condition_variable>
#include <deque>
#include <system_error>
#include <utility>

#include "base/as_errors.h"
#include "base/fork.h"
#include "base/text.h"

namespace webnn {

namespace {

struct Queued {
  Task task;
  Announcement announce;
};

// The state that the worker thread and its owner share. The thread may outlive the owner.
struct Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Queued> tasks;
  bool isRunning = false;     // the worker is running a task
  bool isAnnouncing = false;  // the worker is announcing a task that has run
  bool isTaken = false;       // a thread is running a task in tryRun()
  bool closed = false;        // set by finish(), possibly within a task on the worker itself

  bool isReady() const { return closed || (!isTaken && !tasks.empty()); }
};

// A task that throws is treated like one that returns an error. Tasks should not throw.
std::optional<Error> run(const Task& task) {
  try {
    return task();
  } catch (...) {
    return errorOfCurrentException("a task");
  }
}

// If the reporter throws, the exception is ignored, so that the timeline continues.
void report(const ErrorReporter& reporter, const std::optional<Error>& error) {
  if (!error || !reporter) return;
  try {
    reporter(*error);
  } catch (...) {
  }
}

// True while this thread runs an announcement. Prevents unbounded recursion if callbacks run the next task on the same thread.
thread_local bool isAnnouncing = false;

void announceTo(const Announcement& announce, const ErrorReporter& reporter) {
  if (!announce) return;
  const bool before = std::exchange(isAnnouncing, true);
  try {
    announce();
  } catch (...) {
    report(reporter, errorOfCurrentException("a callback"));
  }
  isAnnouncing = before;
}

void drain(const std::shared_ptr<Queue>& queue, const ErrorReporter& reporter) {
  std::unique_lock lock(queue->mutex);
  while (true) {
    queue->changed.wait(lock, [&] { return queue->isReady(); });
    if (queue->tasks.empty()) return;
    Queued next = std::move(queue->tasks.front());
    queue->tasks.pop_front();
    queue->isRunning = true;
    lock.unlock();
    report(reporter, run(next.task));
    next.task = nullptr;
    lock.lock();
    queue->isRunning = false;
    queue->isAnnouncing = true;
    lock.unlock();
    announceTo(next.announce, reporter);
    next.announce = nullptr;
    lock.lock();
    queue->isAnnouncing = false;
  }
}

class WorkerTimeline : public Timeline {
 public:
  explicit WorkerTimeline(ErrorReporter reporter)
      : queue_(std::make_shared<Queue>()),
        reporter_(reporter),
        thread_(std::make_unique<std::thread>([queue = queue_, reporter = std::move(reporter)] { drain(queue, reporter); })) {}

  ~WorkerTimeline() override { WorkerTimeline::finish(); }

  void finish() override {
    if (!thread_) return;
    if (!process_.isHere()) {  // in a forked child, where the thread does not exist and the mutex may be locked forever
      static_cast<void>(thread_.release());
      return;
    }
    {
      const std::lock_guard lock(queue_->mutex);
      queue_->closed = true;
    }
    queue_->changed.notify_one();
    // A callback on the worker thread may release the last handle of its own context.
    if (thread_->get_id() == std::this_thread::get_id()) {
      thread_->detach();
    } else {
      thread_->join();
    }
    thread_.reset();
  }

  void post(Task task, Announcement announce) override {
    requireThread();
    {
      const std::lock_guard lock(queue_->mutex);
      queue_->tasks.push_back({std::move(task), std::move(announce)});
    }
    queue_->changed.notify_one();
  }

  bool tryRun(const Task& task, const Announcement& announce) override {
    requireThread();
    if (isAnnouncing) return false;
    const std::shared_ptr<Queue> queue = queue_;  // a copy, because the task may destroy this object
    const ErrorReporter reporter = reporter_;
    {
      const std::lock_guard lock(queue->mutex);
      if (queue->isTaken || queue->isRunning || !queue->tasks.empty()) return false;
      if (announce && queue->isAnnouncing) return false;  // announcements must be in the order of tasks
      queue->isTaken = true;
    }
    report(reporter, run(task));
    announceTo(announce, reporter);
    bool isAwaited = false;
    {
      const std::lock_guard lock(queue->mutex);
      queue->isTaken = false;
      isAwaited = !queue->tasks.empty();
    }
    if (isAwaited) queue->changed.notify_one();
    return true;
  }

 private:
  void requireThread() const {
    if (process_.isHere()) return;
    fail(ErrorKind::invalidStateError, "the context is of the process that forked this one; create one here.");
  }

  const ProcessOfOrigin process_;
  std::shared_ptr<Queue> queue_;
  ErrorReporter reporter_;
  std::unique_ptr<std::thread> thread_;
};

class CallerThreadTimeline : public Timeline {
 public:
  explicit CallerThreadTimeline(ErrorReporter reporter) : reporter_(std::move(reporter)) {}

  void post(Task task, Announcement announce) override { static_cast<void>(tryRun(task, announce)); }

  bool tryRun(const Task& task, const Announcement& announce) override {
    const ErrorReporter reporter = reporter_;  // a copy, because the announcement may destroy this object
    std::optional<Error> error;
    {
      const std::lock_guard lock(mutex_);
      error = run(task);
    }
    report(reporter, error);
    announceTo(announce, reporter);
    return true;
  }

  void finish() override {}  // nothing is ever queued

 private:
  std::mutex mutex_;
  ErrorReporter reporter_;
};

}  // namespace

std::unique_ptr<Timeline> makeWorkerTimeline(ErrorReporter reporter) {
  try {
    return std::make_unique<WorkerTimeline>(std::move(reporter));
  } catch (const std::system_error&) {
    fail(ErrorKind::unknownError, "the system has no thread for the context.");
  }
}

std::unique_ptr<Timeline> makeCallerThreadTimeline(ErrorReporter reporter) {
  return std::make_unique<CallerThreadTimeline>(std::move(reporter));
}

}  // namespace webnn
