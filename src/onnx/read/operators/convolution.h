// Convolutions with any number of spatial dimensions, composed of WebNN's 2-D convolutions.
#pragma once

#include <optional>

#include "onnx/read/node_context.h"
#include "onnx/read/operators/window.h"

namespace webnn::formats::onnx {

struct ConvAttributes {
  Operand input;                // [N, C, sizes...]
  Operand filter;               // [M, C / groups, kernel...], or if transposed [C, M / groups, kernel...]
  std::optional<Operand> bias;  // [M]
  std::uint32_t groups = 1;
  Window window;
};

Operand convolve(NodeContext& node, ConvAttributes convolution);

// Makes the first spatial dimension a part of the batch: [N, C, D, ...] becomes [N * D, C, ...].
Operand framesOf(NodeContext& node, const Operand& volume);
// The inverse of framesOf() for a batch of `batch` volumes.
Operand volumeOf(NodeContext& node, const Operand& frames, std::uint32_t batch);

// Computes a transposed convolution and crops the result by the padding. Negative padding appends elements that no input reaches.
Operand convolveTransposed(NodeContext& node, const ConvAttributes& convolution);

}  // namespace webnn::formats::onnx
