// A service whose workers stop at chosen stop points, so that a test can kill them there.
//
//   PROGRAM serve CONFIG     the broker; it starts the workers
//   PROGRAM worker SETTING...  a worker. If a file PROGRAM.stop has the text "sendmsg before 3", it writes "stopped" to
//                            descriptor 2 and stops before the third call of sendmsg.
//
// The program equals webnn-service, except that it replaces the functions of the C library below.
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "broker/broker.h"

namespace {

struct Stop {
  std::string function, when;
  int count = 0;
};
Stop stop;  // set before threads are started
std::atomic<int> reached{0};

void reach(std::string_view function, std::string_view when) {
  if (stop.count == 0 || function != stop.function || when != stop.when || ++reached != stop.count) return;
  static_cast<void>(!::write(2, "stopped\n", 8));
  for (;;) {
    const timespec hour{3600, 0};
    ::nanosleep(&hour, nullptr);
  }
}

template <typename Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static const auto function = real(&::recvmsg, "recvmsg");
  reach("recvmsg", "before");
  const ssize_t size = function(socket, message, flags);
  reach(size == 0 ? "close" : "recvmsg", "after");
  return size;
}

ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  static const auto function = real(&::sendmsg, "sendmsg");
  reach("sendmsg", "before");
  const ssize_t size = function(socket, message, flags);
  reach("sendmsg", "after");
  return size;
}

void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  static const auto function = real(&::mmap, "mmap");
  reach("mmap", "before");
  void* const result = function(address, size, protection, flags, descriptor, offset);
  reach("mmap", "after");
  return result;
}

int munmap(void* address, std::size_t size) noexcept {
  static const auto function = real(&::munmap, "munmap");
  reach("munmap", "before");
  const int result = function(address, size);
  reach("munmap", "after");
  return result;
}

int prctl(int option, ...) noexcept {
  static const auto function = real(&::prctl, "prctl");
  unsigned long arguments[4];
  std::va_list list;
  va_start(list, option);
  for (unsigned long& argument : arguments) argument = va_arg(list, unsigned long);
  va_end(list);
  reach("prctl", "before");
  return function(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}

// Replaces the C library's syscall(). The mailbox uses it for futexes: FUTEX_WAIT and FUTEX_WAKE are the stop points "wait" and
// "wake".
long syscall(long number, ...) noexcept {
  static const auto function = real(&::syscall, "syscall");
  long arguments[6];
  std::va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const char* const name = number != SYS_futex          ? nullptr
                           : arguments[1] == FUTEX_WAIT ? "wait"
                           : arguments[1] == FUTEX_WAKE ? "wake"
                                                        : nullptr;
  if (name) reach(name, "before");
  const long result = function(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (name) reach(name, "after");
  return result;
}

// Replaces the C library's sin(). The reference backend calls it once per element, so that a test can stop a run.
double sin(double x) noexcept {
  static const auto function = real(static_cast<double (*)(double)>(&::sin), "sin");
  reach("sin", "before");
  return function(x);
}
}

int main(int argc, char** argv) {
  using namespace webnn::service;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.at(0) == "serve") {
      std::ifstream file(arguments.at(1));
      runBroker(readConfig(std::string(std::istreambuf_iterator<char>(file), {})), argv[0]);
      return 0;
    }
    std::ifstream(std::string(argv[0]) + ".stop") >> stop.function >> stop.when >> stop.count;
    reach("main", "before");
    return runWorker(workerSettingsOf({arguments.begin() + 1, arguments.end()}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "service_program: %s\n", error.what());
    return 1;
  }
}
