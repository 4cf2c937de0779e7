#include "onnx/program/functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/budget.h"
#include "base/text.h"
#include "onnx/program/foreign.h"
#include "onnx/program/host_node.h"
#include "onnx/read/limits.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

namespace {

using Names = std::map<std::string_view, std::string_view>;  // maps names in a function to names in the graph; empty: absent
using Attributes = std::map<std::string_view, const Attribute*>;

// A function call, which is replaced by the function's nodes.
struct Call {
  Attributes attributes;  // attributes of the call, and the function's defaults for the others
  const OperatorSets* operatorSets = nullptr;
  std::string valuePrefix, nodePrefix;
};

// The names of a function's body, or of a subgraph in it. They hide equal names of the scopes around it.
struct NameScope {
  const NameScope* outer = nullptr;
  Names names{};

  const std::string_view* find(std::string_view name) const {
    for (const NameScope* scope = this; scope; scope = scope->outer) {
      if (const auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
    }
    return nullptr;
  }
};

Graph withoutNodes(const Graph& graph) {
  Graph result;
  result.name = graph.name;
  result.docString = graph.docString;
  result.initializers = graph.initializers;
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  result.hasSparseInitializers = graph.hasSparseInitializers;
  return result;
}

// Returns the largest number of '#' in one name of the graph's values. See Inliner::mark_.
std::size_t mostMarks(const Graph& graph) {
  std::size_t most = 0;
  const auto look = [&](std::string_view name) {
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(name, '#')));
  };
  for (const ValueInfo& input : graph.inputs) look(input.name);
  for (const TensorProto& initializer : graph.initializers) look(initializer.name);
  for (const NodeProto& node : graph.nodes) {
    std::ranges::for_each(node.outputs, look);
    for (const Attribute& attribute : node.attributes) {
      if (attribute.g) most = std::max(most, mostMarks(*attribute.g));
    }
  }
  return most;
}

class Inliner {
 public:
  Inliner(const Model& model, std::deque<std::string>& texts)
      : model_(model), texts_(texts), limits_(limitsFor(model.file.bytes.size())), mark_(mostMarks(model.graph) + 1, '#') {}

  Graph graph(const Graph& graph) {
    Graph result = withoutNodes(graph);
    for (const NodeProto& node : graph.nodes) add(withInlinedGraphs(node), result.nodes);
    return result;
  }

 private:
  NodeProto withInlinedGraphs(NodeProto node) {
    for (Attribute& attribute : node.attributes) {
      if (attribute.g) attribute.g = std::make_shared<const Graph>(graph(*attribute.g));
    }
    return node;
  }

