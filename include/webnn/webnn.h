// The C API of libwebnn: the W3C Web Neural Network API for C and for languages that can call C. Needs C11 or C++.
// The specification: https://www.w3.org/TR/webnn/
//
// Conventions, which follow webgpu.h:
// - Objects are opaque, reference-counted handles. The caller owns each handle that a function returns, and releases it with the
//   Release function of its type; AddRef adds a reference. Releasing NULL does nothing. An object keeps the objects that it needs
//   alive: a graph keeps its context.
// - Structs are initialized with their macro: `WebnnConv2dOptions options = WEBNN_CONV2D_OPTIONS_INIT;`. Most structs begin with
//   nextInChain, for future extensions; it must be NULL today. A NULL pointer to options means all defaults.
// - The enumeration value 0 (Undefined) in options means the default. Booleans are 0 or 1.
// - Text is UTF-8: a pointer and a length in bytes, or WEBNN_STRLEN for null-terminated text.
// - Functions that can fail return a status. If `error` is not NULL, they also store an error object there (NULL on success),
//   which the caller releases. A call that fails sets its results to NULL or 0 and changes nothing, but a build that fails in
//   compilation uses up the builder. Null handles, values outside an enumeration and unknown structs cause a TypeError.
// - Borrowed data (texts, shapes) is valid as long as the object that it comes from.
// - Asynchronous functions return a future and call their callback exactly once, on the thread that WebnnCallbackMode says and
//   without a lock, so it may call any function. A spontaneous callback may run before the function returns. If the object is
//   NULL or the callback info is invalid, the function calls the callback before it returns, and returns no future (id 0).
// - A function with the suffix Sync does the same as the one without it, and returns when the work is done.
// - All objects are thread safe; concurrent calls on one builder are serialized.
// - The library never prints and never aborts, and no C++ exception leaves it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(WEBNN_C_IMPLEMENTATION)
#define WEBNN_EXPORT __declspec(dllexport)
#else
#define WEBNN_EXPORT __declspec(dllimport)
#endif
#else
#define WEBNN_EXPORT __attribute__((visibility("default")))
#endif

// Expands to a struct value that is valid as an expression in C and C++. Used by the INIT macros.
#if defined(__cplusplus)
#define WEBNN_MAKE(type, ...) (type __VA_ARGS__)
#else
#define WEBNN_MAKE(type, ...) ((type)__VA_ARGS__)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The version of this header; webnnGetVersion() returns the version of the library.
#define WEBNN_VERSION_MAJOR 0
#define WEBNN_VERSION_MINOR 1
#define WEBNN_VERSION_PATCH 0

// ---- Values ----

typedef uint32_t WebnnBool;
// A set of data types: bit i stands for the WebnnOperandDataType with value i.
typedef uint64_t WebnnDataTypeFlags;
#define WEBNN_DATA_TYPE_FLAG(dataType) (UINT64_C(1) << (dataType))

// The length of a WebnnStringView whose text is null-terminated.
#define WEBNN_STRLEN SIZE_MAX
// The count of an absent list, which differs from an empty list (count 0).
#define WEBNN_ABSENT SIZE_MAX

typedef struct WebnnStringView {
  const char* data;
  size_t length;
} WebnnStringView;
#define WEBNN_STRING_VIEW_INIT WEBNN_MAKE(WebnnStringView, {NULL, WEBNN_STRLEN})  // no text; the same as empty text
#define WEBNN_TEXT(text) WEBNN_MAKE(WebnnStringView, {(text), WEBNN_STRLEN})

typedef struct WebnnUint32List {
  size_t count;
  const uint32_t* items;
} WebnnUint32List;
#define WEBNN_UINT32_LIST_INIT WEBNN_MAKE(WebnnUint32List, {WEBNN_ABSENT, NULL})

typedef struct WebnnFloatList {
  size_t count;
  const float* items;
} WebnnFloatList;
#define WEBNN_FLOAT_LIST_INIT WEBNN_MAKE(WebnnFloatList, {WEBNN_ABSENT, NULL})

// Packed elements of a tensor: row-major and little-endian. A byte holds two int4 or uint4 elements, the first in the low nibble.
typedef struct WebnnConstBytes {
  const void* data;
  size_t size;  // in bytes
} WebnnConstBytes;
typedef struct WebnnBytes {
  void* data;
  size_t size;
} WebnnBytes;

typedef enum WebnnNumberType {
  WebnnNumberType_Undefined = 0,  // absent
  WebnnNumberType_Double = 1,
  WebnnNumberType_Int64 = 2,
  WebnnNumberType_Uint64 = 3,
  WebnnNumberType_Force32 = 0x7FFFFFFF
} WebnnNumberType;

// A number that can represent every value of every data type exactly. https://www.w3.org/TR/webnn/#api-mlnumber-typedef
typedef struct WebnnNumber {
  WebnnNumberType type;
  union {
    double float64;
    int64_t int64;
    uint64_t uint64;
  } value;
} WebnnNumber;
#define WEBNN_NUMBER_INIT WEBNN_MAKE(WebnnNumber, {WebnnNumberType_Undefined, {0.0}})

static inline WebnnNumber webnnNumberOfDouble(double value) {
  WebnnNumber number = WEBNN_NUMBER_INIT;
  number.type = WebnnNumberType_Double;
  number.value.float64 = value;
  return number;
}
static inline WebnnNumber webnnNumberOfInt64(int64_t value) {
  WebnnNumber number = WEBNN_NUMBER_INIT;
  number.type = WebnnNumberType_Int64;
  number.value.int64 = value;
  return number;
}
static inline WebnnNumber webnnNumberOfUint64(uint64_t value) {
  WebnnNumber number = WEBNN_NUMBER_INIT;
  number.type = WebnnNumberType_Uint64;
  number.value.uint64 = value;
  return number;
}

// The argument of split(): the `sizes` of the parts or, if `sizes` is absent, the number of equal parts (`count`).
typedef struct WebnnSplits {
  uint32_t count;
  WebnnUint32List sizes;
} WebnnSplits;
#define WEBNN_SPLITS_INIT WEBNN_MAKE(WebnnSplits, {0, WEBNN_UINT32_LIST_INIT})

// ---- Extension ----

// The type of a chained struct. No chained struct is defined yet.
typedef enum WebnnSType { WebnnSType_Undefined = 0, WebnnSType_Force32 = 0x7FFFFFFF } WebnnSType;

