#include "base/open_file.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <system_error>

#include "base/text.h"

namespace webnn {

namespace {

constexpr std::size_t kAtOnce = 1 << 20;
constexpr int kPollMilliseconds = 10;  // between two looks at the budget

[[noreturn]] void failReading(int descriptor) {
  fail(ErrorKind::typeError, "the file descriptor {} cannot be read ({}).", descriptor, std::generic_category().message(errno));
}

ExternalBytes mapped(int descriptor, std::size_t size) {
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) failReading(descriptor);
  const std::shared_ptr<const void> mapping(address, [size](void* start) { ::munmap(start, size); });
  return {{static_cast<const std::byte*>(address), size}, mapping};
}

// Waits until there is something to read, or the end.
void waitFor(int descriptor, const Budget& budget) {
  for (pollfd wanted{descriptor, POLLIN, 0};;) {
    budget.check();
    const int ready = ::poll(&wanted, 1, kPollMilliseconds);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) failReading(descriptor);
  }
}

// Not a vector, which would clear and copy gigabytes at once: large blocks of realloc only move in the address space.
class GrowingBytes {
 public:
  explicit GrowingBytes(const Budget& budget) : charge_(budget.memory()) {}
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;
  ~GrowingBytes() { std::free(data_); }

  std::byte* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  void grow() {
    const std::size_t more = std::max(kAtOnce, capacity_);
    charge_.add(more, "load: the content of a pipe");
    void* const grown = std::realloc(data_, capacity_ + more);
    if (!grown) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(grown);
    capacity_ += more;
  }

 private:
  MemoryCharge charge_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

ExternalBytes readAll(int descriptor, const Budget& budget) {
  const auto content = std::make_shared<GrowingBytes>(budget);
  for (std::size_t size = 0;;) {
    if (size == content->capacity()) content->grow();
    waitFor(descriptor, budget);
    const ssize_t count = ::read(descriptor, content->data() + size, std::min(kAtOnce, content->capacity() - size));
    if (count < 0 && errno != EINTR && errno != EAGAIN) failReading(descriptor);
    if (count > 0) size += static_cast<std::size_t>(count);
    if (count == 0) return {{content->data(), size}, content};
  }
}

}  // namespace

ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) failReading(descriptor);
  if (S_ISREG(status.st_mode) && access == FileAccess::map) return mapped(descriptor, static_cast<std::size_t>(status.st_size));
  if (S_ISDIR(status.st_mode)) fail(ErrorKind::typeError, "the file descriptor {} is a folder.", descriptor);
  return readAll(descriptor, budget);
}

}  // namespace webnn
