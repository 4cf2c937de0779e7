#include "base/open_file.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/text.h"

namespace webnn {

namespace {

constexpr std::size_t kAtOnce = 1 << 20;
constexpr int kPatience = 10;  // milliseconds between two looks at the budget

[[noreturn]] void failWithErrno(int descriptor) {
  fail(ErrorKind::typeError, "the file descriptor {} cannot be read ({}).", descriptor, std::generic_category().message(errno));
}

ExternalBytes mapped(int descriptor, std::size_t size) {
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) failWithErrno(descriptor);
  const std::shared_ptr<const void> mapping(address, [size](void* start) { ::munmap(start, size); });
  return {{static_cast<const std::byte*>(address), size}, mapping};
}

// Waits until there is something to read, or the end.
void waitFor(int descriptor, const Budget& budget) {
  for (pollfd wanted{descriptor, POLLIN, 0};;) {
    budget.check();
    const int ready = ::poll(&wanted, 1, kPatience);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) failWithErrno(descriptor);
  }
}

ExternalBytes readAll(int descriptor, const Budget& budget) {
  struct Content {
    MemoryCharge charge;
    std::vector<std::byte> bytes;
  };
  const auto content = std::make_shared<Content>();
  content->charge = MemoryCharge(budget.memory());
  for (std::size_t size = 0;;) {
    if (size == content->bytes.size()) {
      const std::size_t more = std::max(kAtOnce, size);
      content->charge.add(more, "load: the content of a pipe");
      content->bytes.resize(size + more);
    }
    waitFor(descriptor, budget);
    const ssize_t count = ::read(descriptor, content->bytes.data() + size, std::min(kAtOnce, content->bytes.size() - size));
    if (count < 0 && errno != EINTR && errno != EAGAIN) failWithErrno(descriptor);
    if (count > 0) size += static_cast<std::size_t>(count);
    if (count == 0) return {std::span(content->bytes).first(size), content};
  }
}

}  // namespace

ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) failWithErrno(descriptor);
  if (S_ISREG(status.st_mode) && access == FileAccess::map) return mapped(descriptor, static_cast<std::size_t>(status.st_size));
  if (S_ISDIR(status.st_mode)) fail(ErrorKind::typeError, "the file descriptor {} is a folder.", descriptor);
  return readAll(descriptor, budget);
}

}  // namespace webnn
