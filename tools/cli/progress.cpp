#include "cli/progress.h"

#include <algorithm>
#include <iostream>

#include "base/terminal.h"
#include "base/text.h"

namespace webnn::cli {

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      enabled_(!quiet && isTerminal(kStandardError)),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::step() {
  ++done_;
  print();
}

void Progress::show(const std::string& detail) {
  detail_ = detail;
  print();
}

void Progress::print() {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  constexpr std::size_t kMost = 78;  // must fit one terminal line, so that "\r" can overwrite it
  std::string line = formatText("{} {}/{}{}{}", what_, done_, total_, detail_.empty() ? "" : " ", detail_);
  line.resize(std::min(line.size(), kMost));
  std::cerr << "\r\033[K" + line << std::flush;
}

}  // namespace webnn::cli
