// Tests isolated processes, and programs whose exit no process waits for.
#include "broker/spawn.h"

#include <arpa/inet.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "service/processes.h"
#include "support/files.h"
#include "support/support.h"
#include "worker/sandbox.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace test;

const char* const kNames[] = {"user", "pid", "net", "ipc", "mnt", "uts", "cgroup"};

SpawnOptions optionsFor(const std::string& command, int report) {
  SpawnOptions options;
  options.program = WEBNN_ISOLATED_PROGRAM;
  options.arguments = {command};
  options.descriptors = {{report, 3}};
  return options;
}

struct Outcome {
  std::string end;
  Lines lines;
  std::vector<std::string> missing;
};

Outcome outcomeOf(SpawnOptions options) {
  Pipe pipe;
  options.descriptors.emplace_back(pipe.write.get(), 3);
  const Spawned spawned = spawnIsolated(options);
  pipe.write.close();
  const std::string text = readAll(pipe.read.get());
  return {waitFor(spawned.pidfd.get()).text(), linesOf(text), spawned.missing};
}

Outcome outcomeOf(const std::string& command) {
  SpawnOptions options = optionsFor(command, -1);
  options.descriptors.clear();
  return outcomeOf(options);
}

// Returns why this machine cannot provide full isolation, or an empty string.
std::string missingHere() {
  static const std::string missing = joined(outcomeOf("exit").missing);
  return missing;
}
#define SKIP_UNLESS_FULL() \
  if (!missingHere().empty()) GTEST_SKIP() << "this system refuses: " << missingHere()

std::string statusOf(const Lines& lines, const std::string& name) {
  const auto found = lines.find("status");
  if (found == lines.end()) return "(none)";
  for (const std::string& line : found->second) {
    if (line.rfind(name + ":", 0) == 0) return line.substr(line.find_first_not_of(": \t", name.size()));
  }
  return "(none)";
}

std::string linkOf(const std::string& path) { return std::filesystem::read_symlink(path).string(); }

std::size_t openDescriptors() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST(Spawn, IsProcessOneOfNamespacesOfItsOwn) {
  SKIP_UNLESS_FULL();
  const Outcome outcome = outcomeOf("describe");
  EXPECT_EQ(outcome.end, "exit status 0");
  EXPECT_EQ(only(outcome.lines, "pid"), "1");
  EXPECT_EQ(only(outcome.lines, "isSessionLeader"), "yes");
  for (const char* name : kNames) {
    const std::string path = std::string("/proc/self/ns/") + name;
    EXPECT_EQ(only(outcome.lines, path).rfind(std::string(name) + ":", 0), 0) << only(outcome.lines, path);
    EXPECT_NE(only(outcome.lines, path), linkOf(path));
  }
  EXPECT_EQ(only(outcome.lines, "files"), "readOnly");
  EXPECT_EQ(only(outcome.lines, "/proc/self/cwd"), "/");
  EXPECT_EQ(only(outcome.lines, "user"), "1000");
}

TEST(Spawn, HasNoPrivilegesAndDefaultSignals) {
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR1, &ignored, &before);
  sigset_t blocked, mask;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::sigprocmask(SIG_BLOCK, &blocked, &mask);
  const Outcome outcome = outcomeOf("describe");
  sigset_t after;
  ::sigprocmask(SIG_SETMASK, &mask, &after);
  EXPECT_TRUE(sigismember(&after, SIGUSR2));
  ::sigaction(SIGUSR1, &before, nullptr);
  for (const char* name : {"CapPrm", "CapEff", "CapInh", "CapAmb", "SigBlk"})
    EXPECT_EQ(statusOf(outcome.lines, name), "0000000000000000") << name;
  EXPECT_EQ(statusOf(outcome.lines, "SigIgn"), "0000000000000000");
  EXPECT_EQ(statusOf(outcome.lines, "NoNewPrivs"), "1");
}

