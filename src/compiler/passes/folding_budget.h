// Tracks how much of CompileLimits a compilation has left.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/unset_vector.h"
#include "compiler/passes/compile_limits.h"
#include "graph/graph_definition.h"

namespace webnn::compiler {

class FoldingBudget {
 public:
  FoldingBudget(const CompileLimits& limits, std::span<const Operand> constants);

  // Returns whether computing values of `bytes` bytes with `work` element operations is within the budget. If so, deducts the
  // work.
  bool take(double work, double bytes);
  // Takes ownership of bytes, which count as held until the last copy of the returned pointer is destroyed.
  std::shared_ptr<const UnsetVector<std::byte>> hold(UnsetVector<std::byte> bytes);
  // Returns the bytes of all results, including destroyed ones.
  std::size_t bytesMade() const { return made_; }

 private:
  double work_, bytes_;
  std::size_t made_ = 0;
  std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace webnn::compiler
