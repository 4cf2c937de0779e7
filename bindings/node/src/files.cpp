#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "values.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn::node {

namespace {

// Copies a Uint8Array, because the program may modify it concurrently.
ExternalBytes copyOf(const Napi::Value& value) {
  const std::span<std::byte> bytes = bytesOf(value);
  const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
  return {*copy, copy};
}

// Parses the arguments of load() and openSession(), (context, source, options, id, cancellation).
LoadOptions loadOptionsOf(const Napi::CallbackInfo& info) {
  const auto given = info[2].As<Napi::Object>();
  LoadOptions options;
  options.mapFiles = given.Get("mapFiles").ToBoolean();
  if (const Napi::Value weights = given.Get("weights"); !weights.IsUndefined()) options.weights = textOf(weights);
  if (const Napi::Value manifest = given.Get("manifest"); !manifest.IsUndefined()) options.manifest = textOf(manifest);
  forEachPair(given.Get("dimensions"),
              [&](std::string name, const Napi::Value& size) { options.dimensions.emplace(std::move(name), idOf(size)); });
  forEachPair(given.Get("values"), [&](std::string name, const Napi::Value& value) {
    const std::span<std::byte> bytes = bytesOf(value);
    options.values.emplace(std::move(name), std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
  options.call = callOptionsOf(info[4]);
  if (given.Get("reports").ToBoolean()) {
    Instance* const instance = contextOf(info[0])->instance.get();
    options.call.onProgress = [id = idOf(info[3]), box = instance->completions, instance](const CallProgress& progress) {
      Instance::progress(box, instance, id, progress);
    };
  }
  return options;
}

using Source = std::variant<std::filesystem::path, ExternalBytes>;

Source sourceOf(const Napi::Value& value) {
  if (value.IsString()) return std::filesystem::path(textOf(value));
  return copyOf(value);
}

// JavaScript: load(context, path or bytes, options, id, cancellation). Settles the promise `id` with a graph.
void load(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& owner = contextOf(info[0]);
  const auto work = [node = owner.get(), source = sourceOf(info[1]), options = loadOptionsOf(info)]() -> Instance::Value {
    Context context = node->context;
    const Graph graph = std::visit([&](const auto& from) { return webnn::load(context, from, options); }, source);
    return graphMaker(node, graph);
  };
  owner->instance->runAside(idOf(info[3]), owner, work);
}

// JavaScript: openSession(context, path or bytes, options, id, cancellation). Settles the promise `id` with a session. The
// option `graphs` is the capacity of the session's graph cache: 0 if js/graph_cache.js caches the graphs.
void openSession(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& owner = contextOf(info[0]);
  SessionOptions given{.load = loadOptionsOf(info), .graphs = idOf(info[2].As<Napi::Object>().Get("graphs"))};
  if (const Napi::Value seed = info[2].As<Napi::Object>().Get("seed"); !seed.IsUndefined())
    given.seed = static_cast<std::uint64_t>(seed.As<Napi::Number>().Int64Value());
  const auto work = [node = owner.get(), source = sourceOf(info[1]), options = std::move(given)]() -> Instance::Value {
    const Session session = std::visit([&](const auto& from) { return Session::load(node->context, from, options); }, source);
    return [session, node](Napi::Env env) {
      return handle(env, std::make_unique<NodeSession>(NodeSession{node->shared_from_this(), session, {}}));
    };
  };
  owner->instance->runAside(idOf(info[3]), owner, work);
}

// Returns the shape with the names of open dimensions; '' means that the size is unknown.
Napi::Value declaredShape(Napi::Env env, const std::vector<DeclaredDimension>& dimensions) {
  const Napi::Array result = Napi::Array::New(env, dimensions.size());
  for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
    const DeclaredDimension& dimension = dimensions[i];
    const bool isKnown = dimension.name.empty() && dimension.size > 0;
    result.Set(i, isKnown ? Napi::Value(Napi::Number::New(env, dimension.size)) : text(env, dimension.name));
  }
  return result;
}

// Returns the JavaScript name of a tensor type that WebNN lacks.
std::string_view foreignName(onnx::ElementType type) { return type == onnx::ElementType::float64 ? "float64" : onnx::name(type); }

// The inverse of foreignName(), for the types that JavaScript can hold. Returns `undefined` for the data types of WebNN.
onnx::ElementType foreignTypeOf(const std::string& name) {
  using enum onnx::ElementType;
  for (const onnx::ElementType type : {float64, int16, uint16, string}) {
    if (foreignName(type) == name) return type;
  }
  return onnx::ElementType::undefined;
}

// JavaScript: sessionInputs(session), sessionOutputs(session). Return an array of [name, data type, sizes or names of dimensions,
// whether it is boolean, whether it is a sequence or a map]. A data type or shape that the file does not declare is undefined.
template <auto list>
Napi::Value declared(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Array all = Napi::Array::New(env);
  const Session& session = handled<NodeSession>(info[0]).session;
  for (const auto& value : (session.*list)()) {
    const Napi::Array item = Napi::Array::New(env, 5);
    item.Set(0U, text(env, value.name));
    if (value.elementType != onnx::ElementType::undefined) {
      item.Set(1U, text(env, foreignName(value.elementType)));
    } else if (const std::optional<DataType> dataType = value.dataType) {
      item.Set(1U, text(env, name(*dataType)));
    }
    if (const std::optional<std::vector<DeclaredDimension>> shape = value.shape) item.Set(2U, declaredShape(env, *shape));
    item.Set(3U, Napi::Boolean::New(env, value.isBoolean));
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, DeclaredInput>) {
      item.Set(4U, Napi::Boolean::New(env, session.takesSequence(value.name)));
    } else {
      item.Set(4U, Napi::Boolean::New(env, !value.onnxType.empty() && !value.onnxType.starts_with("optional(tensor")));
    }
    all.Set(all.Length(), item);
  }
  return all;
}

std::map<std::string, Shape> shapesOf(const Napi::Value& pairs) {
  std::map<std::string, Shape> shapes;
  forEachPair(pairs, [&](std::string name, const Napi::Value& shape) { shapes.emplace(std::move(name), shapeOf(shape)); });
  return shapes;
}

// JavaScript: sessionGraph(session, [name, shape] of each input, id, cancellation). Settles the promise `id` with the graph for
// these shapes.
void sessionGraph(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeSession>(info[0]);
  const auto work = [session = self.session, node = self.context.get(), shapes = shapesOf(info[1]),
                     call = callOptionsOf(info[3])]() -> Instance::Value {
    const Graph graph = session.graph(shapes, call);
    return graphMaker(node, graph);
  };
  self.context->instance->runAside(idOf(info[2]), self.context, work);
}

// JavaScript: sessionPrefersRun(session, [name, shape] of each input, id, cancellation). Settles the promise `id` with true
// if runSession() suits these shapes better than a graph from sessionGraph(). See Session::prefersRun().
void sessionPrefersRun(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeSession>(info[0]);
  const auto work = [session = self.session, shapes = shapesOf(info[1]), call = callOptionsOf(info[3])]() -> Instance::Value {
    const bool prefers = session.prefersRun(shapes, call);
    return [prefers](Napi::Env env) { return Napi::Boolean::New(env, prefers); };
  };
  self.context->instance->runAside(idOf(info[2]), self.context, work);
}

// Throws unless JavaScript has a type for the output.
void requireTensor(const std::string& output, const Array& array) {
  if (array.isSequence || array.isNone || !array.keys.empty())
    fail(ErrorKind::notSupportedError, "run: the output {} is no tensor; fetch only outputs that are tensors.",
         webnn::quoted(output));
}

// Returns [name, data type, shape, ArrayBuffer or array of strings] of an output. If `buffer` is not empty, it holds the bytes.
Napi::Value valueOf(Napi::Env env, const std::string& output, const Array& array, Napi::ArrayBuffer buffer = {}) {
  const bool isForeign = array.elementType != onnx::ElementType::undefined;
  const Napi::Array item = Napi::Array::New(env, 4);
  item.Set(0U, text(env, output));
  item.Set(1U, text(env, isForeign ? foreignName(array.elementType) : name(array.descriptor.dataType)));
  item.Set(2U, shape(env, array.descriptor.shape));
  if (array.elementType == onnx::ElementType::string) {
    const Napi::Array strings = Napi::Array::New(env, array.strings.size());
    for (std::uint32_t i = 0; i < array.strings.size(); ++i) strings.Set(i, text(env, array.strings[i]));
    item.Set(3U, strings);
    return item;
  }
  if (buffer.IsEmpty()) {
    buffer = Napi::ArrayBuffer::New(env, array.bytes.size());
    std::ranges::copy(array.bytes, static_cast<std::byte*>(buffer.Data()));
  }
  item.Set(3U, buffer);
  return item;
}

// Copies [data type, shape, bytes or array of strings], because the program may modify its data concurrently.
Array arrayOf(const Napi::Array& given) {
  const onnx::ElementType foreign = foreignTypeOf(textOf(given.Get(0U)));
  const DataType dataType = foreign == onnx::ElementType::undefined ? dataTypeOf(given.Get(0U)) : DataType::uint8;
  Array array{.descriptor = {dataType, shapeOf(given.Get(1U))}, .bytes = {}, .elementType = foreign};
  if (foreign == onnx::ElementType::string) {
    const auto strings = given.Get(2U).As<Napi::Array>();
    for (std::uint32_t i = 0; i < strings.Length(); ++i) array.strings.push_back(textOf(strings.Get(i)));
  } else {
    const std::span<std::byte> bytes = bytesOf(given.Get(2U));
    array.bytes.assign(bytes.begin(), bytes.end());
  }
  return array;
}

// JavaScript: runSession(session, [name, [data type, shape, bytes or strings]] of each input, names of outputs, id,
// cancellation). Calls Session::run(). Settles the promise `id` with [name, data type, shape, ArrayBuffer
// or strings] of these outputs. The caller's signal, the release of the session and the end of the process stop the run.
void runSession(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeSession>(info[0]);
  std::map<std::string, Array> inputs;
  forEachPair(info[1], [&](std::string name, const Napi::Value& value) {
    inputs.emplace(std::move(name), arrayOf(value.As<Napi::Array>()));
  });
  std::vector<std::string> wanted;
  const auto names = info[2].As<Napi::Array>();
  for (std::uint32_t i = 0; i < names.Length(); ++i) wanted.push_back(textOf(names.Get(i)));
  auto work = [session = self.session, inputs = std::move(inputs), wanted = std::move(wanted),
               caller = callOptionsOf(info[4]).stop, release = self.released.get_token(),
               end = self.context->instance->ending()]() -> Instance::Value {
    std::stop_source any;
    const auto stop = [&any] { any.request_stop(); };
    const std::stop_callback onCaller(caller, stop), onRelease(release, stop), onEnd(end, stop);
    auto outputs = session.run({inputs.begin(), inputs.end()}, {.stop = any.get_token()});
    for (const std::string& name : wanted) requireTensor(name, outputs.at(name));
    return [wanted, outputs = std::move(outputs)](Napi::Env env) {
      const Napi::Array all = Napi::Array::New(env);
      for (const std::string& name : wanted) all.Set(all.Length(), valueOf(env, name, outputs.at(name)));
      return all;
    };
  };
  self.context->instance->runAside(idOf(info[3]), self.context, std::move(work));
}

// JavaScript: runSessionNow(session, [name, [data type, shape, bytes or strings]] of each input, names of outputs). The same as
// runSession(), but computes on this thread and returns the outputs. Inputs other than strings are not copied, because
// no JavaScript runs concurrently; JavaScript code has copied inputs in shared memory.
Napi::Value runSessionNow(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Session& session = handled<NodeSession>(info[0]).session;
  std::map<std::string, ArrayView> inputs;
  std::list<Array> strings;
  forEachPair(info[1], [&](std::string name, const Napi::Value& value) {
    const auto given = value.As<Napi::Array>();
    const onnx::ElementType foreign = foreignTypeOf(textOf(given.Get(0U)));
    if (foreign == onnx::ElementType::string) {
      inputs.emplace(std::move(name), strings.emplace_back(arrayOf(given)));
    } else if (foreign != onnx::ElementType::undefined) {
      inputs.emplace(std::move(name), ArrayView(foreign, shapeOf(given.Get(1U)), bytesOf(given.Get(2U))));
    } else {
      inputs.emplace(std::move(name), ArrayView({dataTypeOf(given.Get(0U)), shapeOf(given.Get(1U))}, bytesOf(given.Get(2U))));
    }
  });
  std::map<std::string, Napi::ArrayBuffer, std::less<>> buffers;
  const auto wanted = info[2].As<Napi::Array>();
  const OutputMemory memory = [&, thread = std::this_thread::get_id()](
                                  std::string_view name, const OperandDescriptor& descriptor) -> std::span<std::byte> {
    if (std::this_thread::get_id() != thread) return {};
    Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, byteLength(descriptor));
    buffers.insert_or_assign(std::string(name), buffer);
    return {static_cast<std::byte*>(buffer.Data()), buffer.ByteLength()};
  };
  const std::map<std::string, Array> outputs = session.runInto(inputs, memory);
  const Napi::Array all = Napi::Array::New(env, wanted.Length());
  for (std::uint32_t i = 0; i < wanted.Length(); ++i) {
    const std::string name = textOf(wanted.Get(i));
    const Array& array = outputs.at(name);
    requireTensor(name, array);
    const auto buffer = buffers.find(name);
    const bool isThere = buffer != buffers.end() && array.bytes.empty() && array.elementType == onnx::ElementType::undefined;
    all.Set(i, valueOf(env, name, array, isThere ? buffer->second : Napi::ArrayBuffer()));
  }
  return all;
}

// JavaScript: releaseSession(session). Stops the runs of runSession().
void releaseSession(const Napi::CallbackInfo& info) { handled<NodeSession>(info[0]).released.request_stop(); }

SaveOptions saveOptionsOf(const std::string& format, const std::string& weights) {
  SaveOptions options;
  options.graph = format == "json"     ? GraphFormat::graphJson
                  : format == "onnx"   ? GraphFormat::onnx
                  : format == "binary" ? GraphFormat::webnnBinary
                  : format == "coreml" ? GraphFormat::coreMl
                                       : GraphFormat::webnnText;
  if (weights == "safetensors") options.weights = WeightsFormat::safetensors;
  if (weights == "manifest") options.weights = WeightsFormat::manifest;
  if (weights == "inline") options.weights = WeightsFormat::inlineBytes;
  return options;
}

// JavaScript: hasOpenGraph(session). Returns whether the session's model is a single graph with open dimensions.
Napi::Value hasOpenGraph(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), handled<NodeSession>(info[0]).session.openGraph() != nullptr);
}

