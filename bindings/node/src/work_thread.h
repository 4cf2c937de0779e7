#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace webnn::node {

// A thread that does one piece of work after another. Threads are reused, because a small model takes 0.25 ms longer on a new
// thread, whose memory is cold.
class WorkThread {
 public:
  using Work = std::function<void()>;

  explicit WorkThread(Work first) : next_(std::move(first)), thread_([this] { workUntilTheEnd(); }) {}
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;
  // Waits for the work that has begun. Drops work that has not.
  ~WorkThread() {
    give({});
    thread_.join();
  }

  // Gives the thread its next work. The previous work must have begun.
  void give(Work work) {
    {
      const std::lock_guard lock(mutex_);
      next_ = std::move(work);
      hasNext_ = true;
    }
    wake_.notify_one();
  }

 private:
  void workUntilTheEnd() {
    while (const Work work = take()) work();
  }

  Work take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return hasNext_; });
    hasNext_ = false;
    return std::exchange(next_, {});
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool hasNext_ = true;
  Work next_;           // an empty function ends the thread
  std::thread thread_;  // declared last, because the thread uses the other members
};

}  // namespace webnn::node
