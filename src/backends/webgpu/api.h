// Declares the parts of the WebGPU C API (webgpu.h) and of wgpu-native's extensions (wgpu.h) that we use, so that no header is
// needed. If the headers are installed, tests/webgpu/header_test.cpp compares them.
// https://webgpu-native.github.io/webgpu-headers/, https://github.com/gfx-rs/wgpu-native
#pragma once

#include <cstddef>
#include <cstdint>

struct WGPUAdapterImpl;
struct WGPUBindGroupImpl;
struct WGPUBindGroupLayoutImpl;
struct WGPUBufferImpl;
struct WGPUCommandBufferImpl;
struct WGPUCommandEncoderImpl;
struct WGPUComputePassEncoderImpl;
struct WGPUComputePipelineImpl;
struct WGPUDeviceImpl;
struct WGPUInstanceImpl;
struct WGPUPipelineLayoutImpl;
struct WGPUQueueImpl;
struct WGPUShaderModuleImpl;

namespace webnn::webgpu {

using Adapter = ::WGPUAdapterImpl*;
using BindGroup = ::WGPUBindGroupImpl*;
using BindGroupLayout = ::WGPUBindGroupLayoutImpl*;
using Buffer = ::WGPUBufferImpl*;
using CommandBuffer = ::WGPUCommandBufferImpl*;
using CommandEncoder = ::WGPUCommandEncoderImpl*;
using ComputePass = ::WGPUComputePassEncoderImpl*;
using ComputePipeline = ::WGPUComputePipelineImpl*;
using DeviceHandle = ::WGPUDeviceImpl*;
using Instance = ::WGPUInstanceImpl*;
using PipelineLayout = ::WGPUPipelineLayoutImpl*;
using Queue = ::WGPUQueueImpl*;
using ShaderModule = ::WGPUShaderModuleImpl*;

enum class Status : std::uint32_t { success = 1, error = 2 };  // 1 means success in all callbacks' status enumerations too
enum class AdapterType : std::uint32_t { discreteGpu = 1, integratedGpu = 2, cpu = 3, unknown = 4 };
enum class ApiKind : std::uint32_t { d3d11 = 3, d3d12 = 4, metal = 5, vulkan = 6, openGl = 7, openGlEs = 8 };
enum class CallbackMode : std::uint32_t { waitAnyOnly = 1, allowProcessEvents = 2, allowSpontaneous = 3 };
enum class ErrorType : std::uint32_t { noError = 1, validation = 2, outOfMemory = 3, internal = 4, unknown = 5 };
enum class ErrorFilter : std::uint32_t { validation = 1, outOfMemory = 2, internal = 3 };
enum class LostReason : std::uint32_t { unknown = 1, destroyed = 2, callbackCancelled = 3, failedCreation = 4 };
enum class MapStatus : std::uint32_t { success = 1, callbackCancelled = 2, error = 3, aborted = 4 };
enum class BindingType : std::uint32_t { notUsed = 0, uniform = 2, storage = 3, readOnlyStorage = 4 };
enum class Feature : std::uint32_t {};  // we request none
enum class StructType : std::uint32_t { shaderSourceWgsl = 2, instanceExtras = 0x30004 };

namespace usage {  // WGPUBufferUsage
inline constexpr std::uint64_t kMapRead = 1, kCopySource = 4, kCopyDestination = 8, kUniform = 0x40, kStorage = 0x80,
                               kQueryResolve = 0x200;
}
inline constexpr std::uint64_t kMapModeRead = 1, kStageCompute = 4;
inline constexpr std::uint32_t kUndefinedLimit = UINT32_MAX;
inline constexpr std::uint64_t kUndefinedLimit64 = UINT64_MAX, kWholeSize = UINT64_MAX;
inline constexpr std::size_t kNulTerminated = SIZE_MAX;  // WGPU_STRLEN

struct Text {  // WGPUStringView
  const char* data = nullptr;
  std::size_t length = kNulTerminated;  // null data with kNulTerminated is the default value
};
struct Chained {  // WGPUChainedStruct
  Chained* next = nullptr;
  StructType type{};
};
struct Future {
  std::uint64_t id = 0;
};
struct AdapterInfo {
  Chained* next = nullptr;
  Text vendor, architecture, device, description;
  ApiKind api{};
  AdapterType type{};
  std::uint32_t vendorId = 0, deviceId = 0, subgroupMinSize = 0, subgroupMaxSize = 0;
};
struct DeviceLimits {
  Chained* next = nullptr;
  std::uint32_t maxTextureDimension1D = kUndefinedLimit, maxTextureDimension2D = kUndefinedLimit,
                maxTextureDimension3D = kUndefinedLimit, maxTextureArrayLayers = kUndefinedLimit, maxBindGroups = kUndefinedLimit,
                maxBindGroupsPlusVertexBuffers = kUndefinedLimit, maxBindingsPerBindGroup = kUndefinedLimit,
                maxDynamicUniformBuffersPerPipelineLayout = kUndefinedLimit,
                maxDynamicStorageBuffersPerPipelineLayout = kUndefinedLimit, maxSampledTexturesPerShaderStage = kUndefinedLimit,
                maxSamplersPerShaderStage = kUndefinedLimit, maxStorageBuffersPerShaderStage = kUndefinedLimit,
                maxStorageTexturesPerShaderStage = kUndefinedLimit, maxUniformBuffersPerShaderStage = kUndefinedLimit;
  std::uint64_t maxUniformBufferBindingSize = kUndefinedLimit64, maxStorageBufferBindingSize = kUndefinedLimit64;
  std::uint32_t minUniformBufferOffsetAlignment = kUndefinedLimit, minStorageBufferOffsetAlignment = kUndefinedLimit,
                maxVertexBuffers = kUndefinedLimit;
  std::uint64_t maxBufferSize = kUndefinedLimit64;
  std::uint32_t maxVertexAttributes = kUndefinedLimit, maxVertexBufferArrayStride = kUndefinedLimit,
                maxInterStageShaderVariables = kUndefinedLimit, maxColorAttachments = kUndefinedLimit,
                maxColorAttachmentBytesPerSample = kUndefinedLimit, maxComputeWorkgroupStorageSize = kUndefinedLimit,
                maxComputeInvocationsPerWorkgroup = kUndefinedLimit, maxComputeWorkgroupSizeX = kUndefinedLimit,
                maxComputeWorkgroupSizeY = kUndefinedLimit, maxComputeWorkgroupSizeZ = kUndefinedLimit,
                maxComputeWorkgroupsPerDimension = kUndefinedLimit, maxImmediateSize = kUndefinedLimit;
};

// The WGPU...CallbackInfo structures that we use, except WGPUUncapturedErrorCallbackInfo. A callback's last parameters are (Text
// message, void* userdata1, void* userdata2).
template <typename Function>
struct CallbackInfo {
  Chained* next = nullptr;
  CallbackMode mode{};
  Function* callback = nullptr;
  void* userdata1 = nullptr;
  void* userdata2 = nullptr;
};
using RequestDeviceCallback = CallbackInfo<void(Status, DeviceHandle, Text, void*, void*)>;
using DeviceLostCallback = CallbackInfo<void(const DeviceHandle*, LostReason, Text, void*, void*)>;
struct UncapturedErrorCallback {
  Chained* next = nullptr;
  void (*callback)(const DeviceHandle*, ErrorType, Text, void*, void*) = nullptr;
  void* userdata1 = nullptr;
  void* userdata2 = nullptr;
};
using ErrorScopeCallback = CallbackInfo<void(Status, ErrorType, Text, void*, void*)>;
using MapCallback = CallbackInfo<void(MapStatus, Text, void*, void*)>;
using WorkDoneCallback = CallbackInfo<void(Status, Text, void*, void*)>;

struct InstanceDescriptor {
  Chained* next = nullptr;
  std::size_t featureCount = 0;
  const void* features = nullptr;
  const void* limits = nullptr;
};
// An extension of wgpu-native that restricts the graphics APIs.
struct InstanceExtras {
  Chained chain{nullptr, StructType::instanceExtras};
  std::uint64_t backends = 0, flags = 0;
  std::uint32_t dx12Compiler = 0, gles3MinorVersion = 0, glFence = 0;
  Text dxcPath;
  std::uint32_t dxcShaderModel = 0, dx12Presentation = 0;
  const std::uint8_t* budgetForCreation = nullptr;
  const std::uint8_t* budgetForLoss = nullptr;
  struct {
    std::uint32_t type = 0;
    void* data[2]{};
  } display;
};
inline constexpr std::uint64_t kVulkan = 1, kMetal = 4, kDirect3D12 = 8;  // WGPUInstanceBackend

struct DeviceDescriptor {
  Chained* next = nullptr;
  Text label;
  std::size_t featureCount = 0;
  const Feature* features = nullptr;
  const DeviceLimits* limits = nullptr;
  struct {
    Chained* next = nullptr;
    Text label;
  } queue;
  DeviceLostCallback lost;
  UncapturedErrorCallback uncaptured;
};
struct BufferDescriptor {
  Chained* next = nullptr;
  Text label;
  std::uint64_t usage = 0, size = 0;
  std::uint32_t mappedAtCreation = 0;
};
struct ShaderSourceWgsl {
  Chained chain{nullptr, StructType::shaderSourceWgsl};
  Text code;
};
struct Descriptor {  // for shader modules, command encoders and command buffers: only a label
  Chained* next = nullptr;
  Text label;
};
struct BindGroupLayoutEntry {
  Chained* next = nullptr;
  std::uint32_t binding = 0;
  std::uint64_t visibility = kStageCompute;
  std::uint32_t arraySize = 0;
  struct {
    Chained* next = nullptr;
    BindingType type{};
    std::uint32_t hasDynamicOffset = 0;
    std::uint64_t minBindingSize = 0;
  } buffer;
  struct {
    Chained* next = nullptr;
    std::uint32_t type = 0;
  } sampler;
  struct {
    Chained* next = nullptr;
    std::uint32_t sampleType = 0, viewDimension = 0, multisampled = 0;
  } texture;
  struct {
    Chained* next = nullptr;
    std::uint32_t access = 0, format = 0, viewDimension = 0;
  } storageTexture;
};
struct BindGroupLayoutDescriptor {
  Chained* next = nullptr;
  Text label;
  std::size_t count = 0;
  const BindGroupLayoutEntry* entries = nullptr;
};
struct PipelineLayoutDescriptor {
  Chained* next = nullptr;
  Text label;
  std::size_t count = 0;
  const BindGroupLayout* layouts = nullptr;
  std::uint32_t immediateSize = 0;
};
struct BindGroupEntry {
  Chained* next = nullptr;
  std::uint32_t binding = 0;
  Buffer buffer = nullptr;
  std::uint64_t offset = 0, size = kWholeSize;
  void* sampler = nullptr;
  void* textureView = nullptr;
};
struct BindGroupDescriptor {
  Chained* next = nullptr;
  Text label;
  BindGroupLayout layout = nullptr;
  std::size_t count = 0;
  const BindGroupEntry* entries = nullptr;
};
struct ComputePipelineDescriptor {
  Chained* next = nullptr;
  Text label;
  PipelineLayout layout = nullptr;
  struct {
    Chained* next = nullptr;
    ShaderModule module = nullptr;
    Text entryPoint;
    std::size_t constantCount = 0;
    const void* constants = nullptr;
  } compute;
};
struct ComputePassDescriptor {
  Chained* next = nullptr;
  Text label;
  const void* timestamps = nullptr;
};

// Each entry is FUNCTION(name, type).
#define WEBNN_WEBGPU_FUNCTIONS(FUNCTION)                                                                              \
  FUNCTION(wgpuCreateInstance, Instance(const InstanceDescriptor*))                                                   \
  FUNCTION(wgpuInstanceProcessEvents, void(Instance))                                                                 \
  FUNCTION(wgpuInstanceEnumerateAdapters, std::size_t(Instance, const void*, Adapter*))                               \
  FUNCTION(wgpuAdapterGetInfo, Status(Adapter, AdapterInfo*))                                                         \
  FUNCTION(wgpuAdapterInfoFreeMembers, void(AdapterInfo))                                                             \
  FUNCTION(wgpuAdapterGetLimits, Status(Adapter, DeviceLimits*))                                                      \
  FUNCTION(wgpuAdapterRequestDevice, Future(Adapter, const DeviceDescriptor*, RequestDeviceCallback))                 \
  FUNCTION(wgpuAdapterRelease, void(Adapter))                                                                         \
  FUNCTION(wgpuDeviceCreateBindGroup, BindGroup(DeviceHandle, const BindGroupDescriptor*))                            \
  FUNCTION(wgpuDeviceCreateBindGroupLayout, BindGroupLayout(DeviceHandle, const BindGroupLayoutDescriptor*))          \
  FUNCTION(wgpuDeviceCreateBuffer, Buffer(DeviceHandle, const BufferDescriptor*))                                     \
  FUNCTION(wgpuDeviceCreateCommandEncoder, CommandEncoder(DeviceHandle, const Descriptor*))                           \
  FUNCTION(wgpuDeviceCreateComputePipeline, ComputePipeline(DeviceHandle, const ComputePipelineDescriptor*))          \
  FUNCTION(wgpuDeviceCreatePipelineLayout, PipelineLayout(DeviceHandle, const PipelineLayoutDescriptor*))             \
  FUNCTION(wgpuDeviceCreateShaderModule, ShaderModule(DeviceHandle, const Descriptor*))                               \
  FUNCTION(wgpuDeviceGetLimits, Status(DeviceHandle, DeviceLimits*))                                                  \
  FUNCTION(wgpuDeviceGetQueue, Queue(DeviceHandle))                                                                   \
  FUNCTION(wgpuDevicePopErrorScope, Future(DeviceHandle, ErrorScopeCallback))                                         \
  FUNCTION(wgpuDevicePushErrorScope, void(DeviceHandle, ErrorFilter))                                                 \
  FUNCTION(wgpuDeviceDestroy, void(DeviceHandle))                                                                     \
  FUNCTION(wgpuDeviceRelease, void(DeviceHandle))                                                                     \
  FUNCTION(wgpuBufferGetConstMappedRange, const void*(Buffer, std::size_t, std::size_t))                              \
  FUNCTION(wgpuBufferMapAsync, Future(Buffer, std::uint64_t mode, std::size_t offset, std::size_t size, MapCallback)) \
  FUNCTION(wgpuBufferUnmap, void(Buffer))                                                                             \
  FUNCTION(wgpuBufferRelease, void(Buffer))                                                                           \
  FUNCTION(wgpuQueueOnSubmittedWorkDone, Future(Queue, WorkDoneCallback))                                             \
  FUNCTION(wgpuQueueSubmit, void(Queue, std::size_t, const CommandBuffer*))                                           \
  FUNCTION(wgpuQueueWriteBuffer, void(Queue, Buffer, std::uint64_t offset, const void*, std::size_t))                 \
  FUNCTION(wgpuQueueRelease, void(Queue))                                                                             \
  FUNCTION(wgpuCommandEncoderBeginComputePass, ComputePass(CommandEncoder, const ComputePassDescriptor*))             \
  FUNCTION(wgpuCommandEncoderCopyBufferToBuffer,                                                                      \
           void(CommandEncoder, Buffer from, std::uint64_t, Buffer to, std::uint64_t, std::uint64_t size))            \
  FUNCTION(wgpuCommandEncoderFinish, CommandBuffer(CommandEncoder, const Descriptor*))                                \
  FUNCTION(wgpuCommandEncoderRelease, void(CommandEncoder))                                                           \
  FUNCTION(wgpuCommandBufferRelease, void(CommandBuffer))                                                             \
  FUNCTION(wgpuComputePassEncoderDispatchWorkgroups, void(ComputePass, std::uint32_t, std::uint32_t, std::uint32_t))  \
  FUNCTION(wgpuComputePassEncoderEnd, void(ComputePass))                                                              \
  FUNCTION(wgpuComputePassEncoderSetBindGroup,                                                                        \
           void(ComputePass, std::uint32_t index, BindGroup, std::size_t offsetCount, const std::uint32_t* offsets))  \
  FUNCTION(wgpuComputePassEncoderSetPipeline, void(ComputePass, ComputePipeline))                                     \
  FUNCTION(wgpuComputePassEncoderRelease, void(ComputePass))                                                          \
  FUNCTION(wgpuBindGroupRelease, void(BindGroup))                                                                     \
  FUNCTION(wgpuBindGroupLayoutRelease, void(BindGroupLayout))                                                         \
  FUNCTION(wgpuComputePipelineRelease, void(ComputePipeline))                                                         \
  FUNCTION(wgpuPipelineLayoutRelease, void(PipelineLayout))                                                           \
  FUNCTION(wgpuShaderModuleRelease, void(ShaderModule))                                                               \
  FUNCTION(wgpuSetLogLevel, void(std::uint32_t))                                                                      \
  FUNCTION(wgpuGetVersion, std::uint32_t())

// Names a function type, so that a macro can declare a pointer to it: `Plain<void(int)>* f` instead of `void (*f)(int)`.
template <typename Type>
using Plain = Type;

// The function pointers that we use, named as in the C API.
struct Api {
#define WEBNN_WEBGPU_MEMBER(name, ...) Plain<__VA_ARGS__>* name = nullptr;
  WEBNN_WEBGPU_FUNCTIONS(WEBNN_WEBGPU_MEMBER)
#undef WEBNN_WEBGPU_MEMBER
};

}  // namespace webnn::webgpu
