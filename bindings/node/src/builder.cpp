#include <memory>
#include <utility>
#include <vector>

#include "builder/builder_state.h"
#include "fields.h"
#include "ops/operation.h"
#include "values.h"

namespace webnn::node {

namespace {

Napi::Value describedOperand(Napi::Env env, const Operand& operand) {
  const Napi::Value result = described(env, std::make_unique<Operand>(operand), operand.descriptor());
  const std::vector<Dimension> dimensions = operand.dimensions();
  const auto shape = result.As<Napi::Array>().Get(2U).As<Napi::Array>();
  for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
    if (!dimensions[i].text.empty()) shape.Set(i, text(env, dimensions[i].text));
  }
  return result;
}

std::vector<NamedOperand> outputsOf(const Napi::Value& names, const Napi::Value& operands) {
  std::vector<NamedOperand> outputs;
  const auto given = names.As<Napi::Array>();
  for (std::uint32_t i = 0; i < given.Length(); ++i)
    outputs.emplace_back(textOf(given.Get(i)), handled<Operand>(operands.As<Napi::Array>().Get(i)));
  return outputs;
}

OperandDescriptor descriptorOf(const Napi::Value& dataType, const Napi::Value& shape) {
  return {dataTypeOf(dataType), shapeOf(shape)};
}

// JavaScript: createBuilder(context).
Napi::Value createBuilder(const Napi::CallbackInfo& info) {
  const auto& context = handled<std::shared_ptr<NodeContext>>(info[0]);
  return handle(info.Env(), std::make_unique<NodeBuilder>(context, GraphBuilder(context->context), 0, info.Env()));
}

// JavaScript: requireCanBuild(builder, method). Throws InvalidStateError if the graph is built or the context is lost. JavaScript
// calls it before it validates the bytes of a constant.
void requireCanBuild(const Napi::CallbackInfo& info) {
  handled<NodeBuilder>(info[0]).object.state().requireCanBuild(textOf(info[1]));
}

// JavaScript: input(builder, name, dataType, shape).
Napi::Value input(const Napi::CallbackInfo& info) {
  GraphBuilder& builder = handled<NodeBuilder>(info[0]).object;
  return describedOperand(info.Env(), builder.input(textOf(info[1]), descriptorOf(info[2], info[3])));
}

// JavaScript: openInput(builder, name, dataType, shape). The shape has numbers, expressions and {name, minSize, maxSize}.
Napi::Value openInput(const Napi::CallbackInfo& info) {
  OpenDescriptor descriptor{dataTypeOf(info[2]), {}};
  const auto shape = info[3].As<Napi::Array>();
  for (std::uint32_t i = 0; i < shape.Length(); ++i) {
    const Napi::Value size = shape.Get(i);
    if (size.IsNumber()) {
      descriptor.shape.emplace_back(idOf(size));
    } else if (size.IsString()) {
      descriptor.shape.emplace_back(textOf(size));
    } else {
      const auto bounded = size.As<Napi::Object>();
      descriptor.shape.emplace_back(textOf(bounded.Get("name")), idOf(bounded.Get("minSize")), idOf(bounded.Get("maxSize")));
    }
  }
  return describedOperand(info.Env(), handled<NodeBuilder>(info[0]).object.openInput(textOf(info[1]), std::move(descriptor)));
}

// JavaScript: openSize(builder, expression). Returns a number that stands for the expression, or the size itself if the
// expression is constant.
Napi::Value openSize(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), handled<NodeBuilder>(info[0]).object.openSize(textOf(info[1])));
}

// JavaScript: constant(builder, dataType, shape, bytes). Copies the bytes.
Napi::Value constant(const Napi::CallbackInfo& info) {
  auto& self = handled<NodeBuilder>(info[0]);
  const std::span<std::byte> bytes = bytesOf(info[3]);
  const Operand operand = self.object.constant(descriptorOf(info[1], info[2]), std::span<const std::byte>(bytes));
  self.memory.set(self.memory.bytes() + bytes.size());
  return describedOperand(info.Env(), operand);
}

