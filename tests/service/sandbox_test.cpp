// Tests which actions the sandbox allows to a worker, and which it refuses.
#include "worker/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <thread>

#include "broker/spawn.h"
#include "service/processes.h"
#include "support/files.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace test;

#ifdef WEBNN_SANITIZED
#define SKIP_IF_SANITIZED() GTEST_SKIP() << "the run-time library of sanitizers makes system calls of its own"
#else
#define SKIP_IF_SANITIZED() static_cast<void>(0)
#endif

// Returns the number of threads of a forked process: one, unless a sanitizer starts another.
std::string threadsOfChild() {
  return inChild([] { return std::to_string(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {})); });
}

#define SKIP_WITHOUT_LANDLOCK()                                                                                 \
  if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) < 2) GTEST_SKIP() << "this system has no Landlock"; \
  if (threadsOfChild() != "1") GTEST_SKIP() << "the sanitizer has a thread of its own"

const std::string kKilled = "signal 31 (SIGSYS)";

// Calls `work` in a child process, which exits with its result. Returns how the process ended. It is killed after the deadline.
std::string endOfChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  const FileDescriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (!isReadable(pidfd.get())) ::kill(child, SIGKILL);
  return waitFor(pidfd.get()).text();
}

// Works like endOfChild(), but in the complete sandbox. The exit status is 99 if the system lacks a part of the sandbox, errno
// if `work` returns -1, and otherwise 200. Descriptors `kept` stay open.
std::string endOfLocked(const std::function<long()>& work, const std::vector<int>& kept = {}) {
  return endOfChild([&] {
    SandboxReport report;
    beforeLibraries(report, kept);
    beforeThreads(report);
    lockSystemCalls(report);
    if (!report.missing.empty()) return 99;
    errno = 0;
    return work() == -1 ? errno : 200;
  });
}

// Works like endOfLocked(), without the system call filter.
std::string endWithoutFiles(const std::function<long()>& work, const std::vector<int>& kept = {}) {
  return endOfChild([&] {
    SandboxReport report;
    beforeLibraries(report, kept);
    beforeThreads(report);
    if (!report.missing.empty()) return 99;
    errno = 0;
    return work() == -1 ? errno : 200;
  });
}

std::string status(int number) { return "exit status " + std::to_string(number); }
const std::string kRefused = status(EPERM), kDenied = status(EACCES), kDone = status(200);

// System calls that work in a sandboxed process, because computing needs them (see lockSystemCalls()).
const std::set<long> kWork{
#ifdef __x86_64__
    SYS_poll, SYS_epoll_wait, SYS_time,
#endif
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_fstat, SYS_close, SYS_recvmsg, SYS_recvfrom,
    SYS_sendmsg, SYS_sendto, SYS_shutdown, SYS_getsockopt, SYS_getsockname, SYS_getpeername, SYS_ppoll, SYS_epoll_create1,
    SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_signalfd4, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex,
    SYS_membarrier, SYS_rseq, SYS_set_robust_list, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_gettid, SYS_getpid,
    SYS_exit, SYS_exit_group, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrusage,
    SYS_getrandom, SYS_sysinfo, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    // allowed with some arguments only, which other tests check
    SYS_mmap, SYS_mprotect, SYS_prlimit64};
const std::set<long> kFail{
#ifdef __x86_64__
    SYS_open,
    SYS_creat,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_unlink,
    SYS_mkdir,
    SYS_arch_prctl,
#endif
    SYS_openat,
    SYS_openat2,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_memfd_create,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_pipe2,
    SYS_getdents64,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_setsockopt,
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_getscheduler,
    SYS_sched_setparam,
    SYS_sched_getparam,
    SYS_setpriority,
    SYS_getpriority,
    SYS_set_mempolicy,
    SYS_get_mempolicy,
    SYS_mbind,
    SYS_mlock,
    SYS_mlock2,
    SYS_munlock,
    SYS_mincore,
    SYS_uname,
    SYS_getppid,
    SYS_fcntl,
    SYS_ioctl,
    SYS_prctl,
    SYS_tgkill};
// These system calls appear not to exist. All calls that are in none of these lists kill the process.
bool isUnknown(long call) { return call == SYS_clone3 || (call >= 449 && call < 512); }

