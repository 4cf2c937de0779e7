// The state behind Tensor handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "graph/backend.h"
#include "webnn/error.h"
#include "webnn/types.h"

namespace webnn {

struct ContextState;

// The bytes of a tensor, in host memory or on the backend's device. Only tasks of the timeline access them. Exceptions:
// createConstantTensor() writes the bytes of a constant tensor, which any thread may read afterwards; readNow() and
// overwriteNow() (context_state.h) return the bytes.
class TensorStorage {
 public:
  // Allocates zeros, aligned to 64 bytes, and charges them to `account` if it is not null. Constants are always in host memory,
  // because builds read them there. Throws UnknownError if the allocation fails.
  TensorStorage(std::size_t size, std::shared_ptr<MemoryAccount> account, std::string_view method, const Backend& backend,
                bool isConstant);
  std::size_t size() const { return size_; }
  // Requires that the tensor is in host memory.
  std::span<const std::byte> bytes() const { return {aligned_, size_}; }
  // Returns the memory for writing. Afterwards, the tensor is no longer a modified copy of another tensor.
  std::span<std::byte> overwrite() {
    ++version_;
    origin_.reset();
    return {aligned_, size_};
  }
  // Returns the device memory; null for host memory.
  DeviceMemory* device() const { return device_.get(); }
  // Write and read host or device memory. Throw OperationError if the device fails.
  void write(std::span<const std::byte> bytes);
  void read(std::span<std::byte> bytes) const;
  // Returns the ranges in which the bytes differ from another tensor of the same size; nullopt if they are not known.
  ByteDifference differenceFrom(const TensorStorage& other) const;
  // Records that the bytes are equal to the bytes of `other` except in `ranges`.
  void setOrigin(const std::shared_ptr<const TensorStorage>& other, std::vector<ByteRange> ranges) {
    origin_ = Origin{other, other->version_, std::move(ranges)};
  }

  // The error of the dispatch or writeTensor() that should have written the bytes.
  std::optional<Error> failure;

 private:
  // The tensor whose bytes are equal except in `ranges`. Only valid if neither tensor was written since.
  struct Origin {
    std::weak_ptr<const TensorStorage> of;
    std::uint64_t version;
    std::vector<ByteRange> ranges;
  };
  bool isFrom(const TensorStorage& other) const {
    return origin_ && origin_->version == other.version_ && origin_->of.lock().get() == &other;
  }

  MemoryCharge charge_;
  std::uint64_t version_ = 0;  // number of writes
  std::optional<Origin> origin_;
  std::unique_ptr<DeviceMemory> device_;
  std::shared_ptr<std::byte> memory_;
  std::byte* aligned_ = nullptr;
  std::size_t size_ = 0;
};

// A read of a tensor that the timeline has not executed yet. The timeline or destroy() settles it, exactly once.
class PendingRead {
 public:
  virtual ~PendingRead() = default;
  // Copies the bytes unless the read is already settled. Nothing is written after reject() returns. If copying throws, or the
  // dispatch that should have written the bytes failed, the reader receives that error.
  void take(TensorStorage& storage);
  // Reports the result of take() to the reader.
  void announce();
  void reject(const Error& error);

 protected:
  virtual void copy(const TensorStorage& storage) = 0;
  // Reports the result to the reader. `error` is null if the bytes were copied.
  virtual void settle(std::exception_ptr error) = 0;

 private:
  std::mutex mutex_;
  bool settled_ = false;
  bool isTaken_ = false;
  std::exception_ptr error_;  // the error of take()
};

struct TensorState {
  TensorState(std::shared_ptr<ContextState> context, TensorDescriptor descriptor, bool constant);

  const std::shared_ptr<ContextState> context;
  const TensorDescriptor descriptor;
  const bool constant;

  bool isDestroyed() const;
  // Returns null if the tensor is destroyed.
  std::shared_ptr<TensorStorage> storage() const;
  void destroy();
  void destroy(const Error& error);  // `error` is reported to pending reads
  // Registers a read, which destroy() will reject if it is still pending. Returns false if the tensor is already destroyed.
  bool addPending(const std::shared_ptr<PendingRead>& read);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<TensorStorage> storage_;
  std::vector<std::weak_ptr<PendingRead>> pending_;
};

inline OperandDescriptor operandDescriptor(const TensorDescriptor& descriptor) { return {descriptor.dataType, descriptor.shape}; }

}  // namespace webnn
