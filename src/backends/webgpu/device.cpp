#include "backends/webgpu/device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "base/text.h"

namespace webnn::webgpu {

namespace {

Text textFor(std::string_view text) { return {text.data(), text.size()}; }

std::string messageOf(Text text) {
  std::string message = textOf(text);
  std::ranges::replace(message, '\n', ' ');
  return sanitized(message);
}

// Returns whether an error only reports that the device is lost.
bool tellsOfLoss(std::string_view message) { return message.find("device is lost") != std::string_view::npos; }

constexpr const char* kNoReason = "the GPU device is lost; its driver gives no reason.";

constexpr std::uint64_t kPlaceBytes = 16;

constexpr std::array<ErrorFilter, 2> kScopes{ErrorFilter::validation, ErrorFilter::outOfMemory};

// Callbacks own a reference to their Pending, because a call may give up waiting before WebGPU calls back.
void* keep(const std::shared_ptr<Pending>& pending) { return new std::shared_ptr<Pending>(pending); }
std::shared_ptr<Pending> taken(void* kept) {
  const std::unique_ptr<std::shared_ptr<Pending>> owner(static_cast<std::shared_ptr<Pending>*>(kept));
  return *owner;
}

// Sleeps a little longer each time, so that short runs return quickly and waiting for long runs does not occupy a processor.
class Backoff {
 public:
  void pause() {
    constexpr auto kLongest = std::chrono::microseconds(500);
    if (turns_++ < kQuickTurns) return std::this_thread::yield();
    std::this_thread::sleep_for(time_);
    time_ = std::min(time_ * 2, std::chrono::microseconds(kLongest));
  }

 private:
  static constexpr unsigned kQuickTurns = 16;
  unsigned turns_ = 0;
  std::chrono::microseconds time_{10};
};

// Returns the limits to request: those that kernels need at the adapter's values, all others at WebGPU's defaults.
DeviceLimits wantedLimits(const DeviceLimits& adapter) {
  DeviceLimits wanted;
  wanted.maxStorageBuffersPerShaderStage = adapter.maxStorageBuffersPerShaderStage;
  wanted.maxStorageBufferBindingSize = adapter.maxStorageBufferBindingSize;
  wanted.maxBufferSize = adapter.maxBufferSize;
  wanted.maxComputeWorkgroupStorageSize = adapter.maxComputeWorkgroupStorageSize;
  wanted.maxComputeInvocationsPerWorkgroup = adapter.maxComputeInvocationsPerWorkgroup;
  wanted.maxComputeWorkgroupSizeX = adapter.maxComputeWorkgroupSizeX;
  return wanted;
}

}  // namespace

// The errors and the loss that callbacks of the device report. The user data of a callback is a key of Registry, not a pointer,
// because wgpu-native may call the lost callback several times, or after the device is released. It may also never call it.
struct Device::Events : std::enable_shared_from_this<Device::Events> {
  std::mutex mutex;
  std::string error;                  // the first uncaptured error that no call has thrown yet
  std::optional<std::string> reason;  // set if the device is lost
  std::vector<std::function<void(const std::string&)>> listeners;
  std::thread messenger;  // calls the listeners; started by the loss
  void* number = nullptr;

  struct Registry {
    std::mutex mutex;
    std::map<void*, std::weak_ptr<Events>> entries;
    std::uintptr_t last = 0;
  };
  static Registry& registry() {
    static auto& theRegistry = *new Registry;  // never destroyed: callbacks may come while the process ends
    return theRegistry;
  }
  static std::shared_ptr<Events> make() {
    auto events = std::make_shared<Events>();
    const std::lock_guard lock(registry().mutex);
    events->number = reinterpret_cast<void*>(++registry().last);
    registry().entries.emplace(events->number, events);
    return events;
  }
  // Returns null if the device is gone.
  static std::shared_ptr<Events> of(void* number) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().entries.find(number);
    return found == registry().entries.end() ? nullptr : found->second.lock();
  }
  ~Events() {
    const std::lock_guard lock(registry().mutex);
    registry().entries.erase(number);
  }

  // Records the loss. Another thread calls the listeners, because they take locks that this thread may hold.
  void lose(std::string why) {
    const std::lock_guard lock(mutex);
    if (reason) return;
    reason = std::move(why);
    try {
      messenger = std::thread([self = shared_from_this(), told = std::move(listeners)] {
        for (const auto& tell : told) tell(*self->reason);
      });
    } catch (const std::system_error&) {  // no thread: calls still fail with the reason
    }
    listeners.clear();
  }

