// A service that runs during a test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "backends/service/connection.h"
#include "broker/broker_config.h"
#include "service/clients.h"
#include "service/processes.h"
#include "support/files.h"

namespace webnn::test {

// A process that another program started. Stays correct if the system reuses the process number.
class OtherProcess {
 public:
  explicit OtherProcess(pid_t pid) : pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  // Returns false if the process has already ended.
  bool kill(int signal = SIGKILL) const {
    return pidfd_ && ::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0) == 0;
  }
  bool hasEnded(int milliseconds = 0) const { return !pidfd_ || isReadable(pidfd_.get(), milliseconds); }

 private:
  FileDescriptor pidfd_;
};

// The broker of service_program.cpp. It is a child process of the test and ends with the thread that created it.
class RunningService {
 public:
  // `config`: the configuration as in docs/guides/service.md, without the socket. `token`: the token of a tenant, if tenants have
  // tokens. `prepare`: called in the new process.
  explicit RunningService(nlohmann::json config = nlohmann::json::object(), std::string token = {},
                          std::function<void()> prepare = {})
      : token_(std::move(token)), prepare_(std::move(prepare)) {
    std::filesystem::create_symlink(WEBNN_TEST_SERVICE, folder_ / "service");
    config["socket"] = (folder_ / "socket").string();
    writeText(folder_ / "config", config.dump());
    start();
  }
  RunningService(const RunningService&) = delete;
  RunningService& operator=(const RunningService&) = delete;
  ~RunningService() { end(SIGTERM); }

  void start() {
    Pipe pipe;
    const std::string program = folder_ / "service", config = folder_ / "config";
    char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>("serve"), const_cast<char*>(config.c_str()),
                               nullptr};
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(pipe.write.get(), 2);
      if (prepare_) prepare_();
      ::execv(program.c_str(), arguments);
      ::_exit(127);
    }
    pipe.write.close();
    reader_ = std::thread([this, end = std::move(pipe.read)] { read(end.get()); });
    if (!becomesTrue([&] { return isThere(); })) {
      end(SIGKILL);
      throw std::runtime_error("the service does not start");
    }
  }

  // Sends a signal and waits until the broker and its workers have ended. Returns the broker's status, as from waitpid().
  int end(int signal) {
    if (pid_ < 0) return 0;
    int status = 0;
    ::kill(pid_, signal);
    ::kill(pid_, SIGCONT);
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    reader_.join();  // returns when all processes that can write to the log have ended
    return status;
  }

  bool isThere() const {
    try {
      status();
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  nlohmann::json status() const {
    return nlohmann::json::parse(service::askBroker({folder_ / "socket", token_}, service::Wish::status));
  }

  pid_t pid() const { return pid_; }
  std::string address() const { return "unix:" + (folder_ / "socket").string(); }
  ContextOptions options(const std::string& token = {}) const {
    return {.service = address(), .serviceToken = token, .threads = 1};
  }

  // Until stopNoWorker() is called, each worker that starts will stop at the stop point `place` (see service_program.cpp), and
  // will not continue.
  void stopNextWorker(const std::string& place) { writeText(folder_ / "service.stop", place); }
  void stopNoWorker() { std::filesystem::remove(folder_ / "service.stop"); }

  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // Waits for the first line from number `first` on that satisfies the condition. Returns nullopt if there is no such line in
  // time.
  template <typename IsIt>
  std::optional<std::string> waitForLine(std::size_t first, IsIt&& isIt, int milliseconds = kDeadline) const {
    std::unique_lock lock(mutex_);
    const auto find = [&] { return std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(first), lines_.end(), isIt); };
    const bool isFound =
        changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return find() != lines_.end() || isOver_; });
    if (!isFound || find() == lines_.end()) return std::nullopt;
    return *find();
  }

  // Sets a function that is called for each worker that starts, on a thread of this object.
  void whenWorkerStarts(std::function<void(pid_t, const std::string& tenant)> call) {
    const std::lock_guard lock(mutex_);
    whenStarted_ = std::move(call);
  }
  std::vector<pid_t> workers() const { return childrenOf(pid_); }

 private:
  void read(int descriptor) {
    std::string text;
    char bytes[4096];
    ssize_t size = 0;
    while ((size = ::read(descriptor, bytes, sizeof bytes)) > 0 || (size < 0 && errno == EINTR)) {
      text.append(bytes, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) take(text.substr(0, end));
    }
    const std::lock_guard lock(mutex_);
    isOver_ = true;
    changed_.notify_all();
  }

  void take(const std::string& line) {
    std::function<void(pid_t, const std::string&)> call;
    {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
      call = whenStarted_;
    }
    changed_.notify_all();
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (call && json.is_object() && json.value("event", "") == "started")
      call(json.at("worker").get<pid_t>(), json.value("tenant", ""));
  }

  TemporaryFolder folder_;
  const std::string token_;
  const std::function<void()> prepare_;
  pid_t pid_ = -1;
  std::thread reader_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::function<void(pid_t, const std::string&)> whenStarted_;
  bool isOver_ = false;
};

}  // namespace webnn::test
