#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/output_buffer.h"

namespace webnn {

namespace {

// The permissions of the file that is to be replaced; nullopt if there is none yet.
std::optional<mode_t> replaceablePermissions(const std::filesystem::path& path) {
  if (path.native().find('\0') != std::string::npos) failWithErrno(path, "replaced", EINVAL);  // the system would cut it there
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) failWithErrno(path, "replaced", errno);
    return std::nullopt;
  }
  if (!S_ISREG(status.st_mode)) {  // renaming over a device or a pipe would destroy it
    fail(ErrorKind::operationError, "{} is no regular file, so it is not replaced.", webnn::quoted(path.string()));
  }
  return status.st_mode & 0777;
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// A name in `folder` that nobody else has.
std::filesystem::path temporaryName(const std::filesystem::path& folder) {
  static std::atomic<unsigned> counter{0};
  return folder / formatText(".webnn-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
}

// Calls `create` with new names until it does not find one taken. Errors are of `path`, which is what the caller knows.
template <typename Create>
std::filesystem::path withNewName(const std::filesystem::path& folder, const std::filesystem::path& path, Create&& create) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::filesystem::path name = temporaryName(folder);
    if (create(name)) return name;
    if (errno != EEXIST) failWithErrno(path, "created", errno);
  }
  fail(ErrorKind::operationError, "the folder {} is full of temporary files.", webnn::quoted(folder.string()));
}

void writeThrough(const FileDescriptor& file, const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  writeTo(file.get(), path, write);
  // Without this a power failure after the rename could leave an empty file. Some file systems cannot.
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) failWithErrno(path, "written", errno);
}

}  // namespace

// A file that is written, and then takes the place of `target`.
struct Replacement::File {
  std::filesystem::path path;       // as the caller calls it
  std::filesystem::path target;     // the same behind links
  std::filesystem::path temporary;  // empty while it has no name
  FileDescriptor descriptor{-1};

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  // Without a name if the file system can: then nothing is left behind whatever happens.
  void create() {
    const std::filesystem::path folder = folderOf(target);
#ifdef O_TMPFILE
    descriptor = FileDescriptor(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
    if (descriptor && ::access(procName().c_str(), F_OK) == 0) return;
#endif
    temporary = withNewName(folder, path, [&](const std::filesystem::path& name) {
      descriptor = FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      return static_cast<bool>(descriptor);
    });
  }

  void giveName() {
    if (temporary.empty()) {
      temporary = withNewName(folderOf(target), path, [&](const std::filesystem::path& name) {
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
  auto file = std::make_unique<File>();
  file->path = path;
  // The file behind a link is replaced, not the link.
  std::error_code error;
  file->target = std::filesystem::is_symlink(path, error) ? std::filesystem::weakly_canonical(path, error) : path;
  if (error && error != std::errc::no_such_file_or_directory) failWithErrno(path, "replaced", error.value());
  const std::optional<mode_t> permissions = replaceablePermissions(path);  // of what a link leads to, be it a pipe without a name
  file->create();
  if (permissions && ::fchmod(file->descriptor.get(), *permissions) != 0) failWithErrno(path, "replaced", errno);
  writeThrough(file->descriptor, path, write);
  files_.push_back(std::move(file));
}

void Replacement::commit() {
  if (files_.empty()) return;
  // Two graphs with weights that are saved under one name at once must not mix. File systems that cannot lock do without.
  const FileDescriptor folder(::open(folderOf(files_[0]->target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) {
    while (::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  for (const auto& file : files_) file->giveName();
  for (const auto& file : files_) file->takePlace();
  files_.clear();
}

void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  Replacement replacement;
  replacement.add(path, write);
  replacement.commit();
}

}  // namespace webnn
