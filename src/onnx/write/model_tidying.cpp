#include "onnx/write/model_tidying.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "onnx/names.h"

namespace webnn::onnx {

void removeUnused(CollectedModel& model) {
  std::unordered_set<std::string> needed;
  for (const ValueInfo& output : model.outputs) needed.insert(output.name);
  const auto isNeeded = [&](const std::string& name) { return needed.contains(name); };
  std::vector<OperatorNode> kept;
  for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, isNeeded)) continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    kept.push_back(std::move(*node));
  }
  std::ranges::reverse(kept);
  std::unordered_set<std::string> made;
  for (const OperatorNode& node : kept) made.insert(node.outputs.begin(), node.outputs.end());
  model.nodes = std::move(kept);
  std::erase_if(model.initializers, [&](const Initializer& initializer) { return !needed.contains(initializer.name); });
  std::erase_if(model.values, [&](const ValueInfo& value) { return !made.contains(value.name); });
}

void nameNodes(CollectedModel& model, const std::vector<std::string>& labels) {
  Names names;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    OperatorNode& node = model.nodes[i];
    if (node.operation >= labels.size() || labels[node.operation].empty()) continue;
    // The last node of an operation makes its last result, so it gets the label without a suffix.
    const bool isLast = i + 1 == model.nodes.size() || model.nodes[i + 1].operation != node.operation;
    const std::string& label = labels[node.operation];
    node.name = names.unique(isLast ? label : formatText("{}/{}", label, node.opType));
  }
}

}  // namespace webnn::onnx
