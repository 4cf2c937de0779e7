// What a new process does between clone(2) and execve(2).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// Everything is allocated before the process is made. Functions marked "in the child" make plain system calls only: other
// threads of the parent may have held any lock when it was copied, or share its memory and go on.
class ExecPlan {
 public:
  ExecPlan(const std::filesystem::path& program, const std::vector<std::string>& arguments,
           const std::vector<std::string>& environment, const std::vector<std::pair<int, int>>& descriptors);

  // In the child: gives the descriptors their numbers and closes all others but `kept`, which changes its number and is closed
  // by exec; -1 for none. Returns 0 or an error number.
  int arrangeDescriptors(int& kept) noexcept;
  // In the child: default signals, none blocked, and the program. Returns the error number if it does not start.
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
  int end_ = 3;  // above the numbers of all targets
};

// Blocks all signals of this thread, those of the C library too, so that no handler runs in a child before it has its own.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept;
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  unsigned long before_ = 0;
};

// The descriptor, or a copy that is none of the standard ones: whoever has closed those may open them again.
FileDescriptor aboveStandard(FileDescriptor descriptor);

// Error that says why a program does not start: `step`, unless it is empty, and the error number.
[[noreturn]] void failToStart(const std::filesystem::path& program, std::string_view step, int error);

}  // namespace webnn::service
