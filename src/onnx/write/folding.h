// Operations whose operands are all constants, computed by the exporter, for targets that get them wrong.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::onnx {

class Folding {
 public:
  using Bytes = std::vector<std::byte>;

  // The packed results of an operation of constants; empty of others, and of what only moves or dequantizes them, which may be
  // large. To be called for all nodes, in their order.
  std::vector<Bytes> fold(const Node& node);

  bool isConstant(const Operand& operand) const;

 private:
  std::vector<Bytes> compute(const Node& node);
  const Bytes& valueOf(const Operand& operand);

  std::unordered_map<const OperandRecord*, const Node*> makers_;  // of what is computed of constants
  std::unordered_map<const OperandRecord*, Bytes> values_;
};

}  // namespace webnn::onnx