typedef struct WebnnChainedStruct {
  struct WebnnChainedStruct* next;
  WebnnSType sType;
} WebnnChainedStruct;

// ---- Objects ----

typedef struct WebnnInstanceImpl* WebnnInstance;          // tracks futures and calls callbacks
typedef struct WebnnContextImpl* WebnnContext;            // a backend on which graphs run, and the tensors in its memory
typedef struct WebnnGraphBuilderImpl* WebnnGraphBuilder;  // builds one graph
typedef struct WebnnOperandImpl* WebnnOperand;            // a value in a graph that is being built
typedef struct WebnnGraphImpl* WebnnGraph;                // an immutable graph, compiled for its context
typedef struct WebnnTensorImpl* WebnnTensor;              // a tensor: memory in a context, which graphs read and write
typedef struct WebnnErrorImpl* WebnnError;                // a status and a message
typedef struct WebnnCancellationImpl* WebnnCancellation;  // stops calls early
typedef struct WebnnSessionImpl* WebnnSession;            // a model that runs on inputs of any sizes
typedef struct WebnnResultsImpl* WebnnResults;            // the outputs of one run of a session

typedef struct WebnnOperandList {
  size_t count;
  const WebnnOperand* items;
} WebnnOperandList;
#define WEBNN_OPERAND_LIST_INIT WEBNN_MAKE(WebnnOperandList, {0, NULL})

// ---- Errors ----

// The specification's error kinds. docs/reference/errors.md says when each is returned.
typedef enum WebnnStatus {
  WebnnStatus_Success = 0,
  WebnnStatus_TypeError = 1,
  WebnnStatus_DataError = 2,
  WebnnStatus_InvalidStateError = 3,
  WebnnStatus_NotFoundError = 4,
  WebnnStatus_NotSupportedError = 5,
  WebnnStatus_OperationError = 6,
  WebnnStatus_UnknownError = 7,  // the system failed, usually out of memory
  WebnnStatus_AbortError = 8,    // a cancellation stopped the call
  WebnnStatus_TimeoutError = 9,  // the call, or the work that it queued, exceeded its time limit
  WebnnStatus_Force32 = 0x7FFFFFFF
} WebnnStatus;

// Returns the specification's name of a status, for instance "InvalidStateError". The text is never freed.
WEBNN_EXPORT WebnnStringView webnnStatusGetName(WebnnStatus status);
// Returns the kind of an error. Success for NULL.
WEBNN_EXPORT WebnnStatus webnnErrorGetStatus(WebnnError error);
// Returns one sentence that names the function or operation, its label, the argument and the values. Null-terminated.
WEBNN_EXPORT WebnnStringView webnnErrorGetMessage(WebnnError error);
WEBNN_EXPORT void webnnErrorAddRef(WebnnError error);
WEBNN_EXPORT void webnnErrorRelease(WebnnError error);

#ifdef __cplusplus
}
#endif

#include "webnn/webnn_operations.h"  // the enumerations, options and functions of the operations (a generated file)

