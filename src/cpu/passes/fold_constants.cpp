#include "base/budget.h"
#include "cpu/passes.h"
#include "reference/reference_backend.h"

namespace webnn::cpu {

namespace {

// Larger results than their operands are not worth the memory, beyond this many bytes.
constexpr std::size_t kMostGrowth = std::size_t{1} << 20;
// Weights beyond this many bytes are left to those who pack them anyway, in the early pass.
constexpr std::size_t kLarge = std::size_t{1} << 16;

struct Sizes {
  std::size_t operands = 0, results = 0;
};

// The bytes of a node whose operands are all constants; nullopt of any other.
std::optional<Sizes> sizesOfConstant(const ModuleNode& node) {
  Sizes sizes;
  bool isConstant = true;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    isConstant = isConstant && cpu::isConstant(operand);
    sizes.operands += byteLength(operand.descriptor());
  });
  if (!isConstant) return std::nullopt;
  for (const Operand& output : node.outputs) sizes.results += byteLength(output.descriptor());
  return sizes;
}

template <typename Accept>
void fold(Module& module, Accept accept) {
  Replacements replacements;
  std::vector<ModuleNode> rest;
  rest.reserve(module.nodes.size());
  for (ModuleNode& node : module.nodes) {
    mapOperands(node.operation, [&](const Operand& operand) { return replacements.resolve(operand); });
    const auto* operation = std::get_if<Operation>(static_cast<const EngineVariant*>(&node.operation));
    const std::optional<Sizes> sizes = operation ? sizesOfConstant(node) : std::nullopt;
    const bool grows = sizes && sizes->results > kMostGrowth && sizes->results > 2 * sizes->operands;
    if (!sizes || grows || !accept(node, *sizes) || !BudgetScope::current().spendCompileWork(sizes->operands + sizes->results)) {
      rest.push_back(std::move(node));
      continue;
    }
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    auto values = reference::evaluate(*operation, outputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
      replacements.replace(node.outputs[i], module.constant(outputs[i], std::move(values[i]), node.outputs[i].record().name));
    }
  }
  module.nodes = std::move(rest);
  replacements.apply(module);
}

}  // namespace

// Early: leaves alone what a kernel takes over (transposes of weights, dequantization) unless it is small.
void foldConstants(Module& module, const PassOptions&) {
  fold(module, [](const ModuleNode& node, const Sizes& sizes) {
    if (as<ops::DequantizeLinear>(node.operation)) return false;
    return sizes.operands <= kLarge || !as<ops::Transpose>(node.operation);
  });
}

// Late: whatever is left.
void foldRest(Module& module, const PassOptions&) {
  fold(module, [](const ModuleNode&, const Sizes&) { return true; });
}

}  // namespace webnn::cpu
