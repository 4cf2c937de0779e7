#include "backends/webgpu/executable.h"

#include <algorithm>
#include <cstring>

#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

constexpr std::uint64_t kValueUsage = usage::kStorage | usage::kCopySource | usage::kCopyDestination;
constexpr std::uint64_t kReadBackUsage = usage::kMapRead | usage::kCopyDestination;

// Dynamic offsets into uniform buffers must be multiples of this number of bytes.
constexpr std::uint32_t kPlaceStride = 256;

KernelLimits limitsOf(const Device& device) {
  constexpr std::uint64_t kSoftwareIterations = 65535;
  const DeviceTraits& traits = device.traits();
  KernelLimits limits{.maxBindings = traits.maxBindings,
                      .maxWorkgroups = traits.maxWorkgroups,
                      .maxInvocations = traits.maxInvocations,
                      .workgroupBytes = traits.workgroupBytes};
  if (device.adapter().isSoftware()) limits.maxIterations = kSoftwareIterations;
  return limits;
}

// Rounds a byte size up to a multiple of 4, as WebGPU requires for copies between buffers.
std::size_t alignedSize(std::size_t bytes) { return roundUp(bytes, std::size_t{4}); }

}  // namespace

DeviceTensor::DeviceTensor(std::shared_ptr<const Device> device, std::size_t size)
    : device_(std::move(device)),
      size_(size),
      buffer_(device_->makeBuffer(roundUp(size, std::size_t{16}), kValueUsage, ErrorKind::unknownError)) {}

void DeviceTensor::write(std::span<const std::byte> bytes) {
  device_->requirePresent();
  device_->write(buffer_.get(), bytes);
  device_->submitNothing();
}

void DeviceTensor::read(std::span<std::byte> bytes) const {
  const Owned<Buffer> readBack = device_->makeBuffer(alignedSize(size_), kReadBackUsage, ErrorKind::operationError);
  Owned<CommandEncoder> encoder = device_->makeEncoder();
  device_->api().wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), buffer_.get(), 0, readBack.get(), 0, alignedSize(size_));
  device_->submit(std::move(encoder));
  device_->readMapped(readBack.get(), alignedSize(size_), Budget::none(),
                      [&](std::span<const std::byte> from) { std::memcpy(bytes.data(), from.data(), bytes.size()); });
}

WebGpuExecutable::WebGpuExecutable(std::shared_ptr<const Device> device, const GraphDefinition& graph, const Budget& budget)
    : device_(std::move(device)), account_(budget.memory()), charge_(account_) {
  const DeviceTraits& traits = device_->traits();
  CompiledGraph compiled = compileGraph(graph, limitsOf(*device_), budget);
  const auto requireFits = [&](std::uint64_t bytes) {
    if (bytes <= traits.maxBufferBytes) return;
    fail(ErrorKind::notSupportedError,
         "build: a value of the graph has {} bytes, and buffers of the WebGPU device have at most {}.", bytes,
         traits.maxBufferBytes);
  };
  std::ranges::for_each(compiled.bufferBytes, requireFits);
  for (const Operand& constant : compiled.constants) {
    const std::span<const std::byte> bytes = constant.record().bytes;
    const std::size_t size = roundUp(bytes.size(), std::size_t{16});
    requireFits(size);
    charge_.add(size, "build: constants on the GPU");
    constants_.push_back(device_->makeBuffer(size, kValueUsage, ErrorKind::operationError));
    device_->write(constants_.back().get(), bytes);
    budget.check();
  }
  device_->submitNothing();
  for (std::size_t i = 0; i < compiled.dispatches.size(); ++i) {
    Dispatch& dispatch = compiled.dispatches[i].dispatch;
    const Bindings bindings{dispatch.reads.size(), dispatch.writes.size(), dispatch.isDivisible};
    steps_.push_back({device_->makePipeline(dispatch.wgsl, bindings), std::move(compiled.bindings[i]), partsOf(dispatch)});
    budget.report("prepare", i, compiled.dispatches.size());
    budget.check();
  }
  writePlaces();
  bufferBytes_ = std::move(compiled.bufferBytes);
  inputs_ = std::move(compiled.inputs), outputs_ = std::move(compiled.outputs);
  placement_ = std::move(compiled.placement);
  for (const Operand& input : graph.inputs) inputBytes_.push_back(byteLength(input.descriptor()));
  for (const auto& [name, output] : graph.outputs) {
    outputOffsets_.push_back(readBackBytes_);
    outputBytes_.push_back(byteLength(output.descriptor()));
    readBackBytes_ += roundUp(outputBytes_.back(), std::size_t{8});
  }
  release(acquire());  // make a workspace now, so that the first run allocates no buffer but Workspace::readBack
}

void WebGpuExecutable::writePlaces() {
  std::vector<std::uint32_t> words;
  for (Step& step : steps_) {
    if (!step.pipeline->bindings.hasPlaces) continue;
    step.place = static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t));
    for (const GridPart& part : step.parts) {
      words.insert(words.end(), part.first.begin(), part.first.end());
      words.resize(roundUp(words.size(), std::size_t{kPlaceStride / sizeof(std::uint32_t)}));
    }
  }
  if (words.empty()) return;
  const auto bytes = std::as_bytes(std::span(words));
  charge_.add(bytes.size(), "build: places of parts of long steps");
  places_ = device_->makeBuffer(bytes.size(), usage::kUniform | usage::kCopyDestination, ErrorKind::operationError);
  device_->write(places_.get(), bytes);
  device_->submitNothing();
}