#ifdef __cplusplus
extern "C" {
#endif

// ---- Futures and callbacks ----

typedef enum WebnnCallbackMode {
  WebnnCallbackMode_Undefined = 0,           // the same as AllowSpontaneous
  WebnnCallbackMode_WaitAnyOnly = 1,         // called in webnnInstanceWaitAny
  WebnnCallbackMode_AllowProcessEvents = 2,  // called in webnnInstanceWaitAny or webnnInstanceProcessEvents
  WebnnCallbackMode_AllowSpontaneous = 3,    // called in either of these, or on a thread of the instance as soon as possible
  WebnnCallbackMode_Force32 = 0x7FFFFFFF
} WebnnCallbackMode;

typedef struct WebnnFuture {
  uint64_t id;  // 0: no future
} WebnnFuture;

typedef struct WebnnFutureWaitInfo {
  WebnnFuture future;
  WebnnBool completed;  // set by webnnInstanceWaitAny: 1 if the callback of `future` has been called
} WebnnFutureWaitInfo;

typedef enum WebnnWaitStatus {
  WebnnWaitStatus_Success = 1,  // at least one future is completed
  WebnnWaitStatus_TimedOut = 2,
  WebnnWaitStatus_Error = 3,  // the handle or list is NULL, or a future does not belong to this instance
  WebnnWaitStatus_Force32 = 0x7FFFFFFF
} WebnnWaitStatus;

// Each callback below borrows `error`, which is NULL on success, and owns the object (context or graph) that it receives.

typedef void (*WebnnCreateContextCallback)(WebnnStatus status, WebnnContext context, WebnnError error, void* userdata1,
                                           void* userdata2);
typedef struct WebnnCreateContextCallbackInfo {
  WebnnChainedStruct* nextInChain;
  WebnnCallbackMode mode;
  WebnnCreateContextCallback callback;
  void* userdata1;
  void* userdata2;
} WebnnCreateContextCallbackInfo;
#define WEBNN_CREATE_CONTEXT_CALLBACK_INFO_INIT \
  WEBNN_MAKE(WebnnCreateContextCallbackInfo, {NULL, WebnnCallbackMode_Undefined, NULL, NULL, NULL})

typedef void (*WebnnBuildCallback)(WebnnStatus status, WebnnGraph graph, WebnnError error, void* userdata1, void* userdata2);
typedef struct WebnnBuildCallbackInfo {
  WebnnChainedStruct* nextInChain;
  WebnnCallbackMode mode;
  WebnnBuildCallback callback;
  void* userdata1;
  void* userdata2;
} WebnnBuildCallbackInfo;
#define WEBNN_BUILD_CALLBACK_INFO_INIT WEBNN_MAKE(WebnnBuildCallbackInfo, {NULL, WebnnCallbackMode_Undefined, NULL, NULL, NULL})

typedef void (*WebnnReadTensorCallback)(WebnnStatus status, WebnnError error, void* userdata1, void* userdata2);
typedef struct WebnnReadTensorCallbackInfo {
  WebnnChainedStruct* nextInChain;
  WebnnCallbackMode mode;
  WebnnReadTensorCallback callback;
  void* userdata1;
  void* userdata2;
} WebnnReadTensorCallbackInfo;
#define WEBNN_READ_TENSOR_CALLBACK_INFO_INIT \
  WEBNN_MAKE(WebnnReadTensorCallbackInfo, {NULL, WebnnCallbackMode_Undefined, NULL, NULL, NULL})

typedef enum WebnnContextLostReason {
  WebnnContextLostReason_Lost = 1,      // the context is lost or was destroyed; the message says why
  WebnnContextLostReason_Released = 2,  // the last reference was released, and the context was never lost
  WebnnContextLostReason_Failed = 3,    // webnnContextLost itself failed
  WebnnContextLostReason_Force32 = 0x7FFFFFFF
} WebnnContextLostReason;
typedef void (*WebnnContextLostCallback)(WebnnContextLostReason reason, WebnnStringView message, void* userdata1,
                                         void* userdata2);
typedef struct WebnnContextLostCallbackInfo {
  WebnnChainedStruct* nextInChain;
  WebnnCallbackMode mode;
  WebnnContextLostCallback callback;
  void* userdata1;
  void* userdata2;
} WebnnContextLostCallbackInfo;
#define WEBNN_CONTEXT_LOST_CALLBACK_INFO_INIT \
  WEBNN_MAKE(WebnnContextLostCallbackInfo, {NULL, WebnnCallbackMode_Undefined, NULL, NULL, NULL})

// Called for each dispatch or write that fails after it was queued. The mode must not be WaitAnyOnly: there is no future.
typedef void (*WebnnUncapturedErrorCallback)(WebnnError error, void* userdata1, void* userdata2);
typedef struct WebnnUncapturedErrorCallbackInfo {
  WebnnChainedStruct* nextInChain;
  WebnnCallbackMode mode;
  WebnnUncapturedErrorCallback callback;  // may be NULL
  void* userdata1;
  void* userdata2;
} WebnnUncapturedErrorCallbackInfo;
#define WEBNN_UNCAPTURED_ERROR_CALLBACK_INFO_INIT \
  WEBNN_MAKE(WebnnUncapturedErrorCallbackInfo, {NULL, WebnnCallbackMode_Undefined, NULL, NULL, NULL})

// Called exactly once, on any thread, when the library no longer refers to the bytes. Must not call the library.
typedef void (*WebnnReleaseCallback)(const void* data, void* userdata1, void* userdata2);
// Bytes that the library refers to without copying. They must not change until the library calls `release`.
typedef struct WebnnExternalBytes {
  WebnnChainedStruct* nextInChain;
  const void* data;
  size_t size;
  WebnnReleaseCallback release;  // not called if the function that receives the bytes fails
  void* userdata1;
  void* userdata2;
} WebnnExternalBytes;
#define WEBNN_EXTERNAL_BYTES_INIT WEBNN_MAKE(WebnnExternalBytes, {NULL, NULL, 0, NULL, NULL, NULL})

// ---- Instance ----

typedef struct WebnnInstanceDescriptor {
  WebnnChainedStruct* nextInChain;
} WebnnInstanceDescriptor;
#define WEBNN_INSTANCE_DESCRIPTOR_INIT WEBNN_MAKE(WebnnInstanceDescriptor, {NULL})

// Returns major * 1000000 + minor * 1000 + patch.
WEBNN_EXPORT uint32_t webnnGetVersion(void);
// Creates an instance. A NULL descriptor means all defaults.
WEBNN_EXPORT WebnnStatus webnnCreateInstance(const WebnnInstanceDescriptor* descriptor, WebnnInstance* instance,
                                             WebnnError* error);
// Calls the callbacks of finished operations on this thread, except callbacks with mode WaitAnyOnly.
WEBNN_EXPORT void webnnInstanceProcessEvents(WebnnInstance instance);
// Waits until at least one of `futures` is completed, and calls the callbacks of the completed futures on this thread. A timeout
// of 0 only polls; UINT64_MAX waits without a limit.
WEBNN_EXPORT WebnnWaitStatus webnnInstanceWaitAny(WebnnInstance instance, size_t futureCount, WebnnFutureWaitInfo* futures,
                                                  uint64_t timeoutNanoseconds);
WEBNN_EXPORT void webnnInstanceAddRef(WebnnInstance instance);
// The last release calls the callbacks of all finished operations. Later callbacks are called on a thread of the instance.
WEBNN_EXPORT void webnnInstanceRelease(WebnnInstance instance);

// ---- Limits of work ----

// Limits of a context or a load; webnn/limits.h defines what each counts. Exceeding maxMemory, maxOperations or maxElements fails
// with an OperationError, exceeding maxTimeNanoseconds with a TimeoutError.
typedef struct WebnnWorkLimits {
  WebnnChainedStruct* nextInChain;
  uint64_t maxMemory;           // bytes
  uint64_t maxOperations;       // per graph
  uint64_t maxElements;         // per graph: the elements of all its operands
  uint64_t maxCompileWork;      // elementary steps of constant folding, per graph
  uint64_t maxTimeNanoseconds;  // per load, build or run; UINT64_MAX: no limit
} WebnnWorkLimits;
#define WEBNN_WORK_LIMITS_INIT \
  WEBNN_MAKE(WebnnWorkLimits, {NULL, UINT64_C(1) << 40, UINT64_C(1) << 20, UINT64_C(1) << 44, UINT64_C(1) << 36, UINT64_MAX})

// Creates an object that can stop calls early. After webnnCancellationRequest, all current and later calls that received this
// cancellation fail with an AbortError, usually within 50 milliseconds; docs/reference/limits.md lists the exceptions.
WEBNN_EXPORT WebnnStatus webnnCreateCancellation(WebnnCancellation* cancellation, WebnnError* error);
// Stops the calls that received this cancellation. May be called on any thread at any time. Idempotent.
WEBNN_EXPORT void webnnCancellationRequest(WebnnCancellation cancellation);
// Returns whether webnnCancellationRequest has been called. 0 for NULL.
WEBNN_EXPORT WebnnBool webnnCancellationIsRequested(WebnnCancellation cancellation);
WEBNN_EXPORT void webnnCancellationAddRef(WebnnCancellation cancellation);
WEBNN_EXPORT void webnnCancellationRelease(WebnnCancellation cancellation);

// The progress of a load or a build: `done` of `total` items. The items are operations that are read (phase "load"), compiler
// passes ("optimize"), or operations whose weights are packed ("prepare"). Called on the calling thread at the beginning and end
// of each phase, and between items, at most 50 times per second. Must not call the library.
typedef void (*WebnnProgressCallback)(WebnnStringView phase, uint64_t done, uint64_t total, void* userdata);

// Cancellation, timeout and progress of one call. A call that is stopped early leaves the context and the graph usable.
typedef struct WebnnCallOptions {
  WebnnChainedStruct* nextInChain;
  WebnnCancellation cancellation;    // may be NULL
  uint64_t timeoutNanoseconds;       // from the call on, including time in the queue; UINT64_MAX: no limit
  WebnnProgressCallback onProgress;  // used by webnnGraphBuilderBuildSyncWithOptions and webnnSessionRun; may be NULL
  void* progressUserdata;
} WebnnCallOptions;
#define WEBNN_CALL_OPTIONS_INIT WEBNN_MAKE(WebnnCallOptions, {NULL, NULL, UINT64_MAX, NULL, NULL})

// ---- Context ----

// https://www.w3.org/TR/webnn/#enumdef-mlpowerpreference
typedef enum WebnnPowerPreference {
  WebnnPowerPreference_Undefined = 0,  // the same as Default
  WebnnPowerPreference_Default = 1,
  WebnnPowerPreference_HighPerformance = 2,
  WebnnPowerPreference_LowPower = 3,
  WebnnPowerPreference_Force32 = 0x7FFFFFFF
} WebnnPowerPreference;

typedef enum WebnnExecution {
  WebnnExecution_Undefined = 0,     // the same as Worker
  WebnnExecution_Worker = 1,        // on a thread of the context; calls return without waiting
  WebnnExecution_CallerThread = 2,  // on the calling thread, before the call returns
  WebnnExecution_Service = 3,       // in a separate process: if it crashes, only the context is lost; calls return as with Worker
  WebnnExecution_Force32 = 0x7FFFFFFF
} WebnnExecution;

// A setting of a backend: see ContextOptions::backendOptions in webnn/context.h.
typedef struct WebnnBackendOption {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnStringView value;
} WebnnBackendOption;
#define WEBNN_BACKEND_OPTION_INIT WEBNN_MAKE(WebnnBackendOption, {NULL, WEBNN_STRING_VIEW_INIT, WEBNN_STRING_VIEW_INIT})

// https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions, and options that the specification does not have.
typedef struct WebnnContextOptions {
  WebnnChainedStruct* nextInChain;
  WebnnPowerPreference powerPreference;
  WebnnBool accelerated;
  WebnnStringView
      // "cpu", "reference", "onnxruntime", "openvino", "webgpu" or "coreml", without fallback; empty: the best available backend
      backend;
  WebnnExecution execution;
  uint32_t threads;  // threads per graph, at most 1024; 0: the backend decides
  size_t backendOptionCount;
  const WebnnBackendOption* backendOptions;
  WebnnUncapturedErrorCallbackInfo uncapturedErrorCallbackInfo;
  const WebnnWorkLimits* limits;  // NULL: the limits of WEBNN_WORK_LIMITS_INIT
  // The process in which graphs run: "private", "unix:PATH", or empty. See ContextOptions::service in webnn/context.h.
  WebnnStringView service;
  WebnnStringView serviceToken;  // 32 hexadecimal digits; empty: the environment variable WEBNN_SERVICE_TOKEN, or no token
} WebnnContextOptions;
#define WEBNN_CONTEXT_OPTIONS_INIT                                                                                   \
  WEBNN_MAKE(WebnnContextOptions,                                                                                    \
             {NULL, WebnnPowerPreference_Undefined, 1, WEBNN_STRING_VIEW_INIT, WebnnExecution_Undefined, 0, 0, NULL, \
              WEBNN_UNCAPTURED_ERROR_CALLBACK_INFO_INIT, NULL, WEBNN_STRING_VIEW_INIT, WEBNN_STRING_VIEW_INIT})

// Creates a context. Fails with NotSupportedError, which names the missing option or device, if the options cannot be met.
WEBNN_EXPORT WebnnFuture webnnInstanceCreateContext(WebnnInstance instance, const WebnnContextOptions* options,
                                                    WebnnCreateContextCallbackInfo callbackInfo);
WEBNN_EXPORT WebnnStatus webnnInstanceCreateContextSync(WebnnInstance instance, const WebnnContextOptions* options,
                                                        WebnnContext* context, WebnnError* error);
// Returns whether graphs of this context run on a GPU or an NPU. 0 for NULL.
WEBNN_EXPORT WebnnBool webnnContextIsAccelerated(WebnnContext context);
// Returns the name of the backend: "cpu", "reference", ... Empty for NULL.
WEBNN_EXPORT WebnnStringView webnnContextGetBackend(WebnnContext context);
// Returns where graphs run: "private" or "unix:PATH", or empty for this process. Empty for NULL.
WEBNN_EXPORT WebnnStringView webnnContextGetService(WebnnContext context);
// Calls the callback when the context is lost or no longer referenced. https://www.w3.org/TR/webnn/#dom-mlcontext-lost
WEBNN_EXPORT WebnnFuture webnnContextLost(WebnnContext context, WebnnContextLostCallbackInfo callbackInfo);
// Returns whether the context is lost. 0 for NULL.
WEBNN_EXPORT WebnnBool webnnContextIsLost(WebnnContext context);
// Loses the context: destroys its graphs and tensors, and fails pending reads with InvalidStateError. Idempotent.
WEBNN_EXPORT void webnnContextDestroy(WebnnContext context);
// Returns the number of bytes that are currently charged to maxMemory. 0 for NULL.
WEBNN_EXPORT uint64_t webnnContextGetMemoryInUse(WebnnContext context);
WEBNN_EXPORT void webnnContextAddRef(WebnnContext context);
WEBNN_EXPORT void webnnContextRelease(WebnnContext context);

// ---- Limits ----

// The data types and ranks that an operand may have. https://www.w3.org/TR/webnn/#api-mlcontext-tensorlimits-dictionary
typedef struct WebnnTensorLimits {
  WebnnChainedStruct* nextInChain;
  WebnnDataTypeFlags dataTypes;
  uint32_t minRank;
  uint32_t maxRank;
} WebnnTensorLimits;
#define WEBNN_TENSOR_LIMITS_INIT WEBNN_MAKE(WebnnTensorLimits, {NULL, 0, 0, 0})

// https://www.w3.org/TR/webnn/#api-mlcontext-opsupportlimits-dictionary
typedef struct WebnnLimits {
  WebnnChainedStruct* nextInChain;
  WebnnInputOperandLayout preferredInputLayout;
  uint64_t maxTensorByteLength;
  WebnnTensorLimits input;
  WebnnTensorLimits constant;
  WebnnTensorLimits output;
} WebnnLimits;
#define WEBNN_LIMITS_INIT                                                                                                  \
  WEBNN_MAKE(WebnnLimits, {NULL, WebnnInputOperandLayout_Undefined, 0, WEBNN_TENSOR_LIMITS_INIT, WEBNN_TENSOR_LIMITS_INIT, \
                           WEBNN_TENSOR_LIMITS_INIT})

// Gets the limits that apply to every input, constant and output of a graph.
WEBNN_EXPORT WebnnStatus webnnContextGetLimits(WebnnContext context, WebnnLimits* limits, WebnnError* error);
// Gets the limits of an operand or output of an operation. Both names are spelled as in the specification: `operation` "conv2d",
// `operand` "filter". Fails with NotFoundError if the operation or operand does not exist.
WEBNN_EXPORT WebnnStatus webnnContextGetOperandLimits(WebnnContext context, WebnnStringView operation, WebnnStringView operand,
                                                      WebnnTensorLimits* limits, WebnnError* error);

// ---- Tensors ----

// https://www.w3.org/TR/webnn/#api-mloperanddescriptor
typedef struct WebnnOperandDescriptor {
  WebnnChainedStruct* nextInChain;
  WebnnOperandDataType dataType;  // must be set
  WebnnUint32List shape;          // must be set; for a scalar, an empty list
} WebnnOperandDescriptor;
#define WEBNN_OPERAND_DESCRIPTOR_INIT \
  WEBNN_MAKE(WebnnOperandDescriptor, {NULL, WebnnOperandDataType_Undefined, WEBNN_UINT32_LIST_INIT})

// https://www.w3.org/TR/webnn/#api-mltensordescriptor
typedef struct WebnnTensorDescriptor {
  WebnnChainedStruct* nextInChain;
  WebnnOperandDataType dataType;  // must be set
  WebnnUint32List shape;          // must be set; for a scalar, an empty list
  WebnnBool readable;
  WebnnBool writable;
} WebnnTensorDescriptor;
#define WEBNN_TENSOR_DESCRIPTOR_INIT \
  WEBNN_MAKE(WebnnTensorDescriptor, {NULL, WebnnOperandDataType_Undefined, WEBNN_UINT32_LIST_INIT, 0, 0})

// Creates a tensor of zeros.
WEBNN_EXPORT WebnnStatus webnnContextCreateTensor(WebnnContext context, const WebnnTensorDescriptor* descriptor,
                                                  WebnnTensor* tensor, WebnnError* error);
// Creates a tensor with a copy of `bytes`, for webnnGraphBuilderConstantTensor. The tensor is neither readable nor writable.
WEBNN_EXPORT WebnnStatus webnnContextCreateConstantTensor(WebnnContext context, const WebnnOperandDescriptor* descriptor,
                                                          WebnnConstBytes bytes, WebnnTensor* tensor, WebnnError* error);
// Queues a write of `bytes` to a writable tensor. `bytes` may be reused when the function returns.
WEBNN_EXPORT WebnnStatus webnnContextWriteTensor(WebnnContext context, WebnnTensor tensor, WebnnConstBytes bytes,
                                                 WebnnError* error);
// Copies a readable tensor to `bytes` after all work that was queued earlier. `bytes` must stay valid until the callback is
// called. If the dispatch that should have written the tensor failed, the read fails with the error of that dispatch. If the
// tensor is destroyed before the copy, the read fails with InvalidStateError; if before this call, with TypeError.
WEBNN_EXPORT WebnnFuture webnnContextReadTensor(WebnnContext context, WebnnTensor tensor, WebnnBytes bytes,
                                                WebnnReadTensorCallbackInfo callbackInfo);
WEBNN_EXPORT WebnnStatus webnnContextReadTensorSync(WebnnContext context, WebnnTensor tensor, WebnnBytes bytes,
                                                    WebnnError* error);
// Fills in `descriptor`. Its shape is borrowed from the tensor.
WEBNN_EXPORT WebnnStatus webnnTensorGetDescriptor(WebnnTensor tensor, WebnnTensorDescriptor* descriptor, WebnnError* error);
// Returns whether webnnContextCreateConstantTensor() made the tensor. 0 for NULL.
WEBNN_EXPORT WebnnBool webnnTensorIsConstant(WebnnTensor tensor);
// Returns the size in bytes. 0 for NULL.
WEBNN_EXPORT size_t webnnTensorGetByteLength(WebnnTensor tensor);
// Destroys the tensor. Pending reads fail; the memory is freed after all work that was queued earlier. Idempotent.
WEBNN_EXPORT void webnnTensorDestroy(WebnnTensor tensor);
WEBNN_EXPORT void webnnTensorAddRef(WebnnTensor tensor);
WEBNN_EXPORT void webnnTensorRelease(WebnnTensor tensor);

// ---- Builder: everything but the operations, which are in webnn_operations.h ----

typedef struct WebnnNamedOperand {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnOperand operand;
} WebnnNamedOperand;
#define WEBNN_NAMED_OPERAND_INIT WEBNN_MAKE(WebnnNamedOperand, {NULL, WEBNN_STRING_VIEW_INIT, NULL})

// Creates a builder. Fails with InvalidStateError if the context is lost.
WEBNN_EXPORT WebnnStatus webnnContextCreateGraphBuilder(WebnnContext context, WebnnGraphBuilder* builder, WebnnError* error);
// Adds a named input of the graph. Fails with TypeError if the name is empty or already used.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderInput(WebnnGraphBuilder builder, WebnnStringView name,
                                                const WebnnOperandDescriptor* descriptor, WebnnOperand* operand,
                                                WebnnError* error);

