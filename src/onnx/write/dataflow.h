// The producers and uses of a graph's operands.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>

#include "graph/graph_definition.h"

namespace webnn::onnx {

class Dataflow {
 public:
  explicit Dataflow(const GraphDefinition& graph);

  // The operation whose result the operand is; nullptr of inputs and constants.
  const Operation* producer(const Operand& operand) const;

  // The dimension of the operand whose indices each give a channel of a product's result, if it is used only as the filter of
  // conv2d or the matrix b of matmul or gemm, and is the same for all uses.
  std::optional<std::size_t> channelAxis(const Operand& operand) const;

 private:
  void use(const Operand& operand, std::optional<std::size_t> axis);

  std::unordered_map<const OperandRecord*, const Operation*> producers_;
  std::unordered_map<const OperandRecord*, std::optional<std::size_t>> axes_;  // by used operand
};

}  // namespace webnn::onnx