Buffer WebGpuExecutable::bufferOf(const Workspace& workspace, BufferIndex index) const {
  return index < bufferBytes_.size() ? workspace.buffers[index].get() : constants_[index - bufferBytes_.size()].get();
}

std::unique_ptr<WebGpuExecutable::Workspace> WebGpuExecutable::acquire() const {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Workspace> workspace = std::move(free_.back());
      free_.pop_back();
      return workspace;
    }
  }
  auto workspace = std::make_unique<Workspace>();
  workspace->charge = MemoryCharge(account_);
  for (const std::uint64_t bytes : bufferBytes_) {
    workspace->charge.add(bytes, "memory on the GPU for values between steps");
    workspace->buffers.push_back(device_->makeBuffer(bytes, kValueUsage, ErrorKind::operationError));
  }
  for (const Step& step : steps_) {
    std::vector<Buffer> bound;
    for (const BufferIndex index : step.bindings) bound.push_back(bufferOf(*workspace, index));
    if (step.pipeline->bindings.hasPlaces) bound.push_back(places_.get());
    workspace->groups.push_back(device_->makeBindGroup(*step.pipeline, bound));
  }
  return workspace;
}

void WebGpuExecutable::release(std::unique_ptr<Workspace> workspace) const {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(workspace));
}

Owned<CommandEncoder> WebGpuExecutable::encode(Owned<CommandEncoder> encoder, const Workspace& workspace,
                                               const Budget& budget) const {
  const Api& api = device_->api();
  const auto begin = [&] {
    return owned(api.wgpuCommandEncoderBeginComputePass(encoder.get(), nullptr), api.wgpuComputePassEncoderRelease);
  };
  Owned<ComputePass> pass = begin();
  std::uint64_t work = 0;
  const auto submit = [&] {
    api.wgpuComputePassEncoderEnd(pass.get());
    pass.reset();
    device_->submit(std::move(encoder));
    if (budget.mayEnd()) device_->wait(budget);
    budget.check();
    encoder = device_->makeEncoder();
    pass = begin();
    work = 0;
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const bool hasPlaces = step.pipeline->bindings.hasPlaces;
    std::uint32_t place = step.place;
    for (const GridPart& part : step.parts) {
      if (work > 0 && work + part.work > kMostWork) submit();
      work += part.work;
      api.wgpuComputePassEncoderSetPipeline(pass.get(), step.pipeline->pipeline.get());
      api.wgpuComputePassEncoderSetBindGroup(pass.get(), 0, workspace.groups[i].get(), hasPlaces ? 1 : 0, &place);
      api.wgpuComputePassEncoderDispatchWorkgroups(pass.get(), part.workgroups[0], part.workgroups[1], part.workgroups[2]);
      place += kPlaceStride;
    }
  }
  api.wgpuComputePassEncoderEnd(pass.get());
  return encoder;
}

void WebGpuExecutable::run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                           const Budget& budget) const {
  const BudgetScope scope(budget);
  budget.check();
  const Api& api = device_->api();
  // A run that ends early drops its workspace, whose commands the GPU may still execute.
  std::unique_ptr<Workspace> workspace = acquire();
  if (!workspace->readBack) {
    workspace->charge.add(readBackBytes_, "memory for results of the GPU");
    workspace->readBack = device_->makeBuffer(readBackBytes_, kReadBackUsage, ErrorKind::operationError);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) device_->write(bufferOf(*workspace, inputs_[i]), inputs[i]);
  Owned<CommandEncoder> encoder = encode(device_->makeEncoder(), *workspace, budget);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    api.wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), bufferOf(*workspace, outputs_[i]), 0, workspace->readBack.get(),
                                             outputOffsets_[i], alignedSize(outputBytes_[i]));
  }
  device_->submit(std::move(encoder));
  device_->readMapped(workspace->readBack.get(), readBackBytes_, budget, [&](std::span<const std::byte> from) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      std::memcpy(outputs[i].data(), from.data() + outputOffsets_[i], outputs[i].size());
  });
  release(std::move(workspace));
}

void WebGpuExecutable::runOnDevice(std::span<const DeviceMemory* const> inputs, std::span<DeviceMemory* const> outputs,
                                   const Budget& budget) const {
  const BudgetScope scope(budget);
  budget.check();
  const Api& api = device_->api();
  std::unique_ptr<Workspace> workspace = acquire();
  Owned<CommandEncoder> encoder = device_->makeEncoder();
  const auto bufferFor = [](const DeviceMemory& memory) { return static_cast<const DeviceTensor&>(memory).buffer(); };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    api.wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), bufferFor(*inputs[i]), 0, bufferOf(*workspace, inputs_[i]), 0,
                                             alignedSize(inputBytes_[i]));
  }
  encoder = encode(std::move(encoder), *workspace, budget);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    api.wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), bufferOf(*workspace, outputs_[i]), 0, bufferFor(*outputs[i]), 0,
                                             alignedSize(outputBytes_[i]));
  }
  device_->submit(std::move(encoder));
  device_->wait(budget);
  release(std::move(workspace));
}

}  // namespace webnn::webgpu
