// Converts JavaScript values, which JavaScript code has already validated as WebIDL requires, and wraps C++ objects in handles.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instance.h"
#include "webnn/graph_builder.h"
#include "webnn/session.h"
#include "webnn/types.h"

namespace webnn::node {

// A tensor, graph or builder of a context. Reports the size of its memory to the garbage collector.
template <typename T>
struct Owned {
  Owned(std::shared_ptr<NodeContext> owner, T made, std::size_t bytes, Napi::Env env)
      : context(std::move(owner)), object(std::move(made)), memory(env) {
    memory.set(bytes);
  }
  const std::shared_ptr<NodeContext> context;
  T object;
  ExternalMemory memory;
};
using NodeTensor = Owned<Tensor>;
using NodeGraph = Owned<Graph>;
using NodeBuilder = Owned<GraphBuilder>;

struct NodeSession {
  std::shared_ptr<NodeContext> context;
  Session session;
  std::stop_source released;  // stops the runs of runSession()
};

// Creates an opaque JavaScript object that owns a T.
template <typename T>
Napi::Value handle(Napi::Env env, std::unique_ptr<T> object) {
  return Napi::External<T>::New(env, object.release(), [](Napi::Env, T* collected) { delete collected; });
}
template <typename T>
T& handled(const Napi::Value& value) {
  return *value.As<Napi::External<T>>().Data();
}

inline const std::shared_ptr<NodeContext>& contextOf(const Napi::Value& value) {
  return handled<std::shared_ptr<NodeContext>>(value);
}
inline std::string textOf(const Napi::Value& value) { return value.As<Napi::String>().Utf8Value(); }
inline Napi::String text(Napi::Env env, std::string_view text) { return Napi::String::New(env, text.data(), text.size()); }
inline std::uint32_t idOf(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }
inline std::span<std::byte> bytesOf(const Napi::Value& value) {
  auto array = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<std::byte*>(array.Data()), array.ByteLength()};
}
Shape shapeOf(const Napi::Value& value);
Napi::Value shape(Napi::Env env, const Shape& shape);
// Calls add(name, value) for each pair [name, value] of an array.
void forEachPair(const Napi::Value& pairs, const std::function<void(std::string, const Napi::Value&)>& add);
// Returns the data type with this name. JavaScript code has validated the name.
DataType dataTypeOf(const Napi::Value& value);
// Returns options with the cancellation's stop token; without one if `cancellation` is undefined.
CallOptions callOptionsOf(const Napi::Value& cancellation);
// Returns a function that makes a graph's handle and reports the size of its constants to the garbage collector. `context` must
// outlive that function.
Instance::Value graphMaker(NodeContext* context, Graph graph);

// Returns [handle, data type, shape], from which JavaScript creates an MLOperand or an MLTensor.
template <typename T>
Napi::Value described(Napi::Env env, std::unique_ptr<T> object, const OperandDescriptor& descriptor) {
  const Napi::Array result = Napi::Array::New(env, 3);
  result.Set(0U, handle(env, std::move(object)));
  result.Set(1U, text(env, name(descriptor.dataType)));
  result.Set(2U, shape(env, descriptor.shape));
  return result;
}

}  // namespace webnn::node
