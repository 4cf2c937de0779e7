// Compares our declarations of WebGPU's C API with its headers, if they are installed.
#include <gtest/gtest.h>

#include "backends/webgpu/api.h"

#ifdef WEBNN_WEBGPU_HEADER
#include <wgpu.h>

#include <cstddef>
#endif

namespace webnn {
namespace WEBNN_TEST_FILE {

#ifdef WEBNN_WEBGPU_HEADER

using namespace webgpu;

#define WEBNN_SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs))
#define WEBNN_SAME_PLACE(ours, member, theirs, field) static_assert(offsetof(ours, member) == offsetof(theirs, field))
#define WEBNN_SAME_VALUE(ours, theirs) static_assert(static_cast<std::uint64_t>(ours) == static_cast<std::uint64_t>(theirs))

WEBNN_SAME_SIZE(Text, WGPUStringView);
WEBNN_SAME_SIZE(Chained, WGPUChainedStruct);
WEBNN_SAME_SIZE(Future, WGPUFuture);
WEBNN_SAME_SIZE(AdapterInfo, WGPUAdapterInfo);
WEBNN_SAME_PLACE(AdapterInfo, device, WGPUAdapterInfo, device);
WEBNN_SAME_PLACE(AdapterInfo, api, WGPUAdapterInfo, backendType);
WEBNN_SAME_PLACE(AdapterInfo, type, WGPUAdapterInfo, adapterType);
WEBNN_SAME_SIZE(DeviceLimits, WGPULimits);
WEBNN_SAME_PLACE(DeviceLimits, maxStorageBuffersPerShaderStage, WGPULimits, maxStorageBuffersPerShaderStage);
WEBNN_SAME_PLACE(DeviceLimits, maxStorageBufferBindingSize, WGPULimits, maxStorageBufferBindingSize);
WEBNN_SAME_PLACE(DeviceLimits, maxBufferSize, WGPULimits, maxBufferSize);
WEBNN_SAME_PLACE(DeviceLimits, maxComputeWorkgroupStorageSize, WGPULimits, maxComputeWorkgroupStorageSize);
WEBNN_SAME_PLACE(DeviceLimits, maxComputeInvocationsPerWorkgroup, WGPULimits, maxComputeInvocationsPerWorkgroup);
WEBNN_SAME_PLACE(DeviceLimits, maxComputeWorkgroupSizeX, WGPULimits, maxComputeWorkgroupSizeX);
WEBNN_SAME_PLACE(DeviceLimits, maxComputeWorkgroupsPerDimension, WGPULimits, maxComputeWorkgroupsPerDimension);
WEBNN_SAME_SIZE(RequestDeviceCallback, WGPURequestDeviceCallbackInfo);
WEBNN_SAME_SIZE(DeviceLostCallback, WGPUDeviceLostCallbackInfo);
WEBNN_SAME_SIZE(ErrorScopeCallback, WGPUPopErrorScopeCallbackInfo);
WEBNN_SAME_SIZE(MapCallback, WGPUBufferMapCallbackInfo);
WEBNN_SAME_SIZE(WorkDoneCallback, WGPUQueueWorkDoneCallbackInfo);
WEBNN_SAME_PLACE(MapCallback, callback, WGPUBufferMapCallbackInfo, callback);
WEBNN_SAME_PLACE(MapCallback, userdata1, WGPUBufferMapCallbackInfo, userdata1);
WEBNN_SAME_SIZE(UncapturedErrorCallback, WGPUUncapturedErrorCallbackInfo);
WEBNN_SAME_PLACE(UncapturedErrorCallback, callback, WGPUUncapturedErrorCallbackInfo, callback);
WEBNN_SAME_PLACE(UncapturedErrorCallback, userdata1, WGPUUncapturedErrorCallbackInfo, userdata1);
WEBNN_SAME_SIZE(InstanceDescriptor, WGPUInstanceDescriptor);
WEBNN_SAME_SIZE(InstanceExtras, WGPUInstanceExtras);
WEBNN_SAME_PLACE(InstanceExtras, backends, WGPUInstanceExtras, backends);
WEBNN_SAME_PLACE(InstanceExtras, dxcPath, WGPUInstanceExtras, dxcPath);
WEBNN_SAME_PLACE(InstanceExtras, budgetForLoss, WGPUInstanceExtras, budgetForDeviceLoss);
WEBNN_SAME_PLACE(InstanceExtras, display, WGPUInstanceExtras, displayHandle);
WEBNN_SAME_SIZE(DeviceDescriptor, WGPUDeviceDescriptor);
WEBNN_SAME_PLACE(DeviceDescriptor, features, WGPUDeviceDescriptor, requiredFeatures);
WEBNN_SAME_PLACE(DeviceDescriptor, limits, WGPUDeviceDescriptor, requiredLimits);
WEBNN_SAME_PLACE(DeviceDescriptor, lost, WGPUDeviceDescriptor, deviceLostCallbackInfo);
WEBNN_SAME_PLACE(DeviceDescriptor, uncaptured, WGPUDeviceDescriptor, uncapturedErrorCallbackInfo);
WEBNN_SAME_SIZE(BufferDescriptor, WGPUBufferDescriptor);
WEBNN_SAME_PLACE(BufferDescriptor, usage, WGPUBufferDescriptor, usage);
WEBNN_SAME_PLACE(BufferDescriptor, size, WGPUBufferDescriptor, size);
WEBNN_SAME_SIZE(ShaderSourceWgsl, WGPUShaderSourceWGSL);
WEBNN_SAME_SIZE(Descriptor, WGPUShaderModuleDescriptor);
WEBNN_SAME_SIZE(Descriptor, WGPUCommandEncoderDescriptor);
WEBNN_SAME_SIZE(BindGroupLayoutEntry, WGPUBindGroupLayoutEntry);
WEBNN_SAME_PLACE(BindGroupLayoutEntry, visibility, WGPUBindGroupLayoutEntry, visibility);
WEBNN_SAME_PLACE(BindGroupLayoutEntry, buffer, WGPUBindGroupLayoutEntry, buffer);
WEBNN_SAME_PLACE(BindGroupLayoutEntry, sampler, WGPUBindGroupLayoutEntry, sampler);
WEBNN_SAME_SIZE(BindGroupLayoutDescriptor, WGPUBindGroupLayoutDescriptor);
WEBNN_SAME_SIZE(PipelineLayoutDescriptor, WGPUPipelineLayoutDescriptor);
WEBNN_SAME_SIZE(BindGroupEntry, WGPUBindGroupEntry);
WEBNN_SAME_PLACE(BindGroupEntry, buffer, WGPUBindGroupEntry, buffer);
WEBNN_SAME_PLACE(BindGroupEntry, size, WGPUBindGroupEntry, size);
WEBNN_SAME_SIZE(BindGroupDescriptor, WGPUBindGroupDescriptor);
WEBNN_SAME_SIZE(ComputePipelineDescriptor, WGPUComputePipelineDescriptor);
WEBNN_SAME_PLACE(ComputePipelineDescriptor, compute, WGPUComputePipelineDescriptor, compute);
WEBNN_SAME_SIZE(ComputePassDescriptor, WGPUComputePassDescriptor);

WEBNN_SAME_VALUE(Status::success, WGPUStatus_Success);
WEBNN_SAME_VALUE(Status::success, WGPURequestDeviceStatus_Success);
WEBNN_SAME_VALUE(Status::success, WGPUPopErrorScopeStatus_Success);
WEBNN_SAME_VALUE(Status::success, WGPUQueueWorkDoneStatus_Success);
WEBNN_SAME_VALUE(MapStatus::success, WGPUMapAsyncStatus_Success);
WEBNN_SAME_VALUE(AdapterType::discreteGpu, WGPUAdapterType_DiscreteGPU);
WEBNN_SAME_VALUE(AdapterType::cpu, WGPUAdapterType_CPU);
WEBNN_SAME_VALUE(ApiKind::vulkan, WGPUBackendType_Vulkan);
WEBNN_SAME_VALUE(ApiKind::openGlEs, WGPUBackendType_OpenGLES);
WEBNN_SAME_VALUE(CallbackMode::allowProcessEvents, WGPUCallbackMode_AllowProcessEvents);
WEBNN_SAME_VALUE(CallbackMode::allowSpontaneous, WGPUCallbackMode_AllowSpontaneous);
WEBNN_SAME_VALUE(ErrorType::noError, WGPUErrorType_NoError);
WEBNN_SAME_VALUE(ErrorFilter::validation, WGPUErrorFilter_Validation);
WEBNN_SAME_VALUE(ErrorFilter::outOfMemory, WGPUErrorFilter_OutOfMemory);
WEBNN_SAME_VALUE(LostReason::destroyed, WGPUDeviceLostReason_Destroyed);
WEBNN_SAME_VALUE(BindingType::uniform, WGPUBufferBindingType_Uniform);
WEBNN_SAME_VALUE(BindingType::storage, WGPUBufferBindingType_Storage);
WEBNN_SAME_VALUE(BindingType::readOnlyStorage, WGPUBufferBindingType_ReadOnlyStorage);
WEBNN_SAME_VALUE(kVulkan, WGPUInstanceBackend_Vulkan);
WEBNN_SAME_VALUE(kMetal, WGPUInstanceBackend_Metal);
WEBNN_SAME_VALUE(kDirect3D12, WGPUInstanceBackend_DX12);
WEBNN_SAME_VALUE(StructType::instanceExtras, WGPUSType_InstanceExtras);
WEBNN_SAME_VALUE(StructType::shaderSourceWgsl, WGPUSType_ShaderSourceWGSL);
WEBNN_SAME_VALUE(kMapModeRead, WGPUMapMode_Read);
WEBNN_SAME_VALUE(kStageCompute, WGPUShaderStage_Compute);
WEBNN_SAME_VALUE(usage::kMapRead, WGPUBufferUsage_MapRead);
WEBNN_SAME_VALUE(usage::kCopySource, WGPUBufferUsage_CopySrc);
WEBNN_SAME_VALUE(usage::kCopyDestination, WGPUBufferUsage_CopyDst);
WEBNN_SAME_VALUE(usage::kUniform, WGPUBufferUsage_Uniform);
WEBNN_SAME_VALUE(usage::kStorage, WGPUBufferUsage_Storage);
WEBNN_SAME_VALUE(usage::kQueryResolve, WGPUBufferUsage_QueryResolve);
WEBNN_SAME_VALUE(kUndefinedLimit, WGPU_LIMIT_U32_UNDEFINED);
WEBNN_SAME_VALUE(kUndefinedLimit64, WGPU_LIMIT_U64_UNDEFINED);
WEBNN_SAME_VALUE(kWholeSize, WGPU_WHOLE_SIZE);
WEBNN_SAME_VALUE(kNulTerminated, WGPU_STRLEN);

TEST(WebGpuHeader, HasOurDeclarations) {}  // the compiler has compared them

#else

TEST(WebGpuHeader, HasOurDeclarations) {
  GTEST_SKIP() << "wgpu.h is not in build/webgpu/headers (scripts/setup/setup_webgpu.sh)";
}

#endif

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
