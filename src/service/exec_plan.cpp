#include "service/exec_plan.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/text.h"

namespace webnn::service {

namespace {

constexpr int kMaxNumber = 255;
constexpr std::size_t kSignalSetBytes = 8;  // the size of a signal set in system calls

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ExecPlan::ExecPlan(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& environment, const std::vector<std::pair<int, int>>& descriptors)
    : program_(program.string()), arguments_{program_}, environment_(environment) {
  if (!program.is_absolute()) fail(ErrorKind::typeError, "the path of the program {} is not absolute.", webnn::quoted(program_));
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  argv_ = pointersTo(arguments_);
  envp_ = pointersTo(environment_);
  const bool hasErrorOutput = ::fcntl(2, F_GETFD) >= 0;  // checked here, before a new descriptor may get the number 2
  null_ = FileDescriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null_) failWithErrno("/dev/null", "opened", errno);
  for (const auto& [source, target] : descriptors) {
    if (target < 0 || target > kMaxNumber || isTarget(target))
      fail(ErrorKind::typeError, "{} cannot be the number of a descriptor of the program {}.", target, webnn::quoted(program_));
    moves_.push_back({source, target, -1});
    end_ = std::max(end_, target + 1);
  }
  for (int standard = 0; standard < 3; ++standard) {
    if (!isTarget(standard)) moves_.push_back({standard == 2 && hasErrorOutput ? 2 : null_.get(), standard, -1});
  }
}

bool ExecPlan::isTarget(int number) const noexcept {
  for (const Move& move : moves_) {
    if (move.target == number) return true;
  }
  return false;
}

int ExecPlan::arrangeDescriptors(int& kept) noexcept {
  // First copies all descriptors to numbers above the target numbers, because a target number may be in use.
  const int free = end_ + 1;
  for (Move& move : moves_) {
    move.copy = static_cast<int>(::syscall(SYS_fcntl, move.source, F_DUPFD, free));
    if (move.copy < 0) return errno;
  }
  if (kept >= 0) {
    const int copy = static_cast<int>(::syscall(SYS_fcntl, kept, F_DUPFD_CLOEXEC, free));
    if (copy < 0) return errno;
    if (::syscall(SYS_dup3, copy, end_, O_CLOEXEC) < 0) return errno;
    kept = end_;
  }
  for (const Move& move : moves_) {
    if (::syscall(SYS_dup3, move.copy, move.target, 0) < 0) return errno;
  }
  for (int number = 0; number < end_; ++number) {
    if (!isTarget(number)) ::syscall(SYS_close, number);
  }
  return ::syscall(SYS_close_range, kept >= 0 ? free : end_, ~0U, 0) == 0 ? 0 : errno;
}

int ExecPlan::exec() noexcept {
  // Does not use sigaction(3): it may take a lock, and sanitizers would record the change for the parent, whose memory is shared.
  const unsigned long defaults[8] = {};
  for (int signal = 1; signal <= 64; ++signal) ::syscall(SYS_rt_sigaction, signal, defaults, nullptr, kSignalSetBytes);
  const unsigned long none = 0;
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, kSignalSetBytes);
  ::syscall(SYS_execve, program_.c_str(), argv_.data(), envp_.data());
  return errno;
}

SignalsBlocked::SignalsBlocked() noexcept {
  const unsigned long all = ~0UL;
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, kSignalSetBytes);
}

SignalsBlocked::~SignalsBlocked() { ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, kSignalSetBytes); }

FileDescriptor aboveStandard(FileDescriptor descriptor) {
  if (descriptor.get() < 0 || descriptor.get() > 2) return descriptor;
  FileDescriptor copy(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
  return copy ? std::move(copy) : std::move(descriptor);
}

void failToStart(const std::filesystem::path& program, std::string_view step, int error) {
  fail(isAbsent(error) && step.empty() ? ErrorKind::notFoundError : ErrorKind::operationError,
       "the program {} does not start ({}{}{}).", webnn::quoted(program.string()), step, step.empty() ? "" : ": ",
       std::generic_category().message(error));
}

}  // namespace webnn::service