TEST(Sandbox, EverySystemCallThatIsNotAllowedKillsOrFails) {
  SKIP_IF_SANITIZED();
  SKIP_WITHOUT_LANDLOCK();
  for (long call = 0; call < 520; ++call) {
    if (kWork.count(call) != 0) continue;
#ifdef __x86_64__
    // uretprobe and uprobe: newer kernels do not pass them to filters. They only have an effect in trampolines of the system.
    if (call == 335 || call == 336) continue;
#endif
    const std::string expected = kFail.count(call) != 0 ? kRefused : isUnknown(call) ? status(ENOSYS) : kKilled;
    EXPECT_EQ(endOfLocked([&] { return ::syscall(call, 0, 0, 0, 0, 0, 0); }), expected) << "system call " << call;
  }
}

TEST(Sandbox, ForeignSystemCallsKill) {
  SKIP_IF_SANITIZED();
#ifdef __x86_64__
  EXPECT_EQ(endOfLocked([] { return ::syscall(0x40000000 | SYS_getpid); }), kKilled);  // getpid in the x32 ABI
  const std::string end = endOfLocked([] {
    long result = 20;  // getpid in the i386 ABI
    asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result;
  });
  // a system without the i386 ABI does not handle this interrupt
  EXPECT_TRUE(end == kKilled || end == "signal 11 (SIGSEGV)") << end;
#else
  GTEST_SKIP() << "one kind of system calls only";
#endif
}

TEST(Sandbox, ArgumentsMatter) {
  SKIP_IF_SANITIZED();
  static char page[8192];
  char* aligned = page + (4096 - reinterpret_cast<std::uintptr_t>(page) % 4096) % 4096;
  EXPECT_EQ(endOfLocked([&] { return ::mprotect(aligned, 4096, PROT_READ | PROT_EXEC); }), kKilled);
  EXPECT_EQ(endOfLocked([&] { return ::mprotect(aligned, 4096, PROT_READ | PROT_WRITE) + 1; }), kDone);
  const auto map = [](int protection) {
    return [=] { return ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1L : 0L; };
  };
  EXPECT_EQ(endOfLocked(map(PROT_READ | PROT_WRITE | PROT_EXEC)), kKilled);
  EXPECT_EQ(endOfLocked(map(PROT_READ | PROT_WRITE)), kDone);
  for (const unsigned long flags : {0UL, 17UL, static_cast<unsigned long>(CLONE_VM | CLONE_VFORK | 17), 0x3d0f00UL | CLONE_NEWNET,
                                    static_cast<unsigned long>(CLONE_NEWUSER)})
    EXPECT_EQ(endOfLocked([&] { return ::syscall(SYS_clone, flags, 0, 0, 0, 0); }), kKilled) << flags;
  EXPECT_EQ(endOfLocked([] { return ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), 0); }), kDone);
  EXPECT_EQ(endOfLocked([parent = ::getpid()] { return ::syscall(SYS_tgkill, parent, parent, 0); }), kRefused);
  EXPECT_EQ(endOfLocked([] { return ::prctl(PR_SET_NAME, "worker"); }), kDone);
  EXPECT_EQ(endOfLocked([] { return ::prctl(PR_SET_DUMPABLE, 1); }), kRefused);
  EXPECT_EQ(endOfLocked([] { return ::fcntl(2, F_GETFL); }), kDone);
  EXPECT_EQ(endOfLocked([] { return ::fcntl(2, F_DUPFD_CLOEXEC, 10); }), kDone);
  EXPECT_EQ(endOfLocked([] { return ::fcntl(2, F_SETOWN, 1); }), kRefused);
  EXPECT_EQ(endOfLocked([] { return ::ioctl(0, TIOCSTI, "x"); }), kRefused);
  rlimit limit{};
  EXPECT_EQ(endOfLocked([&] { return ::getrlimit(RLIMIT_DATA, &limit); }), kDone);
  EXPECT_EQ(endOfLocked([&] { return ::setrlimit(RLIMIT_DATA, &limit); }), kRefused);
  EXPECT_EQ(endOfLocked([] { return ::fork(); }), kKilled);
  EXPECT_EQ(endOfLocked([] { return ::kill(::getppid(), 0); }), kKilled);
}

using Attempt = std::pair<const char*, std::function<long(const char*)>>;

