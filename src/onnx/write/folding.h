// Computes operations on constants during the export, for targets that compute them incorrectly.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::onnx {

class Folding {
 public:
  using Bytes = std::vector<std::byte>;

  // Returns the packed results of an operation on constants. Returns nothing for other operations, and for identity, reshape,
  // transpose, dequantizeLinear and casts to floats, because their results may be large. Must be called for all nodes in order.
  std::vector<Bytes> fold(const Node& node);

  bool isConstant(const Operand& operand) const;

 private:
  std::vector<Bytes> compute(const Node& node);
  const Bytes& valueOf(const Operand& operand);

  std::unordered_map<const OperandRecord*, const Node*> makers_;  // the nodes that compute on constants, by result
  std::unordered_map<const OperandRecord*, Bytes> values_;
};

}  // namespace webnn::onnx