TEST(Spawn, GetsTheDescriptorsArgumentsAndEnvironmentThatAreGivenAndNoOthers) {
  ::setenv("WEBNN_TEST_SECRET", "x", 1);
  const Pipe a;
  const FileDescriptor leak(::open("/etc/passwd", O_RDONLY));  // O_CLOEXEC is not set
  SpawnOptions options = optionsFor("describe", -1);
  options.arguments = {"describe", "one", "", "three words here"};
  options.environment = {"A=1", "B=two words"};
  // In this process, other descriptors use the target numbers.
  const FileDescriptor first(::fcntl(a.read.get(), F_DUPFD_CLOEXEC, 40)), second(::fcntl(a.read.get(), F_DUPFD_CLOEXEC, 41));
  options.descriptors = {{40, 41}, {41, 40}, {a.write.get(), 7}, {40, 9}};
  const Outcome outcome = outcomeOf(options);
  EXPECT_EQ(only(outcome.lines, "descriptors"), "0,1,2,3,7,9,40,41,");
  EXPECT_EQ(outcome.lines.at("argument"), (std::vector<std::string>{"one", "", "three words here"}));
  EXPECT_EQ(outcome.lines.at("environment"), (std::vector<std::string>{"A=1", "B=two words"}));
  // In a chroot, a process in another mount namespace sees the whole path.
  EXPECT_TRUE(only(outcome.lines, "/proc/self/fd/0").ends_with("/dev/null"));
  EXPECT_TRUE(only(outcome.lines, "/proc/self/fd/1").ends_with("/dev/null"));
  EXPECT_EQ(only(outcome.lines, "/proc/self/fd/2"), linkOf("/proc/self/fd/2"));
  ::unsetenv("WEBNN_TEST_SECRET");
}

// A listening socket, and its port or name.
struct Listener {
  explicit Listener(int domain) : socket(::socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in internet{};
    internet.sin_family = AF_INET;
    internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    socklen_t size = domain == AF_INET ? sizeof internet : sizeof(sa_family_t);  // the system chooses the port or the name
    const auto address = domain == AF_INET ? reinterpret_cast<sockaddr*>(&internet) : reinterpret_cast<sockaddr*>(&local);
    if (::bind(socket.get(), address, size) != 0 || ::listen(socket.get(), 5) != 0) throw std::runtime_error("no listener");
    size = domain == AF_INET ? sizeof internet : sizeof local;
    ::getsockname(socket.get(), address, &size);
    name = domain == AF_INET ? std::to_string(ntohs(internet.sin_port)) : std::string(local.sun_path + 1);
  }
  FileDescriptor socket;
  std::string name;
};

TEST(Spawn, NamespacesAloneHideTheNetworkAndOtherProcesses) {
  SKIP_UNLESS_FULL();
  const Listener internet(AF_INET), abstract(AF_UNIX);
  const ProgramOptions open{WEBNN_ISOLATED_PROGRAM, {"reach", std::to_string(::getpid()), internet.name, abstract.name}, {}, {}};
  SpawnOptions options = optionsFor("reach", -1);
  options.arguments = open.arguments;
  options.descriptors.clear();
  const Lines lines = outcomeOf(options).lines;
  EXPECT_EQ(only(lines, "tcp"), "Network is unreachable");
  EXPECT_EQ(only(lines, "udp"), "Network is unreachable");
  EXPECT_EQ(only(lines, "abstract"), "Connection refused");
  EXPECT_EQ(only(lines, "kill"), "No such process");
  EXPECT_EQ(only(lines, "killAll"), "No such process");
  EXPECT_EQ(only(lines, "trace"), "No such process");
  EXPECT_EQ(only(lines, "readMemory"), "No such process");
  // A process without isolation can reach the listeners, which shows that they exist.
  Pipe pipe;
  ProgramOptions control = open;
  control.descriptors = {{pipe.write.get(), 3}};
  control.arguments.push_back("withoutKillAll");
  const Spawned spawned = spawnProgram(control);
  pipe.write.close();
  const Lines reached = linesOf(readAll(pipe.read.get()));
  for (const char* name : {"tcp", "udp", "abstract", "kill"}) EXPECT_EQ(only(reached, name), "Success") << name;
}

TEST(Spawn, LimitsResources) {
  SpawnOptions options = optionsFor("describe", -1);
  options.descriptors.clear();
  options.limits = {std::uint64_t{1} << 50, 33, 17, 1000};
  const Outcome outcome = outcomeOf(options);
  EXPECT_EQ(only(outcome.lines, "core"), "0 0");
  EXPECT_EQ(only(outcome.lines, "data"), "1125899906842624 1125899906842624");
  EXPECT_EQ(only(outcome.lines, "nofile"), "33 33");
  EXPECT_EQ(only(outcome.lines, "cpu"), "1000 1000");
  if (missingHere().empty()) {
    EXPECT_EQ(only(outcome.lines, "nproc"), "17 17");
  }
}

