#include "graph/require_supported.h"

#include <algorithm>

#include "base/text.h"

namespace webnn {

namespace {

// Returns "of type uint32" or "of rank 7" if the type or rank is not supported, else an empty string.
std::string excess(const OperandDescriptor& descriptor, const TensorLimits& limits, bool hasRank = true) {
  if (std::ranges::find(limits.dataTypes, descriptor.dataType) == limits.dataTypes.end())
    return formatText("of type {}", name(descriptor.dataType));
  const std::size_t rank = descriptor.shape.size();
  if (hasRank && (rank < limits.rankRange.min || rank > limits.rankRange.max)) return formatText("of rank {}", rank);
  return {};
}

class Findings {
 public:
  explicit Findings(const OpSupportLimits& limits) : limits_(limits) {}

  void lookAt(std::string_view what, const std::string& name, const OperandDescriptor& descriptor, const TensorLimits& limits) {
    const std::string found = excess(descriptor, limits);
    if (!found.empty()) add(formatText("{}{} {}", what, name.empty() ? "" : " " + webnn::quoted(name), found));
  }

  void lookAt(const Node& node) {
    const ops::OperationRow& row = rowOf(node.operation);
    const auto& operands = limits_.operations.at(std::string(row.name));
    std::vector<std::string> found;
    const auto note = [&](std::string_view operand, const OperandDescriptor& descriptor, bool hasRank) {
      const auto rule = operands.find(std::string(operand));
      if (rule == operands.end()) return;
      const std::string text = excess(descriptor, rule->second, hasRank);
      if (!text.empty()) found.push_back(formatText("{} {}", operand, text));
    };
    visitOperands(node.operation,
                  [&](std::string_view operand, const Operand& value) { note(operand, value.descriptor(), true); });
    // Output rules are in the order of the outputs. The ranks of outputs are not checked, because they follow from the operands.
    // Also, the output of gather may have rank 0 although its limits do not allow it.
    std::size_t output = 0;
    for (const ops::OperandRule& rule : row.rules()) {
      if (rule.output && output < node.outputs.size()) note(rule.name, node.outputs[output++].descriptor(), false);
    }
    if (found.empty()) return;
    const std::string& label = webnn::label(node.operation);
    std::string text = label.empty() ? std::string(row.name) : formatText("{} {}", row.name, webnn::quoted(label));
    for (std::size_t i = 0; i < found.size(); ++i) text += (i == 0 ? " with " : ", ") + found[i];
    add(text);
  }

  void check(std::string_view backend) const {
    if (count_ == 0) return;
    const std::string more = count_ > kMostListed ? formatText("; and {} more", count_ - kMostListed) : std::string();
    fail(ErrorKind::notSupportedError, "build: backend {} does not support: {}{}.", webnn::quoted(backend), list_, more);
  }

 private:
  static constexpr std::size_t kMostListed = 50;
  void add(const std::string& text) {
    if (++count_ <= kMostListed) list_ += (list_.empty() ? "" : "; ") + text;
  }

  const OpSupportLimits& limits_;
  std::string list_;
  std::size_t count_ = 0;
};

}  // namespace

void requireSupported(const GraphDefinition& graph, const OpSupportLimits& limits, std::string_view backend) {
  Findings findings(limits);
  for (const Operand& input : graph.inputs) findings.lookAt("input", input.record().name, input.descriptor(), limits.input);
  for (const Operand& constant : graph.constants) findings.lookAt("constant", {}, constant.descriptor(), limits.constant);
  for (const Node& node : graph.nodes) findings.lookAt(node);
  for (const auto& [name, output] : graph.outputs) findings.lookAt("output", name, output.descriptor(), limits.output);
  findings.check(backend);
}

}  // namespace webnn
