#include "broker/spawn.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/text.h"
#include "service/exec_plan.h"

namespace webnn::service {

namespace {

struct Namespace {
  unsigned long flag;
  const char* name;
};
// The order matters: an ordinary user may create the other namespaces only inside a user namespace. There is no time namespace,
// because it would hide nothing and slow down clocks.
constexpr Namespace kNamespaces[] = {
    {CLONE_NEWUSER, "user namespace"},     {CLONE_NEWPID, "pid namespace"},  {CLONE_NEWNET, "network namespace"},
    {CLONE_NEWIPC, "IPC namespace"},       {CLONE_NEWNS, "mount namespace"}, {CLONE_NEWUTS, "UTS namespace"},
    {CLONE_NEWCGROUP, "cgroup namespace"},
};

// The only user id and group id that exist inside the child's user namespace.
constexpr unsigned kInnerId = 1000;

// Steps of the child between fork and exec, in order.
enum class Step : int { mounts, groups, user, privileges, capabilities, parent, descriptors, limits, program };
constexpr std::array<const char*, 9> kStepNames{"read-only files",   "group",           "user",
                                                "no new privileges", "capabilities",    "death of the parent",
                                                "its descriptors",   "resource limits", ""};

// The child's report of a failed step. With error 0, the child instead asks for an answer (see dieWithParent).
struct StepFailure {
  Step step;
  int error;
  bool isFatal;
};

struct Limit {
  int resource;
  rlimit value;
};

// The data that the child needs. Allocated before the fork, because the child may not allocate.
struct IsolatedStart {
  ExecPlan& plan;
  std::vector<Limit> limits;
  std::optional<UserIds> user;  // user that the child becomes; inside a user namespace, kInnerId stands for this user
  unsigned long namespaces = 0;
  bool requireFull = false;
  int parentEnd = -1, channel = -1;  // a socket pair that carries Go to the child and StepFailure from it; exec closes `channel`
};

enum class Go : char { unmapped, mapped };  // whether the new user namespace maps kInnerId

// Forks without running pthread_atfork(3) handlers. Unlike in spawnProgram, the child does not share memory, because it changes
// its user, which would make this process undumpable too.
pid_t cloneSelf(unsigned long flags, int* pidfd = nullptr) {
  return static_cast<pid_t>(::syscall(SYS_clone, flags, nullptr, pidfd, nullptr, nullptr));
}

// Returns 0 if the system permits these namespaces, else the errno.
int tryNamespaces(unsigned long flags) {
  const pid_t child = cloneSelf(flags);
  if (child == 0) {
    for (;;) ::syscall(SYS_exit_group, 0);
  }
  if (child < 0) return errno;
  while (::waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  return 0;
}

std::string describeMissing(std::string_view layer, int error) {
  return formatText("{}: {}", layer, std::generic_category().message(error));
}

// Tries the namespaces of kNamespaces one by one. Returns the flags of the namespaces that the system permits. Appends the other
// namespaces, each with the error, to `missing`.
unsigned long allowedNamespaces(std::vector<std::string>& missing) {
  unsigned long flags = 0;
  for (const Namespace& space : kNamespaces) {
    const int error = tryNamespaces(flags | space.flag);
    if (error == 0) {
      flags |= space.flag;
    } else {
      missing.push_back(describeMissing(space.name, error));
    }
  }
  return flags;
}

[[noreturn]] void failMissing(const std::filesystem::path& program, const std::vector<std::string>& missing) {
  std::string all;
  for (const std::string& layer : missing) all += (all.empty() ? "" : "; ") + layer;
  fail(ErrorKind::notSupportedError, "the program {} cannot be isolated fully ({}).", webnn::quoted(program.string()), all);
}

// ---- Code that runs in the child, after the fork ----

void tellFailure(const IsolatedStart& start, Step step, int error, bool isFatal) noexcept {
  const StepFailure failure{step, error, isFatal || start.requireFull};
  ::syscall(SYS_sendto, start.channel, &failure, sizeof failure, MSG_NOSIGNAL, nullptr, 0);
  while (failure.isFatal) ::syscall(SYS_exit_group, 127);
}

void need(const IsolatedStart& start, Step step, long result) noexcept {
  if (result != 0) tellFailure(start, step, errno, true);
}

// Makes mounts private, so that changes do not reach other namespaces, and all files read-only.
void makeFilesReadOnly(const IsolatedStart& start) noexcept {
  struct {
    std::uint64_t set, clear, propagation, userNamespace;
  } const readOnly{MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0};
  if (::syscall(SYS_mount, nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &readOnly, sizeof readOnly) != 0)
    tellFailure(start, Step::mounts, errno, false);
}

void becomeUser(const IsolatedStart& start, Go go) noexcept {
  // Dropping the groups needs a right that ordinary users do not have in their user namespace. Without the right, the groups
  // stay.
  const bool hasLeftGroups = ::syscall(SYS_setgroups, 0, nullptr) == 0;
  if (!start.user) return;
  if (!hasLeftGroups) tellFailure(start, Step::groups, errno, true);
  const uid_t user = go == Go::mapped ? kInnerId : start.user->user;
  const gid_t group = go == Go::mapped ? kInnerId : start.user->group;
  need(start, Step::groups, ::syscall(SYS_setresgid, group, group, group));
  need(start, Step::user, ::syscall(SYS_setresuid, user, user, user));
}

// Drops all capabilities. Because of no_new_privs, exec gives none back, even to root.
void dropPrivileges(const IsolatedStart& start) noexcept {
  need(start, Step::privileges, ::syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  need(start, Step::capabilities, ::syscall(SYS_capset, &header, none));
}

// Asks the system to kill this process when the parent's thread ends. Changing the user would undo this request, so it comes
// last. The parent's thread may already have ended. Only an answer from it proves that it is alive, because other threads may
// hold the channel open.
void dieWithParent(const IsolatedStart& start) noexcept {
  need(start, Step::parent, ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
  const StepFailure none{Step::parent, 0, false};
  ::syscall(SYS_sendto, start.channel, &none, sizeof none, MSG_NOSIGNAL, nullptr, 0);
  Go answer{};
  while (::syscall(SYS_recvfrom, start.channel, &answer, sizeof answer, 0, nullptr, nullptr) != sizeof answer)
    ::syscall(SYS_exit_group, 127);
}

void runIsolated(IsolatedStart& start) noexcept {
  ::syscall(SYS_close, start.parentEnd);
  Go go{};
  if (::syscall(SYS_recvfrom, start.channel, &go, sizeof go, 0, nullptr, nullptr) != sizeof go) return;
  ::syscall(SYS_setsid);
  if ((start.namespaces & CLONE_NEWNS) != 0) makeFilesReadOnly(start);
  becomeUser(start, go);
  dropPrivileges(start);
  dieWithParent(start);
  ::syscall(SYS_chdir, "/");
  ::syscall(SYS_umask, 077);
  if (const int error = start.plan.arrangeDescriptors(start.channel)) tellFailure(start, Step::descriptors, error, true);
  for (const Limit& limit : start.limits)
    need(start, Step::limits, ::syscall(SYS_prlimit64, 0, limit.resource, &limit.value, nullptr));
  tellFailure(start, Step::program, start.plan.exec(), true);
}

// ---- Code that runs in the parent ----

bool writeText(const std::string& path, const std::string& text) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Maps kInnerId to the given user and group in the child's user namespace. If this fails and SpawnOptions::user is absent, the
// child's rights are the same, but its user is shown as the overflow id. If SpawnOptions::user is given, the start fails.
bool mapIds(pid_t child, const UserIds& ids) {
  const std::string folder = formatText("/proc/{}/", child);
  const std::string group = formatText("{} {} 1", kInnerId, ids.group);
  if (!writeText(folder + "gid_map", group) && !(writeText(folder + "setgroups", "deny") && writeText(folder + "gid_map", group)))
    return false;
  return writeText(folder + "uid_map", formatText("{} {} 1", kInnerId, ids.user));
}

std::vector<Limit> limitsOf(const SpawnOptions& options, unsigned long namespaces, std::vector<std::string>& missing) {
  std::vector<Limit> limits{{RLIMIT_CORE, {0, 0}}};
  const auto add = [&](int resource, const std::optional<std::uint64_t>& value) {
    rlimit now{};
    if (!value || ::prlimit(0, static_cast<__rlimit_resource>(resource), nullptr, &now) != 0) return;
    const rlim_t least = std::min<rlim_t>(*value, now.rlim_max);
    limits.push_back({resource, {least, least}});
  };
#ifndef WEBNN_SANITIZED  // sanitizers reserve terabytes of shadow memory, which this limit counts
  add(RLIMIT_DATA, options.limits.data);
#endif
  add(RLIMIT_NOFILE, options.limits.descriptors);
  add(RLIMIT_CPU, options.limits.cpuSeconds);
  if ((namespaces & CLONE_NEWUSER) != 0) {
    add(RLIMIT_NPROC, options.limits.processes);
  } else if (options.limits.processes) {
    missing.push_back("limit of processes: it would count all of the user's");
  }
  return limits;
}

// Forks the child, which waits for Go. Sets start.namespaces to the namespaces that it got.
pid_t makeChild(IsolatedStart& start, const SpawnOptions& options, int& pidfd, std::vector<std::string>& missing) {
  const auto make = [&] {
    start.limits = limitsOf(options, start.namespaces, missing);
    const pid_t child = cloneSelf(start.namespaces | CLONE_PIDFD | SIGCHLD, &pidfd);
    if (child == 0) {
      runIsolated(start);
      for (;;) ::syscall(SYS_exit_group, 127);
    }
    return child;
  };
  for (const Namespace& space : kNamespaces) start.namespaces |= space.flag;
  const SignalsBlocked blocked;
  pid_t child = make();
  if (child < 0 && errno != EAGAIN && errno != ENOMEM && errno != EMFILE && errno != ENFILE) {
    start.namespaces = allowedNamespaces(missing);
    if (!missing.empty() && options.requireFull) failMissing(options.program, missing);
    child = make();
  }
  if (child < 0) failToStart(options.program, "clone", errno);
  return child;
}

// Collects the child's failures until exec closes the channel. Throws if a failure is fatal.
void hearFailures(int channel, const SpawnOptions& options, std::vector<std::string>& missing) {
  for (;;) {
    StepFailure failure{};
    const ssize_t size = ::recv(channel, &failure, sizeof failure, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof failure) return;
    if (failure.error == 0) {  // the child asks whether this thread is alive
      const Go answer{};
      ::send(channel, &answer, sizeof answer, MSG_NOSIGNAL);
      continue;
    }
    const char* step = kStepNames[static_cast<std::size_t>(failure.step)];
    if (!failure.isFatal || failure.step == Step::mounts) {
      missing.push_back(describeMissing(step, failure.error));
    } else {
      failToStart(options.program, step, failure.error);
    }
    if (failure.isFatal) failMissing(options.program, missing);
  }
}

}  // namespace

Spawned spawnIsolated(const SpawnOptions& options) {
  ExecPlan plan(options.program, options.arguments, options.environment, options.descriptors);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) failToStart(options.program, "socketpair", errno);
  const FileDescriptor parentEnd(ends[0]);
  FileDescriptor childEnd(ends[1]);
  IsolatedStart start{plan, {}, options.user, 0, options.requireFull, parentEnd.get(), childEnd.get()};
  Spawned spawned;
  int pidfd = -1;
  spawned.pid = makeChild(start, options, pidfd, spawned.missing);
  spawned.pidfd = aboveStandard(FileDescriptor(pidfd));
  childEnd.close();
  if (!options.controlGroup.empty() && !writeText(options.controlGroup / "cgroup.procs", std::to_string(spawned.pid)))
    spawned.missing.push_back(describeMissing("control group", errno));
  try {
    const bool hasUsers = (start.namespaces & CLONE_NEWUSER) != 0;
    const Go go =
        hasUsers && mapIds(spawned.pid, options.user.value_or(UserIds{::geteuid(), ::getegid()})) ? Go::mapped : Go::unmapped;
    if (options.user && hasUsers && go == Go::unmapped)
      failToStart(options.program, kStepNames[static_cast<std::size_t>(Step::user)], EPERM);
    ::send(parentEnd.get(), &go, sizeof go, MSG_NOSIGNAL);
    hearFailures(parentEnd.get(), options, spawned.missing);
  } catch (...) {
    ::kill(spawned.pid, SIGKILL);
    waitFor(spawned.pidfd.get());
    throw;
  }
  return spawned;
}

}  // namespace webnn::service
