#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace webnn::cli {

// Shows "WHAT done/total" on standard error if it is a terminal. The line appears after a second and is removed at the end.
class Progress {
 public:
  Progress(std::string what, std::size_t total, bool quiet = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Counts one more item as done.
  void step();
  // Sets the text after the numbers, such as the present item's name.
  void show(const std::string& detail);

 private:
  void print();

  std::string what_, detail_;
  std::size_t total_, done_ = 0;
  bool enabled_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace webnn::cli
