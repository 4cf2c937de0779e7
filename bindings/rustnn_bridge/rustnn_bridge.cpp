// Implements Firefox's bridge to rustnn with libwebnn's C API.
#include "rustnn_bridge.h"

#include <webnn/webnn.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct RustnnContext {
  RustnnContext() = default;
  RustnnContext(const RustnnContext&) = delete;
  ~RustnnContext() {
    webnnContextDestroy(context);
    webnnContextRelease(context);
    webnnInstanceRelease(instance);
  }

  WebnnInstance instance = nullptr;
  WebnnContext context = nullptr;
};

struct RustnnGraph {
  RustnnGraph() = default;
  RustnnGraph(const RustnnGraph&) = delete;
  ~RustnnGraph() { webnnGraphRelease(graph); }

  WebnnGraph graph = nullptr;
};

struct RustnnTensor {
  RustnnTensor() = default;
  RustnnTensor(const RustnnTensor&) = delete;
  ~RustnnTensor() { webnnTensorRelease(tensor); }

  WebnnTensor tensor = nullptr;
};

namespace {

thread_local std::string lastError;

RustnnStatus fail(RustnnStatus status, std::string_view message) noexcept {
  try {
    lastError = message;
  } catch (...) {
    lastError.clear();
  }
  return status;
}

// An exception. The function of the bridge returns this status and keeps the message for rustnn_last_error_message().
struct Failure {
  RustnnStatus status;
  std::string message;
};

// Calls `body`. Converts its exceptions to a status, because no exception may reach C.
template <class Body>
RustnnStatus guarded(const Body& body) noexcept {
  try {
    body();
    return RustnnStatus_Success;
  } catch (const Failure& failure) {
    return fail(failure.status, failure.message);
  } catch (...) {
    return fail(RustnnStatus_Panic, "UnknownError: the system failed, probably because it has too little memory.");
  }
}

std::string_view viewOf(WebnnStringView text) { return {text.data, text.length}; }

RustnnStatus statusOf(WebnnStatus status) {
  switch (status) {
    case WebnnStatus_TypeError:
    case WebnnStatus_DataError: return RustnnStatus_InvalidArgument;
    case WebnnStatus_UnknownError: return RustnnStatus_Panic;
    default: return RustnnStatus_Error;
  }
}

// Calls `function`, which calls a function of the C API with the given error pointer and returns the status. Throws Failure if
// the status is not success.
template <class Function>
void check(const Function& function) {
  WebnnError error = nullptr;
  const WebnnStatus status = function(&error);
  if (status == WebnnStatus_Success) return;
  const std::unique_ptr<WebnnErrorImpl, void (*)(WebnnError)> owned(error, webnnErrorRelease);
  std::string message(viewOf(webnnStatusGetName(status)));
  if (error) message.append(": ").append(viewOf(webnnErrorGetMessage(error)));
  throw Failure{statusOf(status), std::move(message)};
}

void requirePointer(const void* pointer, const char* function, const char* name) {
  if (!pointer) throw Failure{RustnnStatus_NullPointer, std::string("TypeError: ") + function + ": " + name + " is NULL."};
}

void requireItems(const void* items, std::size_t count, const char* function, const char* name) {
  if (count > 0) requirePointer(items, function, name);
}

WebnnPowerPreference powerPreferenceOf(RustnnPowerPreference preference) {
  switch (preference) {
    case RustnnPowerPreference_Default: return WebnnPowerPreference_Default;
    case RustnnPowerPreference_HighPerformance: return WebnnPowerPreference_HighPerformance;
    case RustnnPowerPreference_LowPower: return WebnnPowerPreference_LowPower;
    default:
      throw Failure{RustnnStatus_InvalidArgument, "TypeError: rustnn_context_create: power_preference is " +
                                                      std::to_string(preference) + "; it must be 0 to 2."};
  }
}

// Returns libwebnn's name of a backend; empty text lets libwebnn choose.
const char* backendOf(RustnnBackend backend) {
  switch (backend) {
    case RustnnBackend_Automatic: return "";
    case RustnnBackend_Onnx: return "onnxruntime";
    case RustnnBackend_Coreml: return "coreml";
    case RustnnBackend_Trtx:
    case RustnnBackend_Litert:
    case RustnnBackend_Cann:
      throw Failure{RustnnStatus_Error,
                    "NotSupportedError: rustnn_context_create: backend_hint is " + std::to_string(backend) +
                        ", which libwebnn does not have; 0 (automatic), 1 (ONNX Runtime) and 3 (Core ML) are supported."};
    default:
      throw Failure{RustnnStatus_InvalidArgument,
                    "TypeError: rustnn_context_create: backend_hint is " + std::to_string(backend) + "; it must be 0 to 5."};
  }
}

WebnnOperandDataType dataTypeOf(RustnnDataType type) {
  switch (type) {
    case RustnnDataType_Float32: return WebnnOperandDataType_Float32;
    case RustnnDataType_Float16: return WebnnOperandDataType_Float16;
    case RustnnDataType_Int32: return WebnnOperandDataType_Int32;
    case RustnnDataType_Uint32: return WebnnOperandDataType_Uint32;
    case RustnnDataType_Int64: return WebnnOperandDataType_Int64;
    case RustnnDataType_Uint64: return WebnnOperandDataType_Uint64;
    case RustnnDataType_Int8: return WebnnOperandDataType_Int8;
    case RustnnDataType_Uint8: return WebnnOperandDataType_Uint8;
    case RustnnDataType_Int4: return WebnnOperandDataType_Int4;
    case RustnnDataType_Uint4: return WebnnOperandDataType_Uint4;
    default:
      throw Failure{RustnnStatus_InvalidArgument,
                    "TypeError: rustnn_tensor_create: data_type is " + std::to_string(type) + "; it must be 0 to 9."};
  }
}

std::vector<std::uint32_t> shapeOf(const std::uint64_t* shape, std::size_t count) {
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < count; ++i) {
    if (shape[i] > std::numeric_limits<std::uint32_t>::max()) {
      throw Failure{RustnnStatus_InvalidArgument, "TypeError: rustnn_tensor_create: shape[" + std::to_string(i) + "] is " +
                                                      std::to_string(shape[i]) + "; it must fit in 32 bits."};
    }
    sizes.push_back(static_cast<std::uint32_t>(shape[i]));
  }
  return sizes;
}

