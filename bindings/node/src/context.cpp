#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/text.h"
#include "context/context_state.h"
#include "context/select_backend.h"
#include "fields.h"
#include "values.h"

namespace webnn::node {

namespace {

PowerPreference powerPreferenceOf(const std::string& text) {
  return text == "high-performance" ? PowerPreference::highPerformance
         : text == "low-power"      ? PowerPreference::lowPower
                                    : PowerPreference::standard;
}

Limits limitsOf(const Napi::Value& value) {
  Limits limits;
  if (value.IsUndefined()) return limits;
  const auto given = value.As<Napi::Object>();
  const auto set = [&](std::uint64_t& limit, const char* name) {
    if (const Napi::Value member = given.Get(name); !member.IsUndefined())
      limit = static_cast<std::uint64_t>(member.As<Napi::Number>().Int64Value());
  };
  set(limits.maxMemory, "maxMemory");
  set(limits.maxOperations, "maxOperations");
  set(limits.maxElements, "maxElements");
  set(limits.maxCompileWork, "maxCompileWork");
  if (const Napi::Value time = given.Get("maxTime"); !time.IsUndefined()) {
    const double nanoseconds = time.As<Napi::Number>().DoubleValue() * 1e6;
    if (nanoseconds < 9e18) limits.maxTime = std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(nanoseconds, 0.0)));
  }
  return limits;
}

ContextOptions optionsOf(const Napi::Object& given) {
  ContextOptions options;
  options.powerPreference = powerPreferenceOf(textOf(given.Get("powerPreference")));
  options.accelerated = given.Get("accelerated").As<Napi::Boolean>();
  options.backend = textOf(given.Get("backend"));
  options.threads = idOf(given.Get("threads"));
  forEachPair(given.Get("backendOptions"), [&](std::string name, const Napi::Value& value) {
    options.backendOptions.emplace(std::move(name), textOf(value));
  });
  options.limits = limitsOf(given.Get("limits"));
  options.service = textOf(given.Get("service"));
  options.serviceToken = textOf(given.Get("serviceToken"));
  return options;
}

// JavaScript: createContext(options, id). Settles the promise `id` with a context.
void createContext(const Napi::CallbackInfo& info) {
  Instance& instance = Instance::of(info.Env());
  instance.runAside(idOf(info[1]), nullptr, [options = optionsOf(info[0].As<Napi::Object>()), &instance]() -> Instance::Value {
    const Context context = Context::create(options);
    return [context, &instance](Napi::Env env) {
      return handle(env, std::make_unique<std::shared_ptr<NodeContext>>(
                             std::make_shared<NodeContext>(env, instance.shared_from_this(), context)));
    };
  });
}

Napi::Value backends(const Napi::CallbackInfo& info) {
  Napi::Array names = Napi::Array::New(info.Env());
  for (const BackendEntry& entry : knownBackends()) names.Set(names.Length(), text(info.Env(), entry.name));
  return names;
}

Napi::Value backend(const Napi::CallbackInfo& info) { return text(info.Env(), contextOf(info[0])->context.backend()); }
Napi::Value accelerated(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), contextOf(info[0])->context.accelerated());
}
Napi::Value service(const Napi::CallbackInfo& info) { return text(info.Env(), contextOf(info[0])->context.service()); }

// JavaScript: whenLost(context, id). Settles the promise `id` with a message when the context is lost. Does not keep the process
// alive.
void whenLost(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& context = contextOf(info[0]);
  context->context.state()->whenLost([id = idOf(info[1]), box = context->instance->completions,
                                      instance = context->instance.get()](const ContextLostInfo& lost) {
    Instance::end(box, instance, id, std::nullopt,
                  [message = lost.message](Napi::Env env) -> Napi::Value { return text(env, message); });
  });
}

Napi::Value limits(Napi::Env env, const TensorLimits& limits) {
  const Napi::Array types = Napi::Array::New(env, limits.dataTypes.size());
  for (std::uint32_t i = 0; i < limits.dataTypes.size(); ++i) types.Set(i, text(env, name(limits.dataTypes[i])));
  const Napi::Object ranks = Napi::Object::New(env), result = Napi::Object::New(env);
  ranks.Set("max", limits.rankRange.max);
  ranks.Set("min", limits.rankRange.min);
  result.Set("dataTypes", types);
  result.Set("rankRange", ranks);
  return result;
}

// JavaScript: opSupportLimits(context). The result has one member per operation, and the context's limits.
Napi::Value opSupportLimits(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const OpSupportLimits known = contextOf(info[0])->context.opSupportLimits();
  const Napi::Object result = Napi::Object::New(env);
  result.Set("preferredInputLayout", text(env, name(known.preferredInputLayout)));
  result.Set("maxTensorByteLength", Napi::Number::New(env, static_cast<double>(known.maxTensorByteLength)));
  result.Set("input", limits(env, known.input));
  result.Set("constant", limits(env, known.constant));
  result.Set("output", limits(env, known.output));
  for (const auto& [operation, operands] : known.operations) {
    const Napi::Object made = Napi::Object::New(env);
    for (const auto& [operand, operandLimits] : operands) made.Set(operand, limits(env, operandLimits));
    result.Set(operation, made);
  }
  return result;
}

