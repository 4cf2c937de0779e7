// Time limits of a worker. The caller passes the present time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "broker/broker_config.h"

namespace webnn::service {

using Clock = std::chrono::steady_clock;

// A worker's present activity.
struct WorkerMoment {
  Clock::time_point time;
  std::chrono::milliseconds processorTime;  // of the process, so far
  bool isRunning = false, isBuilding = false, hasContext = false, isStopped = false;
  std::uint32_t runs = 0, builds = 0;  // how many were begun
};

// The time limits of one worker, checked periodically.
class TimeLimits {
 public:
  explicit TimeLimits(Clock::time_point started) : started_(started), stoppedSince_(started) {}

  // Returns the exceeded limit, if any.
  std::optional<std::string> exceeded(const WorkerMoment& now, const TenantLimits& limits);

 private:
  const Clock::time_point started_;
  // The run and the build that it is at, and since when.
  std::uint32_t runs_ = 0, builds_ = 0;
  Clock::time_point runSince_{};
  std::chrono::milliseconds buildSince_{};
  Clock::time_point stoppedSince_;
};

// Returns the delay of a refusal after this many earlier ones, at most `most`.
std::chrono::milliseconds delayOfRefusal(unsigned failures, std::chrono::milliseconds most);

// "0.5 s"
std::string secondsText(std::chrono::milliseconds time);

}  // namespace webnn::service
