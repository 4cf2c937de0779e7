#include "backends/cpu/elements/broadcast.h"

#include <algorithm>

namespace webnn::cpu {

namespace {

// Returns an operand's stride in elements along each output dimension, 0 if the operand is broadcast along the dimension.
std::vector<std::size_t> stridesOf(const Shape& operand, const Shape& output) {
  std::vector<std::size_t> strides(output.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = operand.size(); i-- > 0;) {
    if (operand[i] != 1) strides[output.size() - operand.size() + i] = stride;
    stride *= operand[i];
  }
  return strides;
}

std::size_t elementsOf(const Shape& shape) {
  std::size_t count = 1;
  for (const std::uint32_t dimension : shape) count *= dimension;
  return count;
}

}  // namespace

Broadcast::Broadcast(const Shape& output, std::span<const Shape> shapes, bool keepsColumns) : operands(shapes.size()) {
  std::vector<std::vector<std::size_t>> strides;
  for (const Shape& operand : shapes) strides.push_back(stridesOf(operand, output));
  // A dimension of the output, with the strides of all operands along it. `dimensions` begins with the innermost dimension.
  struct Dimension {
    std::size_t size;
    std::vector<std::size_t> strides;
  };
  std::vector<Dimension> dimensions;
  if (keepsColumns) dimensions.push_back({output.empty() ? 1 : output.back(), {}});
  for (std::size_t i = output.size(); i-- > 0;) {
    Dimension dimension{output[i], {}};
    for (const auto& of : strides) dimension.strides.push_back(of[i]);
    if (keepsColumns && i + 1 == output.size()) {
      dimensions[0] = std::move(dimension);
      continue;
    }
    if (dimension.size == 1) continue;
    const bool mayJoin = !dimensions.empty() && !(keepsColumns && dimensions.size() == 1);
    const auto follows = [&](std::size_t k) {
      return dimension.strides[k] == dimensions.back().strides[k] * dimensions.back().size;
    };
    bool joins = mayJoin;
    for (std::size_t k = 0; joins && k < shapes.size(); ++k) joins = follows(k);
    if (joins) {
      dimensions.back().size *= dimension.size;
    } else {
      dimensions.push_back(std::move(dimension));
    }
  }
  if (dimensions.empty()) dimensions.push_back({1, {}});
  if (dimensions[0].strides.empty()) dimensions[0].strides.resize(shapes.size());
  inner = dimensions[0].size;
  outer = dimensions.size() - 1;
  for (std::size_t d = 0; d < outer; ++d) {
    shape[d] = dimensions[outer - d].size;
    rows *= shape[d];
  }
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    BroadcastOperand& operand = operands[k];
    const std::size_t size = elementsOf(shapes[k]);
    operand.isUniform = size == 1;
    operand.isWhole = size == inner * rows;
    operand.repeats = dimensions[0].strides[k] == 0;
    operand.isFixed = true;
    std::size_t back = 0;  // the part of the offset that is undone when all dimensions after d return to index 0
    for (std::size_t d = outer; d-- > 0;) {
      operand.strides[d] = dimensions[outer - d].strides[k];
      operand.isFixed = operand.isFixed && operand.strides[d] == 0;
      operand.steps[d] = operand.strides[d] - back;
      back += (shape[d] - 1) * operand.strides[d];
    }
  }
}

}  // namespace webnn::cpu
