// The functions of the C API for instances and contexts.
#include <chrono>

#include "capi/objects.h"
#include "capi/values.h"
#include "context/context_state.h"

using namespace webnn;
using namespace webnn::capi;

namespace {

struct CreateContextEvent final : Event {
  explicit CreateContextEvent(const WebnnCreateContextCallbackInfo& callbackInfo)
      : Event(callbackInfo.mode), info(callbackInfo) {}
  void call() noexcept override {
    if (info.callback) info.callback(error.status(), context, error.get(), info.userdata1, info.userdata2);
  }
  const WebnnCreateContextCallbackInfo info;
  WebnnContext context = nullptr;
};

struct ContextLostEvent final : Event {
  explicit ContextLostEvent(const WebnnContextLostCallbackInfo& callbackInfo) : Event(callbackInfo.mode), info(callbackInfo) {}
  void call() noexcept override {
    const WebnnStringView text = error.get() ? webnnErrorGetMessage(error.get()) : viewOf(message);
    const WebnnContextLostReason why = error.get() ? WebnnContextLostReason_Failed : reason;
    if (info.callback) info.callback(why, text, info.userdata1, info.userdata2);
  }
  const WebnnContextLostCallbackInfo info;
  WebnnContextLostReason reason = WebnnContextLostReason_Released;
  std::string message;
};

struct UncapturedErrorEvent final : Event {
  explicit UncapturedErrorEvent(const WebnnUncapturedErrorCallbackInfo& callbackInfo)
      : Event(callbackInfo.mode), info(callbackInfo) {}
  void call() noexcept override { info.callback(error.get(), info.userdata1, info.userdata2); }
  const WebnnUncapturedErrorCallbackInfo info;
};

// Completes its event when the context destroys the callback that holds this object, whether or not the callback was called.
class Completion {
 public:
  Completion(std::shared_ptr<InstanceState> state, std::shared_ptr<ContextLostEvent> lostEvent)
      : event(std::move(lostEvent)), state_(std::move(state)) {}
  ~Completion() { state_->complete(event); }
  const std::shared_ptr<ContextLostEvent> event;

 private:
  const std::shared_ptr<InstanceState> state_;
};

std::function<void(const Error&)> errorReporter(const std::shared_ptr<InstanceState>& state,
                                                const WebnnUncapturedErrorCallbackInfo& info) {
  const What what = "createContext: uncapturedErrorCallbackInfo";
  if (!info.callback) return nullptr;
  requireCallback(info, what);
  if (info.mode == WebnnCallbackMode_WaitAnyOnly)
    fail(ErrorKind::typeError, "{}: mode is WaitAnyOnly, but there is no future.", what.text());
  return [state, info](const Error& error) {
    const auto event = std::make_shared<UncapturedErrorEvent>(info);
    try {
      throw error;
    } catch (...) {
      event->error = currentError();
    }
    state->begin(event);
    state->complete(event);
  };
}

void readBackendOptions(ContextOptions& options, const WebnnContextOptions& given) {
  const What what = "createContext: backendOptions";
  for (const WebnnBackendOption& option : listOf(given.backendOptionCount, given.backendOptions, what)) {
    requireNoChain(option.nextInChain, what);
    const std::string key = textOf(option.name, what + ": name");
    if (!options.backendOptions.emplace(key, textOf(option.value, what + ": value")).second)
      fail(ErrorKind::typeError, "{}: {} is given twice.", what.text(), webnn::quoted(key));
  }
}

ContextOptions contextOptionsOf(const std::shared_ptr<InstanceState>& state, const WebnnContextOptions* pointer) {
  const WebnnContextOptions defaults = WEBNN_CONTEXT_OPTIONS_INIT;
  const WebnnContextOptions& given = requireStruct(pointer ? pointer : &defaults, "createContext: options");
  ContextOptions options;
  options.powerPreference = enumOr(options.powerPreference, bitsOf(given.powerPreference), 3, "createContext: powerPreference");
  options.accelerated = boolOf(given.accelerated, "createContext: accelerated");
  options.backend = textOf(given.backend, "createContext: backend");
  options.execution = enumOr(options.execution, bitsOf(given.execution), 3, "createContext: execution");
  options.threads = given.threads;
  readBackendOptions(options, given);
  options.limits = limitsOf(given.limits, "createContext: limits");
  options.service = textOf(given.service, "createContext: service");
  options.serviceToken = textOf(given.serviceToken, "createContext: serviceToken");
  options.onError = errorReporter(state, given.uncapturedErrorCallbackInfo);
  return options;
}

WebnnContext createContext(const std::shared_ptr<InstanceState>& state, ContextOptions options) {
  return new WebnnContextImpl(state, Context::create(std::move(options)));
}

}  // namespace

const OpSupportLimits& WebnnContextImpl::limits() {
  const std::lock_guard lock(mutex_);
  if (!limits_) limits_ = context.opSupportLimits();
  return *limits_;
}

uint32_t webnnGetVersion(void) { return WEBNN_VERSION_MAJOR * 1000000 + WEBNN_VERSION_MINOR * 1000 + WEBNN_VERSION_PATCH; }

WebnnStatus webnnCreateInstance(const WebnnInstanceDescriptor* descriptor, WebnnInstance* instance, WebnnError* error) {
  return guarded(error, [&] {
    WebnnInstance& place = requireResult(instance, "createInstance");
    if (descriptor) requireStruct(descriptor, "createInstance: the descriptor");
    place = new WebnnInstanceImpl;
  });
}

void webnnInstanceProcessEvents(WebnnInstance instance) {
  guarded(nullptr, [&] { requireObject(instance, "processEvents: ").state->processEvents(); });
}