TEST(Spawn, EnforcesTheLimitOfMemory) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers need memory of their own";
#endif
  SpawnOptions options = optionsFor("allocate", -1);
  options.descriptors.clear();
  EXPECT_EQ(only(outcomeOf(options).lines, "allocated"), "yes");
  options.limits.data = 256 << 20;
  EXPECT_EQ(only(outcomeOf(options).lines, "allocated"), "no");
}

TEST(Spawn, EnforcesTheLimitOfProcesses) {
  SKIP_UNLESS_FULL();
  if (::geteuid() == 0) GTEST_SKIP() << "the system exempts root";
  SpawnOptions options = optionsFor("threads", -1);
  options.descriptors.clear();
  options.limits.processes = 9;
  EXPECT_EQ(only(outcomeOf(options).lines, "threads"), "9");
}

TEST(Spawn, EnforcesTheLimitOfProcessorTime) {
  SpawnOptions options = optionsFor("spin", -1);
  options.descriptors.clear();
  options.limits.cpuSeconds = 1;
  EXPECT_EQ(outcomeOf(options).end, "signal 9 (SIGKILL)");
}

TEST(Spawn, SaysHowAProcessEnded) {
  EXPECT_EQ(outcomeOf("exit").end, "exit status 3");
#ifndef WEBNN_SANITIZED
  EXPECT_EQ(outcomeOf("fault").end, "signal 11 (SIGSEGV)");
  EXPECT_EQ(outcomeOf("forbidden").end, "signal 31 (SIGSYS)");
  EXPECT_EQ(outcomeOf("forbiddenThread").end, "signal 31 (SIGSYS)");
  // The system ignores SIGABRT for process 1; the handler of beforeLibraries() therefore exits with kAbortStatus.
  EXPECT_EQ(outcomeOf("abort").end, "exit status 134");
#endif
}

TEST(Spawn, AnEndIsToldOnceAndNotBeforeItComes) {
  Pipe pipe;
  const Spawned spawned = spawnIsolated(optionsFor("linger", pipe.write.get()));
  readLine(pipe.read.get());
  EXPECT_FALSE(endOf(spawned.pidfd.get()));
  ::kill(spawned.pid, SIGKILL);
  EXPECT_EQ(waitFor(spawned.pidfd.get()).text(), "signal 9 (SIGKILL)");
  EXPECT_EQ(waitFor(spawned.pidfd.get()).text(), "ended, as only its parent knows");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);  // there is no zombie
}

TEST(Spawn, SaysWhyAProgramDoesNotStart) {
  const TemporaryFolder folder;
  const auto start = [&](const std::string& path) {
    SpawnOptions options = optionsFor("exit", 2);
    options.program = path;
    spawnIsolated(options);
  };
  writeText(folder / "text", "text");
  writeText(folder / "empty", std::string(100, '\0'));
  ::chmod((folder / "empty").c_str(), 0755);
  const std::size_t before = openDescriptors();
  expectError(ErrorKind::notFoundError, {"absent\" does not start (No such file or directory)"},
              [&] { start(folder / "absent"); });
  expectError(ErrorKind::operationError, {"text\" does not start (Permission denied)"}, [&] { start(folder / "text"); });
  expectError(ErrorKind::operationError, {"empty\" does not start (Exec format error)"}, [&] { start(folder / "empty"); });
  expectError(ErrorKind::typeError, {"\"sh\" is not absolute"}, [&] { start("sh"); });
  expectError(ErrorKind::operationError, {"its descriptors: Bad file descriptor"},
              [&] { spawnIsolated(optionsFor("exit", 999)); });
  SpawnOptions twice = optionsFor("exit", 2);
  twice.descriptors.emplace_back(1, 3);
  expectError(ErrorKind::typeError, {"3 cannot be the number of a descriptor"}, [&] { spawnIsolated(twice); });
  EXPECT_EQ(openDescriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);
}

TEST(Spawn, DiesWithItsParent) {
  for (const char* command : {"linger", "family"}) {
    SKIP_UNLESS_FULL();  // without a pid namespace, children of the process would not end with it
    Pipe pipe;
    const pid_t parent = ::fork();
    if (parent == 0) {
      const Spawned spawned = spawnIsolated(optionsFor(command, pipe.write.get()));
      for (;;) ::pause();
    }
    pipe.write.close();
    EXPECT_EQ(readLine(pipe.read.get()).rfind("ready", 0), 0);
    EXPECT_FALSE(isReadable(pipe.read.get(), 0));
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    EXPECT_EQ(readAll(pipe.read.get()), "");  // the pipe closes when all processes that had it have ended
  }
}

