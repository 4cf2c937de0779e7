// Graphs in files.
#include <memory>
#include <utility>
#include <vector>

#include "base/text.h"
#include "values.h"
#include "webnn/formats.h"

namespace webnn::node {

namespace {

// A copy of a Uint8Array, as the program may change that meanwhile.
ExternalBytes copyOf(const Napi::Value& value) {
  const std::span<std::byte> bytes = bytesOf(value);
  const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
  return {*copy, copy};
}

LoadOptions loadOptionsOf(const Napi::Object& given, const Napi::Value& cancellation) {
  LoadOptions options;
  if (const Napi::Value weights = given.Get("weights"); !weights.IsUndefined()) options.weights = textOf(weights);
  if (const Napi::Value manifest = given.Get("manifest"); !manifest.IsUndefined()) options.manifest = textOf(manifest);
  forEachPair(given.Get("dimensions"),
              [&](std::string name, const Napi::Value& size) { options.dimensions.emplace(std::move(name), idOf(size)); });
  forEachPair(given.Get("values"), [&](std::string name, const Napi::Value& value) {
    const std::span<std::byte> bytes = bytesOf(value);
    options.values.emplace(std::move(name), std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
  options.call = callOptionsOf(cancellation);
  return options;
}

// load(context, path or bytes, options, id, cancellation): a graph settles the promise `id`.
Napi::Value load(const Napi::CallbackInfo& info) {
  const std::shared_ptr<NodeContext>& owner = contextOf(info[0]);
  const bool isPath = info[1].IsString();
  const std::string path = isPath ? textOf(info[1]) : "";
  const ExternalBytes content = isPath ? ExternalBytes{} : copyOf(info[1]);
  const auto work = [context = owner->context, node = owner.get(), isPath, path, content,
                     options = loadOptionsOf(info[2].As<Napi::Object>(), info[4])]() mutable -> Instance::Value {
    const Graph graph = isPath ? webnn::load(context, std::filesystem::path(path), options) : webnn::load(context, content, options);
    return [graph, node](Napi::Env env) { return graphHandle(env, node->shared_from_this(), graph); };
  };
  owner->instance->runAside(idOf(info[3]), owner, work);
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
  define<inputs>(exports, "inputs");
  define<outputs>(exports, "outputs");
}

}  // namespace webnn::node
