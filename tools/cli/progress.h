// A progress line on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace webnn::cli {

// Shows "WHAT done/total" after a second, if standard error is a terminal; removes it at the end.
class Progress {
 public:
  Progress(std::string what, std::size_t total, bool quiet = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Counts one item as done.
  void step();
  // Shows the present activity after the numbers.
  void show(const std::string& detail);

 private:
  void print();

  std::string what_, detail_;
  std::size_t total_, done_ = 0;
  bool enabled_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace webnn::cli
