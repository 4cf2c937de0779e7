// The commands of webnn-reader.wasm and webnn-onnx.wasm. They reply with the graph as calls of a builder, which lib/load.js
// repeats. An instance reads one file and is then discarded.
#include "reader.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "context/context_state.h"
#include "context/reading_context.h"
#include "fields.h"

namespace webnn::web {

namespace {

// file(role, name, size). Replies with the address where JavaScript writes the bytes. `role` is "graph", "weights", "manifest",
// "external" or "value". `name` is the location of an "external" file or the input of a "value"; otherwise ignored.
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

void describe(Reply& reply, const Operand& operand) {
  reply.word(operand.record().index).text(name(operand.dataType())).words(operand.shape());
}

std::uint32_t countOf(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

// read(limits, dimensions). Replies with the graph.
void read(ReaderModule& module, Request& request, Reply& reply) {
  readLimits(request, module.options.limits);
  for (std::uint32_t count = request.word(); count > 0; --count) {
    std::string name(request.text());
    module.options.dimensions[std::move(name)] = request.word();
  }
  module.context = makeReadingContext(module.options.limits);
  const ContextState& owner = *module.context.state();
  const auto budget = std::make_shared<Budget>("load", owner.limits, owner.memory, owner.lostFlag);
  budget->limitCall("load", module.options.call);
  const BudgetScope scope(*budget);
  module.result = load(module, budget);
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

ReaderModule& theModule() {
  static ReaderModule module;
  return module;
}

constexpr Command kCommands[]{
    {"file", [](Request& request, Reply& reply) { file(theModule(), request, reply); }},
    {"read", [](Request& request, Reply& reply) { read(theModule(), request, reply); }},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace webnn::web
