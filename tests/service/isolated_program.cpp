// The program that tests start in isolation. Writes lines "name value" to descriptor 3.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "broker/broker.h"
#include "worker/sandbox.h"

extern char** environ;

namespace {

using webnn::service::SandboxReport;

void tell(const std::string& name, const std::string& value) {
  const std::string line = name + " " + value + "\n";
  if (::write(3, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(99);
}

void tellLink(const std::string& path) {
  std::array<char, 256> target{};
  tell(path, ::readlink(path.c_str(), target.data(), target.size() - 1) < 0 ? "?" : target.data());
}

std::string limit(int resource) {
  rlimit value{};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &value);
  return std::to_string(value.rlim_cur) + " " + std::to_string(value.rlim_max);
}

void describe(int argc, char** argv) {
  std::string descriptors;
  for (int number = 0; number < 1024; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) descriptors += std::to_string(number) + ",";
  }
  tell("descriptors", descriptors);
  for (int i = 2; i < argc; ++i) tell("argument", argv[i]);
  for (char** variable = environ; *variable; ++variable) tell("environment", *variable);
  tell("pid", std::to_string(::getpid()));
  tell("isSessionLeader", ::getsid(0) == ::getpid() ? "yes" : "no");
  tell("isLeaderOfGroup", ::getpgid(0) == ::getpid() ? "yes" : "no");
  tell("user", std::to_string(::getuid()));
  tell("groups", std::to_string(::getgroups(0, nullptr)));
  for (const char* name : {"user", "pid", "net", "ipc", "mnt", "uts", "cgroup"}) tellLink(std::string("/proc/self/ns/") + name);
  for (const char* name : {"0", "1", "2"}) tellLink(std::string("/proc/self/fd/") + name);
  tellLink("/proc/self/cwd");
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) tell("status", line);
  tell("core", limit(RLIMIT_CORE));
  tell("data", limit(RLIMIT_DATA));
  tell("nofile", limit(RLIMIT_NOFILE));
  tell("nproc", limit(RLIMIT_NPROC));
  tell("cpu", limit(RLIMIT_CPU));
  struct statvfs files {};
  tell("files", ::statvfs("/", &files) == 0 && (files.f_flag & ST_RDONLY) != 0 ? "readOnly" : "writable");
}

void tellError(const std::string& name, long result) { tell(name, std::generic_category().message(result == 0 ? 0 : errno)); }

// Tries to reach another process, a TCP port, a UDP port and an abstract socket.
void reach(int argc, char** argv) {
  const pid_t other = std::atoi(argv[2]);
  sockaddr_in internet{};
  internet.sin_family = AF_INET;
  internet.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[3])));
  internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (const auto& [name, type] : {std::pair{"tcp", SOCK_STREAM}, {"udp", SOCK_DGRAM}})
    tellError(name, ::connect(::socket(AF_INET, type, 0), reinterpret_cast<sockaddr*>(&internet), sizeof internet));
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  const std::size_t length = std::string_view(argv[4]).copy(local.sun_path + 1, sizeof local.sun_path - 1);
  tellError("abstract", ::connect(::socket(AF_UNIX, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&local),
                                  static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)));
  tellError("kill", ::kill(other, 0));
  if (argc > 5) return;
  tellError("killAll", ::kill(-1, SIGKILL));
  tellError("trace", ::ptrace(PTRACE_ATTACH, other, nullptr, nullptr));
  char byte = 0;
  const iovec memory{&byte, 1};
  tellError("readMemory", ::process_vm_readv(other, &memory, 1, &memory, 1, 0));
}

void check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

