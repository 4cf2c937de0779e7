// Declares the parts of ONNX Runtime's C API that we call, so that its header is not needed. The API is a table of function
// pointers, to which new versions only append. https://onnxruntime.ai/docs/api/c/struct_ort_api.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

struct OrtAllocator;
struct OrtCUDAProviderOptionsV2;
struct OrtEnv;
struct OrtEpAssignedNode;
struct OrtEpAssignedSubgraph;
struct OrtMemoryInfo;
struct OrtRunOptions;
struct OrtSession;
struct OrtSessionOptions;
struct OrtStatus;
struct OrtTensorRTProviderOptionsV2;
struct OrtValue;

namespace webnn::onnxruntime {

// The API version requested from the library. ONNX Runtime 1.20 is the oldest tested library; newer libraries still offer this
// version.
inline constexpr std::uint32_t kApiVersion = 20;

// Constants of ONNX Runtime's C enumerations.
inline constexpr int kLogWarning = 2;
inline constexpr int kRuntimeException = 6;  // ORT_RUNTIME_EXCEPTION of OrtErrorCode
inline constexpr int kDeviceAllocator = 0;
inline constexpr int kDefaultMemory = 0;

using Logger = void(void* parameter, int severity, const char* category, const char* id, const char* location,
                    const char* message);

// SLOT(index in the API's table, function name, type). C enumerations are int; element types are those of onnx/schema.h.
#define WEBNN_ONNXRUNTIME_SLOTS(SLOT)                                                                                          \
  SLOT(1, GetErrorCode, int(const OrtStatus*))                                                                                 \
  SLOT(2, GetErrorMessage, const char*(const OrtStatus*))                                                                      \
  SLOT(4, CreateEnvWithCustomLogger, OrtStatus*(Logger*, void*, int severity, const char* id, OrtEnv**))                       \
  SLOT(6, DisableTelemetryEvents, OrtStatus*(const OrtEnv*))                                                                   \
  SLOT(8, CreateSessionFromArray, OrtStatus*(const OrtEnv*, const void*, std::size_t, const OrtSessionOptions*, OrtSession**)) \
  SLOT(9, Run,                                                                                                                 \
       OrtStatus*(OrtSession*, const OrtRunOptions*, const char* const* inputNames, const OrtValue* const* inputs,             \
                  std::size_t inputCount, const char* const* outputNames, std::size_t outputCount, OrtValue** outputs))        \
  SLOT(10, CreateSessionOptions, OrtStatus*(OrtSessionOptions**))                                                              \
  SLOT(23, SetSessionGraphOptimizationLevel, OrtStatus*(OrtSessionOptions*, int level))                                        \
  SLOT(24, SetIntraOpNumThreads, OrtStatus*(OrtSessionOptions*, int))                                                          \
  SLOT(39, CreateRunOptions, OrtStatus*(OrtRunOptions**))                                                                      \
  SLOT(46, RunOptionsSetTerminate, OrtStatus*(OrtRunOptions*))                                                                 \
  SLOT(49, CreateTensorWithDataAsOrtValue,                                                                                     \
       OrtStatus*(const OrtMemoryInfo*, void* bytes, std::size_t byteLength, const std::int64_t* shape, std::size_t rank,      \
                  int elementType, OrtValue**))                                                                                \
  SLOT(68, CreateMemoryInfo, OrtStatus*(const char* name, int allocatorType, int deviceId, int memoryType, OrtMemoryInfo**))   \
  SLOT(69, CreateCpuMemoryInfo, OrtStatus*(int allocatorType, int memoryType, OrtMemoryInfo**))                                \
  SLOT(75, AllocatorAlloc, OrtStatus*(OrtAllocator*, std::size_t, void**))                                                     \
  SLOT(76, AllocatorFree, OrtStatus*(OrtAllocator*, void*))                                                                    \
  SLOT(92, ReleaseEnv, void(OrtEnv*))                                                                                          \
  SLOT(93, ReleaseStatus, void(OrtStatus*))                                                                                    \
  SLOT(94, ReleaseMemoryInfo, void(OrtMemoryInfo*))                                                                            \
  SLOT(95, ReleaseSession, void(OrtSession*))                                                                                  \
  SLOT(96, ReleaseValue, void(OrtValue*))                                                                                      \
  SLOT(97, ReleaseRunOptions, void(OrtRunOptions*))                                                                            \
  SLOT(100, ReleaseSessionOptions, void(OrtSessionOptions*))                                                                   \
  SLOT(125, GetAvailableProviders, OrtStatus*(char***, int* count))                                                            \
  SLOT(126, ReleaseAvailableProviders, OrtStatus*(char**, int count))                                                          \
  SLOT(130, AddSessionConfigEntry, OrtStatus*(OrtSessionOptions*, const char* key, const char* value))                         \
  SLOT(131, CreateAllocator, OrtStatus*(const OrtSession*, const OrtMemoryInfo*, OrtAllocator**))                              \
  SLOT(132, ReleaseAllocator, void(OrtAllocator*))                                                                             \
  SLOT(170, SessionOptionsAppendExecutionProvider_TensorRT_V2,                                                                 \
       OrtStatus*(OrtSessionOptions*, const OrtTensorRTProviderOptionsV2*))                                                    \
  SLOT(171, CreateTensorRTProviderOptions, OrtStatus*(OrtTensorRTProviderOptionsV2**))                                         \
  SLOT(172, UpdateTensorRTProviderOptions,                                                                                     \
       OrtStatus*(OrtTensorRTProviderOptionsV2*, const char* const* keys, const char* const* values, std::size_t count))       \
  SLOT(174, ReleaseTensorRTProviderOptions, void(OrtTensorRTProviderOptionsV2*))                                               \
  SLOT(204, SessionOptionsAppendExecutionProvider_CUDA_V2, OrtStatus*(OrtSessionOptions*, const OrtCUDAProviderOptionsV2*))    \
  SLOT(205, CreateCUDAProviderOptions, OrtStatus*(OrtCUDAProviderOptionsV2**))                                                 \
  SLOT(206, UpdateCUDAProviderOptions,                                                                                         \
       OrtStatus*(OrtCUDAProviderOptionsV2*, const char* const* keys, const char* const* values, std::size_t count))           \
  SLOT(208, ReleaseCUDAProviderOptions, void(OrtCUDAProviderOptionsV2*))                                                       \
  SLOT(210, AddExternalInitializers,                                                                                           \
       OrtStatus*(OrtSessionOptions*, const char* const* names, const OrtValue* const* values, std::size_t count))             \
  SLOT(216, SessionOptionsAppendExecutionProvider,                                                                             \
       OrtStatus*(OrtSessionOptions*, const char* name, const char* const* keys, const char* const* values, std::size_t count))

// Functions that exist only since library version 1.`minor`. In older libraries, their pointers in Api stay null.
#define WEBNN_ONNXRUNTIME_NEWER_SLOTS(SLOT)                                                                                      \
  SLOT(293, SessionOptionsSetLoadCancellationFlag, OrtStatus*(OrtSessionOptions*, bool isCancelled), 22)                         \
  SLOT(407, Session_GetEpGraphAssignmentInfo, OrtStatus*(const OrtSession*, const OrtEpAssignedSubgraph* const**, std::size_t*), \
       24)                                                                                                                       \
  SLOT(408, EpAssignedSubgraph_GetEpName, OrtStatus*(const OrtEpAssignedSubgraph*, const char**), 24)                            \
  SLOT(409, EpAssignedSubgraph_GetNodes,                                                                                         \
       OrtStatus*(const OrtEpAssignedSubgraph*, const OrtEpAssignedNode* const**, std::size_t*), 24)                             \
  SLOT(410, EpAssignedNode_GetName, OrtStatus*(const OrtEpAssignedNode*, const char**), 24)

// Names a function type, so that a macro can declare a pointer to it: `Plain<void(int)>* f` instead of `void (*f)(int)`.
template <typename Type>
using Plain = Type;

// The function pointers that we use, named as in the C API.
struct Api {
#define WEBNN_ONNXRUNTIME_MEMBER(index, name, ...) Plain<__VA_ARGS__>* name = nullptr;
  WEBNN_ONNXRUNTIME_SLOTS(WEBNN_ONNXRUNTIME_MEMBER)
#undef WEBNN_ONNXRUNTIME_MEMBER
#define WEBNN_ONNXRUNTIME_MEMBER(index, name, type, minor) Plain<type>* name = nullptr;
  WEBNN_ONNXRUNTIME_NEWER_SLOTS(WEBNN_ONNXRUNTIME_MEMBER)
#undef WEBNN_ONNXRUNTIME_MEMBER

