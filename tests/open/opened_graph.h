// Opens the dimensions of a graph with fixed sizes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_definition.h"
#include "ops/checks.h"
#include "random/choices.h"
#include "webnn/graph_builder.h"

namespace webnn::test {

inline std::string nameOfSize(std::uint32_t size) { return "s" + std::to_string(size); }

// Builds the graph with names for sizes of its inputs, also where fields of operations have these sizes. The size 1 stays a
// number, because it broadcasts. Some other sizes stay numbers at random.
class Opener {
 public:
  // `largest`: the largest size that a name allows, unless the size that it replaces is larger.
  Opener(GraphBuilder& builder, std::uint64_t seed, std::uint32_t largest = kMaxDimension)
      : builder_(builder), choices_(seed), largest_(largest) {}

  std::vector<NamedOperand> open(const GraphDefinition& graph) {
    for (const Operand& input : graph.inputs) {
      std::vector<Dimension> shape;
      for (const std::uint32_t size : input.shape()) {
        const bool isOpen = size > 1 && !choices_.oneIn(4);
        shape.push_back(isOpen ? Dimension(nameOfSize(size), 0, std::max(size, largest_)) : Dimension(size));
        if (isOpen) names_.insert(size);
      }
      values_.emplace(input.record().index, builder_.openInput(input.record().name, {input.dataType(), shape}));
    }
    for (const Operand& constant : graph.constants)
      values_.emplace(constant.record().index, builder_.constant(constant.descriptor(), constant.record().bytes));
    for (const Node& node : graph.nodes) {
      Operation operation = node.operation;
      visitSizes(operation, [&](std::string_view name, std::uint32_t& size) {
        if (ops::isSizeField(name) && names_.contains(size) && !choices_.oneIn(4)) size = builder_.openSize(nameOfSize(size));
      });
      mapOperands(operation, [&](const Operand& operand) { return values_.at(operand.record().index); });
      const std::vector<Operand> results = builder_.append(std::move(operation));
      for (std::size_t i = 0; i < results.size(); ++i) values_.emplace(node.outputs[i].record().index, results[i]);
    }
    std::vector<NamedOperand> outputs;
    for (const auto& [name, operand] : graph.outputs) outputs.emplace_back(name, values_.at(operand.record().index));
    return outputs;
  }

 private:
  GraphBuilder& builder_;
  random::Choices choices_;
  const std::uint32_t largest_;
  std::set<std::uint32_t> names_;
  std::map<std::uint32_t, Operand> values_;  // keyed by the index of the fixed graph's operand
};

}  // namespace webnn::test
