// The work of a new process between clone(2) and execve(2).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// Starts a program in a child process. The constructor allocates everything that the child needs. Functions marked "in the
// child" only make plain system calls, because the child shares the parent's memory or has a copy of it, in which other threads
// may hold any lock.
class ExecPlan {
 public:
  ExecPlan(const std::filesystem::path& program, const std::vector<std::string>& arguments,
           const std::vector<std::string>& environment, const std::vector<std::pair<int, int>>& descriptors);

  // In the child: moves the descriptors to their target numbers and closes all others except `kept` (-1: none). `kept` gets a new
  // number and is closed by exec. Returns 0 or an error number.
  int arrangeDescriptors(int& kept) noexcept;
  // In the child: resets signals and executes the program. Only returns, with the error number, if the program does not start.
  int exec() noexcept;

 private:
  struct Move {
    int source, target, copy;
  };
  bool isTarget(int number) const noexcept;

  std::string program_;
  std::vector<std::string> arguments_, environment_;
  std::vector<char*> argv_, envp_;
  FileDescriptor null_{-1};
  std::vector<Move> moves_;
  int end_ = 3;  // greater than all target numbers
};

// Blocks all signals of this thread, including those that the C library uses, so that no signal handler runs in the child.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept;
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  unsigned long before_ = 0;
};

// Returns the descriptor, or a copy with a number above 2 if its number is 0 to 2: an application that has closed its standard
// files may reopen them later, which would replace the descriptor.
FileDescriptor aboveStandard(FileDescriptor descriptor);

// Throws an Error that says why a program does not start: `step`, unless it is empty, and the error number.
[[noreturn]] void failToStart(const std::filesystem::path& program, std::string_view step, int error);

}  // namespace webnn::service