// JavaScript: saveSession(session, path, format, weights, id).
void saveSession(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeSession>(info[0]);
  self.context->instance->runAside(idOf(info[4]), self.context,
                                   [session = self.session, path = textOf(info[1]),
                                    options = saveOptionsOf(textOf(info[2]), textOf(info[3]))]() -> Instance::Value {
                                     webnn::save(session, std::filesystem::path(path), options);
                                     return {};
                                   });
}

// JavaScript: save(graph, path, format, weights, id).
void save(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeGraph>(info[0]);
  self.context->instance->runAside(idOf(info[4]), self.context,
                                   [graph = self.object, path = textOf(info[1]),
                                    options = saveOptionsOf(textOf(info[2]), textOf(info[3]))]() -> Instance::Value {
                                     webnn::save(graph, std::filesystem::path(path), options);
                                     return {};
                                   });
}

// JavaScript: inputs(graph), outputs(graph). Return an array of [name, data type, shape].
template <auto list>
Napi::Value described(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Array all = Napi::Array::New(env);
  for (const auto& [operand, descriptor] : (handled<NodeGraph>(info[0]).object.*list)()) {
    const Napi::Array item = Napi::Array::New(env, 3);
    item.Set(0U, text(env, operand));
    item.Set(1U, text(env, name(descriptor.dataType)));
    item.Set(2U, shape(env, descriptor.shape));
    all.Set(all.Length(), item);
  }
  return all;
}

}  // namespace

void defineFiles(Napi::Object exports) {
  define<load>(exports, "load");
  define<save>(exports, "save");
  define<saveSession>(exports, "saveSession");
  define<hasOpenGraph>(exports, "hasOpenGraph");
  define<openSession>(exports, "openSession");
  define<declared<&Session::inputs>>(exports, "sessionInputs");
  define<declared<&Session::outputs>>(exports, "sessionOutputs");
  define<sessionGraph>(exports, "sessionGraph");
  define<sessionPrefersRun>(exports, "sessionPrefersRun");
  define<runSession>(exports, "runSession");
  define<runSessionNow>(exports, "runSessionNow");
  define<releaseSession>(exports, "releaseSession");
  define<described<&Graph::inputs>>(exports, "inputs");
  define<described<&Graph::outputs>>(exports, "outputs");
}

}  // namespace webnn::node
