// NumPy's broadcasting rules, for operators that the host computes.
#pragma once

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

class Broadcast {
 public:
  // Throws DataError if the shapes cannot be broadcast together.
  Broadcast(const HostNode& node, const std::vector<const Dims*>& shapes) : node_(node) {
    std::size_t rank = 0;
    for (const Dims* shape : shapes) rank = std::max(rank, shape->size());
    dims_.assign(rank, 1);
    for (const Dims* shape : shapes) {
      for (std::size_t d = 0; d < shape->size(); ++d) {
        std::int64_t& size = dims_[rank - shape->size() + d];
        if (size == 1)
          size = (*shape)[d];
        else if ((*shape)[d] != 1 && (*shape)[d] != size)
          fail(ErrorKind::dataError, "[{}] does not broadcast to [{}].", textOf(*shape), textOf(dims_));
      }
    }
    for (const Dims* shape : shapes) {
      std::vector<std::size_t>& strides = strides_.emplace_back(rank, 0);
      std::size_t stride = 1;
      for (std::size_t d = shape->size(); d-- > 0;) {
        if ((*shape)[d] != 1) strides[rank - shape->size() + d] = stride;
        stride *= static_cast<std::size_t>((*shape)[d]);
      }
    }
    count_ = elementCount(dims_);
  }

  const Dims& dims() const { return dims_; }
  std::size_t count() const { return count_; }

  // Calls `visit` for each element of the result, in order, with the positions of the inputs' elements.
  template <typename Visit>
  void each(Visit visit) const {
    std::vector<std::size_t> at(strides_.size(), 0);
    Dims index(dims_.size(), 0);
    for (std::size_t i = 0; i < count_; ++i) {
      node_.tick();
      visit(at);
      for (std::size_t d = dims_.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(dims_[d]);
        const bool isLast = static_cast<std::size_t>(++index[d]) == size;
        for (std::size_t s = 0; s < at.size(); ++s) at[s] += isLast ? strides_[s][d] - size * strides_[s][d] : strides_[s][d];
        if (!isLast) break;
        index[d] = 0;
      }
    }
  }

 private:
  const HostNode& node_;
  Dims dims_;
  std::vector<std::vector<std::size_t>> strides_;  // per input; 0 along dimensions that are broadcast
  std::size_t count_ = 0;
};

}  // namespace webnn::formats::onnx
