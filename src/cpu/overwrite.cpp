#include "cpu/overwrite.h"

#include <algorithm>

namespace webnn::cpu {

const Operand* overwritable(const ModuleNode& node) {
  if (const auto* chain = as<Chain>(node.operation)) {
    for (const Operand& input : chain->inputs) {
      if (input.descriptor() == node.outputs[0].descriptor()) return &input;
    }
  }
  if (const auto* rows = as<RowNormalization>(node.operation)) return &rows->input;  // read row by row
  return nullptr;
}

bool writesPitched(const ModuleNode& node) {
  if (const auto* resample = as<ops::Resample2d>(node.operation)) {
    // Channels last, and more than one: positions are apart anyway.
    const Shape& shape = resample->input.shape();
    return std::ranges::max(*resample->options.axes) + 2 == shape.size() && shape.back() > 1;
  }
  const bool isConvolution = as<Convolution>(node.operation) || as<ConvolutionBlock>(node.operation);
  return isConvolution && node.outputs[0].dataType() == DataType::float32;
}

}  // namespace webnn::cpu
