#include "base/files/open_file.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/growing_bytes.h"
#include "base/text.h"

namespace webnn {

namespace {

constexpr int kPollMilliseconds = 10;  // time between two checks of the budget

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

// Waits until data can be read or the end is reached.
void waitFor(int descriptor, const Budget& budget) {
  for (pollfd wanted{descriptor, POLLIN, 0};;) {
    budget.check();
    const int ready = ::poll(&wanted, 1, kPollMilliseconds);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) failReading(descriptor);
  }
}

ExternalBytes readAll(int descriptor, const Budget& budget) {
  const auto content = std::make_shared<GrowingBytes>(budget);
  for (std::size_t size = 0;;) {
    if (size == content->capacity()) content->grow();
    waitFor(descriptor, budget);
    const ssize_t count = ::read(descriptor, content->data() + size, std::min(GrowingBytes::kAtOnce, content->capacity() - size));
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