  // Records an error for which there is no scope. wgpu-native reports a lost device as an error of each later call, and may call
  // the lost callback only when it releases the device.
  void add(std::string message) {
    if (tellsOfLoss(message)) return lose(kNoReason);
    const std::lock_guard lock(mutex);
    if (error.empty()) error = std::move(message);
  }

  // Waits until all listeners have been called. A listener may call finish() too.
  void finish() {
    std::thread thread;
    {
      const std::lock_guard lock(mutex);
      thread.swap(messenger);
    }
    if (!thread.joinable()) return;
    if (thread.get_id() == std::this_thread::get_id()) return thread.detach();
    thread.join();
  }
};

Device::Device(const Library& library, AdapterEntry adapter)
    : library_(library), adapter_(std::move(adapter)), events_(Events::make()) {
  const Api& api = library_.api();
  DeviceLimits limits;
  if (api.wgpuAdapterGetLimits(adapter_.adapter.get(), &limits) != Status::success) {
    fail(ErrorKind::notSupportedError, "backend \"webgpu\": adapter {} does not tell its limits.", toString(adapter_));
  }
  limits.next = nullptr;
  const DeviceLimits wanted = wantedLimits(limits);
  DeviceDescriptor descriptor{.limits = &wanted};
  descriptor.lost = {.mode = CallbackMode::allowSpontaneous,
                     .callback =
                         [](const DeviceHandle*, LostReason, Text message, void* number, void*) {
                           std::string reason = messageOf(message);
                           if (reason.empty()) reason = kNoReason;
                           if (const auto events = Events::of(number)) events->lose(std::move(reason));
                         },
                     .userdata1 = events_->number};
  descriptor.uncaptured = {.callback =
                               [](const DeviceHandle*, ErrorType, Text message, void* number, void*) {
                                 if (const auto events = Events::of(number)) events->add(messageOf(message));
                               },
                           .userdata1 = events_->number};
  struct Answer {
    Pending pending;
    DeviceHandle device = nullptr;
  } answer;
  api.wgpuAdapterRequestDevice(adapter_.adapter.get(), &descriptor,
                               {.mode = CallbackMode::allowProcessEvents,
                                .callback =
                                    [](Status status, DeviceHandle device, Text message, void* userdata, void*) {
                                      auto& to = *static_cast<Answer*>(userdata);
                                      to.device = device;
                                      to.pending.finish(status == Status::success, messageOf(message));
                                    },
                                .userdata1 = &answer});
  for (Backoff backoff; !answer.pending.isDone(); backoff.pause()) api.wgpuInstanceProcessEvents(library_.instance());
  if (!answer.pending.isSuccess()) {
    fail(ErrorKind::notSupportedError, "backend \"webgpu\": adapter {} gives no device: {}", toString(adapter_),
         answer.pending.message());
  }
  device_ = owned(answer.device, api.wgpuDeviceRelease);
  queue_ = owned(api.wgpuDeviceGetQueue(device_.get()), api.wgpuQueueRelease);
  DeviceLimits granted;
  if (api.wgpuDeviceGetLimits(device_.get(), &granted) != Status::success) {
    fail(ErrorKind::notSupportedError, "backend \"webgpu\": the device of {} does not tell its limits.", toString(adapter_));
  }
  traits_ = {.maxBufferBytes = std::min(granted.maxBufferSize, granted.maxStorageBufferBindingSize),
             .maxBindings = granted.maxStorageBuffersPerShaderStage,
             .maxWorkgroups = granted.maxComputeWorkgroupsPerDimension,
             .maxInvocations = std::min(granted.maxComputeInvocationsPerWorkgroup, granted.maxComputeWorkgroupSizeX),
             .workgroupBytes = granted.maxComputeWorkgroupStorageSize};
}

Device::~Device() {
  pipelines_.clear();
  queue_.reset();
  if (device_) api().wgpuDeviceDestroy(device_.get());
  device_.reset();
  events_->finish();
}

void Device::destroy() const {
  api().wgpuDeviceDestroy(device_.get());
  api().wgpuInstanceProcessEvents(library_.instance());
  events_->lose("the GPU device was destroyed.");
  events_->finish();
}

void Device::whenLost(std::function<void(const std::string& reason)> lose) const {
  {
    const std::lock_guard lock(events_->mutex);
    if (!events_->reason) {
      events_->listeners.push_back(std::move(lose));
      return;
    }
  }
  lose(*events_->reason);
}

void Device::requirePresent() const {
  const std::lock_guard lock(events_->mutex);
  if (events_->reason) fail(ErrorKind::operationError, "WebGPU: the device is lost: {}", *events_->reason);
}

