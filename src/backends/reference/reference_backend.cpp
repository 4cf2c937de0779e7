#include "backends/reference/reference_backend.h"

#include "backends/reference/activation.h"
#include "backends/reference/conv.h"
#include "backends/reference/elementwise_binary.h"
#include "backends/reference/elementwise_unary.h"
#include "backends/reference/gather_scatter.h"
#include "backends/reference/matmul.h"
#include "backends/reference/normalization.h"
#include "backends/reference/pool.h"
#include "backends/reference/quantize.h"
#include "backends/reference/recurrent.h"
#include "backends/reference/reduce.h"
#include "backends/reference/resample.h"
#include "backends/reference/shape.h"
#include "base/progress.h"

namespace webnn::reference {

namespace {

class ReferenceExecutable final : public Executable {
 public:
  explicit ReferenceExecutable(std::shared_ptr<const GraphDefinition> graph)
      : graph_(std::move(graph)), lastUse_(findLastUses(*graph_)) {}

  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget) const override {
    const BudgetScope scope(budget);
    Environment frame(graph_->indexLimit);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      frame.value(graph_->inputs[i]) = NdArray(graph_->inputs[i].descriptor(), inputs[i]);
    for (const Operand& constant : graph_->constants)
      frame.value(constant) = NdArray(constant.descriptor(), constant.record().bytes);
    for (std::size_t i = 0; i < graph_->nodes.size(); ++i) {
      const Node& node = graph_->nodes[i];
      budget.check();
      for (const Operand& output : node.outputs) frame.value(output) = NdArray(output.descriptor());
      frame.setOutputs(node.outputs);
      compute(node.operation, frame);
      for (const Operand& dead : lastUse_[i]) frame.value(dead) = NdArray();
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) frame[graph_->outputs[i].second].pack(outputs[i]);
  }

 private:
  // Returns, for each node, its operands and results that no later node reads and that are not outputs of the graph.
  static std::vector<std::vector<Operand>> findLastUses(const GraphDefinition& graph) {
    std::vector<std::vector<Operand>> lastUse(graph.nodes.size());
    std::vector<bool> needed(graph.indexLimit);
    for (const auto& [name, operand] : graph.outputs) needed[operand.record().index] = true;
    const auto note = [&](std::size_t node, const Operand& operand) {
      if (needed[operand.record().index]) return;
      needed[operand.record().index] = true;
      lastUse[node].push_back(operand);
    };
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
      for (const Operand& output : graph.nodes[i].outputs) note(i, output);
      visitOperands(graph.nodes[i].operation, [&](std::string_view, const Operand& operand) { note(i, operand); });
    }
    return lastUse;
  }

  std::shared_ptr<const GraphDefinition> graph_;
  std::vector<std::vector<Operand>> lastUse_;
};

}  // namespace

void compute(const Operation& operation, Environment& values) {
  std::visit([&](const auto& op) { run(op, values); }, operation);
}

std::vector<std::vector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Compute compute) {
  std::vector<std::span<const std::byte>> bytes;
  visitOperands(operation, [&](std::string_view, const Operand& operand) { bytes.push_back(operand.record().bytes); });
  return evaluate(operation, bytes, outputs, compute);
}

std::vector<std::vector<std::byte>> evaluate(const Operation& operation, std::span<const std::span<const std::byte>> operandBytes,
                                             const ops::Outputs& outputs, Compute compute) {
  Operation copy = operation;
  std::vector<Operand> operands, results;  // the copy numbers its operands, then its results, in this order
  mapOperands(copy, [&](const Operand& operand) {
    operands.push_back(operand);
    return makeOperand(OperandKind::constant, operands.size() - 1, operand.descriptor());
  });
  Environment frame(operands.size() + outputs.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    frame.value(makeOperand(OperandKind::constant, i, {})) = NdArray(operands[i].descriptor(), operandBytes[i]);
  }
  for (const OperandDescriptor& output : outputs) {
    results.push_back(makeOperand(OperandKind::intermediate, operands.size() + results.size(), output));
    frame.value(results.back()) = NdArray(output);
  }
  frame.setOutputs(results);
  compute(copy, frame);
  std::vector<std::vector<std::byte>> bytes;
  for (const Operand& result : results) {
    bytes.emplace_back(byteLength(result.descriptor()));
    frame[result].pack(bytes.back());
  }
  return bytes;
}

std::unique_ptr<Executable> ReferenceBackend::compile(std::shared_ptr<const GraphDefinition> graph, const Budget&) const {
  return std::make_unique<ReferenceExecutable>(std::move(graph));
}

}  // namespace webnn::reference