TEST(Spawn, DiesWithAParentThatDiesAtAnyMoment) {
  for (int round = 0; round < 60; ++round) {
    Pipe pipe;
    const pid_t parent = ::fork();
    if (parent == 0) {
      const Spawned spawned = spawnIsolated(optionsFor("linger", pipe.write.get()));
      for (;;) ::pause();
    }
    pipe.write.close();
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100 * round);
    while (std::chrono::steady_clock::now() < until) {
    }
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    ASSERT_NO_THROW(readAll(pipe.read.get())) << round;
  }
}

TEST(Spawn, TakesAllThatItHasStartedWithIt) {
  SKIP_UNLESS_FULL();
  Pipe pipe;
  const Spawned spawned = spawnIsolated(optionsFor("family", pipe.write.get()));
  pipe.write.close();
  EXPECT_EQ(readLine(pipe.read.get()), "ready 2");
  ::kill(spawned.pid, SIGKILL);
  waitFor(spawned.pidfd.get());
  EXPECT_EQ(readAll(pipe.read.get()), "");
}

TEST(Spawn, LeavesNothingBehind) {
  outcomeOf("exit");
  const std::size_t before = openDescriptors();
  for (int i = 0; i < 20; ++i) outcomeOf("exit");
  EXPECT_EQ(openDescriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Spawn, WorksWithoutStandardDescriptorsAndWithFew) {
  const std::string text = inChild([] {
    FileDescriptor high(::fcntl(0, F_DUPFD_CLOEXEC, 3));
    for (int number = 0; number < 3; ++number) ::close(number);
    const Outcome outcome = outcomeOf("describe");
    return only(outcome.lines, "descriptors") + " " + only(outcome.lines, "/proc/self/fd/2");
  });
  EXPECT_TRUE(text.starts_with("0,1,2,3, /") && text.ends_with("/dev/null")) << text;
  EXPECT_EQ(inChild([] {
              const rlimit few{24, 24};
              ::setrlimit(RLIMIT_NOFILE, &few);
              return only(outcomeOf("describe").lines, "descriptors");
            }),
            "0,1,2,3,");
#ifndef WEBNN_SANITIZED  // sanitizers need descriptors to examine exceptions
  EXPECT_NE(inChild([] {
              const rlimit few{3, 3};
              ::setrlimit(RLIMIT_NOFILE, &few);
              spawnIsolated(optionsFor("exit", 2));
              return std::string("started");
            }).find("Too many open files"),
            std::string::npos);
#endif
}

TEST(Spawn, BecomesAnotherUser) {
  if (!canBecome(65534)) GTEST_SKIP() << "needs root, to become another user";
  SKIP_UNLESS_FULL();
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0711);
  std::filesystem::copy_file(WEBNN_ISOLATED_PROGRAM, folder / "program");
  ::chmod((folder / "program").c_str(), 0755);
  Pipe pipe;
  SpawnOptions options = optionsFor("linger", pipe.write.get());
  options.program = folder / "program";
  options.user = UserIds{54321, 54322};
  const gid_t extra = 54323;
  ASSERT_EQ(::setgroups(1, &extra), 0);
  const Spawned spawned = spawnIsolated(options);
  ::setgroups(0, nullptr);
  readLine(pipe.read.get());
  struct stat process {};
  ::stat(("/proc/" + std::to_string(spawned.pid)).c_str(), &process);
  EXPECT_EQ(process.st_uid, 54321u);
  EXPECT_EQ(process.st_gid, 54322u);
  std::ifstream status("/proc/" + std::to_string(spawned.pid) + "/status");
  std::string groups;
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("Groups:", 0) == 0) groups = line;
  }
  EXPECT_EQ(groups.find_first_of("0123456789"), std::string::npos) << groups;
  ::kill(spawned.pid, SIGKILL);
  waitFor(spawned.pidfd.get());
}

// ---- Programs started by the library ----