Napi::Value tensorHandle(Napi::Env env, const std::shared_ptr<NodeContext>& context, const Tensor& tensor) {
  const std::size_t bytes = byteLength(tensor.descriptor());
  return described(env, std::make_unique<NodeTensor>(context, tensor, bytes, env), tensor.descriptor());
}

// JavaScript: createTensor(context, dataType, shape, readable, writable).
Napi::Value createTensor(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& context = contextOf(info[0]);
  return tensorHandle(info.Env(), context,
                      context->context.createTensor({.dataType = dataTypeOf(info[1]),
                                                     .shape = shapeOf(info[2]),
                                                     .readable = info[3].As<Napi::Boolean>(),
                                                     .writable = info[4].As<Napi::Boolean>()}));
}

// JavaScript: createConstantTensor(context, dataType, shape, bytes).
Napi::Value createConstantTensor(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& context = contextOf(info[0]);
  const Tensor tensor = context->context.createConstantTensor({dataTypeOf(info[1]), shapeOf(info[2])}, bytesOf(info[3]));
  return tensorHandle(info.Env(), context, tensor);
}

// JavaScript: writeTensor(context, tensor, bytes).
void writeTensor(const Napi::CallbackInfo& info) {
  contextOf(info[0])->context.writeTensor(handled<NodeTensor>(info[1]).object, bytesOf(info[2]));
}

// JavaScript: readTensor(context, tensor, bytes, id). Copies the elements to `bytes`, which JavaScript keeps alive until the
// promise `id` is settled.
void readTensor(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& context = contextOf(info[0]);
  Instance& instance = *context->instance;
  const std::uint32_t id = idOf(info[3]);
  context->context.readTensor(handled<NodeTensor>(info[1]).object, bytesOf(info[2]),
                              [id, box = instance.completions, &instance](std::exception_ptr problem) {
                                Instance::end(box, &instance, id, errorOf(problem));
                              });
  instance.begin(id, context);
}

std::vector<NamedTensor> tensorsOf(const Napi::Value& names, const Napi::Value& tensors) {
  const auto keys = names.As<Napi::Array>(), handles = tensors.As<Napi::Array>();
  std::vector<NamedTensor> result(keys.Length());
  for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = {textOf(keys.Get(i)), handled<NodeTensor>(handles.Get(i)).object};
  return result;
}

// JavaScript: dispatch(context, graph, names of inputs, tensors, names of outputs, tensors, cancellation).
void dispatch(const Napi::CallbackInfo& info) {
  contextOf(info[0])->context.dispatch(handled<NodeGraph>(info[1]).object, tensorsOf(info[2], info[3]),
                                       tensorsOf(info[4], info[5]), callOptionsOf(info[6]));
}

Napi::Value createCancellation(const Napi::CallbackInfo& info) {
  return handle(info.Env(), std::make_unique<std::stop_source>());
}

// JavaScript: cancel(cancellation). Stops all calls with this cancellation.
void cancel(const Napi::CallbackInfo& info) { handled<std::stop_source>(info[0]).request_stop(); }

// JavaScript: destroyContext(context). Returns the message of the lost context.
Napi::Value destroyContext(const Napi::CallbackInfo& info) {
  Context& context = contextOf(info[0])->context;
  context.destroy();
  contextOf(info[0])->memory.set(0);
  return text(info.Env(), context.lost().get().message);
}

void destroyGraph(const Napi::CallbackInfo& info) {
  auto& self = handled<NodeGraph>(info[0]);
  self.object.destroy();
}

void destroyTensor(const Napi::CallbackInfo& info) {
  auto& self = handled<NodeTensor>(info[0]);
  self.object.destroy();
  self.memory.set(0);
}

}  // namespace

void defineContext(Napi::Object exports) {
  define<createContext>(exports, "createContext");
  define<backends>(exports, "backends");
  define<backend>(exports, "backend");
  define<accelerated>(exports, "accelerated");
  define<service>(exports, "service");
  define<whenLost>(exports, "whenLost");
  define<opSupportLimits>(exports, "opSupportLimits");
  define<createTensor>(exports, "createTensor");
  define<createConstantTensor>(exports, "createConstantTensor");
  define<writeTensor>(exports, "writeTensor");
  define<readTensor>(exports, "readTensor");
  define<dispatch>(exports, "dispatch");
  define<createCancellation>(exports, "createCancellation");
  define<cancel>(exports, "cancel");
  define<destroyContext>(exports, "destroyContext");
  define<destroyGraph>(exports, "destroyGraph");
  define<destroyTensor>(exports, "destroyTensor");
}

}  // namespace webnn::node
