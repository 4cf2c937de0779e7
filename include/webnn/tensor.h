// Tensors: the memory that graphs read and write.
#pragma once

#include <memory>

#include "webnn/types.h"

namespace webnn {

struct TensorState;  // src/context/tensor_state.h

// A handle of a tensor of one context. Thread safe. https://www.w3.org/TR/webnn/#api-mltensor
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(std::shared_ptr<TensorState> state) : state_(std::move(state)) {}

  DataType dataType() const;
  const Shape& shape() const;
  OperandDescriptor descriptor() const;
  bool readable() const;
  bool writable() const;
  bool constant() const;

  // Pending reads fail with InvalidStateError; the memory is freed when what was queued before is done. Idempotent.
  void destroy();

  const std::shared_ptr<TensorState>& state() const { return state_; }

 private:
  std::shared_ptr<TensorState> state_;
};

}  // namespace webnn
