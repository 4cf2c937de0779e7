// The functions of the C API for sessions.
#include <algorithm>

#include "capi/objects.h"
#include "capi/values.h"

using namespace webnn;
using namespace webnn::capi;

namespace {

Shape sizesOf(const std::vector<DeclaredDimension>& dimensions) {
  Shape shape;
  for (const DeclaredDimension& dimension : dimensions) shape.push_back(dimension.name.empty() ? dimension.size : 0);
  return shape;
}

void describeDeclared(const std::vector<WebnnSessionImpl::Declared>& all, std::size_t index, WebnnNamedDescriptor* to,
                      const What& what) {
  requireStruct(to, what);
  requireNoChain(to->descriptor.nextInChain, what);
  if (index >= all.size()) fail(ErrorKind::typeError, "{}: the index ({}) is not below {}.", what.text(), index, all.size());
  const auto& [name, dataType, shape] = all[index];
  *to = WEBNN_NAMED_DESCRIPTOR_INIT;
  to->name = viewOf(name);
  if (dataType) to->descriptor.dataType = toC(*dataType);
  if (shape) to->descriptor.shape = toC(*shape);
}

void describeOutput(const std::pair<std::string, Array>& output, WebnnNamedArray* to) {
  requireStruct(to, "results: the output");
  const auto& [name, array] = output;
  *to = {nullptr,
         viewOf(name),
         {nullptr, toC(array.descriptor.dataType), toC(array.descriptor.shape)},
         {array.bytes.data(), array.bytes.size()}};
}

SessionOptions sessionOptionsOf(const WebnnSessionOptions* pointer) {
  SessionOptions options{.onlyWebnnTypes = true};
  if (!pointer) return options;
  const WebnnSessionOptions& given = requireStruct(pointer, "load: options");
  options.load = loadOptionsOf(given.load);
  options.graphs = given.graphs;
  if (boolOf(given.hasSeed, "load: hasSeed")) options.seed = given.seed;
  return options;
}

std::map<std::string, ArrayView> arraysOf(std::size_t count, const WebnnNamedArray* inputs) {
  std::map<std::string, ArrayView> arrays;
  for (const WebnnNamedArray& input : listOf(count, inputs, "run: inputs")) {
    requireNoChain(input.nextInChain, "run: an input");
    const std::string name = textOf(input.name, "run: the name of an input"), what = "run: input " + webnn::quoted(name) + ": ";
    const ArrayView view(descriptorOf(&input.descriptor, what),
                         bytesOf(input.bytes.data, input.bytes.size, What(what) + "the bytes"));
    if (!arrays.emplace(name, view).second) fail(ErrorKind::typeError, "run: the input {} is given twice.", webnn::quoted(name));
  }
  return arrays;
}

}  // namespace

WebnnSessionImpl::WebnnSessionImpl(Session opened) : Object(kKind), session(std::move(opened)) {
  for (const DeclaredInput& input : session.inputs()) inputs.push_back({input.name, input.dataType, sizesOf(input.shape)});
  for (const DeclaredOutput& output : session.outputs()) {
    Declared declared{output.name, output.dataType, {}};
    if (output.shape) declared.shape = sizesOf(*output.shape);
    outputs.push_back(std::move(declared));
  }
}

WebnnStatus webnnContextLoadSession(WebnnContext context, WebnnStringView path, const WebnnSessionOptions* options,
                                    WebnnSession* session, WebnnError* error) {
  return guarded(error, [&] {
    WebnnSession& place = requireResult(session, "load");
    const Context& owner = requireObject(context, "load: ").context;
    place = new WebnnSessionImpl(Session::load(owner, pathOf(path, "load: path"), sessionOptionsOf(options)));
  });
}

WebnnStatus webnnContextLoadSessionBytes(WebnnContext context, const WebnnExternalBytes* content,
                                         const WebnnSessionOptions* options, WebnnSession* session, WebnnError* error) {
  std::shared_ptr<ReleasedBytes> held;
  const WebnnStatus status = guarded(error, [&] {
    WebnnSession& place = requireResult(session, "load");
    const Context& owner = requireObject(context, "load: ").context;
    held = releasedBytesOf(content, "load: content");
    place = new WebnnSessionImpl(Session::load(owner, externalBytesOf(held, "load: content"), sessionOptionsOf(options)));
  });
  if (status == WebnnStatus_Success) held->isTaken = true;
  return status;
}

