#include "backends/cpu/compile/validate_passes.h"

#include <set>

#include "backends/cpu/compile/evaluate.h"
#include "backends/cpu/compile/pipeline.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/reference/reference_backend.h"
#include "base/text.h"
#include "compiler/ir/lower.h"
#include "compiler/verify/verify.h"

namespace webnn::cpu {

namespace {

using Bytes = std::vector<std::byte>;

// Computes a module on the reference backend. The module must contain only operations of the specification.
std::vector<Bytes> evaluate(const Module& module, std::span<const std::span<const std::byte>> inputs) {
  std::vector<Bytes> values(module.indexLimit());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values[module.inputs[i].record().index].assign(inputs[i].begin(), inputs[i].end());
  }
  const auto bytesOf = [&](const Operand& operand) -> std::span<const std::byte> {
    if (isConstant(operand)) return operand.record().bytes;
    return values[operand.record().index];
  };
  for (const ModuleNode& node : module.nodes) {
    std::vector<std::span<const std::byte>> operands;
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { operands.push_back(bytesOf(operand)); });
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    std::vector<Bytes> results = reference::evaluate(std::get<Operation>(node.operation), operands, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) values[node.outputs[i].record().index] = std::move(results[i]);
  }
  std::vector<Bytes> outputs;
  for (const auto& [name, operand] : module.outputs) {
    const std::span<const std::byte> bytes = bytesOf(operand);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

// Returns a key that is equal for equal modules: the module's text, and hashes of the constants' bytes.
std::string keyOf(const Module& module) {
  std::string key = toString(module);
  const auto add = [&](const Operand& operand) {
    if (!isConstant(operand)) return;
    const std::span<const std::byte> bytes = operand.record().bytes;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    key += formatText("{}={:x};", operand.record().index, std::hash<std::string_view>()(text));
  };
  for (const ModuleNode& node : module.nodes) {
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { add(operand); });
  }
  for (const auto& [name, operand] : module.outputs) add(operand);
  return key;
}

class Validation {
 public:
  Validation(const GraphDefinition& graph, std::span<const std::span<const std::byte>> inputs, Isa isa,
             const std::function<void(const PassResult&)>& visit)
      : graph_(graph), inputs_(inputs), options_{.evaluate = evaluateFor(isa)}, visit_(visit) {}

  void run() {
    afterEach();
    for (const Pass& pass : allPasses()) {
      if (pass.required) continue;
      without([&](const Pass& other) { return !other.required && &other != &pass; }, std::string(pass.name) + " alone");
      without([&](const Pass& other) { return &other == &pass; }, "all but " + std::string(pass.name));
    }
  }

 private:
  void afterEach() {
    Module module(graph_);
    const ModuleInterface interface(module);
    for (const Pass& pass : allPasses()) {
      runPass(pass, module, interface);
      offer(module, "after " + std::string(pass.name));
    }
  }
  void without(auto leavesOut, const std::string& passes) {
    Module module(graph_);
    const ModuleInterface interface(module);
    for (const Pass& pass : allPasses()) {
      if (!leavesOut(pass)) runPass(pass, module, interface);
    }
    offer(module, passes);
  }
  void runPass(const Pass& pass, Module& module, const ModuleInterface& interface) const {
    pass.run(module, options_);
    verifyModule(module, interface, pass.name);
  }
  void offer(Module module, const std::string& passes) {
    if (!seen_.insert(keyOf(module)).second) return;
    lower(module);
    visit_({passes, evaluate(module, inputs_)});
  }

  const GraphDefinition& graph_;
  std::span<const std::span<const std::byte>> inputs_;
  PassOptions options_;
  const std::function<void(const PassResult&)>& visit_;
  std::set<std::string> seen_;
};

}  // namespace

void validatePasses(const GraphDefinition& graph, std::span<const std::span<const std::byte>> inputs, Isa isa,
                    const std::function<void(const PassResult&)>& visit) {
  Validation(graph, inputs, isa, visit).run();
}

}  // namespace webnn::cpu
