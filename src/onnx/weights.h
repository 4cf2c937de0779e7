// Which operands are weights.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>

#include "graph/graph_definition.h"

namespace webnn::onnx {

class Weights {
 public:
  explicit Weights(const GraphDefinition& graph);

  // The dimension of the operand whose indices each give a channel of a product's result, if it is used only as the filter of
  // conv2d or the matrix b of matmul or gemm, and is the same for all uses.
  std::optional<std::size_t> channelAxis(const Operand& operand) const;

 private:
  void use(const Operand& operand, std::optional<std::size_t> axis);

  std::unordered_map<const OperandRecord*, std::optional<std::size_t>> axes_;  // of every operand that is used
};

}  // namespace webnn::onnx