// A dimension of an operand: a number, or an open dimension, whose size is chosen at each run. An extension of the specification.
typedef struct WebnnDimension {
  WebnnChainedStruct* nextInChain;
  uint32_t size;         // the size if `text` is empty
  WebnnStringView text;  // the name of an open dimension, or an expression over names such as "past + 1"
  uint32_t min;          // the smallest size of a named dimension, inclusive; may be 0, as for a cache before its first step
  uint32_t max;          // the largest size of a named dimension, inclusive
} WebnnDimension;
#define WEBNN_DIMENSION_INIT WEBNN_MAKE(WebnnDimension, {NULL, 0, WEBNN_STRING_VIEW_INIT, 0, 0x7FFFFFFF})

// The data type and shape of an input with open dimensions.
typedef struct WebnnOpenDescriptor {
  WebnnChainedStruct* nextInChain;
  WebnnOperandDataType dataType;  // must be set
  size_t dimensionCount;
  const WebnnDimension* dimensions;
} WebnnOpenDescriptor;
#define WEBNN_OPEN_DESCRIPTOR_INIT WEBNN_MAKE(WebnnOpenDescriptor, {NULL, WebnnOperandDataType_Undefined, 0, NULL})

// Adds an input with open dimensions. webnnGraphBuilderBuildSession() makes a session of the graph; the other build functions
// fail with a TypeError. In descriptors, an open dimension is a handle: a number of at least 2^31, which is accepted as a size.
// Fails with TypeError for an empty or used name, text that is not an expression, and bounds that contradict earlier bounds.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderOpenInput(WebnnGraphBuilder builder, WebnnStringView name,
                                                    const WebnnOpenDescriptor* descriptor, WebnnOperand* operand,
                                                    WebnnError* error);
