// Tensor: memory that graphs read and write.
#pragma once

#include <memory>

#include "webnn/types.h"

namespace webnn {

struct TensorState;  // src/context/tensor_state.h

// A reference-counted handle of a tensor of one context. Thread safe. https://www.w3.org/TR/webnn/#api-mltensor
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

  // Destroys the tensor. Pending reads fail with InvalidStateError; the memory is freed after all work that was queued earlier.
  // Idempotent.
  void destroy();

  const std::shared_ptr<TensorState>& state() const { return state_; }

 private:
  std::shared_ptr<TensorState> state_;
};

}  // namespace webnn
