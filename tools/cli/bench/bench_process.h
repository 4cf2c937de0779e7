// A child process that answers requests and is stopped between them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

// Returns the command that starts this tool again. A program with its own main() must set it; the default is the running program.
std::vector<std::string>& ownCommand();

// Starts a program and exchanges lines with it over a socket, which is its standard input. Its standard output goes to standard
// error. The program runs only while an answer is awaited; otherwise all its threads are stopped. Functions throw
// std::runtime_error if the program has ended or does not answer within `most` (0: no limit).
class BenchProcess {
 public:
  BenchProcess(const std::filesystem::path& program, std::vector<std::string> arguments,
               std::chrono::duration<double> most = std::chrono::seconds(0));
  ~BenchProcess();  // kills the program
  BenchProcess(const BenchProcess&) = delete;
  BenchProcess& operator=(const BenchProcess&) = delete;

  // Waits for the line that the program sends after its start.
  std::string greeting() { return answer(); }
  // Sends `line` and waits for the answer.
  std::string ask(std::string_view line);

 private:
  std::string answer();
  void pause();
  [[noreturn]] void failEnded();

  const std::chrono::duration<double> most_;
  pid_t id_ = 0;  // 0: the program has ended with `status_`
  int socket_ = -1, status_ = 0;
};

}  // namespace webnn::cli
