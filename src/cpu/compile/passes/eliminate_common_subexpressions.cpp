#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cpu/compile/passes/passes.h"

namespace webnn::cpu {

namespace {

// Larger constants are compared by address only.
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

// What nodes that compute the same have in common, and few others: quicker than their text.
std::string keyOf(const ModuleNode& node) {
  std::string key(name(node.operation));
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { add(key, operand.record().index); });
  return key;
}

// The operation with what it gives: a quantized GEMM has results of types and shapes that its fields do not tell.
std::string textOf(const ModuleNode& node) {
  std::string text = fieldText(node.operation);
  for (const Operand& output : node.outputs) text += " " + toString(output.descriptor());
  return text;
}

}  // namespace

void eliminateCommonSubexpressions(Module& module, const PassOptions&) {
  Replacements replacements;
  std::unordered_map<std::string, Operand> constants;
  std::unordered_map<std::string, std::vector<std::size_t>> results;  // the places in `rest`
  std::vector<ModuleNode> rest;
  rest.reserve(module.nodes.size());
  for (ModuleNode& node : module.nodes) {
    mapOperands(node.operation, [&](const Operand& operand) {
      if (!isConstant(operand)) return replacements.resolve(operand);
      return constants.try_emplace(keyOf(operand), operand).first->second;
    });
    std::vector<std::size_t>& alike = results[keyOf(node)];
    const auto found = std::ranges::find_if(alike, [&](std::size_t place) { return textOf(rest[place]) == textOf(node); });
    if (found == alike.end()) {
      alike.push_back(rest.size());
      rest.push_back(std::move(node));
      continue;
    }
    ModuleNode& same = rest[*found];
    addOrigins(same.origins, node.origins);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) replacements.replace(node.outputs[i], same.outputs[i]);
  }
  module.nodes = std::move(rest);
  replacements.apply(module);
}

}  // namespace webnn::cpu
