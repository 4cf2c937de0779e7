// What a Tensor refers to.
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

// The bytes of a tensor, in the host's memory or on the backend's device. Only the timeline touches them, except those of a
// constant tensor, which never change.
class TensorStorage {
 public:
  // Zeros, aligned to 64 bytes, charged to the account, if any. A constant is always in the host's memory, where builds read it.
  // UnknownError if out of memory.
  TensorStorage(std::size_t size, std::shared_ptr<MemoryAccount> account, std::string_view method, const Backend& backend,
                bool isConstant);
  std::size_t size() const { return size_; }
  // Not of one on the device.
  std::span<const std::byte> bytes() const { return {aligned_, size_}; }
  // The same for who writes them: it is forgotten what they had been.
  std::span<std::byte> overwrite() {
    ++version_;
    origin_.reset();
    return {aligned_, size_};
  }
  // Where it is on the device; null: it is in the host's memory.
  DeviceMemory* device() const { return device_.get(); }
  // Wherever it is. What the device fails with is an OperationError.
  void write(std::span<const std::byte> bytes);
  void read(std::span<std::byte> bytes) const;
  // In what these bytes differ from those of another tensor of this size, as far as that is known.
  ByteDifference differenceFrom(const TensorStorage& other) const;
  // They are what is in `other` but for these ranges.
  void setOrigin(const std::shared_ptr<const TensorStorage>& other, std::vector<ByteRange> ranges) {
    origin_ = Origin{other, other->version_, std::move(ranges)};
  }

  // Why the bytes are not what they should be: the error of the dispatch that was to write them.
  std::optional<Error> failure;

 private:
  // What the bytes were made of, if neither they nor those have been written since.
  struct Origin {
    std::weak_ptr<const TensorStorage> of;
    std::uint64_t version;
    std::vector<ByteRange> ranges;
  };
  bool isFrom(const TensorStorage& other) const {
    return origin_ && origin_->version == other.version_ && origin_->of.lock().get() == &other;
  }

  MemoryCharge charge_;
  std::uint64_t version_ = 0;  // how often they have been written
  std::optional<Origin> origin_;
  std::unique_ptr<DeviceMemory> device_;
  std::shared_ptr<std::byte> memory_;
  std::byte* aligned_ = nullptr;
  std::size_t size_ = 0;
};

// A read that someone waits for. It is settled once: by the timeline, or by destroy().
class PendingRead {
 public:
  virtual ~PendingRead() = default;
  // Copies the bytes, unless settled. After reject() returns, nothing is written any more. If copying throws, or the dispatch
  // that was to write them failed, that is what whoever waits gets.
  void take(TensorStorage& storage);
  // Says what take() did.
  void announce();
  void reject(const Error& error);

 protected:
  virtual void copy(const TensorStorage& storage) = 0;
  // `error`: null if the bytes are copied.
  virtual void settle(std::exception_ptr error) = 0;

 private:
  std::mutex mutex_;
  bool settled_ = false;
  bool isTaken_ = false;
  std::exception_ptr error_;  // of take()
};

struct TensorState {
  TensorState(std::shared_ptr<ContextState> context, TensorDescriptor descriptor, bool constant);

  const std::shared_ptr<ContextState> context;
  const TensorDescriptor descriptor;
  const bool constant;

  bool isDestroyed() const;
  // null once destroyed
  std::shared_ptr<TensorStorage> storage() const;
  void destroy();
  void destroy(const Error& error);  // of pending reads
  // Rejects the read in destroy(), if it still waits then. False if already destroyed.
  bool addPending(const std::shared_ptr<PendingRead>& read);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<TensorStorage> storage_;
  std::vector<std::weak_ptr<PendingRead>> pending_;
};

inline OperandDescriptor operandDescriptor(const TensorDescriptor& descriptor) { return {descriptor.dataType, descriptor.shape}; }

}  // namespace webnn
