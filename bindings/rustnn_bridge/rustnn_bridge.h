// The functions of Firefox's bridge to rustnn, computed by libwebnn. Needs C11 or C++.
//
// docs/guides/firefox.md lists the sources of these declarations, and the decisions where the sources are silent.
//
// Conventions, which follow the C API of rustnn 0.6.0:
// - Objects are opaque. The caller owns each object that a function stores in `output`, and passes it once to the destroy
//   function of its type. Destroying NULL does nothing. Objects may be destroyed in any order, also while runs are queued.
// - A function that can fail returns a status. If it is not RustnnStatus_Success, rustnn_last_error_message() says why, and
//   `output` is NULL.
// - A pointer to `*_len` elements may be NULL only if the length is 0.
// - A graph or tensor of one context in a call with another context is an error.
// - All objects may be used on several threads concurrently, except that nothing may use an object during or after its
//   destruction.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(RUSTNN_BRIDGE_IMPLEMENTATION)
#define RUSTNN_BRIDGE_EXPORT __declspec(dllexport)
#else
#define RUSTNN_BRIDGE_EXPORT __declspec(dllimport)
#endif
#else
#define RUSTNN_BRIDGE_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RustnnContext RustnnContext;  // a backend on which graphs run, and the tensors in its memory
typedef struct RustnnGraph RustnnGraph;      // a graph, compiled for its context
typedef struct RustnnTensor RustnnTensor;    // memory in a context, which graphs read and write

typedef enum RustnnStatus {
  RustnnStatus_Success = 0,
  RustnnStatus_NullPointer = 1,      // a required pointer is NULL
  RustnnStatus_InvalidUtf8 = 2,      // never returned: a text that is not UTF-8 is an invalid argument
  RustnnStatus_InvalidArgument = 3,  // the specification's TypeError, or its DataError: the JSON is malformed
  RustnnStatus_Error = 4,            // any other error of the specification
  RustnnStatus_Panic = 5,            // the system failed, usually out of memory
  RustnnStatus_Force32 = 0x7FFFFFFF
} RustnnStatus;

typedef enum RustnnDataType {
  RustnnDataType_Float32 = 0,
  RustnnDataType_Float16 = 1,
  RustnnDataType_Int32 = 2,
  RustnnDataType_Uint32 = 3,
  RustnnDataType_Int64 = 4,
  RustnnDataType_Uint64 = 5,
  RustnnDataType_Int8 = 6,
  RustnnDataType_Uint8 = 7,
  RustnnDataType_Int4 = 8,  // two elements in a byte, the first in the low nibble
  RustnnDataType_Uint4 = 9,
  RustnnDataType_Force32 = 0x7FFFFFFF
} RustnnDataType;

typedef enum RustnnPowerPreference {
  RustnnPowerPreference_Default = 0,
  RustnnPowerPreference_HighPerformance = 1,
  RustnnPowerPreference_LowPower = 2,
  RustnnPowerPreference_Force32 = 0x7FFFFFFF
} RustnnPowerPreference;

typedef enum RustnnBackend {
  RustnnBackend_Automatic = 0,
  RustnnBackend_Onnx = 1,    // ONNX Runtime
  RustnnBackend_Trtx = 2,    // not supported
  RustnnBackend_Coreml = 3,  // Core ML
  RustnnBackend_Litert = 4,  // not supported
  RustnnBackend_Cann = 5,    // not supported
  RustnnBackend_Force32 = 0x7FFFFFFF
} RustnnBackend;

typedef enum RustnnDeviceType {
  RustnnDeviceType_Cpu = 0,
  RustnnDeviceType_Gpu = 1,
  RustnnDeviceType_Npu = 2,
  RustnnDeviceType_Force32 = 0x7FFFFFFF
} RustnnDeviceType;

typedef struct RustnnBackendDevice {
  RustnnBackend backend;
  RustnnDeviceType device_type;
  size_t device_index;
} RustnnBackendDevice;

// Settings of rustnn's TensorRT backend, which are ignored.
typedef struct RustnnTrtxOptions {
  bool engine_caching;
  bool runtime_cache;
  bool fail_on_cache_miss;
  bool cuda_graphs;
} RustnnTrtxOptions;

typedef struct RustnnOptions {
  RustnnTrtxOptions trtx;
} RustnnOptions;

// https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions, and rustnn's own options.
typedef struct RustnnContextOptions {
  RustnnPowerPreference power_preference;
  bool accelerated;
  RustnnBackend backend_hint;
  bool has_device_hint;  // true is an error: device hints are not supported
  RustnnBackendDevice device_hint;
  bool has_rustnn_options;
  RustnnOptions rustnn_options;
} RustnnContextOptions;

typedef struct RustnnNamedTensor {
  const char* name;            // null-terminated UTF-8
  const RustnnTensor* tensor;  // borrowed
} RustnnNamedTensor;

// Returns the message of the last call on this thread that failed, or empty text. A message begins with the specification's name
// of the error: "TypeError: ...". The text is valid until the next call on this thread that fails.
RUSTNN_BRIDGE_EXPORT const char* rustnn_last_error_message(void);

// Returns the default options: an accelerated context on the best backend that is available.
RUSTNN_BRIDGE_EXPORT RustnnContextOptions rustnn_context_options_default(void);
// Creates a context. NULL options mean the default options.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_context_create(const RustnnContextOptions* options, RustnnContext** output);
// Destroys the context and frees the memory of its graphs and tensors, which still have to be destroyed but can do nothing else.
RUSTNN_BRIDGE_EXPORT void rustnn_context_destroy(RustnnContext* context);

// Builds a graph from JSON: rustnn's GraphInfo (lists of operands and operations, constants in base64) or webnn-graph-json. The
// text need not be null-terminated. No file is opened, so constants must be in the JSON. Returns when the graph is compiled.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_graph_build(RustnnContext* context, const char* json, size_t json_len,
                                                     RustnnGraph** output);
// Queues a run of the graph. `inputs` and `outputs` bind each input and output by name to a tensor with the same data type and
// shape, and no tensor twice. Calls on one context run in order. If the run fails later, rustnn_tensor_read() of its outputs
// returns its error.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_graph_compute(RustnnContext* context, RustnnGraph* graph,
                                                       const RustnnNamedTensor* inputs, size_t inputs_len,
                                                       const RustnnNamedTensor* outputs, size_t outputs_len);
RUSTNN_BRIDGE_EXPORT void rustnn_graph_destroy(RustnnGraph* graph);

// Creates a tensor of zeros. A `shape_len` of 0 means a scalar.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_tensor_create(RustnnContext* context, RustnnDataType data_type, const uint64_t* shape,
                                                       size_t shape_len, bool readable, bool writable, RustnnTensor** output);
// Writes all bytes of a writable tensor: row-major, little-endian elements. `data` may be reused when the function returns.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_tensor_write(RustnnContext* context, const RustnnTensor* tensor, const void* data,
                                                      size_t data_len);
// Waits for the calls that were queued earlier, then copies all bytes of a readable tensor.
RUSTNN_BRIDGE_EXPORT RustnnStatus rustnn_tensor_read(RustnnContext* context, const RustnnTensor* tensor, void* data,
                                                     size_t data_len);
RUSTNN_BRIDGE_EXPORT void rustnn_tensor_destroy(RustnnTensor* tensor);

#ifdef __cplusplus
}
#endif
