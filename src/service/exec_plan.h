// The work of a new process between clone(2) and execve(2).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// Allocates everything before the process is created. Functions marked "in the child" only make plain system calls: other threads
// of the parent may have held any lock when it was copied, or share its memory.
class ExecPlan {
 public:
  ExecPlan(const std::filesystem::path& program, const std::vector<std::string>& arguments,
           const std::vector<std::string>& environment, const std::vector<std::pair<int, int>>& descriptors);

  // In the child: gives the descriptors their numbers and closes all others except `kept`, which changes its number and is closed
  // by exec; -1 for none. Returns 0 or an error number.
  int arrangeDescriptors(int& kept) noexcept;
  // In the child: resets signals and executes the program. Returns the error number if it does not start.
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
  int end_ = 3;  // above all target numbers
};

// Blocks all signals of this thread, including the C library's, so that no handler runs in a child.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept;
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  unsigned long before_ = 0;
};

// Returns the descriptor, or a copy above the standard ones, which a program that closed them may reopen.
FileDescriptor aboveStandard(FileDescriptor descriptor);

// Throws an Error why a program does not start: `step`, unless empty, and the error number.
[[noreturn]] void failToStart(const std::filesystem::path& program, std::string_view step, int error);

}  // namespace webnn::service