WebnnWaitStatus webnnInstanceWaitAny(WebnnInstance instance, size_t futureCount, WebnnFutureWaitInfo* futures,
                                     uint64_t timeoutNanoseconds) {
  WebnnWaitStatus result = WebnnWaitStatus_Error;
  guarded(nullptr, [&] {
    InstanceState& state = *requireObject(instance, "waitAny: ").state;
    if (listOf(futureCount, futures, "waitAny: futures").empty()) return;
    result = state.waitAny({futures, futureCount}, timeoutNanoseconds);
  });
  return result;
}

void webnnInstanceAddRef(WebnnInstance instance) { addReference(instance); }
void webnnInstanceRelease(WebnnInstance instance) { releaseReference(instance); }

WebnnFuture webnnInstanceCreateContext(WebnnInstance instance, const WebnnContextOptions* options,
                                       WebnnCreateContextCallbackInfo callbackInfo) {
  const auto state = [&] { return requireObject(instance, "createContext: ").state; };
  return beginEvent<CreateContextEvent>(callbackInfo, state, "createContext", [&](const auto& event) {
    instance->state->post([event, given = contextOptionsOf(instance->state, options), held = instance->state] {
      try {
        event->context = createContext(held, given);
      } catch (...) {
        event->error = currentError();
      }
      held->complete(event);
    });
  });
}

WebnnStatus webnnInstanceCreateContextSync(WebnnInstance instance, const WebnnContextOptions* options, WebnnContext* context,
                                           WebnnError* error) {
  return guarded(error, [&] {
    WebnnContext& place = requireResult(context, "createContext");
    const auto& state = requireObject(instance, "createContext: ").state;
    place = createContext(state, contextOptionsOf(state, options));
  });
}

WebnnBool webnnContextIsAccelerated(WebnnContext context) { return context && context->context.accelerated() ? 1 : 0; }

WebnnStringView webnnContextGetBackend(WebnnContext context) {
  return context ? WebnnStringView{context->backend.c_str(), context->backend.size()} : WebnnStringView{"", 0};
}

WebnnStringView webnnContextGetService(WebnnContext context) {
  return context ? viewOf(context->context.service()) : WebnnStringView{"", 0};
}

WebnnFuture webnnContextLost(WebnnContext context, WebnnContextLostCallbackInfo callbackInfo) {
  const auto state = [&] { return requireObject(context, "lost: ").instance; };
  return beginEvent<ContextLostEvent>(callbackInfo, state, "lost", [&](const auto& event) {
    const auto completion = std::make_shared<Completion>(context->instance, event);
    try {
      context->context.state()->whenLost([completion](const ContextLostInfo& info) {
        completion->event->reason = WebnnContextLostReason_Lost;
        completion->event->message = info.message;
      });
    } catch (...) {  // the callback receives this error when the event is completed
      event->error = currentError();
    }
  });
}

WebnnBool webnnContextIsLost(WebnnContext context) {
  if (!context) return 0;
  return context->context.lost().wait_for(std::chrono::seconds(0)) == std::future_status::ready ? 1 : 0;
}

void webnnContextDestroy(WebnnContext context) {
  guarded(nullptr, [&] { requireObject(context, "destroy: ").context.destroy(); });
}

uint64_t webnnContextGetMemoryInUse(WebnnContext context) { return context ? context->context.memoryInUse() : 0; }

void webnnContextAddRef(WebnnContext context) { addReference(context); }
void webnnContextRelease(WebnnContext context) { releaseReference(context); }

namespace {

void fill(WebnnTensorLimits& to, const TensorLimits& from, const What& what) {
  requireNoChain(to.nextInChain, what);
  to.dataTypes = 0;
  for (const DataType type : from.dataTypes) to.dataTypes |= WEBNN_DATA_TYPE_FLAG(toC(type));
  to.minRank = from.rankRange.min;
  to.maxRank = from.rankRange.max;
}

}  // namespace

WebnnStatus webnnContextGetLimits(WebnnContext context, WebnnLimits* limits, WebnnError* error) {
  return guarded(error, [&] {
    const OpSupportLimits& known = requireObject(context, "opSupportLimits: ").limits();
    requireStruct(limits, "opSupportLimits: limits");
    fill(limits->input, known.input, "opSupportLimits: input");
    fill(limits->constant, known.constant, "opSupportLimits: constant");
    fill(limits->output, known.output, "opSupportLimits: output");
    limits->preferredInputLayout = static_cast<WebnnInputOperandLayout>(static_cast<int>(known.preferredInputLayout) + 1);
    limits->maxTensorByteLength = known.maxTensorByteLength;
  });
}

WebnnStatus webnnContextGetOperandLimits(WebnnContext context, WebnnStringView operation, WebnnStringView operand,
                                         WebnnTensorLimits* limits, WebnnError* error) {
  return guarded(error, [&] {
    const auto& operations = requireObject(context, "opSupportLimits: ").limits().operations;
    requireStruct(limits, "opSupportLimits: limits");
    const std::string name = textOf(operation, "opSupportLimits: operation");
    const auto found = operations.find(name);
    if (found == operations.end())
      fail(ErrorKind::notFoundError, "opSupportLimits: there is no operation {}.", webnn::quoted(name));
    const std::string operandName = textOf(operand, "opSupportLimits: operand");
    const auto foundOperand = found->second.find(operandName);
    if (foundOperand == found->second.end())
      fail(ErrorKind::notFoundError, "opSupportLimits: {} has no operand {}.", name, webnn::quoted(operandName));
    fill(*limits, foundOperand->second, "opSupportLimits: limits");
  });
}