// Pops the error scopes of kScopes. Returns their messages, or if there are none, the message of an internal error, for which
// wgpu-native has no scope.
std::string Device::popErrors() const {
  std::string errors;
  for (std::size_t i = 0; i < kScopes.size(); ++i) {
    const auto pending = std::make_shared<Pending>();
    api().wgpuDevicePopErrorScope(device_.get(),
                                  {.mode = CallbackMode::allowProcessEvents,
                                   .callback = [](Status, ErrorType type, Text message, void* kept,
                                                  void*) { taken(kept)->finish(type == ErrorType::noError, messageOf(message)); },
                                   .userdata1 = keep(pending)});
    for (Backoff backoff; !pending->isDone(); backoff.pause()) api().wgpuInstanceProcessEvents(library_.instance());
    if (!pending->isSuccess()) errors += (errors.empty() ? "" : " ") + pending->message();
  }
  if (tellsOfLoss(errors)) events_->lose(kNoReason);
  requirePresent();
  const std::lock_guard lock(events_->mutex);
  return errors.empty() ? std::exchange(events_->error, {}) : errors;
}

template <typename Make>
auto Device::checked(ErrorKind kind, const char* what, Make make) const {
  requirePresent();
  const std::lock_guard lock(creation_);
  for (const ErrorFilter filter : kScopes) api().wgpuDevicePushErrorScope(device_.get(), filter);
  auto made = make();
  const std::string errors = popErrors();
  if (!errors.empty()) fail(kind, "WebGPU: {} failed: {}", what, errors);
  return made;
}

Owned<Buffer> Device::makeBuffer(std::uint64_t bytes, std::uint64_t usage, ErrorKind kind) const {
  const BufferDescriptor descriptor{.usage = usage, .size = bytes};
  Owned<Buffer> buffer = checked(kind, "making a buffer", [&] {
    return owned(api().wgpuDeviceCreateBuffer(device_.get(), &descriptor), api().wgpuBufferRelease);
  });
  if (!buffer) fail(kind, "WebGPU: there is no memory for a buffer of {} bytes.", bytes);
  return buffer;
}

std::shared_ptr<const Pipeline> Device::makePipeline(const std::string& wgsl, const Bindings& bindings) const {
  const auto [reads, writes, hasPlaces] = bindings;
  const std::string key = formatText("{} {} {}\n{}", reads, writes, hasPlaces, wgsl);
  {
    const std::lock_guard lock(cacheMutex_);
    const auto found = pipelines_.find(key);
    if (found != pipelines_.end()) {
      if (std::shared_ptr<const Pipeline> known = found->second.lock()) return known;
    }
  }
  std::shared_ptr<const Pipeline> made =
      checked(ErrorKind::operationError, "compiling a shader", [&]() -> std::shared_ptr<const Pipeline> {
        const ShaderSourceWgsl source{.code = textFor(wgsl)};
        const Descriptor descriptor{.next = const_cast<Chained*>(&source.chain)};
        const auto module = owned(api().wgpuDeviceCreateShaderModule(device_.get(), &descriptor), api().wgpuShaderModuleRelease);
        std::vector<BindGroupLayoutEntry> entries(bindings.reads + bindings.writes + (bindings.hasPlaces ? 1 : 0));
        for (std::size_t i = 0; i < entries.size(); ++i) {
          entries[i].binding = static_cast<std::uint32_t>(i);
          entries[i].buffer.type = i < bindings.reads ? BindingType::readOnlyStorage : BindingType::storage;
        }
        if (bindings.hasPlaces) {
          entries.back().buffer.type = BindingType::uniform;
          entries.back().buffer.hasDynamicOffset = 1;
          entries.back().buffer.minBindingSize = kPlaceBytes;
        }
        const BindGroupLayoutDescriptor groupDescriptor{.count = entries.size(), .entries = entries.data()};
        auto group =
            owned(api().wgpuDeviceCreateBindGroupLayout(device_.get(), &groupDescriptor), api().wgpuBindGroupLayoutRelease);
        const BindGroupLayout groups[] = {group.get()};
        const PipelineLayoutDescriptor layoutDescriptor{.count = 1, .layouts = groups};
        const auto layout =
            owned(api().wgpuDeviceCreatePipelineLayout(device_.get(), &layoutDescriptor), api().wgpuPipelineLayoutRelease);
        ComputePipelineDescriptor pipelineDescriptor{.layout = layout.get()};
        pipelineDescriptor.compute.module = module.get();
        pipelineDescriptor.compute.entryPoint = textFor("main");
        auto pipeline =
            owned(api().wgpuDeviceCreateComputePipeline(device_.get(), &pipelineDescriptor), api().wgpuComputePipelineRelease);
        return std::make_shared<const Pipeline>(Pipeline{std::move(group), std::move(pipeline), bindings});
      });
  const std::lock_guard lock(cacheMutex_);
  std::erase_if(pipelines_, [](const auto& entry) { return entry.second.expired(); });
  pipelines_[key] = made;
  return made;
}