// Operations that an attacker may try with a path.
const std::vector<Attempt>& attempts() {
  static const std::vector<Attempt> all{
      {"open", [](const char* path) { return ::open(path, O_RDONLY | O_NONBLOCK); }},
      {"open to write", [](const char* path) { return ::open(path, O_WRONLY | O_NONBLOCK); }},
      {"create", [](const char* path) { return ::open(path, O_CREAT | O_RDWR | O_NONBLOCK, 0600); }},
      {"O_PATH", [](const char* path) { return ::open(path, O_PATH); }},
      {"unlink", [](const char* path) { return ::unlink(path); }},
      {"mkdir", [](const char* path) { return ::mkdir(path, 0700); }},
      {"stat",
       [](const char* path) {
         struct stat status {};
         return ::stat(path, &status);
       }},
      {"readlink",
       [](const char* path) {
         char target[16];
         return ::readlink(path, target, sizeof target);
       }},
      {"access", [](const char* path) { return ::access(path, F_OK); }},
      {"exec",
       [](const char* path) {
         const char* const none[] = {path, nullptr};
         return ::execve(path, const_cast<char**>(none), const_cast<char**>(none + 1));
       }},
      {"rename", [](const char* path) { return ::rename(path, "/tmp/webnn-renamed"); }},
      {"symlink", [](const char* path) { return ::symlink("/etc/passwd", path); }},
      {"truncate", [](const char* path) { return ::truncate(path, 0); }},
      {"chmod", [](const char* path) { return ::chmod(path, 0777); }},
      {"chdir", [](const char* path) { return ::chdir(path); }},
      {"mount", [](const char* path) { return ::syscall(SYS_mount, "none", path, "tmpfs", 0, nullptr); }},
  };
  return all;
}

TEST(Sandbox, NoPathLeadsAnywhere) {
  SKIP_IF_SANITIZED();
  SKIP_WITHOUT_LANDLOCK();
  const std::set<std::string> killed{"exec", "rename", "symlink", "truncate", "chmod", "chdir", "mount"};
  const TemporaryFolder folder;
  writeText(folder / "file", "text");
  std::vector<std::string> paths{folder / "file", folder / "new", folder.path(), "file", "../file", ".", "..", "/", ""};
  for (const char* path : {"/etc/passwd",
                           "/etc/shadow",
                           "/etc/ld.so.cache",
                           "/etc/localtime",
                           "/proc",
                           "/proc/self/mem",
                           "/proc/self/maps",
                           "/proc/self/environ",
                           "/proc/self/fd/0",
                           "/proc/self/root/etc/passwd",
                           "/proc/self/exe",
                           "/proc/1/environ",
                           "/proc/1/mem",
                           "/proc/1/root",
                           "/proc/meminfo",
                           "/proc/sysrq-trigger",
                           "/proc/sys/kernel/core_pattern",
                           "/sys/kernel",
                           "/sys/fs/cgroup/cgroup.procs",
                           "/dev/null",
                           "/dev/zero",
                           "/dev/tty",
                           "/dev/shm",
                           "/dev/mem",
                           "/dev/kmsg",
                           "/dev/urandom",
                           "/dev/nvidia0",
                           "/dev/fuse",
                           "/dev/ptmx",
                           "/bin/sh",
                           "/bin/true",
                           "/usr/bin/env",
                           "/lib64/ld-linux-x86-64.so.2",
                           "/tmp",
                           "/tmp/webnn-new",
                           "/root",
                           "/home",
                           "/var/run",
                           "/run/systemd/private",
                           "/var/run/docker.sock",
                           "/absent"})
    paths.emplace_back(path);
  ASSERT_GE(paths.size(), 50u);
  for (const std::string& path : paths) {
    for (const auto& [name, attempt] : attempts()) {
      EXPECT_EQ(endOfLocked([&, &attempt = attempt] { return attempt(path.c_str()); }),
                killed.count(name) != 0 ? kKilled : kRefused)
          << name << " " << path;
    }
  }
  EXPECT_EQ(readText(folder / "file"), "text");
}

// Tries to reach files without the system call filter, because Landlock must be sufficient on its own.
TEST(Sandbox, LandlockRefusesFilesByItself) {
  SKIP_WITHOUT_LANDLOCK();
  const TemporaryFolder folder;
  writeText(folder / "file", "text");
  const FileDescriptor opened(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY));
  const std::string file = folder / "file", absent = folder / "new";
  EXPECT_EQ(endWithoutFiles([&] { return ::open(file.c_str(), O_RDONLY); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::open(file.c_str(), O_WRONLY); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::open(absent.c_str(), O_WRONLY | O_CREAT, 0600); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::unlink(file.c_str()); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::mkdir(absent.c_str(), 0700); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::symlink("/", absent.c_str()); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::rename(file.c_str(), absent.c_str()); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::link(file.c_str(), absent.c_str()); }), kDenied);
  EXPECT_EQ(endWithoutFiles([&] { return ::openat(opened.get(), "file", O_RDONLY); }, {opened.get()}), kDenied);
  EXPECT_EQ(endWithoutFiles(
                [&] {
                  if (::fchdir(opened.get()) != 0) return 0;
                  return ::open("file", O_RDONLY);
                },
                {opened.get()}),
            kDenied);
  // the descriptor is closed
  EXPECT_EQ(endWithoutFiles([&] { return ::openat(opened.get(), "file", O_RDONLY); }), status(EBADF));
  EXPECT_EQ(endWithoutFiles([] { return ::open("/proc/self/mem", O_RDWR); }), kDenied);
  EXPECT_EQ(endWithoutFiles([] { return ::open("/dev/zero", O_RDONLY); }), kDenied);
  EXPECT_EQ(endWithoutFiles([] { return ::open("/", O_RDONLY | O_DIRECTORY); }), kDenied);
  EXPECT_EQ(endWithoutFiles([] {
              const char* const none[] = {"/bin/true", nullptr};
              return ::execve("/bin/true", const_cast<char**>(none), const_cast<char**>(none + 1));
            }),
            kDenied);
  EXPECT_EQ(readText(folder / "file"), "text");
}

