// The oracle: plain, exact and slow.
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
// Computes one operation on an environment's values. `compute` covers all operations.
using Compute = void (*)(const Operation& operation, Environment& values);
void compute(const Operation& operation, Environment& values);

// Computes an operation whose operands are all constants, and returns its outputs as packed bytes. Throws the budget's error once
// the thread's budget is exhausted.
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Compute compute);
// Computes an operation with the given packed operand bytes, in the order of visitOperands.
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, std::span<const std::span<const std::byte>> operands,
                                             const ops::Outputs& outputs, Compute compute = reference::compute);

}  // namespace webnn::reference
