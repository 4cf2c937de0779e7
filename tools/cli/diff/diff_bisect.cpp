#include "cli/diff/diff_bisect.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "builder/subgraph.h"

namespace webnn::cli {

namespace {

using Agree = std::function<bool(const NamedBytes&, const NamedBytes&)>;

std::vector<NamedOperand> outputsOf(const GraphDefinition& graph, std::span<const std::size_t> nodes) {
  const std::vector<std::string> names = graph.operandNames();
  std::vector<NamedOperand> outputs;
  for (std::size_t index : nodes) {
    for (const Operand& output : graph.nodes[index].outputs) outputs.emplace_back(names[output.record().index], output);
  }
  return outputs;
}

std::vector<std::size_t> allNodes(const GraphDefinition& graph) {
  std::vector<std::size_t> nodes(graph.nodes.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  return nodes;
}

class Bisection {
 public:
  Bisection(Context& trusted, Context& other, const GraphDefinition& graph, const std::vector<NamedBytes>& inputs,
            const Agree& agree)
      : trusted_(trusted), other_(other), graph_(graph), agree_(agree) {
    for (const NamedBytes& input : inputs) values_.emplace(input.name, input);
    for (NamedBytes& value : runOnce(trusted_, withAllOutputs(trusted_, graph), inputs))
      values_.emplace(value.name, std::move(value));
  }

  // Runs the part of these nodes, with inputs that the trusted context computed. Returns the part if its last node's outputs
  // differ, else nullopt.
  std::optional<Failing> tryNodes(const std::vector<std::size_t>& nodes) {
    Failing part{buildSubgraph(trusted_, graph_, nodes, outputsOf(graph_, std::span(nodes).last(1))), {}, {}, {}, nodes.size()};
    for (const auto& [name, descriptor] : part.graph.inputs()) part.inputs.push_back(values_.at(name));
    part.actual = runOnce(other_, other_.compile(part.graph), part.inputs);
    bool agrees = true;
    for (const NamedBytes& actual : part.actual) {
      part.expected.push_back(values_.at(actual.name));
      agrees = agrees && agree_(actual, part.expected.back());
    }
    if (agrees) return std::nullopt;
    return part;
  }

  // Returns, in order of execution, the last `count` nodes that node `last` depends on, including itself.
  std::vector<std::size_t> partBefore(std::size_t last, std::size_t count) const {
    std::vector<bool> needed(graph_.indexLimit);
    std::vector<std::size_t> part;
    for (std::size_t i = last + 1; i-- > 0 && part.size() < count;) {
      const auto isNeeded = [&](const Operand& output) { return needed[output.record().index]; };
      if (i != last && std::ranges::none_of(graph_.nodes[i].outputs, isNeeded)) continue;
      part.push_back(i);
      visitOperands(graph_.nodes[i].operation,
                    [&](std::string_view, const Operand& operand) { needed[operand.record().index] = true; });
    }
    std::ranges::reverse(part);
    return part;
  }

 private:
  Context &trusted_, &other_;
  const GraphDefinition& graph_;
  const Agree& agree_;
  std::unordered_map<std::string, NamedBytes> values_;
};

// Returns the first node whose results differ when the whole graph runs; nullopt if none differ.
std::optional<std::size_t> firstDifferent(Context& trusted, Context& other, const GraphDefinition& graph,
                                          const std::vector<NamedBytes>& inputs, const Agree& agree) {
  const Graph whole = withAllOutputs(trusted, graph);
  const auto expected = runOnce(trusted, whole, inputs), actual = runOnce(other, other.compile(whole), inputs);
  std::size_t output = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (std::size_t j = 0; j < graph.nodes[i].outputs.size(); ++j, ++output) {
      if (!agree(actual[output], expected[output])) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<NamedBytes> runOnce(Context& context, const Graph& graph, const std::vector<NamedBytes>& inputs) {
  std::vector<NamedTensor> bound, results;
  for (const auto& [name, descriptor] : graph.inputs()) {
    const auto input = std::ranges::find(inputs, name, &NamedBytes::name);
    bound.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, false, true}));
    context.writeTensor(bound.back().second, input->bytes);
  }
  for (const auto& [name, descriptor] : graph.outputs()) {
    results.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, true, false}));
  }
  context.dispatch(graph, bound, results);
  std::vector<NamedBytes> outputs;
  for (const auto& [name, tensor] : results) outputs.push_back({name, tensor.descriptor(), context.readTensor(tensor).get()});
  return outputs;
}

Graph withAllOutputs(Context& context, const GraphDefinition& graph) {
  const std::vector<std::size_t> nodes = allNodes(graph);
  return buildSubgraph(context, graph, nodes, outputsOf(graph, nodes));
}

Graph withOutputs(Context& context, const GraphDefinition& graph, const std::set<std::string>& names) {
  const std::vector<std::size_t> nodes = allNodes(graph);
  std::vector<NamedOperand> outputs = graph.outputs;
  for (NamedOperand& result : outputsOf(graph, nodes)) {
    const bool isOutput = std::ranges::find(outputs, result.first, &NamedOperand::first) != outputs.end();
    if (!isOutput && names.contains(result.first)) outputs.push_back(std::move(result));
  }
  return buildSubgraph(context, graph, nodes, outputs);
}

std::optional<Failing> bisect(Context& trusted, Context& other, const GraphDefinition& graph,
                              const std::vector<NamedBytes>& inputs, const Agree& agree) {
  const auto different = firstDifferent(trusted, other, graph, inputs, agree);
  if (!different) return std::nullopt;
  Bisection bisection(trusted, other, graph, inputs, agree);
  for (std::size_t i = 0; i <= *different; ++i) {
    if (auto alone = bisection.tryNodes({i})) return alone;
  }
  // The difference may need several nodes to add up. Double the part until it fails, then bisect between the largest part known
  // to agree and the smallest known to fail.
  const std::size_t whole = bisection.partBefore(*different, graph.nodes.size()).size();
  std::size_t enough = 1, tooFew = 1;
  std::optional<Failing> smallest;
  while (!smallest && enough < whole) {
    tooFew = enough;
    enough = std::min(2 * enough, whole);
    smallest = bisection.tryNodes(bisection.partBefore(*different, enough));
  }
  while (smallest && enough - tooFew > 1) {
    const std::size_t middle = tooFew + (enough - tooFew) / 2;
    if (auto part = bisection.tryNodes(bisection.partBefore(*different, middle))) {
      smallest = std::move(part);
      enough = middle;
    } else {
      tooFew = middle;
    }
  }
  return smallest;
}

}  // namespace webnn::cli
