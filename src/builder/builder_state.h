// What a GraphBuilder holds.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/budget.h"
#include "graph/graph_definition.h"
#include "webnn/graph_builder.h"

namespace webnn {

struct BuilderState {
  Context context;
  std::shared_ptr<const BuilderToken> token = std::make_shared<const BuilderToken>();
  bool hasBuilt = false;
  std::string graphName;
  std::vector<std::shared_ptr<OperandRecord>> records;  // by index
  std::vector<Node> nodes;                              // in the order of the calls
  std::unordered_set<std::string> inputNames;

  // For importers: the label of operations that have none of their own, and what computes an operation whose operands
  // are all constants at once; it returns the packed bytes of each output, or nothing to leave the operation in the graph.
  using Fold = std::function<std::optional<std::vector<ExternalBytes>>(const Operation&, const ops::Outputs&)>;
  std::string defaultLabel;
  Fold fold;
  // Also for importers: NotSupportedError beyond. `textBytes` are of default labels and of names that setName gives.
  struct Limits {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t nodes = kNone, operands = kNone, textBytes = kNone;
  } limits;
  std::uint64_t textBytes = 0;
  // Counts the operations and elements of the graph. What loads a graph shares its own with the builder.
  std::shared_ptr<Budget> budget;

  // InvalidStateError if already built or the context is lost ("can not build").
  void requireCanBuild(std::string_view method) const;
  // Whether the operand is of this builder ("validating operand").
  bool owns(const Operand& operand) const;
  Operand append(OperandKind kind, OperandDescriptor descriptor);
  // Accounts for a label or a name.
  void takeText(std::string_view text);
  // What build() does before it compiles: checks, and ends the builder's life.
  std::shared_ptr<const GraphDefinition> takeDefinition(std::vector<NamedOperand> outputs);
  // The part of the graph that `outputs` depend on, into an empty one. Takes the nodes, unless it throws: nothing can be built
  // afterwards.
  void extract(std::vector<NamedOperand> outputs, GraphDefinition& graph);
};

}  // namespace webnn
