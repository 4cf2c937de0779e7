#pragma once

#include <vector>

#include "backends/reference/tensor.h"
#include "graph/graph_definition.h"

namespace webnn::reference {

class Environment {
 public:
  explicit Environment(std::size_t indexLimit) : values_(indexLimit) {}

  const NdArray& operator[](const Operand& operand) const { return values_[operand.record().index]; }
  // Returns the i-th output of the current operation. Before the operation runs, the output has its descriptor and is all zeros.
  NdArray& output(std::size_t i = 0) { return values_[outputs_->at(i).record().index]; }
  std::size_t outputCount() const { return outputs_->size(); }

  // Only reference_backend.cpp calls the functions below.
  NdArray& value(const Operand& operand) { return values_[operand.record().index]; }
  void setOutputs(const std::vector<Operand>& outputs) { outputs_ = &outputs; }

 private:
  std::vector<NdArray> values_;
  const std::vector<Operand>* outputs_ = nullptr;
};

}  // namespace webnn::reference
