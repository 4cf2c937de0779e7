// The oracle: a simple backend that computes in double precision, against which other backends are tested.
#pragma once

#include "graph/backend.h"

namespace webnn::reference {

class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph,
                                      const Budget& budget = Budget::none()) const override;
};

class Environment;
// Computes one operation on the values in an environment. The function compute() supports all operations.
using Compute = void (*)(const Operation& operation, Environment& values);
void compute(const Operation& operation, Environment& values);

// Computes an operation whose operands are constants and returns its outputs as packed bytes. Throws the budget's error if the
// budget of the thread (BudgetScope) is exceeded.
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Compute compute);
// Computes an operation on the given packed operand bytes, which are in the order of visitOperands().
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, std::span<const std::span<const std::byte>> operands,
                                             const ops::Outputs& outputs, Compute compute = reference::compute);

}  // namespace webnn::reference