TEST(SpawnProgram, IsUnknownToAnApplicationThatWaitsForChildren) {
  static std::atomic<int> signals{0};
  struct sigaction count {
  }, before{}, pipeBefore{}, pipeAfter{};
  count.sa_handler = [](int) { ++signals; };
  ::sigaction(SIGCHLD, &count, &before);
  ::sigaction(SIGPIPE, nullptr, &pipeBefore);
  Pipe pipe;
  const Spawned spawned = spawnProgram({WEBNN_ISOLATED_PROGRAM, {"describe", "x"}, {{pipe.write.get(), 3}}, {"A=1"}});
  pipe.write.close();
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  const Lines lines = linesOf(readAll(pipe.read.get()));
  waitFor(spawned.pidfd.get());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);
  EXPECT_EQ(signals, 0);
  ::sigaction(SIGPIPE, nullptr, &pipeAfter);
  EXPECT_EQ(pipeBefore.sa_handler, pipeAfter.sa_handler);
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(only(lines, "descriptors"), "0,1,2,3,");
  EXPECT_EQ(only(lines, "isSessionLeader") + only(lines, "isLeaderOfGroup"), "yesyes");
  EXPECT_EQ(only(lines, "environment"), "A=1");
  EXPECT_EQ(only(lines, "argument"), "x");
#ifndef WEBNN_SANITIZED
  EXPECT_EQ(statusOf(lines, "SigCgt"), "0000000000000000");
#endif
  EXPECT_EQ(statusOf(lines, "SigBlk"), "0000000000000000");
  EXPECT_EQ(only(lines, "pid"), std::to_string(spawned.pid));
}

TEST(SpawnProgram, SaysWhyAProgramDoesNotStart) {
  const std::size_t before = openDescriptors();
  expectError(ErrorKind::notFoundError, {"\"/absent\" does not start (No such file or directory)"}, [] {
    spawnProgram({"/absent", {}, {}, {}});
  });
  expectError(ErrorKind::operationError, {"\"/etc\" does not start (Permission denied)"}, [] {
    spawnProgram({"/etc", {}, {}, {}});
  });
  expectError(ErrorKind::operationError, {"its descriptors: Bad file descriptor"}, [] {
    spawnProgram({"/bin/true", {}, {{999, 3}}, {}});
  });
  expectError(ErrorKind::typeError, {"\"true\" is not absolute"}, [] { spawnProgram({"true", {}, {}, {}}); });
  EXPECT_EQ(openDescriptors(), before);
}

TEST(SpawnProgram, WorksBesideThreadsThatAllocateAndWaitForChildren) {
  std::atomic<bool> isOver{false};
  std::atomic<int> stolen{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!isOver) {
        std::vector<std::string> texts(100, std::string(100, 'x'));
        if (::waitpid(-1, nullptr, WNOHANG) > 0) ++stolen;
      }
    });
  }
  for (int i = 0; i < 40; ++i) {
    Pipe pipe;
    const Spawned spawned = spawnProgram({WEBNN_ISOLATED_PROGRAM, {"linger"}, {{pipe.write.get(), 3}}, {}});
    EXPECT_EQ(readLine(pipe.read.get()), "ready " + std::to_string(spawned.pid));
    ::syscall(SYS_pidfd_send_signal, spawned.pidfd.get(), SIGKILL, nullptr, 0);
    waitFor(spawned.pidfd.get());
  }
  isOver = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stolen, 0);
}

TEST(SpawnProgram, OutlivesTheThreadThatStartsIt) {
  Pipe pipe;
  Spawned spawned;
  std::thread([&] { spawned = spawnProgram({WEBNN_ISOLATED_PROGRAM, {"linger"}, {{pipe.write.get(), 3}}, {}}); }).join();
  EXPECT_EQ(readLine(pipe.read.get()).rfind("ready", 0), 0);
  EXPECT_FALSE(isReadable(spawned.pidfd.get(), 0));
  ::syscall(SYS_pidfd_send_signal, spawned.pidfd.get(), SIGKILL, nullptr, 0);
  waitFor(spawned.pidfd.get());
}

TEST(SpawnProgram, WorksWithoutStandardDescriptorsAndWithSigchldIgnored) {
  EXPECT_EQ(inChild([] {
              ::signal(SIGCHLD, SIG_IGN);
              FileDescriptor high(::fcntl(0, F_DUPFD_CLOEXEC, 3));
              for (int number = 0; number < 3; ++number) ::close(number);
              Pipe pipe;
              const Spawned spawned = spawnProgram({WEBNN_ISOLATED_PROGRAM, {"describe"}, {{pipe.write.get(), 3}}, {}});
              pipe.write.close();
              const Lines lines = linesOf(readAll(pipe.read.get()));
              return only(lines, "descriptors") + (spawned.pidfd.get() > 2 ? " above" : " below");
            }),
            "0,1,2,3, above");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
