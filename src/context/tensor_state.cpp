#include "context/tensor_state.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/as_errors.h"
#include "base/copy_bytes.h"
#include "base/text.h"
#include "context/context_state.h"
#include "webnn/tensor.h"

namespace webnn {

namespace {
constexpr std::size_t kAlignment = 64;
}

TensorStorage::TensorStorage(std::size_t size, std::shared_ptr<MemoryAccount> account, std::string_view method,
                             const Backend& backend, bool isConstant)
    : charge_(std::move(account), size, formatText("{}: a tensor", method)), size_(size) {
  if (!isConstant) device_ = backend.allocateOnDevice(size);
  if (device_) return;
  memory_ = backend.allocateTensor(size);
  if (memory_) {
    aligned_ = memory_.get();
    return;
  }
  memory_ = {static_cast<std::byte*>(std::calloc(size + kAlignment, 1)), [](std::byte* memory) { std::free(memory); }};
  if (!memory_) fail(ErrorKind::unknownError, "there is not enough memory for a tensor of {} bytes.", size);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  aligned_ = memory_.get() + (kAlignment - address % kAlignment) % kAlignment;
}

void TensorStorage::write(std::span<const std::byte> bytes) {
  device_ ? device_->write(bytes) : copyBytes(bytes, overwrite().data());
}

void TensorStorage::read(std::span<std::byte> bytes) const {
  device_ ? device_->read(bytes) : copyBytes(this->bytes(), bytes.data());
}

ByteDifference TensorStorage::differenceFrom(const TensorStorage& other) const {
  if (isFrom(other)) return origin_->ranges;
  if (other.isFrom(*this)) return other.origin_->ranges;
  return std::nullopt;
}

void PendingRead::take(TensorStorage& storage) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(settled_, true)) return;
  isTaken_ = true;
  if (storage.failure) {
    error_ = std::make_exception_ptr(*storage.failure);
    return;
  }
  try {
    copy(storage);
  } catch (...) {  // the copy could not be allocated, or the device failed
    error_ = std::make_exception_ptr(errorOfCurrentException("readTensor"));
  }
}

// Must be called without holding a lock: the reader may call fork() at once, and the child would inherit the locked mutex.
void PendingRead::announce() {
  if (isTaken_) settle(std::move(error_));
}

void PendingRead::reject(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(settled_, true)) return;
  }
  try {
    settle(std::make_exception_ptr(error));
  } catch (...) {  // a callback threw: ignored, so that the other callbacks are called and lose() completes
  }
}

TensorState::TensorState(std::shared_ptr<ContextState> owner, TensorDescriptor tensorDescriptor, bool isConstant)
    : context(std::move(owner)),
      descriptor(std::move(tensorDescriptor)),
      constant(isConstant),
      storage_(std::make_shared<TensorStorage>(byteLength(operandDescriptor(descriptor)), context->memory,
                                               constant ? "createConstantTensor" : "createTensor", *context->backend, constant)) {
}

namespace {

// Does not throw, so that reads are settled even if an allocation fails.
Error destroyedError() noexcept {
  try {
    return Error(ErrorKind::invalidStateError, "readTensor: the tensor was destroyed.");
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  }
}

}  // namespace

bool TensorState::isDestroyed() const { return storage() == nullptr; }

std::shared_ptr<TensorStorage> TensorState::storage() const {
  const std::lock_guard lock(mutex_);
  return storage_;
}

void TensorState::destroy() { destroy(destroyedError()); }

void TensorState::destroy(const Error& error) {
  std::shared_ptr<TensorStorage> storage;  // queued work also holds the storage; the last holder frees it
  std::vector<std::weak_ptr<PendingRead>> pending;
  {
    const std::lock_guard lock(mutex_);
    storage.swap(storage_);
    pending.swap(pending_);
  }
  for (const auto& waiting : pending) {
    if (const auto read = waiting.lock()) read->reject(error);
  }
}

bool TensorState::addPending(const std::shared_ptr<PendingRead>& read) {
  const std::lock_guard lock(mutex_);
  if (!storage_) return false;
  std::erase_if(pending_, [](const auto& waiting) { return waiting.expired(); });
  pending_.push_back(read);
  return true;
}

namespace {
const TensorState& checked(const std::shared_ptr<TensorState>& state) {
  if (!state) fail(ErrorKind::invalidStateError, "the tensor refers to nothing.");
  return *state;
}
}  // namespace

DataType Tensor::dataType() const { return checked(state_).descriptor.dataType; }
const Shape& Tensor::shape() const { return checked(state_).descriptor.shape; }
OperandDescriptor Tensor::descriptor() const { return operandDescriptor(checked(state_).descriptor); }
bool Tensor::readable() const { return checked(state_).descriptor.readable; }
bool Tensor::writable() const { return checked(state_).descriptor.writable; }
bool Tensor::constant() const { return checked(state_).constant; }
void Tensor::destroy() {
  checked(state_);
  state_->destroy();
}

}  // namespace webnn
