// What a GraphBuilder holds.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

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
  std::size_t nodeLimit = std::numeric_limits<std::size_t>::max();  // NotSupportedError beyond

  // InvalidStateError if already built or the context is lost ("can not build").
  void requireCanBuild(std::string_view method) const;
  // Whether the operand is of this builder ("validating operand").
  bool owns(const Operand& operand) const;
  Operand append(OperandKind kind, OperandDescriptor descriptor);
  // What build() does before it compiles: checks, and ends the builder's life.
  std::shared_ptr<const GraphDefinition> finish(std::vector<NamedOperand> outputs);
  // The part of the graph that `outputs` depend on.
  GraphDefinition extract(std::vector<NamedOperand> outputs) const;
};

}  // namespace webnn