  // Reads the pointers from `table`, which GetApi of library version 1.`libraryMinor` returned.
  static Api of(const void* table, std::uint32_t libraryMinor) {
    using Function = void (*)();
    const auto* functions = static_cast<const Function*>(table);
    Api api;
#define WEBNN_ONNXRUNTIME_TAKE(index, name, ...) api.name = reinterpret_cast<Plain<__VA_ARGS__>*>(functions[index]);
    WEBNN_ONNXRUNTIME_SLOTS(WEBNN_ONNXRUNTIME_TAKE)
#undef WEBNN_ONNXRUNTIME_TAKE
#define WEBNN_ONNXRUNTIME_TAKE(index, name, type, minor) \
  if (libraryMinor >= (minor)) api.name = reinterpret_cast<Plain<type>*>(functions[index]);
    WEBNN_ONNXRUNTIME_NEWER_SLOTS(WEBNN_ONNXRUNTIME_TAKE)
#undef WEBNN_ONNXRUNTIME_TAKE
    return api;
  }
};

// Mirrors OrtApiBase, to which the library's exported function OrtGetApiBase returns a pointer.
struct ApiBase {
  const void* (*getApi)(std::uint32_t version);
  const char* (*getVersionString)();
};

// A unique pointer whose deleter is the API's Release function for that object type.
template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;

}  // namespace webnn::onnxruntime
