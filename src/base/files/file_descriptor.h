// An owning file descriptor, and errors of file functions.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace webnn {

// A file descriptor that the destructor closes.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }
  // Closes the descriptor; returns the error of close(2), or 0.
  int close() { return ::close(std::exchange(value_, -1)) == 0 ? 0 : errno; }

 private:
  int value_;
};

inline bool isAbsent(int error) { return error == ENOENT || error == ENOTDIR; }

// Throws an error such as `the file "a" cannot be opened (Permission denied).` `what` is the action ("opened"). Throws
// NotFoundError if `what` is "opened" and the file does not exist, otherwise OperationError.
[[noreturn]] inline void failWithErrno(const std::filesystem::path& path, std::string_view what, int error) {
  fail(isAbsent(error) && what == "opened" ? ErrorKind::notFoundError : ErrorKind::operationError,
       "the file {} cannot be {} ({}).", webnn::quoted(path.string()), what, std::generic_category().message(error));
}

}  // namespace webnn
