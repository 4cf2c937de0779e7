#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "worker/sandbox.h"

namespace webnn::service {

namespace {

// Allowed calls. Calls that the architecture lacks have negative numbers, which libseccomp ignores.
constexpr int kAllowed[] = {
    // on open files and sockets
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(fstat),
    SCMP_SYS(close), SCMP_SYS(recvmsg), SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(sendto), SCMP_SYS(shutdown),
    SCMP_SYS(getsockopt), SCMP_SYS(getsockname), SCMP_SYS(getpeername),
    // waiting for descriptors
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(eventfd2), SCMP_SYS(signalfd4),
    // memory; mmap and mprotect have conditions below
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
    // threads and locks; clone has conditions below
    SCMP_SYS(futex), SCMP_SYS(membarrier), SCMP_SYS(rseq), SCMP_SYS(set_robust_list), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // the process's own signals; tgkill has a condition below
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall),
    // clocks, random numbers, system information
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday),
    SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(getuid),
    SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid)};

// Calls that fail with EPERM instead of killing the process. The C library, ONNX Runtime and others try these calls, and continue
// without them.
constexpr int kRefused[] = {
    // Files, such as processor information, the time zone and the overcommit setting. Older C libraries implement fstat with
    // newfstatat, whose path a filter cannot read.
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat),
    SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
    SCMP_SYS(memfd_create), SCMP_SYS(ftruncate), SCMP_SYS(fallocate), SCMP_SYS(pipe2), SCMP_SYS(getdents64),
    // Sockets, such as the socket of a log.
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(setsockopt),
    // scheduling, memory placement and system information
    SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_getparam), SCMP_SYS(setpriority), SCMP_SYS(getpriority), SCMP_SYS(set_mempolicy), SCMP_SYS(get_mempolicy),
    SCMP_SYS(mbind), SCMP_SYS(mlock), SCMP_SYS(mlock2), SCMP_SYS(munlock), SCMP_SYS(mincore), SCMP_SYS(uname),
    SCMP_SYS(arch_prctl), SCMP_SYS(getppid)};

// Numbers of calls newer than Linux 5.15, with room for future calls. They fail with ENOSYS, so that newer C libraries use older
// calls.
constexpr int kFirstUnknown = 449, kLastUnknown = 511;

// The clone flags of glibc's pthread_create(3).
constexpr scmp_datum_t kThreadFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD |
                                      CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

constexpr unsigned kPrSetVma = 0x53564d41;

struct Condition {
  int call;
  unsigned argument;
  scmp_datum_t value;
};
// Calls that are allowed if the given argument has one of the values listed for that call. Otherwise they fail with EPERM.
constexpr Condition kConditions[] = {
    {SCMP_SYS(fcntl), 1, F_GETFD},     {SCMP_SYS(fcntl), 1, F_SETFD},     {SCMP_SYS(fcntl), 1, F_GETFL},
    {SCMP_SYS(fcntl), 1, F_SETFL},     {SCMP_SYS(fcntl), 1, F_GET_SEALS}, {SCMP_SYS(fcntl), 1, F_DUPFD_CLOEXEC},
    {SCMP_SYS(ioctl), 1, FIONBIO},     {SCMP_SYS(ioctl), 1, FIOCLEX},     {SCMP_SYS(ioctl), 1, FIONREAD},
    {SCMP_SYS(prctl), 0, PR_SET_NAME}, {SCMP_SYS(prctl), 0, kPrSetVma},   {SCMP_SYS(prlimit64), 2, 0 /* no new limit */},
};

// Builds a seccomp filter. The first error is kept, and later calls do nothing.
class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(::seccomp_init(otherwise), ::seccomp_release) {
    if (!context_) error_ = ENOMEM;
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    // By default, libseccomp calls prctl() to set no_new_privs for each filter. The first filter would refuse this call for the
    // second one. beforeThreads has already set no_new_privs.
    set(SCMP_FLTATR_CTL_NNP, 0);
    set(SCMP_FLTATR_CTL_TSYNC, 1);
  }
  template <typename... Comparisons>
  void add(std::uint32_t action, int call, Comparisons... comparisons) {
    if (error_ == 0) note(::seccomp_rule_add(context_.get(), action, call, sizeof...(comparisons), comparisons...));
  }
  void allow(int call) { add(SCMP_ACT_ALLOW, call); }
  // Loads the filter. Returns 0 or an error number.
  int load() {
    if (error_ == 0) note(::seccomp_load(context_.get()));
    return error_;
  }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (error_ == 0) note(::seccomp_attr_set(context_.get(), attribute, value));
  }
  void note(int result) { error_ = -std::min(result, 0); }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int error_ = 0;
};

// Loads the first filter, which makes each call that is not allowed fail with EPERM. Calls that the second filter decides pass.
int refuseCalls() {
  Filter filter(SCMP_ACT_ERRNO(EPERM));
  for (const int call : kAllowed) filter.allow(call);
  for (const Condition& condition : kConditions)
    filter.add(SCMP_ACT_ALLOW, condition.call, scmp_arg_cmp{condition.argument, SCMP_CMP_EQ, condition.value, 0});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), scmp_arg_cmp{0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()), 0});
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(seccomp)})
    filter.allow(call);
  for (int call = kFirstUnknown; call <= kLastUnknown; ++call) filter.allow(call);
  return filter.load();
}

// Loads the second filter, which kills the process for calls that are neither allowed nor refused.
int killOtherCalls() {
  Filter filter(SCMP_ACT_KILL_PROCESS);
  for (const int call : kAllowed) filter.allow(call);
  for (const int call : kRefused) filter.allow(call);
  for (const int call : {SCMP_SYS(fcntl), SCMP_SYS(ioctl), SCMP_SYS(prctl), SCMP_SYS(prlimit64), SCMP_SYS(tgkill)})
    filter.allow(call);
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
    filter.add(SCMP_ACT_ALLOW, call, scmp_arg_cmp{2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), scmp_arg_cmp{0, SCMP_CMP_EQ, kThreadFlags, 0});
  filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  for (int call = kFirstUnknown; call <= kLastUnknown; ++call) filter.add(SCMP_ACT_ERRNO(ENOSYS), call);
  return filter.load();
}

}  // namespace

// Loads two filters; the system applies the stricter result. One filter is not enough, because libseccomp has no rule for "every
// other value of an argument". Frequent calls stay fast, because the system looks up calls without argument rules in a bitmap.
void lockSystemCalls(SandboxReport& report) {
  int error = refuseCalls();
  if (error == 0) error = killOtherCalls();
  if (error == 0) {
    report.layers.push_back("system calls");
  } else {
    report.missing.push_back(formatText("system calls: {}", std::generic_category().message(error)));
  }
}

}  // namespace webnn::service
