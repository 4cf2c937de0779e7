#include "onnx/read/order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "base/budget.h"
#include "base/text.h"
#include "onnx/read/part.h"

namespace webnn::formats::onnx {

namespace {

// The values that are defined so far in a graph and in the graphs around it.
struct KnownNames {
  const KnownNames* outer = nullptr;
  std::unordered_set<std::string_view> names{};

  bool contains(std::string_view name) const {
    for (const KnownNames* known = this; known; known = known->outer) {
      if (known->names.contains(name)) return true;
    }
    return false;
  }
};

KnownNames namesBefore(const Graph& graph, const KnownNames* outer) {
  KnownNames known{outer};
  for (const ValueInfo& input : graph.inputs) known.names.insert(input.name);
  for (const TensorProto& initializer : graph.initializers) known.names.insert(initializer.name);
  return known;
}

KnownNames namesBefore(const Function& function) {
  KnownNames known;
  known.names.insert(function.inputs.begin(), function.inputs.end());
  return known;
}

struct UndefinedInput {
  const NodeProto* node;
  std::string_view name;
};

// Returns the first input of a node that nothing defines before the node. Adds the values of the nodes to `known`. Calls
// `redefine` with each value of a node that is already defined in the same graph.
std::optional<UndefinedInput> undefinedIn(const std::vector<NodeProto>& nodes, KnownNames& known,
                                          const std::function<void(std::string_view)>& redefine) {
  for (const NodeProto& node : nodes) {
    BudgetScope::current().check();
    for (const std::string_view name : node.inputs) {
      if (!name.empty() && !known.contains(name)) return UndefinedInput{&node, name};
    }
    for (const Attribute& attribute : node.attributes) {
      if (!attribute.g || attribute.g->hasSparseInitializers) continue;
      KnownNames inner = namesBefore(*attribute.g, &known);
      if (const auto undefined = undefinedIn(attribute.g->nodes, inner, redefine)) return undefined;
    }
    for (const std::string_view name : node.outputs) {
      if (!name.empty() && !known.names.insert(name).second) redefine(name);
    }
  }
  return std::nullopt;
}

void ignore(std::string_view) {}

bool isOrdered(const Model& model) {
  KnownNames known = namesBefore(model.graph, nullptr);
  if (undefinedIn(model.graph.nodes, known, ignore)) return false;
  return std::ranges::all_of(model.functions, [](const Function& function) {
    KnownNames inputs = namesBefore(function);
    return !undefinedIn(function.nodes, inputs, ignore);
  });
}

// Sorts the nodes and the nodes of their subgraphs. If several nodes may come next, takes the first in the file.
void order(std::vector<NodeProto>& nodes, KnownNames known) {
  std::unordered_map<std::string_view, std::size_t> makers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string_view name : nodes[i].outputs) {
      if (!name.empty() && !known.contains(name)) makers.try_emplace(name, i);
    }
  }
  std::vector<std::vector<std::size_t>> readers(nodes.size());
  std::vector<std::size_t> missing(nodes.size());  // for each node, how many values it still waits for
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    BudgetScope::current().check();
    for (const std::string_view name : valuesReadBy(nodes[i])) {
      const auto maker = makers.find(name);
      if (maker == makers.end() || maker->second == i) continue;
      readers[maker->second].push_back(i);
      ++missing[i];
    }
  }
  for (const auto& [name, maker] : makers) known.names.insert(name);
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<NodeProto> sorted;
  std::vector<bool> isTaken(nodes.size());
  sorted.reserve(nodes.size());
  const auto take = [&](std::size_t i) {
    isTaken[i] = true;
    for (Attribute& attribute : nodes[i].attributes) {
      if (!attribute.g) continue;
      Graph graph = *attribute.g;
      order(graph.nodes, namesBefore(graph, &known));
      attribute.g = std::make_shared<const Graph>(std::move(graph));
    }
    sorted.push_back(std::move(nodes[i]));
  };
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    take(next);
    for (const std::size_t reader : readers[next]) {
      if (--missing[reader] == 0) ready.push(reader);
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!isTaken[i]) take(i);  // the node is in a cycle, or depends on one
  }
  nodes = std::move(sorted);
}

// Throws a DataError if a node reads an undefined value, or defines a value that is already defined. Adds the values to `known`.
void checkNodes(const std::vector<NodeProto>& nodes, KnownNames& known) {
  const auto refuse = [](std::string_view name) {
    fail(ErrorKind::dataError, "the value {} is defined twice.", webnn::quoted(name));
  };
  if (const auto undefined = undefinedIn(nodes, known, refuse)) {
    fail(ErrorKind::dataError, "node {} ({}): its input {} is not defined before.", webnn::quoted(undefined->node->name),
         sanitized(undefined->node->opType), webnn::quoted(undefined->name));
  }
}

// Returns the functions that the model's nodes call, also in subgraphs and in other functions.
std::vector<const Function*> functionsCalled(const Model& model) {
  std::vector<const Function*> called;
  std::unordered_set<const Function*> known;
  const auto visit = [&](const std::vector<NodeProto>& nodes, const auto& self) -> void {
    for (const NodeProto& node : nodes) {
      BudgetScope::current().check();
      for (const Attribute& attribute : node.attributes) {
        if (attribute.g) self(attribute.g->nodes, self);
      }
      const Function* function = model.functions.find(node);
      if (function && known.insert(function).second) called.push_back(function);
    }
  };
  visit(model.graph.nodes, visit);
  for (std::size_t i = 0; i < called.size(); ++i) visit(called[i]->nodes, visit);
  return called;
}

}  // namespace

void orderNodes(Model& model) {
  if (model.graph.hasSparseInitializers || isOrdered(model)) return;
  order(model.graph.nodes, namesBefore(model.graph, nullptr));
  for (Function& function : model.functions) order(function.nodes, namesBefore(function));
}

void checkValues(const Model& model) {
  if (model.graph.hasSparseInitializers) return;
  KnownNames known = namesBefore(model.graph, nullptr);
  checkNodes(model.graph.nodes, known);
  for (const ValueInfo& output : model.graph.outputs) {
    if (!known.contains(output.name)) fail(ErrorKind::dataError, "the output {} is not defined.", webnn::quoted(output.name));
  }
  for (const Function* function : functionsCalled(model)) {
    KnownNames inner = namesBefore(*function);
    checkNodes(function->nodes, inner);
    for (const std::string_view output : function->outputs) {
      if (!inner.contains(output))
        fail(ErrorKind::dataError, "the output {} of a subgraph or function is not defined.", webnn::quoted(output));
    }
  }
}

}  // namespace webnn::formats::onnx