// Stores the handle of an expression over open dimensions in `size`, for fields that hold sizes of shapes, such as newShape.
// GraphBuilder::openSize() in webnn/graph_builder.h lists the fields and the grammar.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderOpenSize(WebnnGraphBuilder builder, WebnnStringView expression, uint32_t* size,
                                                   WebnnError* error);
// Adds a constant with a copy of `bytes`.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConstant(WebnnGraphBuilder builder, const WebnnOperandDescriptor* descriptor,
                                                   WebnnConstBytes bytes, WebnnOperand* operand, WebnnError* error);
// Adds a constant that refers to the bytes without copying them.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConstantExternal(WebnnGraphBuilder builder, const WebnnOperandDescriptor* descriptor,
                                                           const WebnnExternalBytes* bytes, WebnnOperand* operand,
                                                           WebnnError* error);
// Adds a scalar constant: `value` cast to `dataType`.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConstantScalar(WebnnGraphBuilder builder, WebnnOperandDataType dataType,
                                                         WebnnNumber value, WebnnOperand* operand, WebnnError* error);
// Adds a constant with the value of `tensor`, which webnnContextCreateConstantTensor must have made in the same context.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderConstantTensor(WebnnGraphBuilder builder, WebnnTensor tensor, WebnnOperand* operand,
                                                         WebnnError* error);
