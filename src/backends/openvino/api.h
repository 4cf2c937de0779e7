// Declares the parts of OpenVINO's C API that we call, so that no OpenVINO header is needed.
// https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

struct ov_compiled_model;
struct ov_core;
struct ov_infer_request;
struct ov_model;
struct ov_output_const_port;
struct ov_tensor;

namespace webnn::openvino {

// Constants of OpenVINO's ov_status_e.
inline constexpr int kOk = 0;
inline constexpr int kResultNotReady = -9;
inline constexpr int kInferCancelled = -13;

// Mirrors ov_element_type_e, whose numbers are stable since OpenVINO 2024.4.
enum class ElementType : std::uint32_t {
  boolean = 1,
  f16 = 3,
  f32 = 4,
  i4 = 6,
  i8 = 7,
  i32 = 9,
  i64 = 10,
  u4 = 14,
  u8 = 16,
  u32 = 18,
  u64 = 19
};

// These structures mirror ov_shape_t, ov_available_devices_t and ov_version_t.
struct TensorShape {
  std::int64_t rank;
  std::int64_t* dims;
};
struct Devices {
  char** names;
  std::size_t count;
};
struct Version {
  const char* buildNumber;
  const char* description;
};

// Each entry is FUNCTION(name, type). C enumerations are returned as int.
#define WEBNN_OPENVINO_FUNCTIONS(FUNCTION)                                                                                     \
  FUNCTION(ov_get_openvino_version, int(Version*))                                                                             \
  FUNCTION(ov_version_free, void(Version*))                                                                                    \
  FUNCTION(ov_get_last_err_msg, const char*())                                                                                 \
  FUNCTION(ov_free, void(const char*))                                                                                         \
  FUNCTION(ov_core_create, int(ov_core**))                                                                                     \
  FUNCTION(ov_core_get_available_devices, int(const ov_core*, Devices*))                                                       \
  FUNCTION(ov_available_devices_free, void(Devices*))                                                                          \
  FUNCTION(ov_core_read_model_from_memory_buffer, int(const ov_core*, const char*, std::size_t, const ov_tensor*, ov_model**)) \
  FUNCTION(ov_model_free, void(ov_model*))                                                                                     \
  FUNCTION(ov_core_compile_model,                                                                                              \
           int(const ov_core*, const ov_model*, const char* device, std::size_t propertyArguments, ov_compiled_model**, ...))  \
  FUNCTION(ov_compiled_model_input_by_name, int(const ov_compiled_model*, const char*, ov_output_const_port**))                \
  FUNCTION(ov_compiled_model_get_property, int(const ov_compiled_model*, const char* key, char** value))                       \
  FUNCTION(ov_output_const_port_free, void(ov_output_const_port*))                                                             \
  FUNCTION(ov_compiled_model_free, void(ov_compiled_model*))                                                                   \
  FUNCTION(ov_compiled_model_create_infer_request, int(const ov_compiled_model*, ov_infer_request**))                          \
  FUNCTION(ov_infer_request_free, void(ov_infer_request*))                                                                     \
  FUNCTION(ov_infer_request_set_input_tensor_by_index, int(ov_infer_request*, std::size_t, const ov_tensor*))                  \
  FUNCTION(ov_infer_request_set_output_tensor_by_index, int(ov_infer_request*, std::size_t, const ov_tensor*))                 \
  FUNCTION(ov_infer_request_infer, int(ov_infer_request*))                                                                     \
  FUNCTION(ov_infer_request_start_async, int(ov_infer_request*))                                                               \
  FUNCTION(ov_infer_request_wait_for, int(ov_infer_request*, std::int64_t milliseconds))                                       \
  FUNCTION(ov_infer_request_wait, int(ov_infer_request*))                                                                      \
  FUNCTION(ov_infer_request_cancel, int(ov_infer_request*))                                                                    \
  FUNCTION(ov_tensor_create_from_host_ptr, int(ElementType, TensorShape, void* bytes, ov_tensor**))                            \
  FUNCTION(ov_tensor_free, void(ov_tensor*))

// Names a function type, so that a macro can declare a pointer to it: `Plain<void(int)>* f` instead of `void (*f)(int)`.
template <typename Type>
using Plain = Type;

// The function pointers that we use, named as in the C API.
struct Api {
#define WEBNN_OPENVINO_MEMBER(name, ...) Plain<__VA_ARGS__>* name = nullptr;
  WEBNN_OPENVINO_FUNCTIONS(WEBNN_OPENVINO_MEMBER)
#undef WEBNN_OPENVINO_MEMBER
};

// A unique pointer whose deleter is the API's free function for that object type.
template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;

}  // namespace webnn::openvino
