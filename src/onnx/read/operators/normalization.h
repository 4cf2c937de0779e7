#pragma once

#include <optional>

#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

// The mean of `input` over `axes`, and 1 / sqrt(variance + epsilon). The reduced dimensions stay, with size 1.
struct Moments {
  Operand mean, inverseDeviation;
};
Moments momentsOf(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes, double epsilon);

// Applies LayerNormalization over the dimensions from `axis` to the last.
Operand normalizeLayers(NodeContext& node, const Operand& input, std::uint32_t axis, const std::optional<Operand>& scale,
                        const std::optional<Operand>& bias, double epsilon);

// Returns axis, axis + 1, ..., rank - 1.
std::vector<std::uint32_t> axesFrom(std::uint32_t axis, std::size_t rank);

// Handlers of com.microsoft operators, defined in other files.
void importEmbedLayerNormalization(NodeContext& node);
void importQEmbedLayerNormalization(NodeContext& node);
void importSkipLayerNormalization(NodeContext& node);
void importSkipSimplifiedLayerNormalization(NodeContext& node);

// The results of normalizeByRootMeanSquare(), computed in `precision`: `input` divided by its root mean square, which is
// sqrt(mean of squares over `axes` + epsilon), and 1 / root mean square.
struct RootMeanSquare {
  Operand normalized, inverse;
};
RootMeanSquare normalizeByRootMeanSquare(NodeContext& node, const Operand& input, const std::vector<std::uint32_t>& axes,
                                         double epsilon, DataType precision);

}  // namespace webnn::formats::onnx