// Compiles the graph after the context's queued work. A builder builds once; calls that fail their checks do not count.
WEBNN_EXPORT WebnnFuture webnnGraphBuilderBuild(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                                WebnnBuildCallbackInfo callbackInfo);
WEBNN_EXPORT WebnnStatus webnnGraphBuilderBuildSync(WebnnGraphBuilder builder, size_t outputCount,
                                                    const WebnnNamedOperand* outputs, WebnnGraph* graph, WebnnError* error);
// Builds like webnnGraphBuilderBuild(), with options for cancellation and timeout.
WEBNN_EXPORT WebnnFuture webnnGraphBuilderBuildWithOptions(WebnnGraphBuilder builder, size_t outputCount,
                                                           const WebnnNamedOperand* outputs, const WebnnCallOptions* options,
                                                           WebnnBuildCallbackInfo callbackInfo);
WEBNN_EXPORT WebnnStatus webnnGraphBuilderBuildSyncWithOptions(WebnnGraphBuilder builder, size_t outputCount,
                                                               const WebnnNamedOperand* outputs, const WebnnCallOptions* options,
                                                               WebnnGraph* graph, WebnnError* error);
WEBNN_EXPORT void webnnGraphBuilderAddRef(WebnnGraphBuilder builder);
WEBNN_EXPORT void webnnGraphBuilderRelease(WebnnGraphBuilder builder);

// Fills in `descriptor`. Its shape is borrowed from the operand.
WEBNN_EXPORT WebnnStatus webnnOperandGetDescriptor(WebnnOperand operand, WebnnOperandDescriptor* descriptor, WebnnError* error);
// Fills in a dimension of the operand's shape, with the name or expression of an open one. The text is borrowed from the operand.
WEBNN_EXPORT WebnnStatus webnnOperandGetDimension(WebnnOperand operand, size_t index, WebnnDimension* dimension,
                                                  WebnnError* error);
WEBNN_EXPORT void webnnOperandAddRef(WebnnOperand operand);
WEBNN_EXPORT void webnnOperandRelease(WebnnOperand operand);
// Releases the operands of a list that a function returned, and the memory of the list.
WEBNN_EXPORT void webnnOperandListFreeMembers(WebnnOperandList list);

// ---- Graphs ----

typedef struct WebnnNamedTensor {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnTensor tensor;
} WebnnNamedTensor;
#define WEBNN_NAMED_TENSOR_INIT WEBNN_MAKE(WebnnNamedTensor, {NULL, WEBNN_STRING_VIEW_INIT, NULL})

// An input or output of a graph. The name is null-terminated.
typedef struct WebnnNamedDescriptor {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnOperandDescriptor descriptor;
} WebnnNamedDescriptor;
#define WEBNN_NAMED_DESCRIPTOR_INIT \
  WEBNN_MAKE(WebnnNamedDescriptor, {NULL, WEBNN_STRING_VIEW_INIT, WEBNN_OPERAND_DESCRIPTOR_INIT})

