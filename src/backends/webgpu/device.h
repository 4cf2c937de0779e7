#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "backends/webgpu/adapters.h"
#include "base/budget.h"
#include "webnn/error.h"

namespace webnn::webgpu {

// The limits of a device that kernels respect. Kernels use no optional features.
struct DeviceTraits {
  std::uint64_t maxBufferBytes = 0;  // size of a buffer, and of a binding
  std::uint32_t maxBindings = 0;     // storage buffers per dispatch
  std::uint32_t maxWorkgroups = 0;   // workgroups in each dimension of a dispatch
  std::uint32_t maxInvocations = 0;  // invocations per workgroup
  std::uint32_t workgroupBytes = 0;  // bytes of workgroup memory
};

// The bindings of a pipeline, all in group 0: read-only buffers, then writable ones. If `hasPlaces`, the last binding is a
// uniform buffer with the first workgroup of a part of the grid (16 bytes at a dynamic offset).
struct Bindings {
  std::size_t reads = 0, writes = 0;
  bool hasPlaces = false;
};

struct Pipeline {
  Owned<BindGroupLayout> layout;
  Owned<ComputePipeline> pipeline;
  Bindings bindings;
};

// The result of an asynchronous call. Its callback may run on any thread.
class Pending {
 public:
  void finish(bool isSuccess, std::string message) {
    message_ = std::move(message);
    state_.store(isSuccess ? State::success : State::failure, std::memory_order_release);
  }
  bool isDone() const { return state_.load(std::memory_order_acquire) != State::running; }
  bool isSuccess() const { return state_.load(std::memory_order_acquire) == State::success; }
  const std::string& message() const { return message_; }  // valid once isDone() is true

 private:
  enum class State : std::uint8_t { running, success, failure };
  std::atomic<State> state_{State::running};
  std::string message_;
};

// A WebGPU device. Thread safe.
class Device {
 public:
  // Opens a device of the adapter, with the adapter's limits that kernels need. Throws NotSupportedError with WebGPU's message
  // if that fails.
  Device(const Library& library, AdapterEntry adapter);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Api& api() const { return library_.api(); }
  DeviceHandle handle() const { return device_.get(); }
  Queue queue() const { return queue_.get(); }
  const AdapterEntry& adapter() const { return adapter_; }
  const DeviceTraits& traits() const { return traits_; }

  // Create objects. If WebGPU reports an error, makeBuffer() throws an Error of `kind`, and makePipeline() and makeBindGroup()
  // throw an OperationError, with WebGPU's message. submit() reports the errors of makeEncoder().
  Owned<Buffer> makeBuffer(std::uint64_t bytes, std::uint64_t usage, ErrorKind kind) const;
  // Returns the pipeline for a shader with the entry point "main". Equal shaders share one pipeline.
  std::shared_ptr<const Pipeline> makePipeline(const std::string& wgsl, const Bindings& bindings) const;
  Owned<BindGroup> makeBindGroup(const Pipeline& pipeline, std::span<const Buffer> buffers) const;

  Owned<CommandEncoder> makeEncoder() const;

  // Writes bytes to a buffer whose size is at least the number of bytes, rounded up to a multiple of 4.
  void write(Buffer buffer, std::span<const std::byte> bytes) const;
  // Finishes an encoder and submits its commands. Throws OperationError with WebGPU's message on failure.
  void submit(Owned<CommandEncoder> encoder) const;
  // Submits pending writes, so that WebGPU frees the memory in which it holds them.
  void submitNothing() const;
  // Returns when the submitted commands are complete. Throws OperationError on failure, and the budget's error soon after the
  // budget is exceeded; the commands then still run.
  void wait(const Budget& budget) const;
  // Maps the first bytes of a buffer, calls `use`, and unmaps.
  void readMapped(Buffer buffer, std::size_t bytes, const Budget& budget,
                  const std::function<void(std::span<const std::byte>)>& use) const;

  void whenLost(std::function<void(const std::string& reason)> lose) const;
  // Destroys the device, and waits until the listeners of whenLost() have been called.
  void destroy() const;
  // Throws OperationError if the device is lost.
  void requirePresent() const;

 private:
  struct Events;
  template <typename Make>
  auto checked(ErrorKind kind, const char* what, Make make) const;
  void waitFor(const Pending& pending, const Budget& budget, const char* what) const;
  std::string popErrors() const;
  void requirePresentNow() const;

  const Library& library_;
  AdapterEntry adapter_;
  DeviceTraits traits_;
  std::shared_ptr<Events> events_;
  Owned<DeviceHandle> device_;
  Owned<Queue> queue_;
  mutable std::mutex creation_;  // protects the stack of error scopes
  mutable std::mutex cacheMutex_;
  mutable std::map<std::string, std::weak_ptr<const Pipeline>> pipelines_;
};

}  // namespace webnn::webgpu
