#include <fcntl.h>
#include <sys/stat.h>

#include "base/files/output_buffer.h"
#include "base/files/replacing_file.h"
#include "base/windows/open_existing.h"

namespace webnn {

namespace {

void requireReplaceable(const std::filesystem::path& path) {
  // Windows would truncate the path at the NUL character.
  if (path.native().find(L'\0') != std::wstring::npos) failWithErrno(path, "replaced", EINVAL);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail(ErrorKind::operationError, "{} is no regular file, so it is not replaced.", webnn::quoted(path.string()));
}

// A lock that is held while files of a directory are replaced.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder) : mutex_(::CreateMutexW(nullptr, FALSE, nameFor(folder).c_str())) {
    if (mutex_) ::WaitForSingleObject(mutex_.get(), INFINITE);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (mutex_) ::ReleaseMutex(mutex_.get());
  }

 private:
  // The mutex name contains a hash of the path. A collision only makes replacements in two directories wait for each other.
  static std::wstring nameFor(const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, error);
    return L"webnn-replaces-in-" + std::to_wstring(std::filesystem::hash_value(error ? folder : whole));
  }
  Handle mutex_;
};

}  // namespace

struct Replacement::File : ReplacingFile {
  using ReplacingFile::ReplacingFile;
  ~File() {
    if (descriptor) descriptor.close();  // Windows cannot remove open files
    if (!temporary.empty()) ::DeleteFileW(temporary.c_str());
  }

  void create() {
    nameWith([&](const std::filesystem::path& name) {
      descriptor =
          FileDescriptor(::_wopen(name.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE));
      return static_cast<bool>(descriptor);
    });
  }

  void write(const std::function<void(std::ostream&)>& content) {
    writeTo(descriptor.get(), path, content);
    // Without _commit, a power failure after the rename could leave an empty file.
    if (::_commit(descriptor.get()) != 0) failWithErrno(path, "written", errno);
    if (const int error = descriptor.close()) failWithErrno(path, "written", error);
  }

  // ReplaceFileW keeps permissions, but some file systems and Wine do not support it.
  void takePlace() {
    const bool isReplaced =
        ::ReplaceFileW(target.c_str(), temporary.c_str(), nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS, nullptr, nullptr);
    if (!isReplaced && !::MoveFileExW(temporary.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
      failWithErrno(path, "replaced", errnoOf(::GetLastError()));
    temporary.clear();
  }
};

Replacement::Replacement() = default;
Replacement::~Replacement() = default;

void Replacement::add(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  auto file = std::make_unique<File>(path);
  requireReplaceable(file->target);
  file->create();
  file->write(write);
  files_.push_back(std::move(file));
}

void Replacement::commit() {
  if (files_.empty()) return;
  const FolderLock lock(files_[0]->folder());
  for (const auto& file : files_) file->takePlace();
  files_.clear();
}

}  // namespace webnn