// JavaScript: scalar(builder, dataType, value).
Napi::Value scalar(const Napi::CallbackInfo& info) {
  Number value;
  setField(value, info[2]);
  return describedOperand(info.Env(), handled<NodeBuilder>(info[0]).object.constant(dataTypeOf(info[1]), value));
}

// JavaScript: constantTensor(builder, tensor).
Napi::Value constantTensor(const Napi::CallbackInfo& info) {
  return describedOperand(info.Env(), handled<NodeBuilder>(info[0]).object.constant(handled<NodeTensor>(info[1]).object));
}

// JavaScript: append(builder, index in the operation table, label, fields). Returns an array of [handle, data type, shape].
Napi::Value append(const Napi::CallbackInfo& info) {
  Operation operation = makeOperation(idOf(info[1]));
  visitFields(operation, FieldSetter{info[3].As<Napi::Array>()});
  std::visit([&](auto& op) { op.options.label = textOf(info[2]); }, operation);
  const std::vector<Operand> results = handled<NodeBuilder>(info[0]).object.append(std::move(operation));
  const Napi::Array array = Napi::Array::New(info.Env(), results.size());
  for (std::uint32_t i = 0; i < results.size(); ++i) array.Set(i, describedOperand(info.Env(), results[i]));
  return array;
}

// Returns the error that rejects build()'s promise: an OperationError, unless the context was lost or the call cancelled or timed
// out.
std::optional<Error> errorOfBuild(const std::exception_ptr& problem) {
  const std::optional<Error> error = errorOf(problem);
  if (!error) return error;
  switch (error->kind()) {
    case ErrorKind::invalidStateError:
    case ErrorKind::abortError:
    case ErrorKind::timeoutError: return error;
    default: return Error(ErrorKind::operationError, error->what());
  }
}

// JavaScript: build(builder, names, operands, id, cancellation). Settles the promise `id` with a graph.
void build(const Napi::CallbackInfo& info) {
  auto& self = handled<NodeBuilder>(info[0]);
  std::vector<NamedOperand> outputs = outputsOf(info[1], info[2]);
  Instance& instance = *self.context->instance;
  const std::uint32_t id = idOf(info[3]);
  // The raw pointer is safe: the instance keeps the NodeContext alive until the completion is handled.
  const auto done = [id, node = self.context.get(), box = instance.completions, &instance](std::exception_ptr problem,
                                                                                           Graph graph) {
    Instance::end(box, &instance, id, errorOfBuild(problem), graphMaker(node, std::move(graph)));
  };
  self.object.buildAsync(std::move(outputs), done, callOptionsOf(info[4]));
  instance.begin(id, self.context);
}

// JavaScript: buildSession(builder, names, operands, [name, size] of each fixed dimension, maximum number of cached graphs).
Napi::Value buildSession(const Napi::CallbackInfo& info) {
  auto& self = handled<NodeBuilder>(info[0]);
  SessionOptions options{.graphs = idOf(info[4])};
  forEachPair(info[3],
              [&](std::string name, const Napi::Value& size) { options.load.dimensions.emplace(std::move(name), idOf(size)); });
  Session session = Session::build(self.object, outputsOf(info[1], info[2]), options);
  return handle(info.Env(), std::make_unique<NodeSession>(NodeSession{self.context, std::move(session), {}}));
}

}  // namespace

void defineBuilder(Napi::Object exports) {
  define<createBuilder>(exports, "createBuilder");
  define<requireCanBuild>(exports, "requireCanBuild");
  define<input>(exports, "input");
  define<openInput>(exports, "openInput");
  define<openSize>(exports, "openSize");
  define<constant>(exports, "constant");
  define<scalar>(exports, "scalar");
  define<constantTensor>(exports, "constantTensor");
  define<append>(exports, "append");
  define<build>(exports, "build");
  define<buildSession>(exports, "buildSession");
}

}  // namespace webnn::node
