#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ops/sizes/open_sizes.h"
#include "webnn/operand.h"

namespace webnn {

struct InputDimension {
  Operand input;
  std::size_t axis = 0;
};

// Returns the first dimension of each input that is the open dimension `name` by itself, not an expression with it. An exported
// program reads the size of the open dimension there.
inline std::vector<InputDimension> dimensionsNamed(const std::string& name, const std::vector<Operand>& inputs) {
  std::vector<InputDimension> found;
  for (const Operand& input : inputs) {
    const Shape& shape = input.shape();
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!isOpen(shape[axis]) || OpenScope::current()->nameOf(shape[axis]) != name) continue;
      found.push_back({input, axis});
      break;
    }
  }
  return found;
}

}  // namespace webnn
