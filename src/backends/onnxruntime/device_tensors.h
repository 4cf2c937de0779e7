// Tensors in the memory of the device on which a provider runs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "backends/onnxruntime/library.h"
#include "backends/onnxruntime/provider_settings.h"
#include "graph/backend.h"

namespace webnn::onnxruntime {

// A device's allocator, and a session on it which copies: what a run is given in one memory and writes to another, ONNX Runtime
// copies itself, in every version and with every provider, and the run ends when that is done. Thread safe.
class Device final : public std::enable_shared_from_this<Device> {
 public:
  // Of the provider CUDA, whose memory the others of NVIDIA use, too, or CPU: there, device memory is the host's.
  // NotSupportedError with ONNX Runtime's words if the provider cannot be used.
  Device(const Library& library, const std::string& provider, const ProviderSettings& settings);

  // Zeros. UnknownError if there is not enough memory.
  std::unique_ptr<DeviceMemory> allocate(std::size_t size) const;

 private:
  friend class DeviceTensor;
  Owned<OrtValue> valueOf(const OrtMemoryInfo* memory, const void* bytes, std::size_t size) const;
  void copy(const OrtMemoryInfo* fromMemory, const void* from, const OrtMemoryInfo* toMemory, void* to, std::size_t size,
            std::string_view method) const;

  const Library& library_;
  Owned<OrtMemoryInfo> memory_;
  Owned<OrtSession> copier_;
  Owned<OrtAllocator> allocator_;
};

class DeviceTensor final : public DeviceMemory {
 public:
  DeviceTensor(std::shared_ptr<const Device> device, std::size_t size) : device_(std::move(device)), size_(size) {}
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  ~DeviceTensor() override;

  void write(std::span<const std::byte> bytes) override;
  void read(std::span<std::byte> bytes) const override;
  // Before anything else, once. Fills the memory with zeros.
  void allocate();

  const OrtMemoryInfo* memory() const { return device_->memory_.get(); }
  void* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<const Device> device_;
  void* bytes_ = nullptr;  // an address on the device
  std::size_t size_;
};

}  // namespace webnn::onnxruntime
