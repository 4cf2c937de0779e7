// The builder functions of the C API, except the operations.
#include "capi/objects.h"
#include "capi/values.h"
#include "ops/operand_record.h"

using namespace webnn;
using namespace webnn::capi;

namespace webnn::capi {

std::shared_ptr<ReleasedBytes> releasedBytesOf(const WebnnExternalBytes* bytes, const What& what) {
  const auto held = std::make_shared<ReleasedBytes>();
  held->bytes = requireStruct(bytes, what);
  return held;
}

ExternalBytes externalBytesOf(const std::shared_ptr<ReleasedBytes>& held, const What& what) {
  return {bytesOf(held->bytes.data, held->bytes.size, what), held};
}

std::vector<NamedOperand> outputsOf(std::size_t count, const WebnnNamedOperand* outputs) {
  std::vector<NamedOperand> result;
  for (const WebnnNamedOperand& output : listOf(count, outputs, "build: outputs")) {
    requireNoChain(output.nextInChain, "build: an output");
    std::string name = textOf(output.name, "build: the name of an output");
    if (!isObject(output.operand)) requireObject(output.operand, "build: output " + webnn::quoted(name) + ": ");
    result.emplace_back(std::move(name), output.operand->operand);
  }
  return result;
}

}  // namespace webnn::capi

namespace {

struct BuildEvent final : Event {
  explicit BuildEvent(const WebnnBuildCallbackInfo& callbackInfo) : Event(callbackInfo.mode), info(callbackInfo) {}
  void call() noexcept override {
    if (info.callback) info.callback(error.status(), graph, error.get(), info.userdata1, info.userdata2);
  }
  const WebnnBuildCallbackInfo info;
  WebnnGraph graph = nullptr;
};

// Calls make(builder), and stores the operand that it returns.
WebnnStatus addOperand(WebnnGraphBuilder builder, const char* method, WebnnOperand* operand, WebnnError* error, auto&& make) {
  return guarded(error, [&] {
    WebnnOperand& place = requireResult(operand, method);
    WebnnGraphBuilderImpl& target = requireObject(builder, What(method) + ": ");
    const std::lock_guard lock(target.mutex);
    // allocate first, so that nothing can fail after the builder has the operand
    auto made = std::make_unique<WebnnOperandImpl>();
    made->operand = make(target.builder);
    place = made.release();
  });
}

Dimension dimensionOf(const WebnnDimension& given) {
  requireNoChain(given.nextInChain, "openInput: a dimension");
  Dimension dimension(textOf(given.text, "openInput: the text of a dimension"), given.min, given.max);
  dimension.size = given.size;
  return dimension;
}

OpenDescriptor openDescriptorOf(const WebnnOpenDescriptor* descriptor) {
  const WebnnOpenDescriptor& given = requireStruct(descriptor, "openInput: the descriptor");
  OpenDescriptor made{dataTypeOf(given.dataType, "openInput: "), {}};
  for (const WebnnDimension& dimension : listOf(given.dimensionCount, given.dimensions, "openInput: dimensions"))
    made.shape.push_back(dimensionOf(dimension));
  return made;
}

// Stores the result or the error of a build in the event.
void setResult(BuildEvent& event, const std::exception_ptr& problem, Graph graph) noexcept {
  try {
    if (problem) std::rethrow_exception(problem);
    event.graph = new WebnnGraphImpl(std::move(graph));
  } catch (...) {
    event.error = currentError();
  }
}

}  // namespace

WebnnStatus webnnContextCreateGraphBuilder(WebnnContext context, WebnnGraphBuilder* builder, WebnnError* error) {
  return guarded(error, [&] {
    WebnnGraphBuilder& place = requireResult(builder, "GraphBuilder");
    place = new WebnnGraphBuilderImpl(requireObject(context, "GraphBuilder: "));
  });
}

WebnnStatus webnnGraphBuilderInput(WebnnGraphBuilder builder, WebnnStringView name, const WebnnOperandDescriptor* descriptor,
                                   WebnnOperand* operand, WebnnError* error) {
  return addOperand(builder, "input", operand, error, [&](GraphBuilder& target) {
    return target.input(textOf(name, "input: name"), descriptorOf(descriptor, "input: "));
  });
}

WebnnStatus webnnGraphBuilderOpenInput(WebnnGraphBuilder builder, WebnnStringView name, const WebnnOpenDescriptor* descriptor,
                                       WebnnOperand* operand, WebnnError* error) {
  return addOperand(builder, "openInput", operand, error, [&](GraphBuilder& target) {
    return target.openInput(textOf(name, "openInput: name"), openDescriptorOf(descriptor));
  });
}

WebnnStatus webnnGraphBuilderOpenSize(WebnnGraphBuilder builder, WebnnStringView expression, uint32_t* size, WebnnError* error) {
  return guarded(error, [&] {
    std::uint32_t& place = requireResult(size, "openSize");
    WebnnGraphBuilderImpl& target = requireObject(builder, "openSize: ");
    const std::string text = textOf(expression, "openSize: expression");
    const std::lock_guard lock(target.mutex);
    place = target.builder.openSize(text);
  });
}

