#include <string>
#include <unordered_map>

#include "base/text.h"
#include "cpu/compile/passes/passes.h"

namespace webnn::cpu {

namespace {

// Larger constants are compared by address only.
constexpr std::size_t kCompared = 4096;

std::string keyOf(const Operand& constant) {
  const std::span<const std::byte> bytes = constant.record().bytes;
  std::string key = toString(constant.descriptor()) + ":";
  if (bytes.size() > kCompared) return key + formatText("@{}", static_cast<const void*>(bytes.data()));
  return key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The operation with what it gives: a quantized GEMM has results of types and shapes that its fields do not tell.
std::string keyOf(const ModuleNode& node) {
  std::string key = std::string(name(node.operation)) + "(" + fieldText(node.operation) + ")";
  for (const Operand& output : node.outputs) key += " " + toString(output.descriptor());
  return key;
}

}  // namespace

void eliminateCommonSubexpressions(Module& module, const PassOptions&) {
  Replacements replacements;
  std::unordered_map<std::string, Operand> constants;
  std::unordered_map<std::string, std::size_t> results;  // the place in `rest`
  std::vector<ModuleNode> rest;
  rest.reserve(module.nodes.size());
  for (ModuleNode& node : module.nodes) {
    mapOperands(node.operation, [&](const Operand& operand) {
      if (!isConstant(operand)) return replacements.resolve(operand);
      return constants.try_emplace(keyOf(operand), operand).first->second;
    });
    const auto [found, isNew] = results.try_emplace(keyOf(node), rest.size());
    if (isNew) {
      rest.push_back(std::move(node));
      continue;
    }
    ModuleNode& same = rest[found->second];
    addOrigins(same.origins, node.origins);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) replacements.replace(node.outputs[i], same.outputs[i]);
  }
  module.nodes = std::move(rest);
  replacements.apply(module);
}

}  // namespace webnn::cpu
