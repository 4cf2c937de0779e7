#include "context/timeline.h"

#include <condition_variable>
#include <deque>
#include <utility>

namespace webnn {

namespace {

// What the worker's thread and its owner share, so that the thread may outlive the owner.
struct Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> tasks;
  bool closed = false;
};

void report(const ErrorReporter& reporter, const std::optional<Error>& error) {
  if (!error || !reporter) return;
  try {
    reporter(*error);
  } catch (...) {  // a callback that throws must not end the timeline
  }
}

void drain(const std::shared_ptr<Queue>& queue, const ErrorReporter& reporter) {
  std::unique_lock lock(queue->mutex);
  while (true) {
    queue->changed.wait(lock, [&] { return queue->closed || !queue->tasks.empty(); });
    if (queue->tasks.empty()) return;
    {
      Task task = std::move(queue->tasks.front());
      queue->tasks.pop_front();
      lock.unlock();
      report(reporter, task());
    }
    lock.lock();
  }
}

class WorkerTimeline : public Timeline {
 public:
  explicit WorkerTimeline(ErrorReporter reporter)
      : queue_(std::make_shared<Queue>()),
        thread_([queue = queue_, reporter = std::move(reporter)] { drain(queue, reporter); }) {}

  ~WorkerTimeline() override {
    {
      const std::lock_guard lock(queue_->mutex);
      queue_->closed = true;
    }
    queue_->changed.notify_one();
    // A callback may hold the last handle of its own context.
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  void post(Task task) override {
    {
      const std::lock_guard lock(queue_->mutex);
      queue_->tasks.push_back(std::move(task));
    }
    queue_->changed.notify_one();
  }

 private:
  std::shared_ptr<Queue> queue_;
  std::thread thread_;
};

class CallerThreadTimeline : public Timeline {
 public:
  explicit CallerThreadTimeline(ErrorReporter reporter) : reporter_(std::move(reporter)) {}

  void post(Task task) override {
    std::optional<Error> error;
    {
      const std::lock_guard lock(mutex_);
      error = task();
    }
    report(reporter_, error);
  }

 private:
  std::mutex mutex_;
  ErrorReporter reporter_;
};

}  // namespace

std::unique_ptr<Timeline> makeWorkerTimeline(ErrorReporter reporter) {
  return std::make_unique<WorkerTimeline>(std::move(reporter));
}

std::unique_ptr<Timeline> makeCallerThreadTimeline(ErrorReporter reporter) {
  return std::make_unique<CallerThreadTimeline>(std::move(reporter));
}

}  // namespace webnn