// Makes system calls that computing needs, after all other system calls have been forbidden: threads, memory, locks, clocks and
// exceptions use them.
void compute() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      std::vector<std::vector<char>> blocks;  // allocated in the arena of this thread
      for (std::size_t size = 16; size < (8 << 20); size *= 2) blocks.emplace_back(size, 'x');
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn == i; });
      ++turn;
      changed.notify_all();
    });
  }
  for (std::thread& thread : threads) thread.join();
  check(turn == 4, "threads");
  std::mutex idle;
  std::unique_lock lock(idle);
  check(std::condition_variable().wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout, "wait_for");
  bool isThrown = false;
  try {
    std::thread([] { std::this_thread::yield(); }).join();
    (void)std::vector<char>().at(1);
  } catch (const std::out_of_range&) {
    isThrown = true;
  }
  check(isThrown, "exceptions");
  std::vector<char> large(64 << 20, 'x');
  large.resize(96 << 20);
  large = {};
  check(std::chrono::steady_clock::now().time_since_epoch().count() > 0, "clock");
  check(std::thread::hardware_concurrency() > 0, "hardware_concurrency");
  check(::sysconf(_SC_NPROCESSORS_ONLN) > 0 && ::sysconf(_SC_PHYS_PAGES) > 0, "sysconf");
  const int memory = 4;
  check(webnn::service::fileSize(memory) == 4096, "fileSize");
  check(::fcntl(memory, F_GET_SEALS) >= 0, "seals");
  void* mapped = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  check(mapped != MAP_FAILED && ::munmap(mapped, 4096) == 0, "mmap");
  rlimit files{};
  check(::getrlimit(RLIMIT_NOFILE, &files) == 0, "getrlimit");
}

void work() {
  SandboxReport report;
  webnn::service::beforeLibraries(report, {3, 4});
  webnn::service::beforeThreads(report);
  std::mutex mutex;
  mutex.lock();
  // The lock of system calls must also apply to a thread that is waiting when they are locked.
  std::thread before([&] { mutex.lock(); });
  webnn::service::lockSystemCalls(report);
  for (const std::string& layer : report.layers) tell("layer", layer);
  for (const std::string& layer : report.missing) tell("missing", layer);
  tell("isFull", webnn::service::isFull(report) ? "yes" : "no");
  try {
    compute();
    mutex.unlock();
    before.join();
    tell("computed", "yes");
  } catch (const std::exception& error) {
    tell("failed", error.what());
    ::_exit(1);
  }
}

// Makes a forbidden system call on a thread that was started before the lock.
void dieOfOtherThread() {
  SandboxReport report;
  webnn::service::beforeLibraries(report, {3});
  webnn::service::beforeThreads(report);
  std::mutex mutex;
  mutex.lock();
  std::thread before([&] {
    mutex.lock();
    ::syscall(SYS_ptrace, 0, 0, 0, 0);
  });
  webnn::service::lockSystemCalls(report);
  mutex.unlock();
  before.join();
}

void serve(const char* config, const char* program) {
  try {
    webnn::service::runBroker(webnn::service::readConfig(config), program);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    ::_exit(2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  SandboxReport report;
  if (command == "reach") {
    reach(argc, argv);
  } else if (command == "describe") {
    describe(argc, argv);
  } else if (command == "linger" || command == "family") {
    if (command == "family" && ::fork() != 0) {
      for (;;) ::pause();
    }
    tell("ready", std::to_string(::getpid()));
    for (;;) ::pause();
  } else if (command == "exit") {
    ::_exit(3);
  } else if (command == "abort") {
    webnn::service::beforeLibraries(report, {});
    webnn::service::beforeThreads(report);
    webnn::service::lockSystemCalls(report);
    std::abort();
  } else if (command == "fault") {
    ::signal(SIGSEGV, SIG_DFL);
    *static_cast<volatile int*>(nullptr) = 1;
  } else if (command == "forbidden") {
    webnn::service::beforeLibraries(report, {});
    webnn::service::beforeThreads(report);
    webnn::service::lockSystemCalls(report);
    ::syscall(SYS_ptrace, 0, 0, 0, 0);
  } else if (command == "forbiddenThread") {
    dieOfOtherThread();
  } else if (command == "spin") {
    for (;;) std::this_thread::yield();
  } else if (command == "allocate") {
    tell("allocated", std::string(::malloc(std::size_t{1} << 30) ? "yes" : "no"));
  } else if (command == "threads") {
    std::size_t count = 1;  // this thread
    try {
      for (; count < 64; ++count)
        std::thread([] {
          for (;;) ::pause();
        }).detach();
    } catch (const std::system_error&) {
    }
    tell("threads", std::to_string(count));
  } else if (command == "work") {
    work();
  } else if (command == "serve") {  // arguments: CONFIGURATION PROGRAM
    serve(argv[2], argv[3]);
  }
  ::_exit(0);
}
