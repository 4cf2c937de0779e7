#include "base/files/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "base/budget.h"
#include "base/files/open_below.h"

namespace webnn {

namespace {

// The mappings of mapFile() and mapFileBelow(). releaseMappedPages() releases only memory that it finds here.
struct Mappings {
  std::mutex mutex;
  std::map<std::byte*, std::size_t, std::less<>> sizes;  // keyed by start address

  static Mappings& all() {
    // never destroyed, because constants may be released after static destructors
    static Mappings* const mappings = new Mappings;
    return *mappings;
  }
  // Returns the mapping that contains all of `bytes`; sizes.end() if there is none or `bytes` is empty.
  auto find(std::span<const std::byte> bytes) {
    auto mapping = sizes.upper_bound(bytes.data());
    if (bytes.empty() || mapping == sizes.begin()) return sizes.end();
    --mapping;
    return bytes.data() + bytes.size() <= mapping->first + mapping->second ? mapping : sizes.end();
  }

 private:
  // fork() waits for the mutex, so that no child process inherits it locked.
  Mappings() {
    ::pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); }, [] { all().mutex.unlock(); });
  }
};

void unmap(void* start, std::size_t size) {
  {
    Mappings& mappings = Mappings::all();
    const std::lock_guard lock(mappings.mutex);
    mappings.sizes.erase(static_cast<std::byte*>(start));
  }
  ::munmap(start, size);
}

struct stat requireRegular(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) failWithErrno(path, "examined", errno);
  if (S_ISDIR(status.st_mode)) fail(ErrorKind::dataError, "{} is a folder, no regular file.", webnn::quoted(path.string()));
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::dataError, "{} is no regular file.", webnn::quoted(path.string()));
  return status;
}

ExternalBytes mapBytes(const FileDescriptor& file, const std::filesystem::path& path, const struct stat& status) {
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) failWithErrno(path, "mapped", errno);
  const std::shared_ptr<const void> mapping(address, [size](void* start) { unmap(start, size); });
  Mappings& mappings = Mappings::all();
  const std::lock_guard lock(mappings.mutex);
  mappings.sizes[static_cast<std::byte*>(address)] = size;
  return {{static_cast<const std::byte*>(address), size}, mapping};
}

constexpr std::size_t kReadAtOnce = 1 << 22;  // bytes; reading them takes a few milliseconds, then the budget is checked

ExternalBytes readBytes(const FileDescriptor& file, const std::filesystem::path& path, const struct stat& status) {
  const auto size = static_cast<std::size_t>(status.st_size);
  const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
  std::size_t have = 0;
  while (have < size) {
    BudgetScope::current().check();
    const ssize_t count = ::read(file.get(), bytes.get() + have, std::min(kReadAtOnce, size - have));
    if (count == 0)
      fail(ErrorKind::operationError, "the file {} became shorter while it was read.", webnn::quoted(path.string()));
    if (count > 0) {
      have += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      failWithErrno(path, "read", errno);
    }
  }
  return {{bytes.get(), size}, bytes};
}

ExternalBytes bytesOf(const FileDescriptor& file, const std::filesystem::path& path, FileAccess access) {
  const struct stat status = requireRegular(file, path);
  if (status.st_size == 0) return {};
  return access == FileAccess::map ? mapBytes(file, path, status) : readBytes(file, path, status);
}

}  // namespace

ExternalBytes mapFile(const std::filesystem::path& path, FileAccess access) {
  // The system would truncate the path at the NUL character.
  if (path.native().find('\0') != std::string::npos) failWithErrno(path, "opened", EINVAL);
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) failWithErrno(path, "opened", errno);
  return bytesOf(file, path, access);
}

std::optional<ExternalBytes> mapFileBelow(const std::filesystem::path& folder, const std::filesystem::path& path,
                                          FileAccess access) {
  const FileDescriptor root(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) failWithErrno(folder, "opened", errno);
  const FileDescriptor file = openBelow(root, path);
  if (file) return bytesOf(file, folder / path, access);
  if (isAbsent(errno)) return std::nullopt;
  if (errno != ELOOP && errno != EXDEV) failWithErrno(folder / path, "opened", errno);
  fail(ErrorKind::dataError,
       "{} is a symbolic link, or its path contains one or leaves the directory; such a file is read only if you name it.",
       webnn::quoted((folder / path).string()));
}

void releaseMappedPages(std::span<const std::byte> bytes) {
  static const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  Mappings& mappings = Mappings::all();
  const std::lock_guard lock(mappings.mutex);
  const auto mapping = mappings.find(bytes);
  if (mapping == mappings.sizes.end()) return;
  std::byte* const start = mapping->first;
  // Releases whole pages only, because the first and last page may contain other bytes.
  const std::size_t first = (static_cast<std::size_t>(bytes.data() - start) + page - 1) / page * page;
  const std::size_t last = static_cast<std::size_t>(bytes.data() + bytes.size() - start) / page * page;
  if (first < last) ::madvise(start + first, last - first, MADV_DONTNEED);
}

}  // namespace webnn
