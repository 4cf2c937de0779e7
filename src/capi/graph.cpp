// The functions of the C API that describe, run, load and save graphs.
#include <algorithm>
#include <array>

#include "capi/objects.h"
#include "capi/values.h"
#include "webnn/formats.h"

using namespace webnn;
using namespace webnn::capi;

namespace {

void describe(const std::vector<NamedDescriptor>& all, std::size_t index, WebnnNamedDescriptor* to, const What& what) {
  requireStruct(to, what);
  requireNoChain(to->descriptor.nextInChain, what);
  if (index >= all.size()) fail(ErrorKind::typeError, "{}: the index ({}) is not below {}.", what.text(), index, all.size());
  const auto& [name, descriptor] = all[index];
  *to = {nullptr, viewOf(name), {nullptr, toC(descriptor.dataType), toC(descriptor.shape)}};
}

std::vector<NamedTensor> tensorsOf(std::size_t count, const WebnnNamedTensor* tensors, const What& what) {
  std::vector<NamedTensor> result;
  const auto items = listOf(count, tensors, what + "s");
  result.reserve(items.size());
  for (const WebnnNamedTensor& item : items) {
    requireNoChain(item.nextInChain, what);
    std::string name = textOf(item.name, what + ": name");
    if (!isObject(item.tensor)) requireObject(item.tensor, what + " " + (webnn::quoted(name) + ": "));
    result.emplace_back(std::move(name), item.tensor->tensor);
  }
  return result;
}

// A list whose items need no allocation if there are at most 8.
template <typename Item>
class ShortList {
 public:
  ShortList(const auto& from, auto&& convert) : count_(from.size()) {
    if (count_ > few_.size()) many_.resize(count_);
    std::ranges::transform(from, items().begin(), convert);
  }
  std::span<Item> items() { return many_.empty() ? std::span(few_).first(count_) : std::span(many_); }

 private:
  std::size_t count_;
  std::array<Item, 8> few_;
  std::vector<Item> many_;
};

}  // namespace

namespace webnn::capi {

SaveOptions saveOptionsOf(const WebnnSaveOptions* pointer) {
  SaveOptions options;
  if (!pointer) return options;
  const WebnnSaveOptions& given = requireStruct(pointer, "save: options");
  if (const std::uint32_t graph = bitsOf(given.graph); graph != 0) options.graph = enumOf<GraphFormat>(graph, 5, "save: graph");
  if (const std::uint32_t weights = bitsOf(given.weights); weights != 0)
    options.weights = enumOf<WeightsFormat>(weights, 3, "save: weights");
  return options;
}

LoadOptions loadOptionsOf(const WebnnLoadOptions* pointer) {
  LoadOptions options;
  if (!pointer) return options;
  const WebnnLoadOptions& given = requireStruct(pointer, "load: options");
  if (std::string path = textOf(given.weights, "load: weights"); !path.empty()) options.weights = path;
  if (std::string path = textOf(given.manifest, "load: manifest"); !path.empty()) options.manifest = path;
  for (const WebnnNamedDimension& dimension : listOf(given.dimensionCount, given.dimensions, "load: dimensions")) {
    requireNoChain(dimension.nextInChain, "load: a dimension");
    const std::string name = textOf(dimension.name, "load: the name of a dimension");
    if (!options.dimensions.emplace(name, dimension.size).second)
      fail(ErrorKind::typeError, "load: the dimension {} is given twice.", webnn::quoted(name));
  }
  for (const WebnnNamedBytes& value : listOf(given.valueCount, given.values, "load: values")) {
    requireNoChain(value.nextInChain, "load: a value");
    const std::string name = textOf(value.name, "load: the name of a value");
    const auto bytes = bytesOf(value.bytes.data, value.bytes.size, "load: the bytes of a value");
    if (!options.values.emplace(name, std::vector<std::byte>(bytes.begin(), bytes.end())).second)
      fail(ErrorKind::typeError, "load: the value {} is given twice.", webnn::quoted(name));
  }
  options.namedFilesOnly = boolOf(given.namedFilesOnly, "load: namedFilesOnly");
  options.limits = limitsOf(given.limits, "load: limits");
  options.call.stop = stopTokenOf(given.cancellation, "load: ");
  options.call.onProgress = progressOf(given.onProgress, given.progressUserdata);
  return options;
}

std::string pathOf(WebnnStringView path, const What& what) {
  std::string text = textOf(path, what);
  if (text.empty()) fail(ErrorKind::typeError, "{} is empty.", what.text());
  if (text.find('\0') != std::string::npos) fail(ErrorKind::typeError, "{} has a zero byte.", what.text());
  return text;
}

}  // namespace webnn::capi

size_t webnnGraphGetInputCount(WebnnGraph graph) { return graph ? graph->inputs.size() : 0; }
size_t webnnGraphGetOutputCount(WebnnGraph graph) { return graph ? graph->outputs.size() : 0; }

WebnnStatus webnnGraphGetInput(WebnnGraph graph, size_t index, WebnnNamedDescriptor* input, WebnnError* error) {
  return guarded(error, [&] { describe(requireObject(graph, "input: ").inputs, index, input, "input"); });
}

