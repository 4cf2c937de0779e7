#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backends/webgpu/compile.h"
#include "backends/webgpu/device.h"
#include "graph/backend.h"

namespace webnn::webgpu {

// Memory of the device for a tensor.
class DeviceTensor final : public DeviceMemory {
 public:
  DeviceTensor(std::shared_ptr<const Device> device, std::size_t size);
  void write(std::span<const std::byte> bytes) override;
  void read(std::span<std::byte> bytes) const override;
  Buffer buffer() const { return buffer_.get(); }

 private:
  std::shared_ptr<const Device> device_;
  std::size_t size_;
  Owned<Buffer> buffer_;
};

class WebGpuExecutable final : public Executable {
 public:
  WebGpuExecutable(std::shared_ptr<const Device> device, const GraphDefinition& graph, const Budget& budget);

  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget) const override;
  void runOnDevice(std::span<const DeviceMemory* const> inputs, std::span<DeviceMemory* const> outputs,
                   const Budget& budget) const override;
  std::vector<OperationPlacement> placement() const override { return placement_; }

 private:
  // The buffers that one run uses. Concurrent runs use different workspaces.
  struct Workspace {
    std::vector<Owned<Buffer>> buffers;
    std::vector<Owned<BindGroup>> groups;  // one for each dispatch
    Owned<Buffer> readBack;                // all outputs consecutively; allocated by the first run that reads them
    MemoryCharge charge;
  };
  struct Step {
    std::shared_ptr<const Pipeline> pipeline;
    std::vector<BufferIndex> bindings;
    std::vector<GridPart> parts;
    std::uint32_t place = 0;  // for a divisible step: offset of the first part's entry in places_
  };

  void writePlaces();
  std::unique_ptr<Workspace> acquire() const;
  void release(std::unique_ptr<Workspace> workspace) const;
  Buffer bufferOf(const Workspace& workspace, BufferIndex index) const;
  // Encodes all dispatches. If their work exceeds kMostWork, submits them in parts and checks the budget between the parts.
  Owned<CommandEncoder> encode(Owned<CommandEncoder> encoder, const Workspace& workspace, const Budget& budget) const;

  std::shared_ptr<const Device> device_;
  std::shared_ptr<MemoryAccount> account_;
  MemoryCharge charge_;  // memory of constants and of places_
  std::vector<Step> steps_;
  std::vector<std::uint64_t> bufferBytes_;
  std::vector<Owned<Buffer>> constants_;
  Owned<Buffer> places_;  // the first workgroup of each part of the divisible steps
  std::vector<BufferIndex> inputs_, outputs_;
  std::vector<std::size_t> outputOffsets_;  // offset of each output in Workspace::readBack
  std::vector<std::size_t> inputBytes_, outputBytes_;
  std::size_t readBackBytes_ = 0;
  std::vector<OperationPlacement> placement_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace webnn::webgpu
