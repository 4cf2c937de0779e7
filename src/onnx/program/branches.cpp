#include "onnx/program/branches.h"

#include <algorithm>

#include "base/budget.h"

namespace webnn::formats::onnx {

namespace {

bool isIf(const NodeProto& node) { return node.domain.empty() && node.opType == "If" && node.inputs.size() == 1; }

const Graph* branchOf(const NodeProto& node, bool condition) {
  const auto found = std::ranges::find(node.attributes, condition ? "then_branch" : "else_branch", &Attribute::name);
  return found == node.attributes.end() ? nullptr : found->g.get();
}

class BranchInliner {
 public:
  BranchInliner(const Conditions& conditions, Graph& to) : conditions_(conditions), to_(to) {}

  // Records a definition of the name. Returns false if the name was defined before.
  bool define(std::string_view name) { return name.empty() || names_.insert(name).second; }

  bool add(const std::vector<NodeProto>& nodes) {
    return std::ranges::all_of(nodes, [&](const auto& node) { return add(node); });
  }

 private:
  bool add(const NodeProto& node) {
    BudgetScope::current().check();
    const auto condition = isIf(node) ? conditions_.find(node.inputs[0]) : conditions_.end();
    if (condition == conditions_.end()) {
      to_.nodes.push_back(node);
      return std::ranges::all_of(node.outputs, [&](std::string_view name) { return define(name); });
    }
    const Graph* const branch = branchOf(node, condition->second);
    if (!branch || branch->hasSparseInitializers || !branch->inputs.empty() || branch->outputs.size() < node.outputs.size())
      return false;
    const auto isTaken = [&](std::string_view name) { return names_.contains(name); };
    if (std::ranges::any_of(node.outputs, isTaken)) return false;
    for (const TensorProto& tensor : branch->initializers) {
      if (!define(tensor.name)) return false;
      to_.initializers.push_back(tensor);
    }
    if (!add(branch->nodes)) return false;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const std::string_view name = node.outputs[i], result = branch->outputs[i].name;
      // optimum gives the outputs of the If node and of the branch the same name.
      if (name.empty() || (name == result && names_.contains(name))) continue;
      if (!define(name)) return false;
      NodeProto& copy = to_.nodes.emplace_back();
      copy.name = node.name;
      copy.opType = "Identity";
      copy.inputs = {result};
      copy.outputs = {name};
    }
    return true;
  }

  const Conditions& conditions_;
  Graph& to_;
  std::set<std::string_view> names_;
};

}  // namespace

std::set<std::string_view> branchInputs(const Graph& graph) {
  std::set<std::string_view> inputs;
  for (const ValueInfo& input : graph.inputs) {
    if (input.kind == ValueInfo::Kind::tensor && input.type == ElementType::boolean) inputs.insert(input.name);
  }
  for (const TensorProto& tensor : graph.initializers) inputs.erase(tensor.name);  // an input with a default may be missing
  std::set<std::string_view> conditions;
  for (const NodeProto& node : graph.nodes) {
    if (isIf(node) && inputs.contains(node.inputs[0])) conditions.insert(node.inputs[0]);
  }
  return conditions;
}

std::unique_ptr<const InlinedModel> withBranches(const Model& model, const Conditions& conditions) {
  const Graph& graph = model.graph;
  auto result = std::make_unique<InlinedModel>();
  result->model.file = model.file;
  result->model.names = model.names;
  result->model.external = model.external;
  result->model.operatorSets = model.operatorSets;
  Graph& own = result->model.graph;
  own.name = graph.name;
  own.initializers = graph.initializers;
  own.inputs = graph.inputs;
  own.outputs = graph.outputs;
  own.hasSparseInitializers = graph.hasSparseInitializers;
  BranchInliner inliner(conditions, own);
  for (const ValueInfo& input : graph.inputs) inliner.define(input.name);
  for (const TensorProto& tensor : graph.initializers) inliner.define(tensor.name);  // may give an input its default
  return inliner.add(graph.nodes) ? std::move(result) : nullptr;
}

std::shared_ptr<Program> Branches::program(Program& whole, const CallOptions& call) {
  const std::lock_guard lock(mutex_);
  if (isMade_) return program_;
  const std::shared_ptr<Budget> budget = whole.options().makeBudget(call);
  const BudgetScope scope(*budget);
  std::unique_ptr<const InlinedModel> model = withBranches(whole.model(), conditions_);
  if (model) program_ = std::make_shared<Program>(whole.context(), model->model, whole.options());
  model_ = std::move(model);
  isMade_ = true;
  return program_;
}

}  // namespace webnn::formats::onnx