TEST(Sandbox, ReadablePathsStayReadable) {
  SKIP_WITHOUT_LANDLOCK();
  const TemporaryFolder folder;
  writeText(folder / "file", "text");
  writeText(folder / "other", "text");
  const auto open = [&](const std::string& path, int flags, const std::vector<std::filesystem::path>& readable) {
    return endOfChild([&] {
      SandboxReport report;
      beforeThreads(report, readable);
      return ::open(path.c_str(), flags) >= 0 ? 200 : errno;
    });
  };
  EXPECT_EQ(open(folder / "file", O_RDONLY, {folder / "file", "/absent"}), kDone);
  EXPECT_EQ(open(folder / "file", O_RDWR, {folder / "file"}), kDenied);
  EXPECT_EQ(open(folder / "other", O_RDONLY, {folder / "file"}), kDenied);
  EXPECT_EQ(open(folder / "other", O_RDONLY, {folder.path()}), kDone);
  EXPECT_EQ(endOfChild([&] {
              SandboxReport report;
              beforeThreads(report, {folder.path()});
              beforeThreads(report);
              return report.layers.size() == 1 && ::open((folder / "file").c_str(), O_RDONLY) < 0 ? 200 : 0;
            }),
            kDone);
}

TEST(Sandbox, SaysThatThreadsBeganBefore) {
  SKIP_WITHOUT_LANDLOCK();
  const auto report = [](bool hasThread) {
    return inChild([=] {
      Pipe pipe;
      std::thread waiting;
      if (hasThread) waiting = std::thread([&] { isReadable(pipe.read.get()); });
      SandboxReport sandbox;
      beforeThreads(sandbox);
      pipe.write.close();
      if (hasThread) waiting.join();
      return joined(sandbox.missing);
    });
  };
  EXPECT_EQ(report(false), "");
  EXPECT_EQ(report(true), "Landlock: other threads began before it (1);");
}

TEST(Sandbox, NoSocketIsMade) {
  SKIP_IF_SANITIZED();
  for (const auto& [domain, type] : {std::pair{AF_INET, SOCK_STREAM},
                                     {AF_INET, SOCK_DGRAM},
                                     {AF_INET6, SOCK_STREAM},
                                     {AF_INET, SOCK_RAW},
                                     {AF_UNIX, SOCK_STREAM},
                                     {AF_UNIX, SOCK_DGRAM},
                                     {AF_NETLINK, SOCK_RAW},
                                     {AF_PACKET, SOCK_RAW},
                                     {AF_VSOCK, SOCK_STREAM},
                                     {AF_ALG, SOCK_SEQPACKET}})
    EXPECT_EQ(endOfLocked([&, domain = domain, type = type] { return ::socket(domain, type, 0); }), kRefused) << domain;
  // Connecting an existing socket fails, too.
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  EXPECT_EQ(
      endOfLocked([&] { return ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address); }, {socket.get()}),
      kRefused);
  EXPECT_EQ(
      endOfLocked([&] { return ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address); }, {socket.get()}),
      kRefused);
  EXPECT_EQ(endOfLocked([&] { return ::listen(socket.get(), 1); }, {socket.get()}), kKilled);
  EXPECT_EQ(endOfLocked([&] { return ::accept(socket.get(), nullptr, nullptr); }, {socket.get()}), kKilled);
}