std::vector<WebnnNamedTensor> bindingsOf(const RustnnNamedTensor* tensors, std::size_t count, const char* list) {
  requireItems(tensors, count, "rustnn_graph_compute", list);
  std::vector<WebnnNamedTensor> bindings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string item = std::string(list) + "[" + std::to_string(i) + "]";
    requirePointer(tensors[i].name, "rustnn_graph_compute", (item + ".name").c_str());
    requirePointer(tensors[i].tensor, "rustnn_graph_compute", (item + ".tensor").c_str());
    WebnnNamedTensor binding = WEBNN_NAMED_TENSOR_INIT;
    binding.name = WEBNN_TEXT(tensors[i].name);
    binding.tensor = tensors[i].tensor->tensor;
    bindings.push_back(binding);
  }
  return bindings;
}

// libwebnn also recognizes other formats by their content; the bridge promises JSON only.
void requireObject(std::string_view json) {
  const std::size_t start = json.find_first_not_of(" \t\r\n");
  if (start != json.npos && json[start] == '{') return;
  throw Failure{RustnnStatus_InvalidArgument,
                "DataError: rustnn_graph_build: the graph is not JSON: it does not begin with '{'."};
}

// Loads a copy of `json`, because the graph may refer to the text after the call.
WebnnGraph load(WebnnContext context, std::string_view json) {
  auto text = std::make_unique<std::string>(json);
  WebnnExternalBytes content = WEBNN_EXTERNAL_BYTES_INIT;
  content.data = text->data();
  content.size = text->size();
  content.release = [](const void*, void* owner, void*) { delete static_cast<std::string*>(owner); };
  content.userdata1 = text.get();
  WebnnLoadOptions options = WEBNN_LOAD_OPTIONS_INIT;
  options.namedFilesOnly = 1;
  WebnnGraph graph = nullptr;
  check([&](WebnnError* error) { return webnnContextLoadBytes(context, &content, &options, &graph, error); });
  static_cast<void>(text.release());  // the library owns the text now
  return graph;
}

}  // namespace

const char* rustnn_last_error_message(void) { return lastError.c_str(); }

RustnnContextOptions rustnn_context_options_default(void) {
  RustnnContextOptions options{};
  options.accelerated = true;
  return options;
}

