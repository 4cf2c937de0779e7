// The time limits of a worker. Callers pass the present time, so that tests can choose it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "broker/broker_config.h"

namespace webnn::service {

using Clock = std::chrono::steady_clock;

// A worker's activity at one moment.
struct WorkerMoment {
  Clock::time_point time;
  std::chrono::milliseconds processorTime;  // CPU time of the worker so far
  bool isRunning = false, isBuilding = false, hasContext = false, isStopped = false;
  std::uint32_t runs = 0, builds = 0;  // counts of begun runs and builds
};

// Checks the time limits of one worker. Call exceeded() periodically.
class TimeLimits {
 public:
  explicit TimeLimits(Clock::time_point started) : started_(started), stoppedSince_(started) {}

  // Returns a text that names the exceeded limit; nothing if there is none.
  std::optional<std::string> exceeded(const WorkerMoment& now, const TenantLimits& limits);

 private:
  const Clock::time_point started_;
  // The counts of runs and builds at the last check, and the times from which the current run and build are measured. The time of
  // a build is the worker's CPU time.
  std::uint32_t runs_ = 0, builds_ = 0;
  Clock::time_point runSince_{};
  std::chrono::milliseconds buildSince_{};
  Clock::time_point stoppedSince_;
};

// Returns how long to delay the next refusal: 50 ms, doubled for each of up to 6 earlier failures, at most `most`.
std::chrono::milliseconds delayOfRefusal(unsigned failures, std::chrono::milliseconds most);

// Formats a duration as "0.5 s".
std::string secondsText(std::chrono::milliseconds time);

}  // namespace webnn::service