// Return the number of inputs and of outputs. Inputs that no output depends on are left out; the others keep their order.
WEBNN_EXPORT size_t webnnGraphGetInputCount(WebnnGraph graph);
WEBNN_EXPORT size_t webnnGraphGetOutputCount(WebnnGraph graph);
// Get the name and descriptor of the input or output with this index, borrowed from the graph.
WEBNN_EXPORT WebnnStatus webnnGraphGetInput(WebnnGraph graph, size_t index, WebnnNamedDescriptor* input, WebnnError* error);
WEBNN_EXPORT WebnnStatus webnnGraphGetOutput(WebnnGraph graph, size_t index, WebnnNamedDescriptor* output, WebnnError* error);
// Queues a run and returns. `inputs` and `outputs` bind every input and output by name to a tensor with the same descriptor, and
// no tensor twice. Readers of the outputs and the uncaptured-error callback receive the error of a run that fails.
WEBNN_EXPORT WebnnStatus webnnContextDispatch(WebnnContext context, WebnnGraph graph, size_t inputCount,
                                              const WebnnNamedTensor* inputs, size_t outputCount, const WebnnNamedTensor* outputs,
                                              WebnnError* error);
// Queues a run like webnnContextDispatch(), with options to stop it: at once if it has begun, otherwise when its turn comes.
WEBNN_EXPORT WebnnStatus webnnContextDispatchWithOptions(WebnnContext context, WebnnGraph graph, size_t inputCount,
                                                         const WebnnNamedTensor* inputs, size_t outputCount,
                                                         const WebnnNamedTensor* outputs, const WebnnCallOptions* options,
                                                         WebnnError* error);
// Runs the graph on this thread and returns when the run is done; does not wait for queued work. `inputs` and `outputs` are in
// the order of the graph's inputs and outputs. Several threads may run the same graph concurrently.
WEBNN_EXPORT WebnnStatus webnnGraphCompute(WebnnGraph graph, size_t inputCount, const WebnnConstBytes* inputs, size_t outputCount,
                                           const WebnnBytes* outputs, WebnnError* error);
// Runs the graph as webnnGraphCompute() does, with options to stop the run early.
WEBNN_EXPORT WebnnStatus webnnGraphComputeWithOptions(WebnnGraph graph, size_t inputCount, const WebnnConstBytes* inputs,
                                                      size_t outputCount, const WebnnBytes* outputs,
                                                      const WebnnCallOptions* options, WebnnError* error);

// The memory that a graph needs in bytes, estimated before compilation.
typedef struct WebnnMemoryEstimate {
  WebnnChainedStruct* nextInChain;
  uint64_t inputs;
  uint64_t outputs;
  uint64_t constants;
  uint64_t packedWeights;  // approximate: copies of constants in the layout of the kernels
  uint64_t intermediates;  // the peak size of the intermediate results if operations run in the graph's order
} WebnnMemoryEstimate;
#define WEBNN_MEMORY_ESTIMATE_INIT WEBNN_MAKE(WebnnMemoryEstimate, {NULL, 0, 0, 0, 0, 0})
// Gets the estimate that was made before the graph was compiled.
WEBNN_EXPORT WebnnStatus webnnGraphGetMemoryEstimate(WebnnGraph graph, WebnnMemoryEstimate* estimate, WebnnError* error);
// Destroys the graph: it cannot be run any more. Queued runs are still executed. Idempotent.
WEBNN_EXPORT void webnnGraphDestroy(WebnnGraph graph);
WEBNN_EXPORT void webnnGraphAddRef(WebnnGraph graph);
WEBNN_EXPORT void webnnGraphRelease(WebnnGraph graph);

// ---- Files ----

// The size of an open dimension of a model.
typedef struct WebnnNamedDimension {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  uint32_t size;
} WebnnNamedDimension;
#define WEBNN_NAMED_DIMENSION_INIT WEBNN_MAKE(WebnnNamedDimension, {NULL, WEBNN_STRING_VIEW_INIT, 0})

// An input of an ONNX model that is replaced by a constant.
typedef struct WebnnNamedBytes {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnConstBytes bytes;  // copied
} WebnnNamedBytes;
#define WEBNN_NAMED_BYTES_INIT WEBNN_MAKE(WebnnNamedBytes, {NULL, WEBNN_STRING_VIEW_INIT, {NULL, 0}})

typedef struct WebnnLoadOptions {
  WebnnChainedStruct* nextInChain;
  WebnnStringView weights;   // the path of the weights file; empty: searched for beside the graph
  WebnnStringView manifest;  // the path of the manifest of a .weights file; empty: searched for beside the graph
  size_t dimensionCount;     // sizes of open dimensions: all of them for webnnContextLoad*(), any of them for a session
  const WebnnNamedDimension* dimensions;
  size_t valueCount;
  const WebnnNamedBytes* values;
  WebnnBool namedFilesOnly;          // open only the graph and the files that these options name
  const WebnnWorkLimits* limits;     // NULL: the context's limits; otherwise the stricter of both values applies
  WebnnCancellation cancellation;    // may be NULL
  WebnnProgressCallback onProgress;  // may be NULL
  void* progressUserdata;
} WebnnLoadOptions;
#define WEBNN_LOAD_OPTIONS_INIT \
  WEBNN_MAKE(WebnnLoadOptions,  \
             {NULL, WEBNN_STRING_VIEW_INIT, WEBNN_STRING_VIEW_INIT, 0, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL})

typedef enum WebnnGraphFormat {
  WebnnGraphFormat_Undefined = 0,  // chosen by the path's suffix; fails with TypeError if the suffix is unknown
  WebnnGraphFormat_WebnnText = 1,  // .webnn
  WebnnGraphFormat_GraphJson = 2,  // webnn-graph-json version 2
  WebnnGraphFormat_Onnx = 3,
  WebnnGraphFormat_WebnnBinary = 4,  // .webnnb
  WebnnGraphFormat_CoreMl = 5,       // .mlpackage, which can be written but not loaded
  WebnnGraphFormat_Force32 = 0x7FFFFFFF
} WebnnGraphFormat;

typedef enum WebnnWeightsFormat {
  WebnnWeightsFormat_Undefined = 0,    // Inline for WebnnBinary, else Safetensors. CoreMl ignores it: a package has its weights.
  WebnnWeightsFormat_Safetensors = 1,  // NAME.safetensors; for Onnx, constants of at least 1024 bytes in NAME.onnx.data
  WebnnWeightsFormat_Manifest = 2,     // NAME.weights and NAME.manifest.json; for Onnx, like Safetensors
  WebnnWeightsFormat_Inline = 3,       // in the graph itself
  WebnnWeightsFormat_Force32 = 0x7FFFFFFF
} WebnnWeightsFormat;

