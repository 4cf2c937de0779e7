#include "backends/service/tensor_memory.h"

#include <bit>
#include <cstring>

namespace webnn::service {

namespace {

// Returns the slice size for a tensor: a power of two, at least 64, so that a released slice fits many other tensors.
std::size_t sliceSize(std::size_t size) { return std::max<std::size_t>(64, std::bit_ceil(size)); }

}  // namespace

TensorMemory::Memory TensorMemory::share(std::size_t size) {
  Memory memory;
  memory.number = connection_->newNumber();
  memory.shared = makeSharedMemory(size, "webnn tensors");
  connection_->ask(
      [&](schema::Request::Builder request) {
        auto share = request.initShareMemory();
        share.setMemory(memory.number);
        share.setByteLength(size);
      },
      {}, memory.shared.descriptor.get());
  // The mapping is enough; the descriptors of thousands of tensors would exceed the limit on open files.
  memory.shared.descriptor = FileDescriptor(-1);
  return memory;
}

std::byte* TensorMemory::add(Memory memory) {
  std::byte* const address = memory.shared.mapping.bytes().data();
  memories_.emplace(address, std::move(memory));
  return address;
}

std::byte* TensorMemory::takeSlice(std::size_t size) {
  if (const auto found = free_.find(size); found != free_.end() && !found->second.empty()) {
    std::byte* const slice = found->second.back();
    found->second.pop_back();
    std::memset(slice, 0, size);
    return slice;
  }
  for (auto& [address, memory] : memories_) {
    const std::span<std::byte> bytes = memory.shared.mapping.bytes();
    if (bytes.size() != kCommonBytes || kCommonBytes - memory.used < size) continue;
    return bytes.data() + std::exchange(memory.used, memory.used + size);
  }
  return nullptr;
}

std::shared_ptr<std::byte> TensorMemory::allocate(std::size_t size) {
  std::unique_lock lock(mutex_);
  const bool isSlice = size <= kMostSlice;
  std::byte* address = isSlice ? takeSlice(sliceSize(size)) : nullptr;
  if (!address) {
    // Unlock first, because a worker that is compiling may reply late, and dispatches must continue.
    lock.unlock();
    // Only memories that hold slices have exactly kCommonBytes bytes; takeSlice() finds them by their size.
    Memory memory = share(isSlice ? kCommonBytes : size == kCommonBytes ? size + 64 : size);
    if (isSlice) memory.used = sliceSize(size);
    lock.lock();
    address = add(std::move(memory));
  }
  lock.unlock();  // unlock first: if allocating the pointer fails, its deleter calls release(), which locks
  return {address, [self = shared_from_this(), size](std::byte* bytes) { self->release(bytes, size); }};
}

void TensorMemory::release(std::byte* address, std::size_t size) noexcept {
  if (!connection_->isHere()) return;
  std::unique_lock lock(mutex_);
  if (size <= kMostSlice) {
    try {
      free_[sliceSize(size)].push_back(address);
    } catch (const std::bad_alloc&) {  // the slice leaks until the context ends
    }
    return;
  }
  const auto found = memories_.find(address);
  const Memory memory = std::move(found->second);
  memories_.erase(found);
  lock.unlock();
  connection_->dropMemory(memory.number, size > kCommonBytes);
}

std::optional<TensorReference> TensorMemory::find(std::span<const std::byte> bytes) const {
  const std::lock_guard lock(mutex_);
  const std::less_equal<const std::byte*> isUpTo;
  auto found = memories_.upper_bound(bytes.data());
  if (found == memories_.begin()) return std::nullopt;
  --found;
  const std::span<const std::byte> all = found->second.shared.mapping.bytes();
  if (!isUpTo(bytes.data() + bytes.size(), all.data() + all.size())) return std::nullopt;
  return TensorReference{found->second.number, 0, static_cast<std::uint64_t>(bytes.data() - all.data()), bytes.size()};
}

}  // namespace webnn::service
