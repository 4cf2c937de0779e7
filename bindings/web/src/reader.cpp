// The module that reads files of graphs. It answers with the graph as calls of a builder, which JavaScript repeats on the other
// module: see lib/load.js. One instance reads one file and is dropped with all that it holds.
#include <emscripten/emscripten.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "context/context_state.h"
#include "context/reading_context.h"
#include "field_writer.h"
#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "onnx/read/external_files.h"
#include "onnx/read/import.h"
#include "onnx/read/model.h"

namespace webnn::web {

namespace {

struct ReaderModule {
  ExternalBytes graph;
  std::optional<ExternalBytes> weights, manifest;
  std::map<std::string, ExternalBytes, std::less<>> external;  // by location
  LoadOptions options;
  Context context;
  Graph result;
};

std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// file(role, name, size): where its bytes go. The name is the location of an "external" file or the input of a "value".
void file(ReaderModule& module, Request& request, Reply& reply) {
  const std::string_view role = request.text();
  std::string name(request.text());
  const std::size_t size = request.word();
  if (role == "value") {
    std::vector<std::byte>& bytes = module.options.values[std::move(name)];
    bytes.resize(size);
    reply.address(bytes.data());
    return;
  }
  const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
  ExternalBytes content{{bytes.get(), size}, bytes};
  reply.address(bytes.get());
  if (role == "graph") module.graph = std::move(content);
  if (role == "weights") module.weights = std::move(content);
  if (role == "manifest") module.manifest = std::move(content);
  if (role == "external") module.external[std::move(name)] = std::move(content);
}

ExternalBytes externalFile(const ReaderModule& module, const std::string& location) {
  const auto found = module.external.find(location);
  if (found == module.external.end())
    fail(ErrorKind::notFoundError, "the model needs the file {} of external data: give it in options.weights.",
         webnn::quoted(location));
  return found->second;
}

std::unique_ptr<formats::WeightsReader> weightsOf(const ReaderModule& module) {
  if (!module.weights) return nullptr;
  const bool isBlob = module.manifest || textOf(*module.weights).starts_with("WGWT");
  if (!isBlob) return formats::readSafetensors(*module.weights);
  if (!module.manifest) fail(ErrorKind::notFoundError, "the weights need a manifest: give it in options.manifest.");
  return formats::readManifest(textOf(*module.manifest), *module.weights);
}

void requireWeights(const ReaderModule& module, const formats::GraphDocument& document) {
  if (module.weights) return;
  for (const formats::ConstantDeclaration& constant : document.constants) {
    if (std::holds_alternative<formats::WeightsReference>(constant.source))
      fail(ErrorKind::notFoundError, "the graph needs weights: give them in options.weights.");
  }
}

Graph load(ReaderModule& module) {
  module.context = makeReadingContext(module.options.limits);
  const ContextState& owner = *module.context.state();
  const auto budget = std::make_shared<Budget>("load", owner.limits, owner.memory, owner.lostFlag);
  budget->limitCall("load", module.options.call);
  const BudgetScope scope(*budget);
  if (formats::onnx::looksLikeModel(module.graph.bytes)) {
    if (module.weights) fail(ErrorKind::typeError, "the weights of an ONNX model are files by their locations in the model.");
    auto external = std::make_shared<formats::onnx::ExternalFiles>(
        [&module](const std::filesystem::path& location) { return externalFile(module, location.native()); });
    return formats::onnx::importModel(module.context, module.graph, std::move(external), module.options, budget);
  }
  if (!module.options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
  if (!module.external.empty()) fail(ErrorKind::typeError, "only ONNX models have several files of weights.");
  const formats::GraphDocument document = formats::readDocument(textOf(module.graph));
  requireWeights(module, document);
  return formats::buildGraph(module.context, document, weightsOf(module).get(), module.options.dimensions, budget);
}

void describe(Reply& reply, const Operand& operand) {
  reply.word(operand.record().index).text(name(operand.dataType())).words(operand.shape());
}

std::uint32_t countOf(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

// read(limits: five numbers, negative where absent; dimensions): the graph
void read(ReaderModule& module, Request& request, Reply& reply) {
  readLimits(request, module.options.limits);
  for (std::uint32_t count = request.word(); count > 0; --count) {
    std::string name(request.text());
    module.options.dimensions[std::move(name)] = request.word();
  }
  module.result = load(module);
  const GraphDefinition& graph = definitionOf(module.result);
  reply.word(countOf(graph.inputs));
  for (const Operand& input : graph.inputs) {
    reply.text(input.record().name);
    describe(reply, input);
  }
  reply.word(countOf(graph.constants));
  for (const Operand& constant : graph.constants) {
    describe(reply, constant);
    reply.address(constant.record().bytes.data()).word(countOf(constant.record().bytes));
  }
  reply.word(countOf(graph.nodes));
  for (const Node& node : graph.nodes) {
    reply.text(name(node.operation)).text(label(node.operation)).word(countOf(node.outputs));
    for (const Operand& output : node.outputs) reply.word(output.record().index);
    std::uint32_t fields = 0;
    visitFields(node.operation, FieldCounter{fields});
    reply.word(fields);
    visitFields(node.operation, FieldWriter(reply));
  }
  reply.word(countOf(graph.outputs));
  for (const auto& [name, operand] : graph.outputs) {
    reply.text(name);
    describe(reply, operand);
  }
}

using ReaderCommand = Command<ReaderModule>;
constexpr std::array kCommands{ReaderCommand{"file", file}, ReaderCommand{"read", read}};

ReaderModule& theModule() {
  static ReaderModule module;
  return module;
}
Reply& theReply() {
  static Reply reply;
  return reply;
}

}  // namespace

}  // namespace webnn::web

extern "C" {

// As in module.cpp.
EMSCRIPTEN_KEEPALIVE const char* webnn_commands() {
  static const std::string names = webnn::web::namesOf<webnn::web::ReaderModule>(webnn::web::kCommands);
  return names.c_str();
}
EMSCRIPTEN_KEEPALIVE int webnn_run(std::uint32_t command, const std::byte* request, std::uint32_t size) {
  using namespace webnn::web;
  return runCommand(kCommands[command], theModule(), {request, size}, theReply()) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE const char* webnn_reply() { return webnn::web::theReply().bytes().data(); }
EMSCRIPTEN_KEEPALIVE std::uint32_t webnn_reply_size() {
  return static_cast<std::uint32_t>(webnn::web::theReply().bytes().size());
}

}  // extern "C"
