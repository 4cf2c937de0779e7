#include "cli/bench/bench_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __APPLE__
#include <limits.h>
#include <mach-o/dyld.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "base/files/file_descriptor.h"
#include "base/text.h"
#include "cli/local_sockets.h"

extern char** environ;

namespace webnn::cli {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // longest answer; it may contain the steps of a large graph

// Calls waitpid() again if a signal interrupts it.
int waitFor(pid_t id, int flags) {
  int status = 0;
  while (::waitpid(id, &status, flags) < 0 && errno == EINTR) {
  }
  return status;
}

// Returns the remaining milliseconds for poll(); -1 if there is no limit.
int millisecondsLeft(std::chrono::steady_clock::time_point start, std::chrono::duration<double> most) {
  if (most.count() == 0) return -1;
  const std::chrono::duration<double, std::milli> left = most - (std::chrono::steady_clock::now() - start);
  return static_cast<int>(std::clamp(std::ceil(left.count()), 0.0, 1e9));
}

std::string endOf(int status) {
  if (!WIFSIGNALED(status)) return formatText("its process ended with status {}.", WEXITSTATUS(status));
  const char* name = ::strsignal(WTERMSIG(status));
  return formatText("its process died of signal {} ({}).", WTERMSIG(status), name ? name : "unknown");
}

// Returns a descriptor that becomes readable when the process ends; -1, which poll() ignores, if the system has none.
FileDescriptor descriptorOf([[maybe_unused]] pid_t id) {
#ifdef SYS_pidfd_open
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
#else
  return FileDescriptor(-1);
#endif
}

std::string ownProgram() {
#ifdef __APPLE__
  std::string path(PATH_MAX, '\0');
  auto size = static_cast<std::uint32_t>(path.size());
  if (::_NSGetExecutablePath(path.data(), &size) != 0) return {};
  return path.c_str();
#else
  return "/proc/self/exe";
#endif
}

}  // namespace

std::vector<std::string>& ownCommand() {
  static std::vector<std::string> command{ownProgram()};
  return command;
}

BenchProcess::BenchProcess(const std::filesystem::path& program, std::vector<std::string> arguments,
                           std::chrono::duration<double> most)
    : most_(most) {
  int ends[2];
  if (!makeSocketPair(ends)) throw std::runtime_error(formatText("no socket for its process: {}.", std::strerror(errno)));
  socket_ = ends[0];
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);  // keep libraries' output out of the report
  const int failed = ::posix_spawn(&id_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed == 0) return;
  ::close(socket_);
  throw std::runtime_error(formatText("its process does not start: {}.", std::strerror(failed)));
}

BenchProcess::~BenchProcess() {
  if (id_ != 0) {
    ::kill(id_, SIGKILL);
    waitFor(id_, 0);
  }
  ::close(socket_);
}

std::string BenchProcess::ask(std::string_view line) {
  if (id_ == 0) failEnded();
  ::kill(id_, SIGCONT);
  sendAll(socket_, std::string(line) + "\n");
  return answer();
}

std::string BenchProcess::answer() {
  if (id_ == 0) failEnded();
  // Also wait for the process's end: the socket may stay open in its children.
  const FileDescriptor process = descriptorOf(id_);
  const auto start = std::chrono::steady_clock::now();
  std::string text;
  char bytes[4096];
  while (!text.ends_with('\n')) {
    pollfd items[] = {{socket_, POLLIN, 0}, {process.get(), POLLIN, 0}};
    const int left = millisecondsLeft(start, most_);
    if (left == 0) throw std::runtime_error(formatText("it gave no answer for {} s.", most_.count()));
    if (::poll(items, 2, left) <= 0) continue;
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) failEnded();
    if (text.size() > kMostBytes) throw std::runtime_error(formatText("its answer is longer than {} bytes.", kMostBytes));
    text.append(bytes, static_cast<std::size_t>(count));
  }
  text.pop_back();
  pause();
  return text;
}

// Stops the process. Returns once all its threads have stopped or it has ended.
void BenchProcess::pause() {
  ::kill(id_, SIGSTOP);
  const int status = waitFor(id_, WUNTRACED);
  if (WIFSTOPPED(status)) return;
  status_ = status;
  id_ = 0;
}

void BenchProcess::failEnded() {
  if (id_ != 0) {
    ::kill(id_, SIGKILL);  // the process may only have closed its socket; a process that is ending ignores this
    status_ = waitFor(id_, 0);
    id_ = 0;
  }
  throw std::runtime_error(endOf(status_));
}

}  // namespace webnn::cli
