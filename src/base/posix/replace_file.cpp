#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/files/output_buffer.h"
#include "base/files/replacing_file.h"

namespace webnn {

namespace {

// Returns the permissions of the file that will be replaced; nullopt if it does not exist.
std::optional<mode_t> replaceablePermissions(const std::filesystem::path& path) {
  // The system would truncate the path at the NUL character.
  if (path.native().find('\0') != std::string::npos) failWithErrno(path, "replaced", EINVAL);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) failWithErrno(path, "replaced", errno);
    return std::nullopt;
  }
  if (!S_ISREG(status.st_mode)) {  // renaming would destroy a device or a pipe
    fail(ErrorKind::operationError, "{} is no regular file, so it is not replaced.", webnn::quoted(path.string()));
  }
  return status.st_mode & 0777;
}

void writeThrough(const FileDescriptor& file, const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write) {
  writeTo(file.get(), path, write);
  // Without fsync, a power failure after the rename could leave an empty file. Some file systems do not support fsync.
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) failWithErrno(path, "written", errno);
}

}  // namespace

struct Replacement::File : ReplacingFile {
  using ReplacingFile::ReplacingFile;
  ~File() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  // Creates an unnamed file, so that a crash while writing leaves no temporary file. Creates a named temporary file if the
  // file system has no unnamed files, or if /proc, which giveName() needs, is missing.
  void create() {
#ifdef O_TMPFILE
    descriptor = FileDescriptor(::open(folder().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
    if (descriptor && ::access(procName().c_str(), F_OK) == 0) return;
#endif
    nameWith([&](const std::filesystem::path& name) {
      descriptor = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      return static_cast<bool>(descriptor);
    });
  }

  void giveName() {
    if (temporary.empty()) {
      nameWith([&](const std::filesystem::path& name) {
        return ::linkat(AT_FDCWD, procName().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
      });
    }
    if (const int error = descriptor.close()) failWithErrno(path, "written", error);
  }

  void takePlace() {
    if (::rename(temporary.c_str(), target.c_str()) != 0) failWithErrno(path, "replaced", errno);
    temporary.clear();
  }

 private:
  std::string procName() const { return formatText("/proc/self/fd/{}", descriptor.get()); }
};

Replacement::Replacement() = default;
Replacement::~Replacement() = default;

void Replacement::add(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  auto file = std::make_unique<File>(path);
  const std::optional<mode_t> permissions =
      replaceablePermissions(path);  // follows a link; throws if the target is not a regular file
  file->create();
  if (permissions && ::fchmod(file->descriptor.get(), *permissions) != 0) failWithErrno(path, "replaced", errno);
  writeThrough(file->descriptor, path, write);
  files_.push_back(std::move(file));
}

void Replacement::commit() {
  if (files_.empty()) return;
  // Serializes concurrent replacements of a graph and its weights under the same names, if the file system supports locks.
  const FileDescriptor folder(::open(files_[0]->folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) {
    while (::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  for (const auto& file : files_) file->giveName();
  for (const auto& file : files_) file->takePlace();
  files_.clear();
}

}  // namespace webnn
