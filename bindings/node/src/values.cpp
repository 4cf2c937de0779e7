#include "values.h"

#include "base/text.h"
#include "context/graph_state.h"

namespace webnn::node {

Shape shapeOf(const Napi::Value& value) {
  const auto items = value.As<Napi::Array>();
  Shape shape(items.Length());
  for (std::uint32_t i = 0; i < shape.size(); ++i) shape[i] = items.Get(i).As<Napi::Number>().Uint32Value();
  return shape;
}

Napi::Value shape(Napi::Env env, const Shape& shape) {
  const Napi::Array items = Napi::Array::New(env, shape.size());
  for (std::uint32_t i = 0; i < shape.size(); ++i) items.Set(i, Napi::Number::New(env, shape[i]));
  return items;
}

DataType dataTypeOf(const Napi::Value& value) {
  const std::string text = textOf(value);
  const std::optional<DataType> type = dataTypeFromName(text);
  if (!type) fail(ErrorKind::typeError, "{} is no data type.", webnn::quoted(text));
  return *type;
}

CallOptions callOptionsOf(const Napi::Value& cancellation) {
  if (cancellation.IsUndefined()) return {};
  return {.stop = handled<std::stop_source>(cancellation).get_token()};
}

void forEachPair(const Napi::Value& pairs, const std::function<void(std::string, const Napi::Value&)>& add) {
  const auto items = pairs.As<Napi::Array>();
  for (std::uint32_t i = 0; i < items.Length(); ++i) {
    const auto pair = items.Get(i).As<Napi::Array>();
    add(textOf(pair.Get(0U)), pair.Get(1U));
  }
}

Instance::Value graphMaker(NodeContext* context, Graph graph) {
  return [context, graph = std::move(graph)](Napi::Env env) {
    std::size_t bytes = 0;
    for (const Operand& constant : definitionOf(graph).constants) bytes += constant.record().bytes.size();
    return handle(env, std::make_unique<NodeGraph>(context->shared_from_this(), graph, bytes, env));
  };
}

}  // namespace webnn::node