  // Adds the node, or the nodes of the function that it calls. Calls in the node's subgraphs must already be inlined.
  void add(NodeProto node, std::vector<NodeProto>& nodes) {
    BudgetScope::current().check();
    const Function* const function = functionOf(model_, node);
    if (!function) {
      if (limits_.nodes-- == 0)
        fail(ErrorKind::notSupportedError, "the model has too many nodes once its loops and functions are unrolled.");
      return nodes.push_back(std::move(node));
    }
    if (++depth_ > limits_.depth) {
      fail(ErrorKind::dataError, "functions or subgraphs nest deeper than {}: node {} calls the function {}.", limits_.depth,
           webnn::quoted(node.name), webnn::quoted(function->name));
    }
    if (node.inputs.size() > function->inputs.size() || node.outputs.size() > function->outputs.size()) {
      fail(ErrorKind::dataError, "node {}: the function {} has {} inputs and {} outputs.", webnn::quoted(node.name),
           webnn::quoted(function->name), function->inputs.size(), function->outputs.size());
    }
    Call call{.attributes = {}, .operatorSets = &function->operatorSets, .valuePrefix = {}, .nodePrefix = {}};
    call.valuePrefix = formatText("{}{}{}/", function->name, mark_, ++calls_);
    call.nodePrefix = formatText("{}/", node.name.empty() ? function->name : node.name);
    constexpr std::uint64_t kEntry = 64;  // approximate bytes of an entry of a map of views
    charge((function->inputs.size() + function->defaultAttributes.size() + node.attributes.size()) * kEntry);
    for (const Attribute& attribute : function->defaultAttributes) call.attributes[attribute.name] = &attribute;
    for (const Attribute& attribute : node.attributes) call.attributes[attribute.name] = &attribute;
    NameScope scope;
    for (std::size_t i = 0; i < function->inputs.size(); ++i)
      scope.names[function->inputs[i]] = i < node.inputs.size() ? node.inputs[i] : std::string_view();
    // If an output of the function is also its input, it keeps the input's name, and an Identity copies it to the output.
    std::vector<NodeProto> copies;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      const auto [at, isNew] = scope.names.try_emplace(function->outputs[i], node.outputs[i]);
      if (isNew) continue;
      NodeProto& copy = copies.emplace_back();
      copy.opType = "Identity";
      copy.inputs = {at->second};
      copy.outputs = {node.outputs[i]};
    }
    for (const NodeProto& own : function->nodes) add(withInlinedGraphs(renamed(own, call, scope)), nodes);
    for (NodeProto& copy : copies) add(std::move(copy), nodes);
    --depth_;
  }

  NodeProto renamed(const NodeProto& node, const Call& call, NameScope& scope) {
    BudgetScope::current().check();
    NodeProto result;
    result.opType = node.opType;
    result.domain = node.domain;
    result.overload = node.overload;
    result.operatorSets = call.operatorSets;
    result.name = keep(call.nodePrefix, node.name.empty() ? node.opType : node.name);
    for (const std::string_view name : node.inputs) result.inputs.push_back(nameOf(name, call, scope));
    for (const std::string_view name : node.outputs) result.outputs.push_back(nameOf(name, call, scope));
    for (const Attribute& attribute : node.attributes) {
      const auto given = call.attributes.find(attribute.reference);
      if (!attribute.reference.empty() && given == call.attributes.end()) continue;  // the call omits the attribute
      const Attribute& source = attribute.reference.empty() ? attribute : *given->second;
      charge(sizeof(Attribute) + bytesIn(source));
      Attribute& own = result.attributes.emplace_back(source);
      own.name = attribute.name;
      // Rename only subgraphs of the function itself. A subgraph that the call passes reads values of the graph around the call.
      if (own.g && attribute.reference.empty()) own.g = std::make_shared<const Graph>(renamed(*own.g, call, scope));
    }
    return result;
  }

  Graph renamed(const Graph& graph, const Call& call, const NameScope& outer) {
    NameScope scope{&outer};
    Graph result = withoutNodes(graph);
    const auto define = [&](std::string_view name) {
      if (!name.empty()) scope.names[name] = keep(call.valuePrefix, name);
    };
    for (const ValueInfo& input : graph.inputs) define(input.name);
    for (const TensorProto& tensor : graph.initializers) define(tensor.name);
    for (const NodeProto& node : graph.nodes) std::ranges::for_each(node.outputs, define);
    for (ValueInfo& input : result.inputs) input.name = nameOf(input.name, call, scope);
    for (TensorProto& tensor : result.initializers) tensor.name = nameOf(tensor.name, call, scope);
    for (ValueInfo& output : result.outputs) output.name = nameOf(output.name, call, scope);
    for (const NodeProto& node : graph.nodes) result.nodes.push_back(renamed(node, call, scope));
    return result;
  }

  std::string_view nameOf(std::string_view name, const Call& call, NameScope& scope) {
    if (name.empty()) return name;
    if (const std::string_view* const known = scope.find(name)) return *known;
    return scope.names[name] = keep(call.valuePrefix, name);
  }

  std::string_view keep(std::string_view prefix, std::string_view name) {
    charge(prefix.size() + name.size() + sizeof(NodeProto));
    return texts_.emplace_back(std::string(prefix) + std::string(name));
  }

  void charge(std::uint64_t bytes) {
    if (bytes > limits_.walkBytes) {
      fail(ErrorKind::notSupportedError,
           "the model has too many or too long names and attributes once its loops and functions are unrolled.");
    }
    limits_.walkBytes -= bytes;
  }

  const Model& model_;
  std::deque<std::string>& texts_;
  ImportLimits limits_;
  const std::string mark_;  // "#", repeated more often than in any name of graph values, so that generated names are new
  std::size_t depth_ = 0, calls_ = 0;
};

}  // namespace

bool isOperator(const Model& model, const NodeProto& node) {
  const std::int64_t version = versionOfDomain(node.operatorSets ? *node.operatorSets : model.operatorSets, node.domain);
  return wholeRepertoire().find(node.domain, node.opType, version) || findHostOperator(node.domain, node.opType) ||
         computesForeign(node.domain, node.opType);
}

const Function* functionOf(const Model& model, const NodeProto& node) {
  const Function* const function = model.functions.find(node);
  return function && !isOperator(model, node) ? function : nullptr;
}

std::unique_ptr<const InlinedModel> inlined(const Model& model) {
  if (model.functions.empty()) return nullptr;
  auto result = std::make_unique<InlinedModel>();
  result->model.file = model.file;
  result->model.names = model.names;
  result->model.external = model.external;
  result->model.operatorSets = model.operatorSets;
  result->model.graph = Inliner(model, result->texts).graph(model.graph);
  return result;
}

}  // namespace webnn::formats::onnx
