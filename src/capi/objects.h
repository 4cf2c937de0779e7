// The objects behind the C API's handles.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "capi/error.h"
#include "capi/instance_state.h"
#include "capi/values.h"
#include "webnn/context.h"
#include "webnn/graph.h"
#include "webnn/graph_builder.h"
#include "webnn/session.h"
#include "webnn/tensor.h"

struct WebnnInstanceImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::instance;
  static constexpr std::string_view kName = "instance";
  WebnnInstanceImpl() : Object(kKind) {}
  ~WebnnInstanceImpl() { state->abandon(); }
  const std::shared_ptr<webnn::capi::InstanceState> state = std::make_shared<webnn::capi::InstanceState>();
};

struct WebnnContextImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::context;
  static constexpr std::string_view kName = "context";
  WebnnContextImpl(std::shared_ptr<webnn::capi::InstanceState> instanceState, webnn::Context made)
      : Object(kKind), instance(std::move(instanceState)), context(std::move(made)), backend(context.backend()) {}
  const std::shared_ptr<webnn::capi::InstanceState> instance;
  webnn::Context context;
  const std::string backend;
  const webnn::OpSupportLimits& limits();

 private:
  std::mutex mutex_;
  std::optional<webnn::OpSupportLimits> limits_;  // computed when first requested
};

struct WebnnGraphBuilderImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::graphBuilder;
  static constexpr std::string_view kName = "builder";
  explicit WebnnGraphBuilderImpl(WebnnContextImpl& context)
      : Object(kKind), instance(context.instance), builder(context.context) {}
  const std::shared_ptr<webnn::capi::InstanceState> instance;
  // Guards the builder, which is not thread safe. The mutex is recursive, because a callback may run before the build call
  // returns.
  std::recursive_mutex mutex;
  webnn::GraphBuilder builder;
};

struct WebnnOperandImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::operand;
  static constexpr std::string_view kName = "operand";
  WebnnOperandImpl() : Object(kKind) {}
  webnn::Operand operand;  // set once, before the handle is returned
};

struct WebnnGraphImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::graph;
  static constexpr std::string_view kName = "graph";
  explicit WebnnGraphImpl(webnn::Graph made)
      : Object(kKind), graph(std::move(made)), inputs(graph.inputs()), outputs(graph.outputs()) {}
  webnn::Graph graph;
  const std::vector<webnn::NamedDescriptor> inputs, outputs;
};

struct WebnnTensorImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::tensor;
  static constexpr std::string_view kName = "tensor";
  explicit WebnnTensorImpl(webnn::Tensor made) : Object(kKind), tensor(std::move(made)) {}
  webnn::Tensor tensor;
};

struct WebnnCancellationImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::cancellation;
  static constexpr std::string_view kName = "cancellation";
  WebnnCancellationImpl() : Object(kKind) {}
  std::stop_source source;
};

struct WebnnSessionImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::session;
  static constexpr std::string_view kName = "session";
  // The declaration of an input or output. The type or shape is absent if the model does not declare it.
  struct Declared {
    std::string name;
    std::optional<webnn::DataType> dataType;
    std::optional<webnn::Shape> shape;
  };
  explicit WebnnSessionImpl(webnn::Session opened);
  const webnn::Session session;
  std::vector<Declared> inputs, outputs;
};

struct WebnnResultsImpl : webnn::capi::Object {
  static constexpr auto kKind = webnn::capi::ObjectKind::results;
  static constexpr std::string_view kName = "results";
  WebnnResultsImpl() : Object(kKind) {}
  std::vector<std::pair<std::string, webnn::Array>> outputs;
};

namespace webnn::capi {

// Returns whether the handle is that of an `Impl`.
template <typename Impl>
bool isObject(const Impl* handle) {
  return handle && handle->kind == Impl::kKind;
}

// Returns the object of a handle. Throws TypeError, beginning with `what`, for NULL and for handles of another type.
template <typename Impl>
Impl& requireObject(Impl* handle, const What& what) {
  if (!handle) fail(ErrorKind::typeError, "{}the {} is NULL.", what.text(), Impl::kName);
  if (handle->kind != Impl::kKind)
    fail(ErrorKind::typeError, "{}the {} is a handle of something else.", what.text(), Impl::kName);
  return *handle;
}

// Returns a pointer that holds a reference to an object, for callbacks and jobs.
template <typename Impl>
std::shared_ptr<Impl> hold(Impl& object) {
  addReference(&object);
  return std::shared_ptr<Impl>(&object, [](Impl* held) { releaseReference(held); });
}

LoadOptions loadOptionsOf(const WebnnLoadOptions* options);
SaveOptions saveOptionsOf(const WebnnSaveOptions* options);
std::vector<NamedOperand> outputsOf(std::size_t count, const WebnnNamedOperand* outputs);
// Returns a path that is neither empty nor has a zero byte.
std::string pathOf(WebnnStringView path, const What& what);
// Converts limits. NULL means the defaults.
Limits limitsOf(const WebnnWorkLimits* limits, const What& what);
std::function<void(const CallProgress&)> progressOf(WebnnProgressCallback callback, void* userdata);  // `callback` may be NULL
CallOptions callOptionsOf(const WebnnCallOptions* options, const What& what);
// Returns the stop token of the cancellation. For NULL, returns a token that is never stopped.
std::stop_token stopTokenOf(WebnnCancellation cancellation, const What& what);

// Bytes of the caller. isTaken: the library has accepted them, so the destructor must call the caller's release callback.
struct ReleasedBytes {
  WebnnExternalBytes bytes{};
  bool isTaken = false;
  ~ReleasedBytes() {
    if (isTaken && bytes.release) bytes.release(bytes.data, bytes.userdata1, bytes.userdata2);
  }
};
std::shared_ptr<ReleasedBytes> releasedBytesOf(const WebnnExternalBytes* bytes, const What& what);
ExternalBytes externalBytesOf(const std::shared_ptr<ReleasedBytes>& held, const What& what);

}  // namespace webnn::capi
