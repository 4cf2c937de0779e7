#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

class MatmulLowering {
 public:
  explicit MatmulLowering(Module& module) : module_(module), uses_(module) {}

  void run() {
    std::vector<ModuleNode> old = module_.nodes;  // a copy, because producers are looked up in the module
    std::vector<ModuleNode> made;
    made.reserve(old.size());
    for (ModuleNode& node : old) {
      module_.rewritten = node.origins;
      if (const auto* matmul = as<ops::Matmul>(node.operation)) {
        BatchGemm lowered{.a = matmul->a, .b = matmul->b};
        lowered.options.label = matmul->options.label;
        made.push_back({EngineOperation(absorbed(std::move(lowered))), node.outputs, node.origins});
      } else if (const auto* gemm = as<ops::Gemm>(node.operation); gemm && !roundsInParts(*gemm, node.outputs[0])) {
        make(*gemm, node.outputs, made);
      } else {
        made.push_back(std::move(node));
      }
    }
    module_.nodes = std::move(made);
  }

 private:
  void make(const ops::Gemm& op, const std::vector<Operand>& outputs, std::vector<ModuleNode>& made) {
    BatchGemm lowered{.a = op.a, .b = op.b, .alpha = op.options.alpha};
    lowered.options.label = op.options.label;
    if (op.options.aTranspose) lowered.aPermutation = {1, 0};
    if (op.options.bTranspose) lowered.bPermutation = {1, 0};
    const std::optional<Operand>& c = op.options.c;
    if (!c || (op.options.beta == 0 && isFinite(*c))) {
      made.push_back({EngineOperation(absorbed(std::move(lowered))), outputs, module_.rewritten});
      return;
    }
    const Operand scaled = op.options.beta == 1 ? *c : linear(*c, op.options.beta, made);
    if (isRow(*c, outputs[0]) && lowered.alpha == 1) {
      lowered.bias = scaled;
      made.push_back({EngineOperation(absorbed(std::move(lowered))), outputs, module_.rewritten});
      return;
    }
    const Operand result = module_.intermediate(outputs[0].descriptor());
    made.push_back({EngineOperation(absorbed(std::move(lowered))), {result}, module_.rewritten});
    made.push_back({EngineOperation(Operation(
                        ops::Binary{.kind = ops::BinaryKind::add, .a = result, .b = scaled, .options = {op.options.label}})),
                    outputs, module_.rewritten});
  }

  // Returns whether a separate matmul and addition would round a float16 result more than once, unlike the gemm.
  static bool roundsInParts(const ops::Gemm& op, const Operand& output) {
    const GemmOptions& options = op.options;
    if (!options.c || output.dataType() != DataType::float16) return false;
    return options.alpha != 1 || options.beta != 1 || !isRow(*options.c, output);
  }

  // Returns whether all elements of a constant are finite, so that c * 0 is 0. Non-finite elements would give NaN.
  static bool isFinite(const Operand& c) {
    return isConstant(c) && std::ranges::all_of(constantNumbers(c), [](double number) { return std::isfinite(number); });
  }

  // Returns whether the operand is one row, which is broadcast to every row of the result.
  static bool isRow(const Operand& c, const Operand& output) {
    return c.rank() >= 1 && c.shape().back() == output.shape().back() && elementCount(c.descriptor()) == c.shape().back();
  }

  Operand linear(const Operand& operand, double factor, std::vector<ModuleNode>& made) {
    ops::Linear op{.input = operand};
    op.options.alpha = factor;
    return module_.append(made, Operation(std::move(op)));
  }

  // Absorbs transposes of the operands: reads their inputs with a permutation.
  BatchGemm absorbed(BatchGemm lowered) const {
    absorb(lowered.a, lowered.aPermutation);
    absorb(lowered.b, lowered.bPermutation);
    return lowered;
  }
  void absorb(Operand& operand, std::vector<std::uint32_t>& permutation) const {
    const ModuleNode* producer = uses_.producerOf(module_, operand);
    const auto* transpose = producer ? as<ops::Transpose>(producer->operation) : nullptr;
    if (!transpose) return;
    if (permutation.empty()) {
      permutation.resize(operand.rank());
      std::iota(permutation.begin(), permutation.end(), 0U);
    }
    for (std::uint32_t& axis : permutation) axis = (*transpose->options.permutation)[axis];
    operand = transpose->input;
    if (std::ranges::is_sorted(permutation)) permutation.clear();
  }

  Module& module_;
  Uses uses_;
};

}  // namespace

void lowerMatmul(Module& module, const PassOptions&) {
  const auto isProduct = [](const ModuleNode& node) { return as<ops::Matmul>(node.operation) || as<ops::Gemm>(node.operation); };
  if (std::ranges::any_of(module.nodes, isProduct)) MatmulLowering(module).run();
}

}  // namespace webnn::compiler
