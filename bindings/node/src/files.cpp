// Graphs in files, and sessions.
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "values.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn::node {

namespace {

// A copy of a Uint8Array, as the program may change that meanwhile.
ExternalBytes copyOf(const Napi::Value& value) {
  const std::span<std::byte> bytes = bytesOf(value);
  const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
  return {*copy, copy};
}

// The options of load() and openSession(), whose arguments begin with a context, a source, these, an id and a cancellation.
LoadOptions loadOptionsOf(const Napi::CallbackInfo& info) {
  const auto given = info[2].As<Napi::Object>();
  LoadOptions options;
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

// A file by its path, or what it holds.
using Source = std::variant<std::filesystem::path, ExternalBytes>;

Source sourceOf(const Napi::Value& value) {
  if (value.IsString()) return std::filesystem::path(textOf(value));
  return copyOf(value);
}

// load(context, path or bytes, options, id, cancellation): a graph settles the promise `id`.
Napi::Value load(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& owner = contextOf(info[0]);
  const auto work = [node = owner.get(), source = sourceOf(info[1]), options = loadOptionsOf(info)]() -> Instance::Value {
    Context context = node->context;
    const Graph graph = std::visit([&](const auto& from) { return webnn::load(context, from, options); }, source);
    return [graph, node](Napi::Env env) { return graphHandle(env, node->shared_from_this(), graph); };
  };
  owner->instance->runAside(idOf(info[3]), owner, work);
  return info.Env().Undefined();
}

struct NodeSession {
  std::shared_ptr<NodeContext> context;
  Session session;
};

// openSession(context, path or bytes, options, id, cancellation): a session settles the promise `id`. lib/ keeps the graphs of
// sizes that were used.
Napi::Value openSession(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& owner = contextOf(info[0]);
  const auto work = [node = owner.get(), source = sourceOf(info[1]),
                     options = SessionOptions{.load = loadOptionsOf(info), .graphs = 0}]() -> Instance::Value {
    const Session session = std::visit([&](const auto& from) { return Session::load(node->context, from, options); }, source);
    return [session, node](Napi::Env env) {
      return handle(env, std::make_unique<NodeSession>(NodeSession{node->shared_from_this(), session}));
    };
  };
  owner->instance->runAside(idOf(info[3]), owner, work);
  return info.Env().Undefined();
}

// Sizes, and names of dynamic dimensions; '' for one that is not known.
Napi::Value declaredShape(Napi::Env env, const std::vector<DeclaredDimension>& dimensions) {
  const Napi::Array result = Napi::Array::New(env, dimensions.size());
  for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
    const auto& [size, name] = dimensions[i];
    if (name.empty() && size > 0) {
      result.Set(i, Napi::Number::New(env, size));
    } else {
      result.Set(i, text(env, name));
    }
  }
  return result;
}

Napi::Value declared(Napi::Env env, const std::string& name, std::optional<DataType> dataType,
                     const std::optional<std::vector<DeclaredDimension>>& shape, bool isBoolean) {
  const Napi::Array result = Napi::Array::New(env, 4);
  result.Set(0U, text(env, name));
  if (dataType) result.Set(1U, text(env, webnn::name(*dataType)));
  if (shape) result.Set(2U, declaredShape(env, *shape));
  result.Set(3U, Napi::Boolean::New(env, isBoolean));
  return result;
}

// sessionInputs(session), sessionOutputs(session): [name, data type, sizes or names of dimensions, whether it is boolean] of
// each; what the file does not tell is undefined.
Napi::Value sessionInputs(const Napi::CallbackInfo& info) {
  const Napi::Array result = Napi::Array::New(info.Env());
  for (const DeclaredInput& input : handled<NodeSession>(info[0]).session.inputs())
    result.Set(result.Length(), declared(info.Env(), input.name, input.dataType, input.shape, input.isBoolean));
  return result;
}
Napi::Value sessionOutputs(const Napi::CallbackInfo& info) {
  const Napi::Array result = Napi::Array::New(info.Env());
  for (const DeclaredOutput& output : handled<NodeSession>(info[0]).session.outputs())
    result.Set(result.Length(), declared(info.Env(), output.name, output.dataType, output.shape, output.isBoolean));
  return result;
}

// sessionGraph(session, [name, shape] of each input, id, cancellation): the graph for these shapes settles the promise `id`.
Napi::Value sessionGraph(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeSession>(info[0]);
  std::map<std::string, Shape> shapes;
  forEachPair(info[1], [&](std::string name, const Napi::Value& shape) { shapes.emplace(std::move(name), shapeOf(shape)); });
  const auto work = [session = self.session, node = self.context.get(), shapes = std::move(shapes),
                     call = callOptionsOf(info[3])]() -> Instance::Value {
    const Graph graph = session.graph(shapes, call);
    return [graph, node](Napi::Env env) { return graphHandle(env, node->shared_from_this(), graph); };
  };
  self.context->instance->runAside(idOf(info[2]), self.context, work);
  return info.Env().Undefined();
}

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

// save(graph, path, format, weights, id)
Napi::Value save(const Napi::CallbackInfo& info) {
  const auto& self = handled<NodeGraph>(info[0]);
  self.context->instance->runAside(idOf(info[4]), self.context,
                                   [graph = self.graph, path = textOf(info[1]),
                                    options = saveOptionsOf(textOf(info[2]), textOf(info[3]))]() -> Instance::Value {
                                     webnn::save(graph, std::filesystem::path(path), options);
                                     return {};
                                   });
  return info.Env().Undefined();
}

Napi::Value described(Napi::Env env, const std::vector<NamedDescriptor>& operands) {
  const Napi::Array result = Napi::Array::New(env, operands.size());
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    const auto& [name, descriptor] = operands[i];
    const Napi::Array operand = Napi::Array::New(env, 3);
    operand.Set(0U, text(env, name));
    operand.Set(1U, text(env, webnn::name(descriptor.dataType)));
    operand.Set(2U, shape(env, descriptor.shape));
    result.Set(i, operand);
  }
  return result;
}

// inputs(graph), outputs(graph): [name, data type, shape] of each
Napi::Value inputs(const Napi::CallbackInfo& info) { return described(info.Env(), handled<NodeGraph>(info[0]).graph.inputs()); }
Napi::Value outputs(const Napi::CallbackInfo& info) { return described(info.Env(), handled<NodeGraph>(info[0]).graph.outputs()); }

}  // namespace

void defineFiles(Napi::Object exports) {
  define<load>(exports, "load");
  define<save>(exports, "save");
  define<openSession>(exports, "openSession");
  define<sessionInputs>(exports, "sessionInputs");
  define<sessionOutputs>(exports, "sessionOutputs");
  define<sessionGraph>(exports, "sessionGraph");
  define<inputs>(exports, "inputs");
  define<outputs>(exports, "outputs");
}

}  // namespace webnn::node
