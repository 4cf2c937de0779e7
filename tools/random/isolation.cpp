#include "random/isolation.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/text.h"

namespace webnn::random {

namespace {

void writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(3);  // the parent has closed its end
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void runChild(const std::function<void(const std::function<void(std::string_view)>&)>& work, int file) {
  try {
    work([&](std::string_view text) { writeAll(file, text); });
  } catch (...) {
    _exit(2);
  }
  close(file);
  _exit(0);
}

}  // namespace

std::string isolated(const std::function<void(const std::function<void(std::string_view)>& tell)>& work,
                     const std::function<void(std::string_view)>& hear) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    close(ends[0]);
    runChild(work, ends[1]);
  }
  close(ends[1]);
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    hear({buffer.data(), static_cast<std::size_t>(count)});
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return signal == SIGALRM ? "took too long" : formatText("died of signal {} ({})", signal, strsignal(signal));
  }
  return WEXITSTATUS(status) == 0 ? "" : formatText("ended with status {}", WEXITSTATUS(status));
}

SharedNumber::SharedNumber()
    : memory_(mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) fail(ErrorKind::operationError, "there is no memory to share.");
}

SharedNumber::~SharedNumber() { munmap(memory_, sizeof(std::uint64_t)); }

void setDeadline(unsigned seconds) { alarm(seconds); }

}  // namespace webnn::random