RustnnStatus rustnn_context_create(const RustnnContextOptions* options, RustnnContext** output) {
  return guarded([&] {
    requirePointer(output, "rustnn_context_create", "output");
    *output = nullptr;
    const RustnnContextOptions given = options ? *options : rustnn_context_options_default();
    if (given.has_device_hint) {
      throw Failure{
          RustnnStatus_Error,
          "NotSupportedError: rustnn_context_create: device hints are not supported; set accelerated and backend_hint."};
    }
    WebnnContextOptions wanted = WEBNN_CONTEXT_OPTIONS_INIT;
    wanted.powerPreference = powerPreferenceOf(given.power_preference);
    wanted.accelerated = given.accelerated;
    wanted.backend = WEBNN_TEXT(backendOf(given.backend_hint));
    auto made = std::make_unique<RustnnContext>();
    check([&](WebnnError* error) { return webnnCreateInstance(nullptr, &made->instance, error); });
    check([&](WebnnError* error) { return webnnInstanceCreateContextSync(made->instance, &wanted, &made->context, error); });
    *output = made.release();
  });
}

void rustnn_context_destroy(RustnnContext* context) { delete context; }

RustnnStatus rustnn_graph_build(RustnnContext* context, const char* json, size_t json_len, RustnnGraph** output) {
  return guarded([&] {
    requirePointer(output, "rustnn_graph_build", "output");
    *output = nullptr;
    requirePointer(context, "rustnn_graph_build", "context");
    requireItems(json, json_len, "rustnn_graph_build", "json");
    const std::string_view text(json, json_len);
    requireObject(text);
    auto made = std::make_unique<RustnnGraph>();
    made->graph = load(context->context, text);
    *output = made.release();
  });
}

RustnnStatus rustnn_graph_compute(RustnnContext* context, RustnnGraph* graph, const RustnnNamedTensor* inputs, size_t inputs_len,
                                  const RustnnNamedTensor* outputs, size_t outputs_len) {
  return guarded([&] {
    requirePointer(context, "rustnn_graph_compute", "context");
    requirePointer(graph, "rustnn_graph_compute", "graph");
    const std::vector<WebnnNamedTensor> ins = bindingsOf(inputs, inputs_len, "inputs");
    const std::vector<WebnnNamedTensor> outs = bindingsOf(outputs, outputs_len, "outputs");
    check([&](WebnnError* error) {
      return webnnContextDispatch(context->context, graph->graph, ins.size(), ins.data(), outs.size(), outs.data(), error);
    });
  });
}

void rustnn_graph_destroy(RustnnGraph* graph) { delete graph; }

RustnnStatus rustnn_tensor_create(RustnnContext* context, RustnnDataType data_type, const uint64_t* shape, size_t shape_len,
                                  bool readable, bool writable, RustnnTensor** output) {
  return guarded([&] {
    requirePointer(output, "rustnn_tensor_create", "output");
    *output = nullptr;
    requirePointer(context, "rustnn_tensor_create", "context");
    requireItems(shape, shape_len, "rustnn_tensor_create", "shape");
    const std::vector<std::uint32_t> sizes = shapeOf(shape, shape_len);
    WebnnTensorDescriptor descriptor = WEBNN_TENSOR_DESCRIPTOR_INIT;
    descriptor.dataType = dataTypeOf(data_type);
    descriptor.shape = {sizes.size(), sizes.data()};
    descriptor.readable = readable;
    descriptor.writable = writable;
    auto made = std::make_unique<RustnnTensor>();
    check([&](WebnnError* error) { return webnnContextCreateTensor(context->context, &descriptor, &made->tensor, error); });
    *output = made.release();
  });
}

RustnnStatus rustnn_tensor_write(RustnnContext* context, const RustnnTensor* tensor, const void* data, size_t data_len) {
  return guarded([&] {
    requirePointer(context, "rustnn_tensor_write", "context");
    requirePointer(tensor, "rustnn_tensor_write", "tensor");
    requireItems(data, data_len, "rustnn_tensor_write", "data");
    check([&](WebnnError* error) { return webnnContextWriteTensor(context->context, tensor->tensor, {data, data_len}, error); });
  });
}

RustnnStatus rustnn_tensor_read(RustnnContext* context, const RustnnTensor* tensor, void* data, size_t data_len) {
  return guarded([&] {
    requirePointer(context, "rustnn_tensor_read", "context");
    requirePointer(tensor, "rustnn_tensor_read", "tensor");
    requireItems(data, data_len, "rustnn_tensor_read", "data");
    check([&](WebnnError* error) {
      return webnnContextReadTensorSync(context->context, tensor->tensor, {data, data_len}, error);
    });
  });
}

void rustnn_tensor_destroy(RustnnTensor* tensor) { delete tensor; }
