// Runs `webnn serve` for a test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/files.h"

namespace webnn::test {

// Runs a service of this user, with a socket in its own directory. The destructor terminates it.
class RunningService {
 public:
  explicit RunningService(const std::string& tool) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    log_ = ::fdopen(ends[0], "r");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    const std::string socket = (folder_ / "socket").string();
    const char* const arguments[] = {tool.c_str(), "serve", "--socket", socket.c_str(), nullptr};
    const int failed = ::posix_spawn(&process_, tool.c_str(), &actions, nullptr, const_cast<char* const*>(arguments), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) throw std::runtime_error("posix_spawn failed");
    event("listening");
  }
  RunningService(const RunningService&) = delete;
  RunningService& operator=(const RunningService&) = delete;
  ~RunningService() {
    if (process_ > 0) ::kill(process_, SIGTERM);
    end();
    std::fclose(log_);
  }
  // Waits until the service has ended. Returns the exit status, or -1 if a signal killed it.
  int end() {
    int status = 0;
    if (process_ <= 0) return -1;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  pid_t process() const { return process_; }
  std::string address() const { return "unix:" + (folder_ / "socket").string(); }

  // Returns the next log line about an event, and skips all lines before it. Throws if the service ends first.
  std::string event(const std::string& name) {
    char line[4096];
    while (std::fgets(line, sizeof line, log_)) {
      if (std::string(line).find("\"event\":\"" + name + "\"") != std::string::npos) return line;
    }
    throw std::runtime_error("the service has ended before an event " + name);
  }

  // Kills the next worker whose start is in the log.
  void killWorker() {
    const std::string line = event("started");
    const std::string key = "\"worker\":";
    ::kill(static_cast<pid_t>(std::stol(line.substr(line.find(key) + key.size()))), SIGKILL);
  }

 private:
  const TemporaryFolder folder_;
  pid_t process_ = -1;
  std::FILE* log_ = nullptr;
};

}  // namespace webnn::test
