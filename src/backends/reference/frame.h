// The values that an operation reads and writes.
#pragma once

#include <vector>

#include "backends/reference/tensor.h"
#include "graph/graph_definition.h"

namespace webnn::reference {

class Environment {
 public:
  explicit Environment(std::size_t indexLimit) : values_(indexLimit) {}

  // The value of an operand of the operation.
  const NdArray& operator[](const Operand& operand) const { return values_[operand.record().index]; }
  // Returns the i-th result, initially zeros of its descriptor.
  NdArray& output(std::size_t i = 0) { return values_[outputs_->at(i).record().index]; }
  std::size_t outputCount() const { return outputs_->size(); }

  // The functions below are for the executor only.
  NdArray& value(const Operand& operand) { return values_[operand.record().index]; }
  void setOutputs(const std::vector<Operand>& outputs) { outputs_ = &outputs; }

 private:
  std::vector<NdArray> values_;
  const std::vector<Operand>* outputs_ = nullptr;
};

}  // namespace webnn::reference
