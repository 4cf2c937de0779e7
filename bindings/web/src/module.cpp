// The commands of webnn.wasm. JavaScript gives each object a number, which identifies the object in requests. A request therefore
// means the same in the page's module, which checks it, and in the host's module, which executes it.
#include <malloc.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "builder/builder_state.h"
#include "checking_backend.h"
#include "commands.h"
#include "context/context_state.h"
#include "context/select_backend.h"
#include "fields.h"
#include "ops/operation.h"

namespace webnn::web {

namespace {

struct WebContext {
  Context context;
  bool isChecking = false;
};

struct WebBuilder {
  GraphBuilder builder;
  bool isChecking = false;
  std::vector<std::uint32_t> operands;  // numbers of the builder's operands in Module::operands
};

struct Module {
  std::unordered_map<std::uint32_t, WebContext> contexts;
  std::unordered_map<std::uint32_t, WebBuilder> builders;
  std::unordered_map<std::uint32_t, Tensor> tensors;
  std::unordered_map<std::uint32_t, Graph> graphs;
  Operands operands;
};

OperandDescriptor descriptorOf(Request& request) {
  const DataType type = dataTypeFromName(request.text()).value();
  return {type, request.words()};
}

// createContext(number, is checking, power preference, accelerated, backend, threads, limits). Replies whether the context is
// accelerated.
void createContext(Module& module, Request& request, Reply& reply) {
  const std::uint32_t number = request.word();
  const bool isChecking = request.byte() != 0;
  ContextOptions options;
  options.execution = Execution::callerThread;
  const std::string_view preference = request.text();
  if (preference == "high-performance") options.powerPreference = PowerPreference::highPerformance;
  if (preference == "low-power") options.powerPreference = PowerPreference::lowPower;
  options.accelerated = request.byte() != 0;
  options.backend = request.text();
  options.threads = request.word();
  readLimits(request, options.limits);
  Context context;
  if (isChecking) {
    requireThreads(options);
    std::shared_ptr<const Backend> backend = selectBackend(options, knownBackends()).make(options);
    context = makeContext(std::make_shared<const CheckingBackend>(std::move(backend)), options);
  } else {
    context = Context::create(options);
  }
  reply.word(context.accelerated());
  module.contexts.emplace(number, WebContext{std::move(context), isChecking});
}

Context& contextOf(Module& module, Request& request) { return module.contexts.at(request.word()).context; }

void writeLimits(Reply& reply, const TensorLimits& limits) {
  reply.word(static_cast<std::uint32_t>(limits.dataTypes.size()));
  for (const DataType type : limits.dataTypes) reply.text(name(type));
  reply.word(limits.rankRange.min).word(limits.rankRange.max);
}

// opSupportLimits(context)
void opSupportLimits(Module& module, Request& request, Reply& reply) {
  const OpSupportLimits limits = contextOf(module, request).opSupportLimits();
  reply.text(name(limits.preferredInputLayout)).real(static_cast<double>(limits.maxTensorByteLength));
  for (const TensorLimits* const of : {&limits.input, &limits.constant, &limits.output}) writeLimits(reply, *of);
  reply.word(static_cast<std::uint32_t>(limits.operations.size()));
  for (const auto& [operation, operands] : limits.operations) {
    reply.text(operation).word(static_cast<std::uint32_t>(operands.size()));
    for (const auto& [operand, operandLimits] : operands) {
      reply.text(operand);
      writeLimits(reply, operandLimits);
    }
  }
}

// destroyContext(context). Replies with the message that lost contexts report.
void destroyContext(Module& module, Request& request, Reply& reply) {
  Context& context = contextOf(module, request);
  context.destroy();
  reply.text(context.lost().get().message);
}
void releaseContext(Module& module, Request& request, Reply&) { module.contexts.erase(request.word()); }

// createTensor(number, context, descriptor, readable, writable)
void createTensor(Module& module, Request& request, Reply&) {
  const std::uint32_t number = request.word();
  Context& context = contextOf(module, request);
  OperandDescriptor descriptor = descriptorOf(request);
  const bool isReadable = request.byte() != 0, isWritable = request.byte() != 0;
  module.tensors.emplace(number,
                         context.createTensor({descriptor.dataType, std::move(descriptor.shape), isReadable, isWritable}));
}

// createConstantTensor(number, context, descriptor). Replies with the address where JavaScript writes the bytes.
void createConstantTensor(Module& module, Request& request, Reply& reply) {
  const std::uint32_t number = request.word();
  Context& context = contextOf(module, request);
  OperandDescriptor descriptor = descriptorOf(request);
  const Tensor tensor =
      context.state()->createConstantTensor({.dataType = descriptor.dataType, .shape = std::move(descriptor.shape)});
  reply.address(tensor.state()->storage()->overwrite().data());
  module.tensors.emplace(number, tensor);
}

// writeTensor(context, tensor, size). Replies with the address where JavaScript writes the bytes.
void writeTensor(Module& module, Request& request, Reply& reply) {
  const Context& context = contextOf(module, request);
  const Tensor& tensor = module.tensors.at(request.word());
  reply.address(overwriteNow(context, tensor, request.word()).data());
}

// readTensor(context, tensor). Replies with the address and size of the bytes, which are valid until the next request.
void readTensor(Module& module, Request& request, Reply& reply) {
  const Context& context = contextOf(module, request);
  const std::span<const std::byte> bytes = readNow(context, module.tensors.at(request.word()));
  reply.address(bytes.data()).word(static_cast<std::uint32_t>(bytes.size()));
}

void destroyTensor(Module& module, Request& request, Reply&) { module.tensors.at(request.word()).destroy(); }
void releaseTensor(Module& module, Request& request, Reply&) { module.tensors.erase(request.word()); }

std::vector<NamedTensor> tensorsOf(Module& module, Request& request) {
  std::vector<NamedTensor> named(request.word());
  for (auto& [name, tensor] : named) {
    name = request.text();
    tensor = module.tensors.at(request.word());
  }
  return named;
}

// Reads the byte "is stopped". If it is set, the call was stopped before it began, and fails immediately.
CallOptions callOptions(Request& request) {
  CallOptions options;
  if (request.byte() == 0) return options;
  std::stop_source stopped;
  stopped.request_stop();
  options.stop = stopped.get_token();
  return options;
}

// dispatch(context, graph, inputs, outputs, is stopped)
void dispatch(Module& module, Request& request, Reply&) {
  Context& context = contextOf(module, request);
  const Graph& graph = module.graphs.at(request.word());
  const std::vector<NamedTensor> inputs = tensorsOf(module, request), outputs = tensorsOf(module, request);
  context.dispatch(graph, inputs, outputs, callOptions(request));
}

void destroyGraph(Module& module, Request& request, Reply&) { module.graphs.at(request.word()).destroy(); }
void releaseGraph(Module& module, Request& request, Reply&) { module.graphs.erase(request.word()); }

// createBuilder(number, context)
void createBuilder(Module& module, Request& request, Reply&) {
  const std::uint32_t number = request.word();
  const WebContext& context = module.contexts.at(request.word());
  module.builders.emplace(number, WebBuilder{GraphBuilder(context.context), context.isChecking, {}});
}

// releaseBuilder(builder). Also releases the builder's operands.
void releaseBuilder(Module& module, Request& request, Reply&) {
  const auto released = module.builders.extract(request.word());
  if (!released) return;
  for (const std::uint32_t operand : released.mapped().operands) module.operands.erase(operand);
}

WebBuilder& builderOf(Module& module, Request& request) { return module.builders.at(request.word()); }

void requireCanBuild(Module& module, Request& request, Reply&) {
  const WebBuilder& builder = builderOf(module, request);
  builder.builder.state().requireCanBuild(request.text());
}

void add(Module& module, WebBuilder& builder, std::uint32_t number, Operand operand, Reply& reply) {
  const OperandDescriptor& descriptor = operand.descriptor();
  reply.text(name(descriptor.dataType)).words(descriptor.shape);
  module.operands.emplace(number, std::move(operand));
  builder.operands.push_back(number);
}

// input(builder, number, name, descriptor)
void input(Module& module, Request& request, Reply& reply) {
  WebBuilder& builder = builderOf(module, request);
  const std::uint32_t number = request.word();
  std::string name(request.text());
  add(module, builder, number, builder.builder.input(std::move(name), descriptorOf(request)), reply);
}

// constant(builder, number, descriptor). Replies with the descriptor and the address where JavaScript writes the bytes.
void constant(Module& module, Request& request, Reply& reply) {
  WebBuilder& builder = builderOf(module, request);
  const std::uint32_t number = request.word();
  OperandDescriptor descriptor = descriptorOf(request);
  const std::size_t size = byteLength(descriptor);
  if (builder.isChecking) {  // the page's module never reads the bytes
    static const std::byte nothing{};
    add(module, builder, number, builder.builder.constant(std::move(descriptor), ExternalBytes{{&nothing, size}, nullptr}),
        reply);
    reply.word(0);
    return;
  }
  const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
  add(module, builder, number, builder.builder.constant(std::move(descriptor), ExternalBytes{{bytes.get(), size}, bytes}), reply);
  reply.address(bytes.get());
}

// scalar(builder, number, data type, tag and value)
void scalar(Module& module, Request& request, Reply& reply) {
  WebBuilder& builder = builderOf(module, request);
  const std::uint32_t number = request.word();
  const DataType type = dataTypeFromName(request.text()).value();
  Number value;
  FieldSetter(request, module.operands).argument("value", value);
  add(module, builder, number, builder.builder.constant(type, value), reply);
}

// constantTensor(builder, number, tensor)
void constantTensor(Module& module, Request& request, Reply& reply) {
  WebBuilder& builder = builderOf(module, request);
  const std::uint32_t number = request.word();
  add(module, builder, number, builder.builder.constant(module.tensors.at(request.word())), reply);
}

// append(builder, number of the first result, index in the operation table, label, fields). Replies with the results'
// descriptors.
void append(Module& module, Request& request, Reply& reply) {
  WebBuilder& builder = builderOf(module, request);
  std::uint32_t number = request.word();
  Operation operation = makeOperation(request.word());
  std::string label(request.text());
  visitFields(operation, FieldSetter(request, module.operands));
  std::visit([&](auto& op) { op.options.label = std::move(label); }, operation);
  const std::vector<Operand> results = builder.builder.append(std::move(operation));
  reply.word(static_cast<std::uint32_t>(results.size()));
  for (const Operand& result : results) add(module, builder, number++, result, reply);
}

// build(builder, number, outputs, is stopped)
void build(Module& module, Request& request, Reply&) {
  WebBuilder& builder = builderOf(module, request);
  const std::uint32_t number = request.word();
  std::vector<NamedOperand> outputs(request.word());
  for (auto& [name, operand] : outputs) {
    name = request.text();
    operand = module.operands.at(request.word());
  }
  module.graphs.emplace(number, builder.builder.build(std::move(outputs), callOptions(request)));
}

// statistics(), for tests. Replies with the numbers of objects and the number of allocated bytes.
void statistics(Module& module, Request&, Reply& reply) {
  for (const std::size_t count : {module.contexts.size(), module.builders.size(), module.tensors.size(), module.graphs.size(),
                                  module.operands.size(), static_cast<std::size_t>(mallinfo().uordblks)}) {
    reply.word(static_cast<std::uint32_t>(count));
  }
}

Module& theModule() {
  static Module module;
  return module;
}

template <void (*function)(Module&, Request&, Reply&)>
void run(Request& request, Reply& reply) {
  function(theModule(), request, reply);
}

constexpr Command kCommands[]{
    {"createContext", run<createContext>},
    {"opSupportLimits", run<opSupportLimits>},
    {"destroyContext", run<destroyContext>},
    {"releaseContext", run<releaseContext>},
    {"createTensor", run<createTensor>},
    {"createConstantTensor", run<createConstantTensor>},
    {"writeTensor", run<writeTensor>},
    {"readTensor", run<readTensor>},
    {"destroyTensor", run<destroyTensor>},
    {"releaseTensor", run<releaseTensor>},
    {"dispatch", run<dispatch>},
    {"destroyGraph", run<destroyGraph>},
    {"releaseGraph", run<releaseGraph>},
    {"createBuilder", run<createBuilder>},
    {"releaseBuilder", run<releaseBuilder>},
    {"requireCanBuild", run<requireCanBuild>},
    {"input", run<input>},
    {"constant", run<constant>},
    {"scalar", run<scalar>},
    {"constantTensor", run<constantTensor>},
    {"append", run<append>},
    {"build", run<build>},
    {"statistics", run<statistics>},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace webnn::web
