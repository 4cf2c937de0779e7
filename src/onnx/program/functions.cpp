#include "onnx/program/functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "onnx/program/foreign.h"
#include "onnx/program/host_node.h"
#include "onnx/read/limits.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

namespace {

using Names = std::map<std::string_view, std::string_view>;  // from a function's names to those of the graph; empty: absent
using Attributes = std::map<std::string_view, const Attribute*>;

// The body of one call.
struct Body {
  Names names;
  Attributes attributes;  // of the call, and the function's defaults
  const OperatorSets* operatorSets = nullptr;
  std::string valuePrefix, nodePrefix;
};

bool isOperator(const NodeProto& node) {
  return wholeRepertoire().find(node.domain, node.opType) || findHostOperator(node.domain, node.opType) ||
         computesForeign(node.domain, node.opType);
}

class Inliner {
 public:
  Inliner(const Model& model, std::deque<std::string>& texts)
      : model_(model), texts_(texts), limits_(limitsFor(model.file.bytes.size())) {}

  Graph graph(const Graph& graph) {
    Graph result = graph;
    result.nodes.clear();
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

  // Adds the node, or the nodes of the function that it calls. The node's subgraphs have no calls.
  void add(NodeProto node, std::vector<NodeProto>& nodes) {
    const Function* const function = functionOf(model_, node);
    if (!function) {
      if (limits_.nodes-- == 0)
        fail(ErrorKind::notSupportedError, "the model has too many nodes once its loops and functions are unrolled.");
      return nodes.push_back(std::move(node));
    }
    if (++depth_ > limits_.depth) fail(ErrorKind::dataError, "functions or subgraphs nest deeper than {}.", limits_.depth);
    if (node.inputs.size() > function->inputs.size() || node.outputs.size() > function->outputs.size()) {
      fail(ErrorKind::dataError, "node {}: the function {} has {} inputs and {} outputs.", webnn::quoted(node.name),
           webnn::quoted(function->name), function->inputs.size(), function->outputs.size());
    }
    Body body{.names = {}, .attributes = {}, .operatorSets = &function->operatorSets};
    body.valuePrefix = formatText("{}#{}/", function->name, ++calls_);
    body.nodePrefix = formatText("{}/", node.name.empty() ? function->name : node.name);
    for (const Attribute& attribute : function->defaultAttributes) body.attributes[attribute.name] = &attribute;
    for (const Attribute& attribute : node.attributes) body.attributes[attribute.name] = &attribute;
    for (std::size_t i = 0; i < function->inputs.size(); ++i)
      body.names[function->inputs[i]] = i < node.inputs.size() ? node.inputs[i] : std::string_view();
    // An output that is an input, too, keeps that name; an Identity copies it.
    std::vector<NodeProto> copies;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      const auto [at, isNew] = body.names.try_emplace(function->outputs[i], node.outputs[i]);
      if (isNew) continue;
      NodeProto& copy = copies.emplace_back();
      copy.opType = "Identity";
      copy.inputs = {at->second};
      copy.outputs = {node.outputs[i]};
    }
    for (const NodeProto& own : function->nodes) add(withInlinedGraphs(renamed(own, body)), nodes);
    for (NodeProto& copy : copies) add(std::move(copy), nodes);
    --depth_;
  }

  NodeProto renamed(const NodeProto& node, Body& body) {
    NodeProto result = node;
    result.operatorSets = body.operatorSets;
    result.name = keep(body.nodePrefix, node.name.empty() ? node.opType : node.name);
    for (std::string_view& name : result.inputs) name = nameOf(name, body);
    for (std::string_view& name : result.outputs) name = nameOf(name, body);
    result.attributes.clear();
    for (const Attribute& attribute : node.attributes) {
      const auto given = body.attributes.find(attribute.reference);
      if (!attribute.reference.empty() && given == body.attributes.end()) continue;  // the call omits it
      Attribute& own = result.attributes.emplace_back(attribute.reference.empty() ? attribute : *given->second);
      own.name = attribute.name;
      // A graph that the call gives has the names of the graph around the call.
      if (own.g && attribute.reference.empty()) own.g = std::make_shared<const Graph>(renamed(*own.g, body));
    }
    return result;
  }

  Graph renamed(const Graph& graph, Body& body) {
    Body inner = body;  // the subgraph's own names hide those of the function
    Graph result = graph;
    const auto define = [&](std::string_view name) {
      if (!name.empty()) inner.names[name] = keep(inner.valuePrefix, name);
    };
    for (const ValueInfo& input : graph.inputs) define(input.name);
    for (const TensorProto& tensor : graph.initializers) define(tensor.name);
    for (const NodeProto& node : graph.nodes) std::ranges::for_each(node.outputs, define);
    for (ValueInfo& input : result.inputs) input.name = nameOf(input.name, inner);
    for (TensorProto& tensor : result.initializers) tensor.name = nameOf(tensor.name, inner);
    for (ValueInfo& output : result.outputs) output.name = nameOf(output.name, inner);
    result.nodes.clear();
    for (const NodeProto& node : graph.nodes) result.nodes.push_back(renamed(node, inner));
    return result;
  }

  std::string_view nameOf(std::string_view name, Body& body) {
    if (name.empty()) return name;
    const auto known = body.names.find(name);
    if (known != body.names.end()) return known->second;
    return body.names[name] = keep(body.valuePrefix, name);
  }

  std::string_view keep(std::string_view prefix, std::string_view name) {
    const std::uint64_t size = prefix.size() + name.size() + sizeof(NodeProto);
    if (size > limits_.walkBytes) {
      fail(ErrorKind::notSupportedError,
           "the model has too many or too long names and attributes once its loops and functions are unrolled.");
    }
    limits_.walkBytes -= size;
    return texts_.emplace_back(std::string(prefix) + std::string(name));
  }

  const Model& model_;
  std::deque<std::string>& texts_;
  ImportLimits limits_;
  std::size_t depth_ = 0, calls_ = 0;
};

}  // namespace

bool isUnknownOperator(const Model& model, const NodeProto& node) { return !isOperator(node) && !functionOf(model, node); }

const Function* functionOf(const Model& model, const NodeProto& node) {
  if (model.functions.empty() || isOperator(node)) return nullptr;
  const auto found = std::ranges::find_if(model.functions, [&](const Function& function) {
    return function.domain == node.domain && function.name == node.opType && function.overload == node.overload;
  });
  return found == model.functions.end() ? nullptr : &*found;
}

std::unique_ptr<const InlinedModel> inlined(const Model& model) {
  if (model.functions.empty()) return nullptr;
  auto result = std::make_unique<InlinedModel>();
  const Graph graph = Inliner(model, result->texts).graph(model.graph);
  result->model = model;
  result->model.graph = graph;
  return result;
}

}  // namespace webnn::formats::onnx
