// A program that this one starts, talks to, and holds still while others take their turns.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

// The command line that starts this tool again: the running program's own, unless main() belongs to another, which sets it.
std::vector<std::string>& ownCommand();

// Sends lines to a program's standard input, a socket, and receives its answers there; its standard output goes to standard
// error. It runs only while an answer is awaited: otherwise all its threads are stopped. All functions except the destructor
// throw std::runtime_error when the program has ended, or does not answer within `most`, if that is not 0.
class BenchProcess {
 public:
  BenchProcess(const std::filesystem::path& program, std::vector<std::string> arguments,
               std::chrono::duration<double> most = std::chrono::seconds(0));
  ~BenchProcess();  // kills it
  BenchProcess(const BenchProcess&) = delete;
  BenchProcess& operator=(const BenchProcess&) = delete;

  // The line that it sends of itself when it has started.
  std::string greeting() { return answer(); }
  // The line that it sends when it gets `line`.
  std::string ask(std::string_view line);

 private:
  std::string answer();
  void pause();
  [[noreturn]] void failEnded();

  const std::chrono::duration<double> most_;
  pid_t id_ = 0;  // 0: ended, see `status_`
  int socket_ = -1, status_ = 0;
};

}  // namespace webnn::cli
