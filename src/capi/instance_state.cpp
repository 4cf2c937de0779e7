#include "capi/instance_state.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace webnn::capi {

WebnnFuture InstanceState::begin(const std::shared_ptr<Event>& event) {
  const std::lock_guard lock(mutex_);
  entries_.emplace(nextId_, Entry{event});
  event->id = nextId_++;
  return {event->id};
}

void InstanceState::complete(const std::shared_ptr<Event>& event) noexcept {
  bool isSpontaneous = event->mode == WebnnCallbackMode_Undefined || event->mode == WebnnCallbackMode_AllowSpontaneous;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(event->id);
    // completes each event only once, even if it fails later
    if (found == entries_.end() || found->second.progress != Progress::pending) return;
    found->second.progress = Progress::due;
    isSpontaneous = isSpontaneous || isAbandoned_;
  }
  changed_.notify_all();
  if (isSpontaneous) callOnThread(event->id);
}

void InstanceState::callOnThread(std::uint64_t id) noexcept {
  try {
    timeline(callbacks_).post([self = shared_from_this(), id]() -> std::optional<Error> {
      self->callIfDue(id);
      return std::nullopt;
    });
  } catch (...) {  // no memory or no thread: calls the callback on this thread
    callIfDue(id);
  }
}

void InstanceState::callIfDue(std::uint64_t id) {
  std::shared_ptr<Event> event;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.progress != Progress::due) return;
    found->second.progress = Progress::running;
    event = found->second.event;
  }
  event->call();
  {
    const std::lock_guard lock(mutex_);
    entries_.erase(id);
  }
  changed_.notify_all();
}

void InstanceState::post(std::function<void()> job) {
  timeline(jobs_).post([self = shared_from_this(), job = std::move(job)]() -> std::optional<Error> {
    job();
    return std::nullopt;
  });
}

Timeline& InstanceState::timeline(std::unique_ptr<Timeline>& place) {
  const std::lock_guard lock(timelineMutex_);
  if (!place) place = makeWorkerTimeline(nullptr);
  return *place;
}

void InstanceState::processEvents() {
  std::vector<std::uint64_t> due;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_) {
      const bool mayCall = entry.event->mode != WebnnCallbackMode_WaitAnyOnly || isAbandoned_;
      if (entry.progress == Progress::due && mayCall) due.push_back(id);
    }
  }
  for (const std::uint64_t id : due) callIfDue(id);
}

void InstanceState::abandon() {
  {
    const std::lock_guard lock(mutex_);
    isAbandoned_ = true;
  }
  processEvents();
}

WebnnWaitStatus InstanceState::waitAny(std::span<WebnnFutureWaitInfo> futures, std::uint64_t timeoutNanoseconds) {
  constexpr std::uint64_t kForEver = std::uint64_t{1} << 61;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(std::min(timeoutNanoseconds, kForEver));
  std::unique_lock lock(mutex_);
  for (WebnnFutureWaitInfo& info : futures) {
    info.completed = 0;
    if (info.future.id == 0 || info.future.id >= nextId_) return WebnnWaitStatus_Error;
  }
  for (bool isLate = false;; isLate = std::chrono::steady_clock::now() >= deadline) {
    bool isAny = false;
    for (WebnnFutureWaitInfo& info : futures) {
      if (const auto found = entries_.find(info.future.id); found != entries_.end() && found->second.progress == Progress::due) {
        lock.unlock();
        callIfDue(info.future.id);
        lock.lock();
      }
      info.completed = entries_.contains(info.future.id) ? 0 : 1;
      isAny = isAny || info.completed == 1;
    }
    if (isAny) return WebnnWaitStatus_Success;
    if (isLate || timeoutNanoseconds == 0) return WebnnWaitStatus_TimedOut;
    if (timeoutNanoseconds >= kForEver) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, deadline);
    }
  }
}

}  // namespace webnn::capi
