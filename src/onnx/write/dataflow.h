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

  // Returns the operation that produces the operand; null for inputs and constants.
  const Operation* producer(const Operand& operand) const;
  // The operations that ONNX Runtime may find before an operand, after it has removed and exchanged operations that only move
  // elements or compute nothing, such as a sum with 0.
  enum class Origin : unsigned {
    pad = 1,
    transposedBatch = 2,  // a transpose that moves the first dimension
    quotient = 4,         // a division of floats whose dividend has a higher rank than the divisor
  };
  bool mayComeFrom(const Operand& operand, Origin origin) const;

  // Returns the dimension of the operand that holds the output channels, if the operand is used only as the filter of conv2d or
  // as the matrix b of matmul or gemm, and always with the same dimension; otherwise nullopt.
  std::optional<std::size_t> channelAxis(const Operand& operand) const;

 private:
  void use(const Operand& operand, std::optional<std::size_t> axis);

  std::unordered_map<const OperandRecord*, const Operation*> producers_;
  std::unordered_map<const OperandRecord*, unsigned> origins_;                 // bits of Origin
  std::unordered_map<const OperandRecord*, std::optional<std::size_t>> axes_;  // channelAxis() of each used operand
};

}  // namespace webnn::onnx
