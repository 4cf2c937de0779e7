#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "base/windows/system.h"

namespace webnn {

// Returns the errno that the C library would set for a Windows error.
inline int errnoOf(DWORD error) {
  const std::error_condition condition =
      std::error_code(static_cast<int>(error), std::system_category()).default_error_condition();
  return condition.category() == std::generic_category() ? condition.value() : EIO;
}

// A Windows handle that the destructor closes.
class Handle {
 public:
  explicit Handle(HANDLE value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, INVALID_HANDLE_VALUE)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Handle() {
    if (*this) ::CloseHandle(value_);
  }
  HANDLE get() const { return value_; }
  HANDLE release() { return std::exchange(value_, INVALID_HANDLE_VALUE); }
  explicit operator bool() const { return value_ != INVALID_HANDLE_VALUE && value_ != nullptr; }

 private:
  HANDLE value_;
};

// Opens an existing file or directory; with FILE_FLAG_OPEN_REPARSE_POINT, a link itself. While it is open, nobody can remove or
// rename it.
inline Handle openExisting(const std::filesystem::path& path, DWORD flags) {
  return Handle(::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
}

// Returns the file's attributes; 0 if they cannot be read.
inline DWORD attributesOf(const Handle& file) {
  BY_HANDLE_FILE_INFORMATION information{};
  return ::GetFileInformationByHandle(file.get(), &information) ? information.dwFileAttributes : 0;
}

}  // namespace webnn