typedef struct WebnnSaveOptions {
  WebnnChainedStruct* nextInChain;
  WebnnGraphFormat graph;
  WebnnWeightsFormat weights;
} WebnnSaveOptions;
#define WEBNN_SAVE_OPTIONS_INIT WEBNN_MAKE(WebnnSaveOptions, {NULL, WebnnGraphFormat_Undefined, WebnnWeightsFormat_Undefined})

// Reads a graph of any format that webnn/formats.h lists (.webnn, .webnnb, JSON, ONNX), and compiles it.
WEBNN_EXPORT WebnnStatus webnnContextLoad(WebnnContext context, WebnnStringView path, const WebnnLoadOptions* options,
                                          WebnnGraph* graph, WebnnError* error);
// Loads the content of a graph file. The graph may keep references into `content`. Opens only files that `options` names.
WEBNN_EXPORT WebnnStatus webnnContextLoadBytes(WebnnContext context, const WebnnExternalBytes* content,
                                               const WebnnLoadOptions* options, WebnnGraph* graph, WebnnError* error);
// Loads an open file from its beginning, or the remaining data of a pipe. The caller closes the descriptor.
WEBNN_EXPORT WebnnStatus webnnContextLoadDescriptor(WebnnContext context, int descriptor, const WebnnLoadOptions* options,
                                                    WebnnGraph* graph, WebnnError* error);
// Writes a graph to `path`, and its weights into the same file or beside it. A call that fails leaves no partial file.
WEBNN_EXPORT WebnnStatus webnnGraphSave(WebnnGraph graph, WebnnStringView path, const WebnnSaveOptions* options,
                                        WebnnError* error);

// ---- Sessions: models that are loaded once and run on inputs of any sizes; see webnn/session.h ----

typedef struct WebnnSessionOptions {
  WebnnChainedStruct* nextInChain;
  const WebnnLoadOptions* load;  // NULL: all defaults. May fix open dimensions; each run's inputs determine the others
  size_t graphs;                 // maximum number of cached graphs for different sizes; the least recently used is evicted
  WebnnBool hasSeed;
  uint64_t seed;  // for operators that generate random numbers; without hasSeed, each session has a different seed
} WebnnSessionOptions;
#define WEBNN_SESSION_OPTIONS_INIT WEBNN_MAKE(WebnnSessionOptions, {NULL, NULL, 4, 0, 0})

// Packed elements with their name, type and shape. Dimensions may be 0.
typedef struct WebnnNamedArray {
  WebnnChainedStruct* nextInChain;
  WebnnStringView name;
  WebnnOperandDescriptor descriptor;
  WebnnConstBytes bytes;
} WebnnNamedArray;
#define WEBNN_NAMED_ARRAY_INIT \
  WEBNN_MAKE(WebnnNamedArray, {NULL, WEBNN_STRING_VIEW_INIT, WEBNN_OPERAND_DESCRIPTOR_INIT, {NULL, 0}})

// Opens a model of any format that webnnContextLoad() reads. An ONNX model that one graph cannot express runs as several.
WEBNN_EXPORT WebnnStatus webnnContextLoadSession(WebnnContext context, WebnnStringView path, const WebnnSessionOptions* options,
                                                 WebnnSession* session, WebnnError* error);
// Opens the content of a model file. The session may keep references into `content`.
WEBNN_EXPORT WebnnStatus webnnContextLoadSessionBytes(WebnnContext context, const WebnnExternalBytes* content,
                                                      const WebnnSessionOptions* options, WebnnSession* session,
                                                      WebnnError* error);
// Makes a session of a graph with open dimensions, whose sizes may be 0. Fails like webnnGraphBuilderBuildSync(), and with
// TypeError if no input determines a dimension. Uses only options->graphs, and the dimensions and limits of options->load.
WEBNN_EXPORT WebnnStatus webnnGraphBuilderBuildSession(WebnnGraphBuilder builder, size_t outputCount,
                                                       const WebnnNamedOperand* outputs, const WebnnSessionOptions* options,
                                                       WebnnSession* session, WebnnError* error);
// Writes the graph of a session like webnnGraphSave(). Open dimensions keep their names. Fails with NotSupportedError if ONNX or
// Core ML cannot compute the sizes. Fails with TypeError for a loaded ONNX model with open dimensions.
WEBNN_EXPORT WebnnStatus webnnSessionSave(WebnnSession session, WebnnStringView path, const WebnnSaveOptions* options,
                                          WebnnError* error);
// Return the number of inputs and of outputs that the model declares.
WEBNN_EXPORT size_t webnnSessionGetInputCount(WebnnSession session);
WEBNN_EXPORT size_t webnnSessionGetOutputCount(WebnnSession session);
// Get an input or output as the model declares it, borrowed from the session. Open dimensions are 0, undeclared types Undefined.
WEBNN_EXPORT WebnnStatus webnnSessionGetInput(WebnnSession session, size_t index, WebnnNamedDescriptor* input, WebnnError* error);
WEBNN_EXPORT WebnnStatus webnnSessionGetOutput(WebnnSession session, size_t index, WebnnNamedDescriptor* output,
                                               WebnnError* error);
// Runs the model on this thread and returns when the run is done. `inputs` has an array for each input that outputs depend on.
WEBNN_EXPORT WebnnStatus webnnSessionRun(WebnnSession session, size_t inputCount, const WebnnNamedArray* inputs,
                                         const WebnnCallOptions* options, WebnnResults* results, WebnnError* error);
WEBNN_EXPORT void webnnSessionAddRef(WebnnSession session);
WEBNN_EXPORT void webnnSessionRelease(WebnnSession session);

// Returns the number of outputs.
WEBNN_EXPORT size_t webnnResultsGetCount(WebnnResults results);
// Fills in the output with this index in the model's order, borrowed from the results.
WEBNN_EXPORT WebnnStatus webnnResultsGet(WebnnResults results, size_t index, WebnnNamedArray* output, WebnnError* error);
// Fills in the output with this name, borrowed from the results. Fails with NotFoundError if there is no such output.
WEBNN_EXPORT WebnnStatus webnnResultsFind(WebnnResults results, WebnnStringView name, WebnnNamedArray* output, WebnnError* error);
WEBNN_EXPORT void webnnResultsAddRef(WebnnResults results);
WEBNN_EXPORT void webnnResultsRelease(WebnnResults results);

#ifdef __cplusplus
}
#endif
