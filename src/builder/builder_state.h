#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "graph/graph_definition.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn {

struct BuilderState {
  Context context;
  std::shared_ptr<const BuilderToken> token = std::make_shared<const BuilderToken>();
  bool hasBuilt = false;
  std::string graphName;
  std::vector<std::shared_ptr<OperandRecord>> records;  // indexed by operand
  std::vector<Node> nodes;                              // nodes in the order of the calls
  std::unordered_set<std::string> inputNames;
  std::shared_ptr<OpenSizes> openSizes;  // null in a builder without open dimensions

  // For readers of files:

  // Sets the label of operations that have no label. Returns the previous default label.
  std::string setDefaultLabel(std::string label) { return std::exchange(defaultLabel_, std::move(label)); }
  // Evaluates an operation whose operands are all constants. Returns the packed bytes of each output, or nullopt to keep the
  // operation in the graph. setFold returns the previous function.
  using Fold = std::function<std::optional<std::vector<ExternalBytes>>(const Operation&, const ops::Outputs&)>;
  Fold setFold(Fold fold) { return std::exchange(fold_, std::move(fold)); }
  // The limits of a graph. A graph that exceeds a limit fails with an OperationError if the limits are the service's
  // (`areOfService`), otherwise with a NotSupportedError, because it is too large for the size of its file. `textBytes` limits
  // the total length of default labels and names from setName.
  struct Limits {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t nodes = kNone, operands = kNone, textBytes = kNone;
    bool areOfService = false;
    [[noreturn]] void failBeyond(std::string_view what, std::uint64_t limit) const;
  };
  void setLimits(const Limits& limits) { limits_ = limits; }
  // Replaces the builder's budget by the budget of a load.
  void setBudget(std::shared_ptr<Budget> budget) { budget_ = std::move(budget); }

  // For GraphBuilder:

  // Throws InvalidStateError if the builder has already built or the context is lost ("can not build").
  void requireCanBuild(std::string_view method) const;
  // Returns whether the operand belongs to this builder ("validating operand").
  bool owns(const Operand& operand) const;
  Operand append(OperandKind kind, OperandDescriptor descriptor);
  // Returns the builder's open sizes, made at the first call.
  OpenSizes& ensureOpenSizes();
  // Adds the length of a label or name to the builder's total. Throws the error of Limits if the total exceeds textBytes.
  void takeText(std::string_view text);
  // Throws a TypeError if the builder has open dimensions.
  void requireFixedSizes() const;
  // Performs the checks of build() and returns the graph, without compiling it. The builder can then no longer be used.
  std::shared_ptr<const GraphDefinition> takeDefinition(std::vector<NamedOperand> outputs);
  // Moves the part of the graph on which `outputs` depend into `graph`, which must be empty. On success, the builder is left
  // without nodes. If it throws, the builder is unchanged.
  void extract(std::vector<NamedOperand> outputs, GraphDefinition& graph);

 private:
  friend class GraphBuilder;
  void applyDefaultLabel(Operation& operation);

  std::string defaultLabel_;
  Fold fold_;
  Limits limits_;
  std::uint64_t textBytes_ = 0;
  std::shared_ptr<Budget> budget_;  // counts the operations and elements of the graph
};

}  // namespace webnn
