#include "service/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace webnn::service {

namespace {

constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr std::size_t kPiece = std::size_t{4} << 20;

// Allocates in pieces, because a signal interrupts the system call and undoes its work. Checks the limit of the file size first,
// because exceeding it would kill the process with SIGXFSZ.
int allocate(int descriptor, std::size_t size) {
  rlimit most{};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && size > most.rlim_cur) return EFBIG;
  for (std::size_t begin = 0; begin < size;) {
    const std::size_t length = std::min(kPiece, size - begin);
    const int error = ::posix_fallocate(descriptor, static_cast<off_t>(begin), static_cast<off_t>(length));
    if (error == 0) begin += length;
    if (error != 0 && error != EINTR) return error;
  }
  return 0;
}

[[noreturn]] void failNoMemory(std::size_t size, int error) {
  fail(ErrorKind::unknownError, "there is not enough memory to share {} bytes ({}).", size,
       std::generic_category().message(error));
}

Mapping mapChecked(const FileDescriptor& descriptor, std::uint64_t size, int seals, int protection, int kind) {
  const int found = ::fcntl(descriptor.get(), F_GET_SEALS);
  if (found < 0 || (found & seals) != seals) fail(ErrorKind::dataError, "the shared memory is not sealed.");
  // Uses lseek instead of fstat(2): some C libraries implement fstat(2) by fstatat(2), which the sandbox denies.
  const off_t length = ::lseek(descriptor.get(), 0, SEEK_END);
  if (length <= 0 || static_cast<std::uint64_t>(length) != size)
    fail(ErrorKind::dataError, "the shared memory is not of {} bytes.", size);
  void* const address = ::mmap(nullptr, size, protection, kind, descriptor.get(), 0);
  if (address == MAP_FAILED && (errno == EPERM || errno == EACCES))
    fail(ErrorKind::dataError, "the shared memory cannot be written.");
  if (address == MAP_FAILED) failNoMemory(size, errno);
  return {address, size};
}

}  // namespace

Mapping::~Mapping() {
  if (address_) ::munmap(address_, size_);
}

SharedMemory makeSharedMemory(std::size_t size, const char* name) {
  SharedMemory memory;
  memory.descriptor = FileDescriptor(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.descriptor) failNoMemory(size, errno);
  if (const int error = allocate(memory.descriptor.get(), size)) failNoMemory(size, error);
  // Does not seal the memory against further seals, because constants are later sealed against writing. The process that maps the
  // memory checks the seals that it needs.
  if (::fcntl(memory.descriptor.get(), F_ADD_SEALS, kFixedSize) != 0) failNoMemory(size, errno);
  void* const address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor.get(), 0);
  if (address == MAP_FAILED) failNoMemory(size, errno);
  memory.mapping = Mapping(address, size);
  return memory;
}

void sealAgainstWriting(SharedMemory& memory) {
  memory.mapping = Mapping();
  if (::fcntl(memory.descriptor.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    fail(ErrorKind::operationError, "shared memory cannot be sealed ({}).", std::generic_category().message(errno));
}

Mapping mapShared(const FileDescriptor& descriptor, std::uint64_t size) {
  return mapChecked(descriptor, size, kFixedSize, PROT_READ | PROT_WRITE, MAP_SHARED);
}

Mapping mapSealed(const FileDescriptor& descriptor, std::uint64_t size) {
  // Maps privately, because Linux before 6.7 denies a shared mapping of memory that is sealed against writing: the mapping might
  // become writable.
  return mapChecked(descriptor, size, kFixedSize | F_SEAL_WRITE, PROT_READ, MAP_PRIVATE);
}

}  // namespace webnn::service
