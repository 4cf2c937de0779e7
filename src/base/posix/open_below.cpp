#include "base/files/open_below.h"

#include <fcntl.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <cstdint>

namespace webnn {

namespace {

// O_NONBLOCK: opening a pipe must not wait for a writer.
constexpr int kRead = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

FileDescriptor failed(int error) {
  errno = error;
  return FileDescriptor(-1);
}

// Works like openat(2), but reports ELOOP for a symbolic link for which openat reports ENOTDIR.
FileDescriptor openComponent(int folder, const char* name, bool isLast) {
  FileDescriptor file(::openat(folder, name, O_NOFOLLOW | (isLast ? kRead : O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (file || errno != ENOTDIR) return file;
  struct stat status {};
  const bool isLink = ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
  return failed(isLink ? ELOOP : ENOTDIR);
}

}  // namespace

FileDescriptor openBelowByComponents(const FileDescriptor& folder, const std::filesystem::path& path) {
  if (path.is_absolute()) return failed(EXDEV);
  FileDescriptor parent(-1);
  for (auto name = path.begin(); name != path.end(); ++name) {
    if (*name == "..") return failed(EXDEV);
    const bool isLast = std::next(name) == path.end();
    FileDescriptor next = openComponent(parent ? parent.get() : folder.get(), name->empty() ? "." : name->c_str(), isLast);
    if (!next || isLast) return next;
    parent = std::move(next);
  }
  return failed(ENOENT);
}

FileDescriptor openBelow(const FileDescriptor& folder, const std::filesystem::path& path) {
#ifdef SYS_openat2
  // Declared here because <linux/openat2.h> is missing on old systems.
  constexpr std::uint64_t kBeneath = 0x08, kNoSymbolicLinks = 0x04, kNoMagicLinks = 0x02;
  struct {
    std::uint64_t flags, mode, resolve;
  } const how{kRead, 0, kBeneath | kNoSymbolicLinks | kNoMagicLinks};
  const long file = ::syscall(SYS_openat2, folder.get(), path.c_str(), &how, sizeof how);
  // Kernels before 5.6 do not have openat2, and some sandboxes deny unknown system calls.
  if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return FileDescriptor(static_cast<int>(file));
#endif
  return openBelowByComponents(folder, path);
}

}  // namespace webnn