TEST(Sandbox, OtherProcessesAreOutOfReach) {
  SKIP_IF_SANITIZED();
  const Pipe pipe;
  const pid_t sibling = ::fork();
  if (sibling == 0) {
    for (;;) ::pause();
  }
  static char byte = 'x';
  iovec local{&byte, 1}, remote{&byte, 1};
  for (const pid_t other : {::getpid(), sibling}) {
    EXPECT_EQ(endOfLocked([&] { return ::kill(other, SIGCONT); }), kKilled);
    EXPECT_EQ(endOfLocked([&] { return ::ptrace(PTRACE_ATTACH, other, nullptr, nullptr); }), kKilled);
    EXPECT_EQ(endOfLocked([&] { return ::process_vm_readv(other, &local, 1, &remote, 1, 0); }), kKilled);
    EXPECT_EQ(endOfLocked([&] { return ::syscall(SYS_pidfd_open, other, 0); }), kKilled);
    EXPECT_EQ(endOfLocked([&] { return ::syscall(SYS_rt_tgsigqueueinfo, other, other, 0, nullptr); }), kKilled);
    EXPECT_EQ(endOfLocked([&] { return ::syscall(SYS_prlimit64, other, RLIMIT_DATA, &local, nullptr); }), kRefused);
  }
  ::kill(sibling, SIGKILL);
  ::waitpid(sibling, nullptr, 0);
}

TEST(Sandbox, OthersOfItsUserCannotTraceIt) {
  if (::geteuid() == 0 && !canBecome(65534)) GTEST_SKIP() << "root, who may trace all, is the only user of this container";
  const auto trace = [](bool isSandboxed) {
    return inChild([=] {
      if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return std::string("error");
      ::prctl(PR_SET_DUMPABLE, 1);  // sets the flag again, because changing the user has reset it
      Pipe ready;
      const pid_t child = ::fork();
      if (child == 0) {
        SandboxReport report;
        if (isSandboxed) beforeLibraries(report, {ready.write.get()});
        const bool isTold = ::write(ready.write.get(), "\n", 1) == 1;
        while (isTold) ::pause();
        ::_exit(1);
      }
      readLine(ready.read.get());
      const std::string folder = "/proc/" + std::to_string(child);
      const FileDescriptor memory(::open((folder + "/mem").c_str(), O_RDONLY));
      const long attached = ::ptrace(PTRACE_SEIZE, child, nullptr, nullptr);
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      return std::string(memory ? "reads, " : "does not read, ") + (attached == 0 ? "traces" : "does not trace");
    });
  };
  EXPECT_EQ(trace(true), "does not read, does not trace");
  EXPECT_EQ(trace(false), "reads, traces");
}

TEST(Sandbox, ClosesAllButTheDescriptorsThatAreGiven) {
  const Pipe pipe, other;
  const FileDescriptor high(::fcntl(2, F_DUPFD, 500));
  EXPECT_EQ(endOfChild([&] {
              SandboxReport report;
              beforeLibraries(report, {pipe.write.get(), pipe.write.get()});
              int count = 0;
              for (int number = 0; number < 1024; ++number) count += ::fcntl(number, F_GETFD) >= 0;
              return ::fcntl(pipe.write.get(), F_GETFD) >= 0 ? count : 100;
            }),
            status(4));
}

TEST(Sandbox, ThreadsMemoryLocksAndClocksWork) {
  SKIP_IF_SANITIZED();
  SKIP_WITHOUT_LANDLOCK();
  const FileDescriptor memory(static_cast<int>(::syscall(SYS_memfd_create, "memory", MFD_CLOEXEC | MFD_ALLOW_SEALING)));
  ASSERT_EQ(::ftruncate(memory.get(), 4096), 0);
  Pipe pipe;
  SpawnOptions options;
  options.program = WEBNN_ISOLATED_PROGRAM;
  options.arguments = {"work"};
  options.descriptors = {{pipe.write.get(), 3}, {memory.get(), 4}};
  const Spawned spawned = spawnIsolated(options);
  pipe.write.close();
  const Lines lines = linesOf(readAll(pipe.read.get()));
  EXPECT_EQ(only(lines, "computed"), "yes") << only(lines, "failed");
  EXPECT_EQ(only(lines, "isFull"), "yes") << only(lines, "missing");
  EXPECT_EQ(waitFor(spawned.pidfd.get()).text(), "exit status 0");
}

TEST(Sandbox, AnAbortIsAStatus) {
  SKIP_IF_SANITIZED();
  EXPECT_EQ(endOfLocked([]() -> long { std::abort(); }), status(kAbortStatus));
  EXPECT_EQ(endOfLocked([]() -> long {
              std::thread([] { std::terminate(); }).join();
              return 0;
            }),
            status(kAbortStatus));
}

TEST(Sandbox, IsFullOnlyIfNothingIsMissing) {
  EXPECT_FALSE(isFull({}));
  EXPECT_FALSE(isFull({{"a", "b", "c", "d"}, {"Landlock: Function not implemented"}}));
  EXPECT_TRUE(isFull({{"a", "b", "c", "d"}, {}}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