Owned<BindGroup> Device::makeBindGroup(const Pipeline& pipeline, std::span<const Buffer> buffers) const {
  std::vector<BindGroupEntry> entries(buffers.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].binding = static_cast<std::uint32_t>(i);
    entries[i].buffer = buffers[i];
  }
  if (pipeline.bindings.hasPlaces && !entries.empty()) entries.back().size = kPlaceBytes;
  const BindGroupDescriptor descriptor{.layout = pipeline.layout.get(), .count = entries.size(), .entries = entries.data()};
  return checked(ErrorKind::operationError, "binding buffers",
                 [&] { return owned(api().wgpuDeviceCreateBindGroup(device_.get(), &descriptor), api().wgpuBindGroupRelease); });
}

Owned<CommandEncoder> Device::makeEncoder() const {
  return owned(api().wgpuDeviceCreateCommandEncoder(device_.get(), nullptr), api().wgpuCommandEncoderRelease);
}

// Makes an encoder, so that wgpu-native reports a lost device. Submitting commands to a lost device would end the process.
void Device::requirePresentNow() const {
  makeEncoder();
  requirePresent();
}

void Device::submitNothing() const {
  requirePresentNow();
  api().wgpuQueueSubmit(queue_.get(), 0, nullptr);
}

void Device::write(Buffer buffer, std::span<const std::byte> bytes) const {
  const std::size_t whole = bytes.size() / 4 * 4, rest = bytes.size() - whole;
  if (whole > 0) api().wgpuQueueWriteBuffer(queue_.get(), buffer, 0, bytes.data(), whole);
  if (rest == 0) return;
  std::array<std::byte, 4> last{};  // sizes of writes are multiples of 4
  std::memcpy(last.data(), bytes.data() + whole, rest);
  api().wgpuQueueWriteBuffer(queue_.get(), buffer, whole, last.data(), last.size());
}

void Device::submit(Owned<CommandEncoder> encoder) const {
  const auto commands = owned(api().wgpuCommandEncoderFinish(encoder.get(), nullptr), api().wgpuCommandBufferRelease);
  const CommandBuffer list[] = {commands.get()};
  requirePresentNow();
  if (commands) api().wgpuQueueSubmit(queue_.get(), 1, list);
  requirePresent();
  const std::lock_guard lock(events_->mutex);
  if (const std::string error = std::exchange(events_->error, {}); !error.empty())
    fail(ErrorKind::operationError, "dispatch: WebGPU: {}", error);
}

void Device::waitFor(const Pending& pending, const Budget& budget, const char* what) const {
  for (Backoff backoff; !pending.isDone(); backoff.pause()) {
    api().wgpuInstanceProcessEvents(library_.instance());
    if (pending.isDone()) break;
    requirePresent();
    budget.check();
  }
  if (!pending.isSuccess()) fail(ErrorKind::operationError, "{} failed: WebGPU: {}", what, pending.message());
}

void Device::wait(const Budget& budget) const {
  const auto pending = std::make_shared<Pending>();
  api().wgpuQueueOnSubmittedWorkDone(
      queue_.get(), {.mode = CallbackMode::allowProcessEvents,
                     .callback = [](Status status, Text message, void* kept,
                                    void*) { taken(kept)->finish(status == Status::success, messageOf(message)); },
                     .userdata1 = keep(pending)});
  waitFor(*pending, budget, "dispatch");
}

void Device::readMapped(Buffer buffer, std::size_t bytes, const Budget& budget,
                        const std::function<void(std::span<const std::byte>)>& use) const {
  const auto pending = std::make_shared<Pending>();
  api().wgpuBufferMapAsync(buffer, kMapModeRead, 0, bytes,
                           {.mode = CallbackMode::allowProcessEvents,
                            .callback = [](MapStatus status, Text message, void* kept,
                                           void*) { taken(kept)->finish(status == MapStatus::success, messageOf(message)); },
                            .userdata1 = keep(pending)});
  waitFor(*pending, budget, "reading the results");
  const void* const mapped = api().wgpuBufferGetConstMappedRange(buffer, 0, bytes);
  if (!mapped) fail(ErrorKind::operationError, "reading the results failed: WebGPU maps no memory.");
  use({static_cast<const std::byte*>(mapped), bytes});
  api().wgpuBufferUnmap(buffer);
}

}  // namespace webnn::webgpu
