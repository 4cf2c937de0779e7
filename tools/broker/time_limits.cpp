#include "broker/time_limits.h"

#include <algorithm>

#include "base/text.h"

namespace webnn::service {

namespace {

bool isOver(Clock::duration spent, std::chrono::milliseconds limit) { return limit.count() != 0 && spent > limit; }

}  // namespace

std::optional<std::string> TimeLimits::exceeded(const WorkerMoment& now, const TenantLimits& limits) {
  if (!now.isRunning || now.runs != runs_) {
    runs_ = now.runs;
    runSince_ = now.time;
  } else if (isOver(now.time - runSince_, limits.dispatchTime)) {
    return "a dispatch took more than " + secondsText(limits.dispatchTime);
  }
  if (!now.isBuilding || now.builds != builds_) {
    builds_ = now.builds;
    buildSince_ = now.processorTime;
  } else if (isOver(now.processorTime - buildSince_, limits.buildTime)) {
    return formatText("a build took more than {} of the processor", secondsText(limits.buildTime));
  }
  // A stopped (SIGSTOP) worker makes no progress. Without this limit its client would wait forever.
  if (!now.isStopped) {
    stoppedSince_ = now.time;
  } else if (isOver(now.time - stoppedSince_, limits.dispatchTime)) {
    return "it was stopped for more than " + secondsText(limits.dispatchTime);
  }
  if (!now.hasContext && isOver(now.time - started_, limits.idleTime))
    return formatText("the connection had no context for {}", secondsText(limits.idleTime));
  return std::nullopt;
}

std::chrono::milliseconds delayOfRefusal(unsigned failures, std::chrono::milliseconds most) {
  return std::min(std::chrono::milliseconds(50) * (1 << std::min(failures, 6U)), most);
}

std::string secondsText(std::chrono::milliseconds time) {
  return formatText("{} s", std::chrono::duration<double>(time).count());
}

}  // namespace webnn::service
