// Keeps workers from waking where other threads run.
#pragma once

#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "base/processors.h"

namespace webnn::cpu {

// Knows the processors on which the workers of a team sleep. Linux often wakes a thread where it fell asleep, or where its waker
// runs, although another processor is idle: the worker then waits until the thread on that processor pauses. In virtual machines,
// Linux regards idle processors as busy if the host has taken them back (vcpu_is_preempted() in the kernel's scheduler).
class SleepingWorkers {
 public:
  explicit SleepingWorkers(std::size_t workers) : places_(workers) {}

  // Called by worker `i` before and after it sleeps.
  void fallAsleep(std::size_t i);
  void wakeUp(std::size_t i);
  // Called before workers are woken. Keeps workers that may wake on this thread's processor, or on that of another worker, off
  // these processors until they wake up. `mayFollow`: whether a worker may wake elsewhere than where it fell asleep.
  void spread(std::span<std::thread> workers, bool mayFollow);

 private:
  static constexpr int kNone = -1;
  struct Place {
    std::atomic<int> processor{kNone};  // of a sleeping worker
    std::atomic<bool> isMoved{false};   // whether the worker has to return to the processors `usual`
    ProcessorSet usual;
  };
  static void keepOff(std::thread& worker, Place& place, const ProcessorSet& taken);

  std::vector<Place> places_;
};

}  // namespace webnn::cpu
