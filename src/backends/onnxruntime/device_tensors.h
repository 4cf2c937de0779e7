#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "backends/onnxruntime/library.h"
#include "backends/onnxruntime/provider_settings.h"
#include "graph/backend.h"

namespace webnn::onnxruntime {

// Allocates and copies tensors on a GPU or in host memory. To copy, it runs an Identity model: every ONNX Runtime version and
// provider moves a run's inputs and outputs between memories before the run ends. Thread safe.
class Device final : public std::enable_shared_from_this<Device> {
 public:
  // `provider` is "CUDA" for all NVIDIA providers, which share CUDA memory, or "CPU" for host memory. Throws NotSupportedError
  // with ONNX Runtime's message if the provider cannot be used.
  Device(const Library& library, const std::string& provider, const ProviderSettings& settings);

  // Allocates `size` zeroed bytes. Throws UnknownError if there is too little memory.
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
  // Allocates the device memory and fills it with zeros. Must be called exactly once, before any other member function.
  void allocate();

  const OrtMemoryInfo* memory() const { return device_->memory_.get(); }
  void* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<const Device> device_;
  void* bytes_ = nullptr;  // an address on the device, not dereferenceable on the host
  std::size_t size_;
};

}  // namespace webnn::onnxruntime