WebnnStatus webnnGraphBuilderConstant(WebnnGraphBuilder builder, const WebnnOperandDescriptor* descriptor, WebnnConstBytes bytes,
                                      WebnnOperand* operand, WebnnError* error) {
  return addOperand(builder, "constant", operand, error, [&](GraphBuilder& target) {
    return target.constant(descriptorOf(descriptor, "constant: "), bytesOf(bytes.data, bytes.size, "constant: bytes"));
  });
}

WebnnStatus webnnGraphBuilderConstantExternal(WebnnGraphBuilder builder, const WebnnOperandDescriptor* descriptor,
                                              const WebnnExternalBytes* bytes, WebnnOperand* operand, WebnnError* error) {
  std::shared_ptr<ReleasedBytes> held;
  const WebnnStatus status = addOperand(builder, "constant", operand, error, [&](GraphBuilder& target) {
    held = releasedBytesOf(bytes, "constant: bytes");
    return target.constant(descriptorOf(descriptor, "constant: "), externalBytesOf(held, "constant: bytes"));
  });
  if (status == WebnnStatus_Success) held->isTaken = true;
  return status;
}

WebnnStatus webnnGraphBuilderConstantScalar(WebnnGraphBuilder builder, WebnnOperandDataType dataType, WebnnNumber value,
                                            WebnnOperand* operand, WebnnError* error) {
  return addOperand(builder, "constant", operand, error, [&](GraphBuilder& target) {
    return target.constant(dataTypeOf(dataType, "constant: "), numberOf(value, "constant: value"));
  });
}

WebnnStatus webnnGraphBuilderConstantTensor(WebnnGraphBuilder builder, WebnnTensor tensor, WebnnOperand* operand,
                                            WebnnError* error) {
  return addOperand(builder, "constant", operand, error,
                    [&](GraphBuilder& target) { return target.constant(requireObject(tensor, "constant: ").tensor); });
}

WebnnFuture webnnGraphBuilderBuild(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                   WebnnBuildCallbackInfo callbackInfo) {
  return webnnGraphBuilderBuildWithOptions(builder, outputCount, outputs, nullptr, callbackInfo);
}

WebnnFuture webnnGraphBuilderBuildWithOptions(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                              const WebnnCallOptions* options, WebnnBuildCallbackInfo callbackInfo) {
  const auto state = [&] { return requireObject(builder, "build: ").instance; };
  return beginEvent<BuildEvent>(callbackInfo, state, "build", [&](const auto& event) {
    const auto done = [event, instance = builder->instance](const std::exception_ptr& problem, Graph graph) {
      setResult(*event, problem, std::move(graph));
      instance->complete(event);
    };
    const auto held = hold(*builder);  // keeps the builder alive, because the callback may release it
    const std::lock_guard lock(held->mutex);
    held->builder.buildAsync(outputsOf(outputCount, outputs), done, callOptionsOf(options, "build: "));
  });
}

WebnnStatus webnnGraphBuilderBuildSync(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                       WebnnGraph* graph, WebnnError* error) {
  return webnnGraphBuilderBuildSyncWithOptions(builder, outputCount, outputs, nullptr, graph, error);
}

WebnnStatus webnnGraphBuilderBuildSyncWithOptions(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                                  const WebnnCallOptions* options, WebnnGraph* graph, WebnnError* error) {
  return guarded(error, [&] {
    WebnnGraph& place = requireResult(graph, "build");
    WebnnGraphBuilderImpl& target = requireObject(builder, "build: ");
    const std::lock_guard lock(target.mutex);
    place = new WebnnGraphImpl(target.builder.build(outputsOf(outputCount, outputs), callOptionsOf(options, "build: ")));
  });
}

void webnnGraphBuilderAddRef(WebnnGraphBuilder builder) { addReference(builder); }
void webnnGraphBuilderRelease(WebnnGraphBuilder builder) { releaseReference(builder); }

WebnnStatus webnnOperandGetDescriptor(WebnnOperand operand, WebnnOperandDescriptor* descriptor, WebnnError* error) {
  return guarded(error, [&] {
    const Operand& known = requireObject(operand, "operand descriptor: ").operand;
    requireStruct(descriptor, "operand descriptor: the descriptor");
    *descriptor = {nullptr, toC(known.dataType()), toC(known.shape())};
  });
}

WebnnStatus webnnOperandGetDimension(WebnnOperand operand, size_t index, WebnnDimension* dimension, WebnnError* error) {
  return guarded(error, [&] {
    const OperandRecord& known = requireObject(operand, "operand dimension: ").operand.record();
    requireStruct(dimension, "operand dimension: the dimension");
    const Shape& shape = known.descriptor.shape;
    if (index >= shape.size())
      fail(ErrorKind::typeError, "operand dimension: the index ({}) is not below {}.", index, shape.size());
    *dimension = WEBNN_DIMENSION_INIT;
    dimension->size = shape[index];
    if (known.dimensions.empty() || known.dimensions[index].text.empty()) return;
    const Dimension& open = known.dimensions[index];
    *dimension = {nullptr, 0, viewOf(open.text), open.min, open.max};
  });
}

void webnnOperandAddRef(WebnnOperand operand) { addReference(operand); }
void webnnOperandRelease(WebnnOperand operand) { releaseReference(operand); }