WebnnStatus webnnGraphBuilderBuildSession(WebnnGraphBuilder builder, size_t outputCount, const WebnnNamedOperand* outputs,
                                          const WebnnSessionOptions* options, WebnnSession* session, WebnnError* error) {
  return guarded(error, [&] {
    WebnnSession& place = requireResult(session, "build");
    WebnnGraphBuilderImpl& target = requireObject(builder, "build: ");
    const SessionOptions given = sessionOptionsOf(options);
    const std::lock_guard lock(target.mutex);
    place = new WebnnSessionImpl(Session::build(target.builder, outputsOf(outputCount, outputs), given));
  });
}

WebnnStatus webnnSessionSave(WebnnSession session, WebnnStringView path, const WebnnSaveOptions* options, WebnnError* error) {
  return guarded(error,
                 [&] { save(requireObject(session, "save: ").session, pathOf(path, "save: path"), saveOptionsOf(options)); });
}

size_t webnnSessionGetInputCount(WebnnSession session) { return session ? session->inputs.size() : 0; }
size_t webnnSessionGetOutputCount(WebnnSession session) { return session ? session->outputs.size() : 0; }

WebnnStatus webnnSessionGetInput(WebnnSession session, size_t index, WebnnNamedDescriptor* input, WebnnError* error) {
  return guarded(error, [&] { describeDeclared(requireObject(session, "input: ").inputs, index, input, "input"); });
}

WebnnStatus webnnSessionGetOutput(WebnnSession session, size_t index, WebnnNamedDescriptor* output, WebnnError* error) {
  return guarded(error, [&] { describeDeclared(requireObject(session, "output: ").outputs, index, output, "output"); });
}

WebnnStatus webnnSessionRun(WebnnSession session, size_t inputCount, const WebnnNamedArray* inputs,
                            const WebnnCallOptions* options, WebnnResults* results, WebnnError* error) {
  return guarded(error, [&] {
    WebnnResults& place = requireResult(results, "run");
    const WebnnSessionImpl& self = requireObject(session, "run: ");
    std::map<std::string, Array> computed = self.session.run(arraysOf(inputCount, inputs), callOptionsOf(options, "run: "));
    auto made = std::make_unique<WebnnResultsImpl>();
    for (const WebnnSessionImpl::Declared& output : self.outputs)
      made->outputs.emplace_back(output.name, std::move(computed.at(output.name)));
    place = made.release();
  });
}

void webnnSessionAddRef(WebnnSession session) { addReference(session); }
void webnnSessionRelease(WebnnSession session) { releaseReference(session); }

size_t webnnResultsGetCount(WebnnResults results) { return results ? results->outputs.size() : 0; }

WebnnStatus webnnResultsGet(WebnnResults results, size_t index, WebnnNamedArray* output, WebnnError* error) {
  return guarded(error, [&] {
    const auto& outputs = requireObject(results, "results: ").outputs;
    if (index >= outputs.size()) fail(ErrorKind::typeError, "results: the index ({}) is not below {}.", index, outputs.size());
    describeOutput(outputs[index], output);
  });
}

WebnnStatus webnnResultsFind(WebnnResults results, WebnnStringView name, WebnnNamedArray* output, WebnnError* error) {
  return guarded(error, [&] {
    const auto& outputs = requireObject(results, "results: ").outputs;
    const std::string wanted = textOf(name, "results: the name");
    const auto found = std::ranges::find(outputs, wanted, &std::pair<std::string, Array>::first);
    if (found == outputs.end()) fail(ErrorKind::notFoundError, "results: there is no output {}.", webnn::quoted(wanted));
    describeOutput(*found, output);
  });
}

void webnnResultsAddRef(WebnnResults results) { addReference(results); }
void webnnResultsRelease(WebnnResults results) { releaseReference(results); }
