#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <streambuf>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace webnn {

namespace {

[[noreturn]] void failWithErrno(const std::filesystem::path& path, std::string_view what, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR;
  fail(absent && what == "opened" ? ErrorKind::notFoundError : ErrorKind::operationError, "the file {} cannot be {} ({}).",
       webnn::quoted(path.string()), what, std::generic_category().message(error));
}

// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  // Closes it now; the error of close(2), or 0.
  int close() { return ::close(std::exchange(value_, -1)) == 0 ? 0 : errno; }

 private:
  int value_;
};

// Output to a file descriptor that remembers the first error.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(int descriptor) : descriptor_(descriptor) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const bool written = writeAll(pbase(), pptr() - pbase());
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return written ? 0 : -1;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    if (size <= epptr() - pptr()) {
      traits_type::copy(pptr(), data, static_cast<std::size_t>(size));
      pbump(static_cast<int>(size));
      return size;
    }
    return sync() == 0 && writeAll(data, size) ? size : 0;
  }

 private:
  bool writeAll(const char* data, std::streamsize size) {
    while (size > 0 && error_ == 0) {
      const ssize_t written = ::write(descriptor_, data, static_cast<std::size_t>(size));
      if (written >= 0) {
        data += written;
        size -= written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_;
};

// Removes a file unless it was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  const std::filesystem::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

// Creates a file of a new name in `folder`, with the permissions of any new file.
std::pair<std::filesystem::path, FileDescriptor> createTemporary(const std::filesystem::path& folder) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::filesystem::path path = folder / webnn::format(".webnn-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return {std::move(path), FileDescriptor(descriptor)};
    if (errno != EEXIST) failWithErrno(path, "created", errno);
  }
  fail(ErrorKind::operationError, "the folder {} is full of temporary files.", webnn::quoted(folder.string()));
}

// The permissions of the file that is to be replaced; nullopt if there is none yet.
std::optional<mode_t> replaceablePermissions(const std::filesystem::path& path) {
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

void writeTo(FileDescriptor file, const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  OutputBuffer buffer(file.get());
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (buffer.error() != 0) failWithErrno(path, "written", buffer.error());
  if (!stream) {
    fail(ErrorKind::operationError, "the file {} cannot be written (the stream failed).", webnn::quoted(path.string()));
  }
  // Without this a power failure after the rename could leave an empty file. Some file systems cannot.
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) failWithErrno(path, "written", errno);
  if (const int error = file.close()) failWithErrno(path, "written", error);
}

}  // namespace

namespace {

// The mappings that are there, so that only their pages are given back.
struct Mappings {
  std::mutex mutex;
  std::map<const std::byte*, std::size_t> sizes;  // by their start

  static Mappings& all() {
    static Mappings* const mappings = new Mappings;  // never destroyed: constants may outlive it
    return *mappings;
  }
};

void unmap(void* start, std::size_t size) {
  {
    Mappings& mappings = Mappings::all();
    const std::lock_guard lock(mappings.mutex);
    mappings.sizes.erase(static_cast<const std::byte*>(start));
  }
  ::munmap(start, size);
}

}  // namespace

ExternalBytes mapFile(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) failWithErrno(path, "opened", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) failWithErrno(path, "examined", errno);
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::dataError, "{} is no regular file.", webnn::quoted(path.string()));
  if (status.st_size == 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) failWithErrno(path, "mapped", errno);
  const std::shared_ptr<const void> mapping(address, [size](void* start) { unmap(start, size); });
  Mappings& mappings = Mappings::all();
  const std::lock_guard lock(mappings.mutex);
  mappings.sizes[static_cast<const std::byte*>(address)] = size;
  return {{static_cast<const std::byte*>(address), size}, mapping};
}

void releaseMappedPages(std::span<const std::byte> bytes) {
  static const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  Mappings& mappings = Mappings::all();
  const std::lock_guard lock(mappings.mutex);
  auto mapping = mappings.sizes.upper_bound(bytes.data());
  if (bytes.empty() || mapping == mappings.sizes.begin()) return;
  --mapping;
  const std::byte *const start = mapping->first, *const end = start + mapping->second;
  if (bytes.data() + bytes.size() > end) return;
  // Whole pages only: others use what is beside.
  const std::size_t first = (static_cast<std::size_t>(bytes.data() - start) + page - 1) / page * page;
  const std::size_t last = static_cast<std::size_t>(bytes.data() + bytes.size() - start) / page * page;
  if (first < last) ::madvise(const_cast<std::byte*>(start) + first, last - first, MADV_DONTNEED);
}

void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  // The file behind a link is replaced, not the link.
  std::error_code error;
  const std::filesystem::path target =
      std::filesystem::is_symlink(path, error) ? std::filesystem::weakly_canonical(path, error) : path;
  if (error && error != std::errc::no_such_file_or_directory) failWithErrno(path, "replaced", error.value());
  const std::optional<mode_t> permissions = replaceablePermissions(target);
  auto [temporaryPath, descriptor] = createTemporary(target.parent_path());
  TemporaryFile temporary(std::move(temporaryPath));
  if (permissions && ::fchmod(descriptor.get(), *permissions) != 0) failWithErrno(path, "replaced", errno);
  writeTo(std::move(descriptor), path, write);
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) failWithErrno(path, "replaced", errno);
  temporary.keep();
}

}  // namespace webnn
