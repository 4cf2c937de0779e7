#include "cli/progress.h"

#include <unistd.h>

#include <iostream>

#include "base/text.h"

namespace webnn::cli {

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      enabled_(!quiet && isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::step() {
  ++done_;
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  std::cerr << formatText("\r\033[K{} {}/{}", what_, done_, total_) << std::flush;
}

}  // namespace webnn::cli
