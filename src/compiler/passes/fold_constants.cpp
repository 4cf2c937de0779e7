#include <algorithm>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// The maximum size in bytes of a folded result that is more than twice as large as the operands.
constexpr std::size_t kMostGrowth = std::size_t{1} << 20;
// The maximum size in bytes of float constants whose transposes the early pass folds. Kernels can absorb larger ones when they
// pack weights.
constexpr std::size_t kLarge = std::size_t{1} << 16;

struct Sizes {
  std::size_t operands = 0, results = 0;
};

// Returns the sizes in bytes of a specification node whose operands are all constants; nullopt for other nodes.
std::optional<Sizes> sizesOfConstant(const ModuleNode& node) {
  if (!std::holds_alternative<Operation>(static_cast<const EngineVariant&>(node.operation))) return std::nullopt;
  Sizes sizes;
  bool isConstant = true;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    isConstant = isConstant && compiler::isConstant(operand);
    sizes.operands += byteLength(operand.descriptor());
  });
  if (!isConstant) return std::nullopt;
  for (const Operand& output : node.outputs) sizes.results += byteLength(output.descriptor());
  return sizes;
}

// Folds the nodes with constant operands for which accept(node, sizes) is true, unless the results would be much larger than the
// operands (kMostGrowth) or the budget is exceeded. Releases a folded constant as soon as no node needs it.
void fold(Module& module, const PassOptions& options, auto accept) {
  if (std::ranges::none_of(module.nodes, [](const ModuleNode& node) { return sizesOfConstant(node).has_value(); })) return;
  std::vector<std::uint32_t> uses = Uses(module).count;
  std::vector<Operand> values(uses.size());  // indexed by the operand that is replaced
  const auto valueOf = [&](const Operand& operand) {
    const std::uint32_t index = operand.record().index;
    return index < values.size() && values[index] ? values[index] : operand;
  };
  std::vector<ModuleNode> rest;
  rest.reserve(module.nodes.size());
  for (ModuleNode& place : module.nodes) {
    ModuleNode node = std::move(place);
    std::vector<std::uint32_t> used;
    mapOperands(node.operation, [&](const Operand& operand) {
      used.push_back(operand.record().index);
      return valueOf(operand);
    });
    for (const std::uint32_t index : used) {
      if (--uses[index] == 0) values[index] = {};
    }
    const std::optional<Sizes> sizes = sizesOfConstant(node);
    const bool grows = sizes && sizes->results > kMostGrowth && sizes->results > 2 * sizes->operands;
    const auto constants = sizes && !grows && accept(node, *sizes) ? foldNode(module, node, options) : std::nullopt;
    if (!constants) {
      rest.push_back(std::move(node));
      continue;
    }
    module.setAbsent(node.origins, Absence::constant);
    for (std::size_t i = 0; i < constants->size(); ++i) {
      const std::uint32_t index = node.outputs[i].record().index;
      if (uses[index] > 0) values[index] = (*constants)[i];
    }
  }
  module.nodes = std::move(rest);
  for (auto& [name, operand] : module.outputs) operand = valueOf(operand);
}

}  // namespace

// The early pass. Does not fold nodes that kernels can absorb: transposes of large float weights, and dequantization of 4 and 8
// bits.
void foldConstants(Module& module, const PassOptions& options) {
  fold(module, options, [](const ModuleNode& node, const Sizes& sizes) {
    if (const auto* op = as<ops::DequantizeLinear>(node.operation)) return bitsPerElement(op->input.dataType()) > 8;
    const auto* transpose = as<ops::Transpose>(node.operation);
    return sizes.operands <= kLarge || !transpose || !isFloat(transpose->input.dataType());
  });
}

// The late pass. Also folds the nodes that the early pass left for kernels.
void foldRest(Module& module, const PassOptions& options) {
  fold(module, options, [](const ModuleNode&, const Sizes&) { return true; });
}

}  // namespace webnn::compiler
