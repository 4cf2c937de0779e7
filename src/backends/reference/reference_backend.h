// The backend "reference": the oracle. Plain and exact, slow and obviously right.
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
// Computes one operation of an environment's values. `compute` knows them all.
using Compute = void (*)(const Operation& operation, Environment& values);
void compute(const Operation& operation, Environment& values);

// The packed bytes of the outputs of one operation whose operands are all constants. Throws what the budget of the thread does
// once it is over.
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, const ops::Outputs& outputs, Compute compute);
// The same of any operands, whose packed bytes are given in the order of visitOperands.
std::vector<std::vector<std::byte>> evaluate(const Operation& operation, std::span<const std::span<const std::byte>> operands,
                                             const ops::Outputs& outputs, Compute compute = reference::compute);

}  // namespace webnn::reference