WebnnStatus webnnGraphGetOutput(WebnnGraph graph, size_t index, WebnnNamedDescriptor* output, WebnnError* error) {
  return guarded(error, [&] { describe(requireObject(graph, "output: ").outputs, index, output, "output"); });
}

WebnnStatus webnnContextDispatch(WebnnContext context, WebnnGraph graph, size_t inputCount, const WebnnNamedTensor* inputs,
                                 size_t outputCount, const WebnnNamedTensor* outputs, WebnnError* error) {
  return webnnContextDispatchWithOptions(context, graph, inputCount, inputs, outputCount, outputs, nullptr, error);
}

WebnnStatus webnnContextDispatchWithOptions(WebnnContext context, WebnnGraph graph, size_t inputCount,
                                            const WebnnNamedTensor* inputs, size_t outputCount, const WebnnNamedTensor* outputs,
                                            const WebnnCallOptions* options, WebnnError* error) {
  return guarded(error, [&] {
    Context& owner = requireObject(context, "dispatch: ").context;
    owner.dispatch(requireObject(graph, "dispatch: ").graph, tensorsOf(inputCount, inputs, "dispatch: input"),
                   tensorsOf(outputCount, outputs, "dispatch: output"), callOptionsOf(options, "dispatch: "));
  });
}

WebnnStatus webnnGraphCompute(WebnnGraph graph, size_t inputCount, const WebnnConstBytes* inputs, size_t outputCount,
                              const WebnnBytes* outputs, WebnnError* error) {
  return webnnGraphComputeWithOptions(graph, inputCount, inputs, outputCount, outputs, nullptr, error);
}

WebnnStatus webnnGraphComputeWithOptions(WebnnGraph graph, size_t inputCount, const WebnnConstBytes* inputs, size_t outputCount,
                                         const WebnnBytes* outputs, const WebnnCallOptions* options, WebnnError* error) {
  return guarded(error, [&] {
    const Graph& known = requireObject(graph, "compute: ").graph;
    ShortList<std::span<const std::byte>> from(listOf(inputCount, inputs, "compute: inputs"), [](const WebnnConstBytes& bytes) {
      return bytesOf(bytes.data, bytes.size, "compute: the bytes of an input");
    });
    ShortList<std::span<std::byte>> to(listOf(outputCount, outputs, "compute: outputs"),
                                       [](const WebnnBytes& bytes) { return bytesOf(bytes, "compute: the bytes of an output"); });
    known.compute(from.items(), to.items(), callOptionsOf(options, "compute: "));
  });
}

WebnnStatus webnnGraphGetMemoryEstimate(WebnnGraph graph, WebnnMemoryEstimate* estimate, WebnnError* error) {
  return guarded(error, [&] {
    const Graph& known = requireObject(graph, "memoryEstimate: ").graph;
    requireStruct(estimate, "memoryEstimate: the estimate");
    const MemoryEstimate of = known.memoryEstimate();
    *estimate = {nullptr, of.inputs, of.outputs, of.constants, of.packedWeights, of.intermediates};
  });
}

void webnnGraphDestroy(WebnnGraph graph) {
  guarded(nullptr, [&] { requireObject(graph, "destroy: ").graph.destroy(); });
}

void webnnGraphAddRef(WebnnGraph graph) { addReference(graph); }
void webnnGraphRelease(WebnnGraph graph) { releaseReference(graph); }

WebnnStatus webnnContextLoad(WebnnContext context, WebnnStringView path, const WebnnLoadOptions* options, WebnnGraph* graph,
                             WebnnError* error) {
  return guarded(error, [&] {
    WebnnGraph& place = requireResult(graph, "load");
    Context& owner = requireObject(context, "load: ").context;
    place = new WebnnGraphImpl(load(owner, pathOf(path, "load: path"), loadOptionsOf(options)));
  });
}

WebnnStatus webnnContextLoadBytes(WebnnContext context, const WebnnExternalBytes* content, const WebnnLoadOptions* options,
                                  WebnnGraph* graph, WebnnError* error) {
  std::shared_ptr<ReleasedBytes> held;
  const WebnnStatus status = guarded(error, [&] {
    WebnnGraph& place = requireResult(graph, "load");
    Context& owner = requireObject(context, "load: ").context;
    held = releasedBytesOf(content, "load: content");
    place = new WebnnGraphImpl(load(owner, externalBytesOf(held, "load: content"), loadOptionsOf(options)));
  });
  if (status == WebnnStatus_Success) held->isTaken = true;
  return status;
}

WebnnStatus webnnContextLoadDescriptor(WebnnContext context, int descriptor, const WebnnLoadOptions* options, WebnnGraph* graph,
                                       WebnnError* error) {
  return guarded(error, [&] {
    WebnnGraph& place = requireResult(graph, "load");
    Context& owner = requireObject(context, "load: ").context;
    place = new WebnnGraphImpl(load(owner, OpenFile{descriptor}, loadOptionsOf(options)));
  });
}

WebnnStatus webnnGraphSave(WebnnGraph graph, WebnnStringView path, const WebnnSaveOptions* options, WebnnError* error) {
  return guarded(error, [&] { save(requireObject(graph, "save: ").graph, pathOf(path, "save: path"), saveOptionsOf(options)); });
}
