#include "service/process.h"

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include "base/text.h"
#include "service/exec_plan.h"

// Declares the C library's clone(2) under its other name. ThreadSanitizer treats a call of clone() like fork(2), even if memory
// is shared.
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);

namespace webnn::service {

namespace {

constexpr std::size_t kStackBytes = 64 << 10;

// Memory that the application's thread, the intermediate process and the program's process share until the program runs.
struct Launch {
  explicit Launch(ExecPlan& plan_) : plan(plan_) {}
  ExecPlan& plan;
  std::vector<std::max_align_t> stackBetween{kStackBytes / sizeof(std::max_align_t)};
  std::vector<std::max_align_t> stackOfProgram{kStackBytes / sizeof(std::max_align_t)};
  pid_t pid = -1;
  int pidfd = -1;
  const char* step = "";
  int error = 0;
};

void* topOf(std::vector<std::max_align_t>& stack) { return stack.data() + stack.size(); }

int runProgram(void* argument) noexcept {
  Launch& launch = *static_cast<Launch*>(argument);
  ::syscall(SYS_setsid);
  int kept = -1;
  launch.error = launch.plan.arrangeDescriptors(kept);
  if (launch.error != 0) {
    launch.step = "its descriptors";
  } else {
    launch.error = launch.plan.exec();
  }
  ::syscall(SYS_exit_group, 127);
  return 0;
}

int runBetween(void* argument) noexcept {
  Launch& launch = *static_cast<Launch*>(argument);
  launch.pid =
      ::__clone(runProgram, topOf(launch.stackOfProgram), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &launch, &launch.pidfd);
  if (launch.pid < 0) {
    launch.step = "clone";
    launch.error = errno;
  }
  ::syscall(SYS_exit_group, 0);
  return 0;
}

}  // namespace

// Starts the program through an intermediate process. A process without an exit signal is invisible to wait(2) and causes no
// SIGCHLD, but execve(2) would restore the exit signal. Therefore an intermediate process without an exit signal creates the
// program's process and ends; init then adopts the program. Both share the application's memory, as in posix_spawn(3): nothing is
// copied, and errors are returned without a pipe. The intermediate process also shares the descriptor table, so that the
// application receives the pidfd.
Spawned spawnProgram(const ProgramOptions& options) {
  ExecPlan plan(options.program, options.arguments, options.environment, options.descriptors);
  Launch launch(plan);
  {
    const SignalsBlocked blocked;
    const pid_t between = ::__clone(runBetween, topOf(launch.stackBetween), CLONE_VM | CLONE_VFORK | CLONE_FILES, &launch);
    if (between < 0) failToStart(options.program, "clone", errno);
    while (::waitpid(between, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }
  Spawned spawned{launch.pid, aboveStandard(FileDescriptor(launch.pidfd)), {}};
  if (launch.error == 0) return spawned;
  if (spawned.pidfd) waitFor(spawned.pidfd.get());  // an application that adopts orphans, as init does, must reap the process
  failToStart(options.program, launch.step, launch.error);
}

std::string ProcessEnd::text() const {
  if (status) return formatText("exit status {}", *status);
  if (!signal) return "ended, as only its parent knows";
  const char* name = ::sigabbrev_np(*signal);
  return name ? formatText("signal {} (SIG{})", *signal, name) : formatText("signal {}", *signal);
}

bool isChild(int pidfd) {
  siginfo_t info{};
  int failed = 0;
  while ((failed = ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG | WNOWAIT | __WALL)) != 0 &&
         errno == EINTR) {
  }
  return failed == 0;
}

std::vector<std::string> environmentOfBackends() {
  std::vector<std::string> environment;
  for (const char* const name :
       {"WEBNN_ONNXRUNTIME", "WEBNN_CPU_ISA", "WEBNN_VERIFY", "LD_LIBRARY_PATH", "HOME", "VIRTUAL_ENV"}) {
    if (const char* const value = ::secure_getenv(name)) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

std::optional<ProcessEnd> endOf(int pidfd) {
  pollfd ended{pidfd, POLLIN, 0};
  if (::poll(&ended, 1, 0) <= 0) return std::nullopt;
  siginfo_t info{};
  int failed = 0;
  while ((failed = ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG | __WALL)) != 0 && errno == EINTR) {
  }
  if (failed != 0 || info.si_pid == 0) return ProcessEnd{};
  return info.si_code == CLD_EXITED ? ProcessEnd{info.si_status, std::nullopt} : ProcessEnd{std::nullopt, info.si_status};
}

ProcessEnd waitFor(int pidfd) {
  for (;;) {
    if (const std::optional<ProcessEnd> end = endOf(pidfd)) return *end;
    pollfd ended{pidfd, POLLIN, 0};
    if (::poll(&ended, 1, -1) < 0 && errno != EINTR) return {};
  }
}

}  // namespace webnn::service
