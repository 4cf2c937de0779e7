#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// The maximum size in bytes of constants that are compared by content. Larger constants are compared by address, not by content.
constexpr std::size_t kCompared = 4096;

void add(std::string& key, std::uint64_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); }

std::string keyOf(const Operand& constant) {
  std::string key;
  add(key, static_cast<std::uint64_t>(constant.dataType()));
  add(key, constant.rank());
  for (const std::uint32_t size : constant.shape()) add(key, size);
  const std::span<const std::byte> bytes = constant.record().bytes;
  if (bytes.size() > kCompared) {
    add(key, reinterpret_cast<std::uintptr_t>(bytes.data()));
  } else {
    key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return key;
}

// Returns a key that equal nodes share and that few other nodes have. Computing the key is cheaper than textOf(), which is only
// called for nodes with equal keys.
std::string keyOf(const ModuleNode& node) {
  std::string key(name(node.operation));
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { add(key, operand.record().index); });
  return key;
}

// Returns the operation and its result descriptors as text. The descriptors are included because the fields of a QuantizedGemm do
// not determine the type and shape of its result.
std::string textOf(const ModuleNode& node) {
  std::string text = fieldText(node.operation);
  for (const Operand& output : node.outputs) text += " " + toString(output.descriptor());
  return text;
}

}  // namespace

void eliminateCommonSubexpressions(Module& module, const PassOptions&) {
  Replacements replacements;
  std::unordered_map<std::string, Operand> constants;
  std::unordered_map<std::string, std::size_t> first;    // the index of the first node with a key
  std::unordered_map<std::string, std::size_t> results;  // keyed by keyOf() and textOf(), for nodes with equal keys
  std::vector<ModuleNode>& nodes = module.nodes;
  std::size_t kept = 0;  // number of nodes kept so far; they are moved to the front
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ModuleNode& node = nodes[i];
    mapOperands(node.operation, [&](const Operand& operand) {
      if (!isConstant(operand)) return replacements.resolve(operand);
      return constants.try_emplace(keyOf(operand), operand).first->second;
    });
    const std::string key = keyOf(node);
    const auto [alike, isFirst] = first.try_emplace(key, kept);
    if (!isFirst) results.try_emplace(key + textOf(nodes[alike->second]), alike->second);
    const auto [found, isNew] = isFirst ? std::pair(results.end(), true) : results.try_emplace(key + textOf(node), kept);
    if (isNew) {
      if (kept != i) nodes[kept] = std::move(node);
      ++kept;
      continue;
    }
    ModuleNode& same = nodes[found->second];
    addOrigins(same.origins, node.origins);
    for (std::size_t k = 0; k < node.outputs.size(); ++k) replacements.replace(node.outputs[k], same.outputs[k]);
  }
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(kept), nodes.end());
  replacements.apply(module);
}

}  // namespace webnn::compiler
